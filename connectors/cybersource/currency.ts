/**
 * CyberSource takes amounts in major units, as in `12.99`, and cuts off decimals that it does not count. So currencies are not offered
 * whose decimals others count differently than ISO 4217: CLP, CVE, IQD, ISK, MGA, MRU and UGX.
 */
const WITHOUT_DECIMALS = 'BIF DJF GNF JPY KMF KRW PYG RWF VND VUV XAF XOF XPF'.split(' ')
const WITH_THREE = 'BHD JOD KWD LYD OMR TND'.split(' ')
const WITH_TWO =
  `AED ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CNY COP CRC CZK DKK
  DOP DZD EGP ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR JMD KES KGS KHR KYD KZT LAK LBP LKR
  LRD LSL MAD MDL MKD MMK MNT MOP MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD SAR
  SBD SCR SEK SGD SHP SOS SRD STN SVC SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD UYU UZS WST XCD YER ZAR ZMW`.split(
    /\s+/,
  )

export const CURRENCIES: readonly string[] = [...WITH_TWO, ...WITHOUT_DECIMALS, ...WITH_THREE]

function decimalsOf(currency: string): number {
  if (WITHOUT_DECIMALS.includes(currency)) return 0
  return WITH_THREE.includes(currency) ? 3 : 2
}

/** As in `12.99`, without floating point. */
export function toMajor(amount: number, currency: string): string {
  const decimals = decimalsOf(currency)
  if (decimals === 0) return String(amount)
  const digits = String(amount).padStart(decimals + 1, '0')
  return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
}

/** Null: no amount, or one that the currency cannot have. */
export function toMinor(text: string | null, currency: string): number | null {
  const [, whole, rest = ''] = /^(\d{1,12})(?:[.](\d{1,4}))?$/.exec(text ?? '') ?? []
  const decimals = decimalsOf(currency)
  const [kept, beyond] = [rest.slice(0, decimals).padEnd(decimals, '0'), rest.slice(decimals)]
  return whole === undefined || /[1-9]/.test(beyond) ? null : Number(`${whole}${kept}`)
}
