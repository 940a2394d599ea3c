/** Dates, numbers and amounts are written as in the language of the browser. */
export const LOCALE = new Intl.Locale(browserLanguage(), { numberingSystem: 'latn', calendar: 'gregory' })

function browserLanguage(): string {
  try {
    return Intl.getCanonicalLocales(navigator.language)[0] ?? 'en'
  } catch {
    return 'en'
  }
}

/** The words of the pages are English: in other languages, a date has its month as a number, and no weekday. */
export function dateFormat(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  if (LOCALE.language === 'en') return new Intl.DateTimeFormat(LOCALE, options)
  const { weekday: _word, month, day, ...rest } = options
  if (month && !day) return new Intl.DateTimeFormat('en', options)
  const numbers = month ? ({ month: '2-digit', day: '2-digit' } as const) : {}
  return new Intl.DateTimeFormat(LOCALE, { ...rest, ...numbers })
}

/** `card number` as the beginning of a sentence. */
export function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1)
}

/** What stands before the cents when the person types an amount. */
export const DECIMAL_MARK = new Intl.NumberFormat(LOCALE).format(0.5).charAt(1)
