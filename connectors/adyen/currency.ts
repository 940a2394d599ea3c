/**
 * Adyen counts most currencies in the minor units of ISO 4217, and these in others: its pesos of Chile and crowns of
 * Iceland have two decimals, its escudos of Cape Verde and rupiahs none.
 * https://docs.adyen.com/development-resources/currency-codes
 */
const DECIMALS_MORE: Readonly<Record<string, number>> = { CLP: 2, ISK: 2, CVE: -2, IDR: -2 }

/** Null if Adyen cannot state the amount: 1.50 escudos, say. */
export function toAdyen(amount: number, currency: string): number | null {
  const shifted = shift(amount, DECIMALS_MORE[currency] ?? 0)
  return Number.isSafeInteger(shifted) ? shifted : null
}

export function fromAdyen(value: number, currency: string): number | null {
  const shifted = shift(value, -(DECIMALS_MORE[currency] ?? 0))
  return Number.isSafeInteger(shifted) ? shifted : null
}

function shift(amount: number, decimals: number): number {
  return decimals >= 0 ? amount * 10 ** decimals : amount / 10 ** -decimals
}

const WITHOUT_DECIMALS = 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'.split(' ')
const WITH_THREE = 'BHD IQD JOD KWD LYD OMR TND'.split(' ')

/** The digits after the point of ISO 4217, in which this service counts. */
export function decimalsOf(currency: string): number {
  if (WITHOUT_DECIMALS.includes(currency)) return 0
  return WITH_THREE.includes(currency) ? 3 : 2
}
