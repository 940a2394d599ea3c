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
  'da',
  'nb',
  'fi',
  'cs',
  'hu',
  'ro',
  'tr',
  'el',
  'uk',
  'vi',
  'ja',
  'ko',
  'zh',
  'zh-TW',
  'th',
  'ar',
  'he',
] as const
export type Locale = (typeof LOCALES)[number]

export function isLocale(text: string): text is Locale {
  return (LOCALES as readonly string[]).includes(text)
}

/** The language that is named, or else the first of the browser's that we speak, or else English. */
export function localeFor(named: string | null, acceptLanguage: string | undefined): Locale {
  if (named !== null && isLocale(named)) return named
  for (const part of (acceptLanguage ?? '').split(',')) {
    const nearest = nearestTo(part.split(';')[0]?.trim() ?? '')
    if (nearest) return nearest
  }
  return 'en'
}

/** Browsers ask for Norwegian, or for one of its two written forms. We have the more usual one. */
const NORWEGIAN: ReadonlySet<string> = new Set(['no', 'nn'])

/**
 * By language and region, or else by language. Chinese is chosen by its characters: a buyer in Hong Kong or Taiwan gets the
 * traditional ones.
 */
function nearestTo(tag: string): Locale | undefined {
  try {
    const asked = new Intl.Locale(tag)
    const { language, region } = asked
    if (language === 'zh') return asked.maximize().script === 'Hant' ? 'zh-TW' : 'zh'
    if (NORWEGIAN.has(language)) return 'nb'
    const exact = LOCALES.find((locale) => locale === `${language}-${region}`)
    return exact ?? LOCALES.find((locale) => locale === language)
  } catch {
    // Not a language, such as `*`.
    return undefined
  }
}

export function directionOf(locale: Locale): 'ltr' | 'rtl' {
  return locale === 'ar' || locale === 'he' ? 'rtl' : 'ltr'
}
