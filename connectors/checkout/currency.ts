/**
 * Checkout.com counts these without decimals, and those with three, of which the last must be 0. All others have two.
 * https://www.checkout.com/docs/resources/calculating-the-value
 */
const WITHOUT_DECIMALS = 'BIF DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF'.split(' ')
const WITH_THREE = 'BHD JOD KWD LYD OMR TND'.split(' ')

/**
 * Currencies of Checkout.com's own libraries, without those whose unit is in doubt: ISO 4217 gives CLF four decimals, CLP
 * and UYI none, IQD three, and Checkout.com's page counts them otherwise or does not name them. Without those that
 * are no longer money, too.
 */
const WITH_TWO =
  `AED ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CNY COP CRC CUP CVE
  CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR JMD KES KGS KHR KYD KZT
  LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR
  PLN QAR RON RSD SAR SBD SCR SEK SGD SHP SOS SRD STN SVC SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD UYU UZS WST XCD YER
  ZAR ZMW`.split(/\s+/)

export const CURRENCIES: readonly string[] = [...WITH_TWO, ...WITHOUT_DECIMALS, ...WITH_THREE]

/** Whether Checkout.com can state the amount. Both sides count in the minor units of ISO 4217. */
export function isExact(amount: number, currency: string): boolean {
  return !WITH_THREE.includes(currency) || amount % 10 === 0
}

/** Decimals of a unit. What Checkout.com holds money in has two if its page does not say otherwise. */
export function decimalsOf(currency: string): number {
  if (WITHOUT_DECIMALS.includes(currency)) return 0
  return WITH_THREE.includes(currency) ? 3 : 2
}
