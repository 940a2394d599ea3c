import type { Locale } from '#domain/locale.ts'
import { ar } from './ar.ts'
import { cs } from './cs.ts'
import { da } from './da.ts'
import { de } from './de.ts'
import { el } from './el.ts'
import { en, type Words } from './en.ts'
import { es } from './es.ts'
import { fi } from './fi.ts'
import { fr } from './fr.ts'
import { he } from './he.ts'
import { hu } from './hu.ts'
import { it } from './it.ts'
import { ja } from './ja.ts'
import { ko } from './ko.ts'
import { nb } from './nb.ts'
import { nl } from './nl.ts'
import { pl } from './pl.ts'
import { pt } from './pt.ts'
import { ptBR } from './pt-br.ts'
import { ro } from './ro.ts'
import { sv } from './sv.ts'
import { th } from './th.ts'
import { tr } from './tr.ts'
import { uk } from './uk.ts'
import { vi } from './vi.ts'
import { zh } from './zh.ts'
import { zhTW } from './zh-tw.ts'

/** Everything that pages say to buyers, in each language. */
export const WORDS: Readonly<Record<Locale, Words>> = {
  en,
  'en-GB': en,
  de,
  fr,
  es,
  pt,
  'pt-BR': ptBR,
  it,
  nl,
  pl,
  sv,
  da,
  nb,
  fi,
  cs,
  hu,
  ro,
  tr,
  el,
  uk,
  vi,
  ja,
  ko,
  zh,
  'zh-TW': zhTW,
  th,
  ar,
  he,
}
