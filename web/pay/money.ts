import { formatAmount } from '../../server/src/domain/amount-text.ts'
import { directionOf, type Locale } from '../../server/src/domain/locale.ts'
import type { OrderFacts } from '../../server/src/domain/pay-page.ts'

/**
 * Amounts have Latin digits in every language, as cards and receipts have them. In a text that runs from right to left they
 * are kept together, or the currency would come out turned around.
 */
export function moneyIn(
  { currency, minor_units }: OrderFacts,
  locale: Locale,
): (amount: number | string) => string {
  const money = { currency, minorUnits: minor_units ?? undefined, locale: `${locale}-u-nu-latn` }
  const isolate = directionOf(locale) === 'rtl' ? isolated : (text: string) => text
  return (amount) => isolate(formatAmount(BigInt(amount), money))
}

function isolated(text: string): string {
  return `\u2066${text.replaceAll('\u200f', '')}\u2069`
}
