/** The languages of the pages for buyers. */
export const LOCALES = [
  'en',
  'en-GB',
  'de',
  'fr',
  'es',
  'pt',
  'pt-BR',
  'it',
  'nl',
  'pl',
  'sv',
  'ja',
  'zh',
  'ar',
] as const
export type Locale = (typeof LOCALES)[number]

export function isLocale(text: string): text is Locale {
  return (LOCALES as readonly string[]).includes(text)
}

/** The language that is named, or else the first of the browser's that we speak, or else English. */
export function localeFor(named: string | null, acceptLanguage: string | undefined): Locale {
  if (named !== null && isLocale(named)) return named
  const asked = (acceptLanguage ?? '')
    .split(',')
    .map((part) => part.split(';')[0]?.trim().toLowerCase() ?? '')
  for (const tag of asked) {
    const exact = LOCALES.find((locale) => locale.toLowerCase() === tag)
    const nearest = exact ?? LOCALES.find((locale) => locale === tag.split('-')[0])
    if (nearest) return nearest
  }
  return 'en'
}

export function directionOf(locale: Locale): 'ltr' | 'rtl' {
  return locale === 'ar' ? 'rtl' : 'ltr'
}
