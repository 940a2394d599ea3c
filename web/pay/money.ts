import { amountText } from '../../server/src/domain/currency.ts'
import { directionOf, type Locale } from '../../server/src/domain/locale.ts'

/**
 * Amounts have Latin digits in every language, as cards and receipts have them. In a text that runs from right to left they
 * are kept together, or the currency would come out turned around.
 */
export function moneyIn(currency: string, locale: Locale): (amount: number | string) => string {
  const isolate = directionOf(locale) === 'rtl' ? isolated : (text: string) => text
  return (amount) => isolate(amountText(BigInt(amount), currency, `${locale}-u-nu-latn`))
}

function isolated(text: string): string {
  return `\u2066${text.replaceAll('\u200f', '')}\u2069`
}
