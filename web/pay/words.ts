import type { Locale } from '../../server/src/domain/locale.ts'
import { en, type Words } from './words/en.ts'

const LATER: Readonly<Record<Exclude<Locale, 'en' | 'en-GB'>, () => Promise<{ readonly words: Words }>>> = {
  de: () => import('./words/de.ts'),
  fr: () => import('./words/fr.ts'),
  es: () => import('./words/es.ts'),
  pt: () => import('./words/pt.ts'),
  'pt-BR': () => import('./words/pt-br.ts'),
  it: () => import('./words/it.ts'),
  nl: () => import('./words/nl.ts'),
  pl: () => import('./words/pl.ts'),
  sv: () => import('./words/sv.ts'),
  ja: () => import('./words/ja.ts'),
  zh: () => import('./words/zh.ts'),
  ar: () => import('./words/ar.ts'),
}

/** A language that does not load is replaced by English: a page that says nothing would take no payment. */
export async function wordsIn(locale: Locale): Promise<Words> {
  if (locale === 'en' || locale === 'en-GB') return en
  return LATER[locale]().then(
    ({ words }) => words,
    () => en,
  )
}

export function fill(text: string, values: Readonly<Record<string, string>>): string {
  return text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole)
}
