import type { BuyerField } from '#connectors/contract/buyer-fields.ts'
import type { Refused } from '#connectors/contract/connector.ts'
import type { TermsRow } from '#connectors/contract/describe.ts'
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
  socialSecurityNumber: 'billing_details.tax_id of kind br.cpf or br.cnpj',
  telephoneNumber: 'billing_details.phone_number',
} as const
export type Asked = keyof typeof ASKED

export type MethodRow = Pick<Manifest, 'method' | 'displayName' | 'currencies' | 'countries' | 'options'> &
  Omit<TermsRow, 'shape'> & {
    /** How the buyer approves. Left out: on a page. */
    readonly shape?: 'qr' | 'voucher' | 'wait'
    /** Adyen's type. Some methods have one for each currency. */
    readonly type: string | Readonly<Record<string, string>>
    /** How webhooks and reports name it, if not by its type. Longer names (`klarna_account`) are the same method. */
    readonly names?: readonly string[]
    /** Left out: the money is taken when the buyer approves. */
    readonly captures?: 'one' | 'several'
    /** Left out: all or a part can be refunded. */
    readonly refunds?: false
    readonly asks?: readonly Asked[]
    /** What stands in `paymentMethod` beside the type. */
    readonly fixed?: Json
    /** What Adyen wants of the buyer in `paymentMethod`, too. */
    readonly repeats?: readonly ('firstName' | 'lastName' | 'shopperEmail' | 'telephoneNumber')[]
    /** What the buyer enters on the shop's page, and Adyen's field for it in `paymentMethod`. */
    readonly fields?: Readonly<Partial<Record<BuyerField, string>>>
    /** Adyen wants to hear what the buyer permits: this payment, once. */
    readonly hasMandate?: true
    /** The buyer sees what is bought, and Adyen wants the lines of each part that is captured or refunded. */
    readonly hasLines?: true
  }

/** Of Klarna. */
// biome-ignore format: one currency in each line would bury the rows
const KLARNA = [
  'AUD', 'CAD', 'CHF', 'CZK', 'DKK', 'EUR', 'GBP', 'MXN', 'NOK', 'NZD', 'PLN', 'RON', 'SEK', 'USD',
]
/** Afterpay and Clearpay are one service under two names. */
const AFTERPAY: Pick<MethodRow, 'captures' | 'asks' | 'hasLines'> = {
  captures: 'several',
  asks: ['shopperName', 'shopperEmail', 'billingAddress', 'deliveryAddress'],
  hasLines: true,
}

/** The number is for one shop, so Adyen wants to know whose it is. */
const KONBINI: Pick<
  MethodRow,
  'currencies' | 'countries' | 'shape' | 'refunds' | 'asks' | 'repeats' | 'options'
> = {
  currencies: ['JPY'],
  countries: ['JP'],
  shape: 'voucher',
  refunds: false,
  asks: ['shopperName', 'shopperEmail', 'telephoneNumber'],
  repeats: ['firstName', 'lastName', 'shopperEmail', 'telephoneNumber'],
  options: OPTIONS,
}
const ALIPAY = ['AUD', 'CAD', 'CHF', 'CNY', 'EUR', 'GBP', 'HKD', 'JPY', 'NZD', 'SGD', 'USD']
const WECHAT = ['AUD', 'CAD', 'CNY', 'EUR', 'GBP', 'HKD', 'JPY', 'NZD', 'SGD', 'USD']

/**
 * The methods that are no cards and no accounts. A method is a row: the connector, its tests and the table in
 * docs/connectors/methods.md come from here. Each type is in the contract of Checkout v71, and the rest of a row on Adyen's page
 * about the method, such as https://docs.adyen.com/payment-methods/vipps.
 */
// biome-ignore format: one row in a few lines
export const METHODS: readonly MethodRow[] = [
  { method: 'ideal', displayName: 'Adyen iDEAL', type: 'ideal', currencies: ['EUR'], countries: ['NL'], options: OPTIONS },
  { method: 'bancontact', displayName: 'Adyen Bancontact', type: 'bcmc_mobile', names: ['bcmc'], currencies: ['EUR'], countries: ['BE'] },
  { method: 'bizum', displayName: 'Adyen Bizum', type: 'bizum', currencies: ['EUR'], countries: ['ES'] },
  { method: 'klarna', displayName: 'Adyen Klarna', type: 'klarna', names: ['klarna', 'klarnapayments'], currencies: KLARNA, countries: 'all',
    captures: 'several', hasLines: true },
  // Without the subtype, Adyen answers with data for PayPal's script.
  { method: 'paypal', displayName: 'Adyen PayPal', type: 'paypal', currencies: 'all', countries: 'all', captures: 'one', fixed: { subtype: 'redirect' } },
  { method: 'affirm', displayName: 'Adyen Affirm', type: 'affirm', currencies: ['USD', 'CAD', 'GBP'], countries: ['US', 'CA', 'GB'],
    captures: 'several', asks: ['shopperName', 'shopperEmail', 'telephoneNumber', 'billingAddress'], hasLines: true },
  { method: 'afterpay', displayName: 'Adyen Afterpay', type: 'afterpaytouch', currencies: ['AUD', 'CAD', 'NZD'], countries: ['AU', 'CA', 'NZ'], options: OPTIONS, ...AFTERPAY },
  { method: 'clearpay', displayName: 'Adyen Clearpay', type: 'clearpay', currencies: ['GBP'], countries: ['GB'], ...AFTERPAY },
  { method: 'dana', displayName: 'Adyen DANA', type: 'dana', currencies: ['IDR'], countries: ['ID'] },
  { method: 'gcash', displayName: 'Adyen GCash', type: 'gcash', currencies: ['PHP'], countries: ['PH'], options: OPTIONS },
  { method: 'grabpay', displayName: 'Adyen GrabPay', type: { MYR: 'grabpay_MY', PHP: 'grabpay_PH', SGD: 'grabpay_SG' },
    currencies: ['MYR', 'PHP', 'SGD'], countries: ['MY', 'PH', 'SG'] },
  { method: 'kakaopay', displayName: 'Adyen KakaoPay', type: 'kakaopay', currencies: ['KRW'], countries: ['KR'] },
  { method: 'paybybank', displayName: 'Adyen Pay by Bank', type: 'paybybank', currencies: ['EUR', 'GBP'], countries: ['DE', 'FR', 'GB'], asks: ['countryCode'], options: OPTIONS },
  { method: 'scalapay', displayName: 'Adyen Scalapay', type: 'scalapay_3x', currencies: ['EUR'], countries: ['ES', 'FR', 'IT', 'PT'],
    captures: 'several', asks: ['countryCode', 'shopperName', 'shopperEmail'] },
  { method: 'trustly', displayName: 'Adyen Trustly', type: 'trustly', currencies: ['DKK', 'EUR', 'NOK', 'SEK'], countries: 'all' },
  { method: 'vipps', displayName: 'Adyen Vipps', type: 'vipps', currencies: ['NOK'], countries: ['NO'],
    captures: 'several', asks: ['telephoneNumber'], repeats: ['telephoneNumber'], options: OPTIONS },
  { method: 'alipay', displayName: 'Adyen Alipay', type: 'alipay', currencies: ALIPAY, countries: 'all', options: OPTIONS },
  { method: 'alipayhk', displayName: 'Adyen AlipayHK', type: 'alipay_hk', currencies: ['HKD'], countries: ['HK'] },
  { method: 'boost', displayName: 'Adyen Boost', type: 'molpay_boost', currencies: ['MYR'], countries: ['MY'] },
  { method: 'gopay', displayName: 'Adyen GoPay', type: 'gopay_wallet', currencies: ['IDR'], countries: ['ID'] },
  { method: 'mobilepay', displayName: 'Adyen MobilePay', type: 'mobilepay', currencies: ['DKK', 'EUR'], countries: ['DK', 'FI'], captures: 'several' },
  { method: 'paymaya', displayName: 'Adyen Maya', type: 'paymaya_wallet', currencies: ['PHP'], countries: ['PH'] },
  { method: 'paypay', displayName: 'Adyen PayPay', type: 'paypay', currencies: ['JPY'], countries: ['JP'], captures: 'one', options: OPTIONS },
  { method: 'touchngo', displayName: 'Adyen Touch ’n Go', type: 'touchngo', currencies: ['MYR'], countries: ['MY'] },
  { method: 'truemoney', displayName: 'Adyen TrueMoney', type: 'truemoney', currencies: ['THB'], countries: ['TH'] },
  { method: 'twint', displayName: 'Adyen TWINT', type: 'twint', currencies: ['CHF'], countries: ['CH'], captures: 'one' },
  { method: 'wero', displayName: 'Adyen Wero', type: 'wero', currencies: ['EUR'], countries: ['BE', 'DE', 'FR'] },
  { method: 'zippay', displayName: 'Adyen Zip', type: 'zip', currencies: ['AUD', 'NZD'], countries: ['AU', 'NZ'], captures: 'several',
    asks: ['shopperName', 'shopperEmail', 'telephoneNumber', 'billingAddress', 'deliveryAddress'], hasLines: true },
  { method: 'pix', displayName: 'Adyen Pix', type: 'pix', currencies: ['BRL'], countries: ['BR'], shape: 'qr' },
  { method: 'swish', displayName: 'Adyen Swish', type: 'swish', currencies: ['SEK'], countries: ['SE'], shape: 'qr', options: OPTIONS },
  { method: 'upi', displayName: 'Adyen UPI', type: 'upi_qr', currencies: ['INR'], countries: ['IN'], shape: 'qr' },
  { method: 'wechat', displayName: 'Adyen WeChat Pay', type: 'wechatpayQR', names: ['wechatpay', 'wechatpayQR'], currencies: WECHAT, countries: 'all', shape: 'qr' },
  { method: 'boleto', displayName: 'Adyen Boleto', type: 'boletobancario', currencies: ['BRL'], countries: ['BR'], shape: 'voucher', refunds: false,
    asks: ['shopperName', 'socialSecurityNumber', 'billingAddress'] },
  { method: 'konbini', displayName: 'Adyen Konbini', type: 'econtext_stores', ...KONBINI },
  { method: 'multibanco', displayName: 'Adyen Multibanco', type: 'multibanco', currencies: ['EUR'], countries: ['PT'], shape: 'voucher' },
  { method: 'oxxo', displayName: 'Adyen OXXO', type: 'oxxo', currencies: ['MXN'], countries: ['MX'], shape: 'voucher', refunds: false,
    asks: ['shopperName', 'shopperEmail'] },
  { method: 'seveneleven', displayName: 'Adyen 7-Eleven', type: 'econtext_seven_eleven', ...KONBINI },
  { method: 'blik', displayName: 'Adyen BLIK', type: 'blik', currencies: ['PLN'], countries: ['PL'], shape: 'wait', fields: { blik_code: 'blikCode' } },
  { method: 'payto', displayName: 'Adyen PayTo', type: 'payto', currencies: ['AUD'], countries: ['AU'], shape: 'wait', hasMandate: true,
    fields: { payto_account: 'shopperAccountIdentifier' } },
  { method: 'mbway', displayName: 'Adyen MB WAY', type: 'mbway', currencies: ['EUR'], countries: ['PT'], shape: 'wait',
    asks: ['shopperEmail', 'telephoneNumber'], repeats: ['shopperEmail', 'telephoneNumber'] },
]

/** The types of a method at Adyen. */
export function typesOf({ type }: MethodRow): readonly string[] {
  return typeof type === 'string' ? [type] : Object.values(type)
}

/** Why a request is not sent: Adyen would refuse it, or ask a buyer who is not there. */
export function lackingIn(body: Json, asks: readonly Asked[] = []): Refused | null {
  const lacking = asks.find((name) => body[name] === undefined)
  if (lacking === undefined) return null
  const code = lacking === 'billingAddress' ? 'missing_billing_address' : 'invalid_request_parameters'
  return refused(code, { rawDescription: `Adyen needs ${ASKED[lacking]} for this method` })
}
