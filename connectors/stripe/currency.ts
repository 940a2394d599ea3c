/**
 * Our amounts are in the minor units of ISO 4217. Stripe's are, too, with these exceptions. Amounts that Stripe could only
 * take rounded are refused: rounding would charge another amount than the buyer saw.
 * Source: https://docs.stripe.com/currencies#minor-units, #special-cases, #three-decimal
 */
export const CURRENCY_RULES = {
  /** Without a minor unit, but Stripe wants two decimals, both 0. */
  timesHundred: ['ISK', 'UGX'],
  /** With two decimals in ISO 4217 that are not in use: Stripe wants none. */
  hundredth: ['MGA'],
  /** Without decimals at Stripe. */
  withoutDecimals: [
    ...[
      'BIF',
      'CLP',
      'DJF',
      'GNF',
      'JPY',
      'KMF',
      'KRW',
      'MGA',
      'PYG',
      'RWF',
      'VND',
      'VUV',
      'XAF',
      'XOF',
      'XPF',
    ],
  ],
  /** With three decimals: the last one must be 0. */
  multiplesOfTen: ['BHD', 'JOD', 'KWD', 'OMR', 'TND'],
} as const

/** Those that Stripe charges cards in, as far as they are current. Source: https://docs.stripe.com/currencies */
export const STRIPE_CURRENCIES: readonly string[] = (
  'AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BHD BIF BMD BND BOB BRL BSD BWP BYN BZD CAD CDF CHF ' +
  'CLP CNY COP CRC CVE CZK DJF DKK DOP DZD EGP ETB EUR FJD FKP GBP GEL GIP GMD GNF GTQ GYD HKD HNL HTG ' +
  'HUF IDR ILS INR ISK JMD JOD JPY KES KGS KHR KMF KRW KWD KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD ' +
  'MMK MNT MOP MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON ' +
  'RSD RUB RWF SAR SBD SCR SEK SGD SHP SLE SOS SRD SZL THB TJS TND TOP TRY TTD TWD TZS UAH UGX USD UYU ' +
  'UZS VND VUV WST XAF XCD XCG XOF XPF YER ZAR ZMW'
).split(' ')

/** In Stripe's units. Null if Stripe cannot take this amount exactly. */
export function toStripeAmount(amount: number, currency: string): number | null {
  if (isIn(CURRENCY_RULES.timesHundred, currency)) return amount * 100
  if (isIn(CURRENCY_RULES.hundredth, currency)) return amount % 100 === 0 ? amount / 100 : null
  if (isIn(CURRENCY_RULES.multiplesOfTen, currency)) return amount % 10 === 0 ? amount : null
  return amount
}

/** In our units. Null if Stripe states an amount that our units cannot. */
export function fromStripeAmount(amount: number, currency: string): number | null {
  const code = currency.toUpperCase()
  if (isIn(CURRENCY_RULES.timesHundred, code)) return amount % 100 === 0 ? amount / 100 : null
  return isIn(CURRENCY_RULES.hundredth, code) ? amount * 100 : amount
}

/** How many digits of Stripe's amounts come after the decimal point. Its exchange rates are between its own amounts. */
export function stripeDecimalsOf(currency: string): number {
  const code = currency.toUpperCase()
  if (isIn(CURRENCY_RULES.withoutDecimals, code)) return 0
  return isIn(CURRENCY_RULES.multiplesOfTen, code) ? 3 : 2
}

function isIn(list: readonly string[], currency: string): boolean {
  return list.includes(currency)
}
