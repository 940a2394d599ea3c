/** Every currency code that is known here, in alphabetical order. */
export const CURRENCIES: readonly string[] = Intl.supportedValuesOf('currency')

const KNOWN = new Set(CURRENCIES)

/** Whether a code of three capital letters is in ISO 4217. */
export function isCurrency(code: string): boolean {
  return KNOWN.has(code)
}
