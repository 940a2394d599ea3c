/** The currencies of each method, by Mollie's page about it. */
export const CURRENCIES: Readonly<Record<string, readonly string[]>> = {
  alma: ['EUR'],
  bancomatpay: ['EUR'],
  bancontact: ['EUR'],
  banktransfer: ['EUR'],
  belfius: ['EUR'],
  billie: ['CHF', 'DKK', 'EUR', 'GBP', 'NOK', 'SEK'],
  bizum: ['EUR'],
  blik: ['PLN'],
  eps: ['EUR'],
  ideal: ['EUR'],
  in3: ['EUR'],
  kbc: ['EUR'],
  klarna: ['CHF', 'CZK', 'DKK', 'EUR', 'GBP', 'NOK', 'PLN', 'RON', 'SEK'],
  mbway: ['EUR'],
  mobilepay: ['DKK', 'EUR'],
  multibanco: ['EUR'],
  mybank: ['EUR'],
  paybybank: ['EUR', 'GBP'],
  paypal: 'AUD BRL CAD CHF CZK DKK EUR GBP HKD HUF ILS JPY MXN MYR NOK NZD PHP PLN SEK SGD THB TWD USD'.split(
    ' ',
  ),
  paysafecard: ['CHF', 'EUR', 'GBP', 'NOK', 'PLN', 'RON', 'SEK'],
  przelewy24: ['EUR', 'PLN'],
  riverty: ['EUR'],
  satispay: ['EUR'],
  swish: ['SEK'],
  trustly: ['DKK', 'EUR', 'GBP', 'NOK', 'SEK'],
  twint: ['CHF'],
  vipps: ['NOK'],
}

/** Methods that hold the money first, if they are asked to. */
export const HELD: readonly string[] = ['klarna', 'billie', 'riverty']

/** Methods that need lines and a whole billing address. */
export const LATER: readonly string[] = ['klarna', 'billie', 'riverty', 'in3']
