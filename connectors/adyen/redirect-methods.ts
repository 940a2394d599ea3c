import type { Refused } from '#connectors/contract/connector.ts'
import type { Manifest } from '#connectors/contract/manifest.ts'
import { refused } from '#connectors/contract/refuse.ts'
import { OPTIONS } from './option-schemas.ts'
import type { Json } from './wire.ts'

/** What Adyen requires of the buyer, by its field, and where the API has it. */
export const ASKED = {
  billingAddress: 'a whole billing_details.address: line1, city, postal_code and country',
  countryCode: 'country',
  deliveryAddress: 'a whole shipping_details.address: line1, city, postal_code and country',
  shopperEmail: 'billing_details.email_address',
  shopperName: 'billing_details.first_name and last_name',
  telephoneNumber: 'billing_details.phone_number',
} as const
export type Asked = keyof typeof ASKED

export type RedirectMethod = Pick<
  Manifest,
  'method' | 'displayName' | 'currencies' | 'countries' | 'options'
> & {
  /** Adyen's type. Some methods have one for each currency. */
  readonly type: string | Readonly<Record<string, string>>
  /** How webhooks and reports name it, if not by its type. Longer names (`klarna_account`) are the same method. */
  readonly names?: readonly string[]
  /** Left out: the money is taken when the buyer approves. */
  readonly captures?: 'one' | 'several'
  readonly asks?: readonly Asked[]
  /** What stands in `paymentMethod` beside the type. */
  readonly fixed?: Json
  /** Adyen wants the buyer's number in `paymentMethod`, too. */
  readonly hasPhone?: true
  /** The buyer sees what is bought, and Adyen wants the lines of each part that is captured or refunded. */
  readonly hasLines?: true
}

/** Of Klarna. */
// biome-ignore format: one currency in each line would bury the rows
const KLARNA = [
  'AUD', 'CAD', 'CHF', 'CZK', 'DKK', 'EUR', 'GBP', 'MXN', 'NOK', 'NZD', 'PLN', 'RON', 'SEK', 'USD',
]
/** Afterpay and Clearpay are one service under two names. */
const AFTERPAY: Pick<RedirectMethod, 'captures' | 'asks' | 'hasLines'> = {
  captures: 'several',
  asks: ['shopperName', 'shopperEmail', 'billingAddress', 'deliveryAddress'],
  hasLines: true,
}

/**
 * The methods whose buyers approve on a page. A method is a row: the connector, its tests and the table in
 * docs/connectors/adyen.md come from here. Each type is in the contract of Checkout v71, and the rest of a row on Adyen's page
 * about the method, such as https://docs.adyen.com/payment-methods/vipps.
 */
// biome-ignore format: one row in a few lines
export const REDIRECT_METHODS: readonly RedirectMethod[] = [
  { method: 'ideal', displayName: 'Adyen iDEAL', type: 'ideal', currencies: ['EUR'], countries: ['NL'], options: OPTIONS },
  { method: 'bancontact', displayName: 'Adyen Bancontact', type: 'bcmc_mobile', names: ['bcmc'], currencies: ['EUR'], countries: ['BE'] },
  { method: 'klarna', displayName: 'Adyen Klarna', type: 'klarna', names: ['klarna', 'klarnapayments'], currencies: KLARNA, countries: 'all',
    captures: 'several', hasLines: true },
  // Without the subtype, Adyen answers with data for PayPal's script.
  { method: 'paypal', displayName: 'Adyen PayPal', type: 'paypal', currencies: 'all', countries: 'all', captures: 'one', fixed: { subtype: 'redirect' } },
  { method: 'affirm', displayName: 'Adyen Affirm', type: 'affirm', currencies: ['USD', 'CAD', 'GBP'], countries: ['US', 'CA', 'GB'],
    captures: 'several', asks: ['shopperName', 'shopperEmail', 'telephoneNumber', 'billingAddress'], hasLines: true },
  { method: 'afterpay', displayName: 'Adyen Afterpay', type: 'afterpaytouch', currencies: ['AUD', 'CAD', 'NZD'], countries: ['AU', 'CA', 'NZ'], ...AFTERPAY },
  { method: 'clearpay', displayName: 'Adyen Clearpay', type: 'clearpay', currencies: ['GBP'], countries: ['GB'], ...AFTERPAY },
  { method: 'dana', displayName: 'Adyen DANA', type: 'dana', currencies: ['IDR'], countries: ['ID'] },
  { method: 'gcash', displayName: 'Adyen GCash', type: 'gcash', currencies: ['PHP'], countries: ['PH'] },
  { method: 'grabpay', displayName: 'Adyen GrabPay', type: { MYR: 'grabpay_MY', PHP: 'grabpay_PH', SGD: 'grabpay_SG' },
    currencies: ['MYR', 'PHP', 'SGD'], countries: ['MY', 'PH', 'SG'] },
  { method: 'kakaopay', displayName: 'Adyen KakaoPay', type: 'kakaopay', currencies: ['KRW'], countries: ['KR'] },
  { method: 'paybybank', displayName: 'Adyen Pay by Bank', type: 'paybybank', currencies: ['EUR', 'GBP'], countries: ['DE', 'FR', 'GB'], asks: ['countryCode'] },
  { method: 'scalapay', displayName: 'Adyen Scalapay', type: 'scalapay_3x', currencies: ['EUR'], countries: ['ES', 'FR', 'IT', 'PT'],
    captures: 'several', asks: ['countryCode', 'shopperName', 'shopperEmail'] },
  { method: 'trustly', displayName: 'Adyen Trustly', type: 'trustly', currencies: ['DKK', 'EUR', 'NOK', 'SEK'], countries: 'all' },
  { method: 'vipps', displayName: 'Adyen Vipps', type: 'vipps', currencies: ['NOK'], countries: ['NO'],
    captures: 'several', asks: ['telephoneNumber'], hasPhone: true },
]

/** The types of a method at Adyen. */
export function typesOf({ type }: RedirectMethod): readonly string[] {
  return typeof type === 'string' ? [type] : Object.values(type)
}

/** Why a request is not sent: Adyen would refuse it, or ask a buyer who is not there. */
export function lackingIn(body: Json, asks: readonly Asked[] = []): Refused | null {
  const lacking = asks.find((name) => body[name] === undefined)
  if (lacking === undefined) return null
  const code = lacking === 'billingAddress' ? 'missing_billing_address' : 'invalid_request_parameters'
  return refused(code, { rawDescription: `Adyen needs ${ASKED[lacking]} for this method` })
}
