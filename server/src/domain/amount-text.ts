type Money = {
  readonly currency: string
  /** How many digits of an amount come after the decimal point, by ISO 4217. Undefined: the currency was withdrawn. */
  readonly minorUnits: number | undefined
  readonly locale: string
}

/** An amount in minor units as people read it. Apart from the list of currencies, so that pages do not load it. */
export function formatAmount(amount: number | bigint, { currency, minorUnits, locale }: Money): string {
  if (minorUnits === undefined) return `${amount} minor units of ${currency}`
  const options = { minimumFractionDigits: minorUnits, maximumFractionDigits: minorUnits }
  const format = new Intl.NumberFormat(locale, { style: 'currency', currency, ...options })
  // A text with an exponent is exact; a division would round. Browsers before 2023 read it as a number, exact to 15 digits.
  return format.format(`${amount}E-${minorUnits}` as unknown as number)
}
