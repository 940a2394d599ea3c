/**
 * PayPal writes amounts as text with a point. These are its currencies, with the number of decimals of our minor units (ISO
 * 4217) and of PayPal's text: PayPal takes Hungarian forints and Taiwan dollars without decimals.
 * https://developer.paypal.com/api/rest/reference/currency-codes/
 */
const DECIMALS: Readonly<Record<string, { readonly ours: number; readonly theirs: number }>> = {
  ...Object.fromEntries(
    'AUD BRL CAD CHF CNY CZK DKK EUR GBP HKD ILS MXN MYR NOK NZD PHP PLN SEK SGD THB USD'
      .split(' ')
      .map((currency) => [currency, { ours: 2, theirs: 2 }]),
  ),
  HUF: { ours: 2, theirs: 0 },
  JPY: { ours: 0, theirs: 0 },
  TWD: { ours: 2, theirs: 0 },
}

export const CURRENCIES: readonly string[] = Object.keys(DECIMALS)

export type WireMoney = { readonly currency_code: string; readonly value: string }

/** Null if PayPal cannot express the amount: half a forint, or another currency. */
export function toWire(amount: number, currency: string): WireMoney | null {
  const decimals = DECIMALS[currency]
  if (!decimals || !Number.isSafeInteger(amount) || amount < 0) return null
  const { ours, theirs } = decimals
  const scale = 10 ** (ours - theirs)
  if (amount % scale !== 0) return null
  const digits = String(amount / scale).padStart(theirs + 1, '0')
  const whole = digits.slice(0, digits.length - theirs)
  return { currency_code: currency, value: theirs === 0 ? whole : `${whole}.${digits.slice(-theirs)}` }
}

/** Minor units, without floating point. Null if it is no amount of a currency that PayPal has. */
export function fromWire(wire: unknown): { readonly amount: number; readonly currency: string } | null {
  const { currency_code: currency, value } = (wire ?? {}) as Partial<WireMoney>
  const decimals = typeof currency === 'string' ? DECIMALS[currency] : undefined
  const match = /^(-?)(\d{1,15})(?:\.(\d{1,2}))?$/.exec(typeof value === 'string' ? value : '')
  if (!decimals || !match || typeof currency !== 'string') return null
  const [, sign, whole = '', fraction = ''] = match
  // Transaction Search writes decimals also where there are none: "1299.00" yen.
  const kept = fraction.padEnd(2, '0').slice(0, decimals.ours)
  if (Number(fraction.padEnd(2, '0').slice(decimals.ours)) !== 0) return null
  const amount = Number(`${whole}${kept}`)
  return { amount: sign === '-' && amount !== 0 ? -amount : amount, currency }
}
