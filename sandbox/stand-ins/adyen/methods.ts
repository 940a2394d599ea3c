import { ServiceError } from './errors.ts'
import type { Money } from './state.ts'

type Json = Readonly<Record<string, unknown>>
type Method = {
  readonly name: string
  /** What the shopper has to do. Left out: to approve on a page. */
  readonly action?: 'qrCode' | 'voucher' | 'await'
  /** Left out: all of them. */
  readonly currencies?: readonly string[]
  /** Left out: Adyen captures with the approval, whatever the payment says. */
  readonly hasCapture?: true
  /** Fields of the payment without which Adyen refuses it. */
  readonly requires?: readonly string[]
  /** Parts of the payment need the lines that they are about. */
  readonly hasLines?: true
  /** Cash does not come back. */
  readonly hasNoRefunds?: true
}

const SHOPPER = ['shopperName', 'shopperEmail', 'billingAddress'] as const
const AFTERPAY = {
  hasCapture: true,
  hasLines: true,
  requires: [...SHOPPER, 'deliveryAddress', 'lineItems'],
} as const

const WECHAT = ['AUD', 'CAD', 'CNY', 'EUR', 'GBP', 'HKD', 'JPY', 'NZD', 'SGD', 'USD']
const ALIPAY = [...WECHAT, 'CHF']
const ECONTEXT = {
  currencies: ['JPY'],
  action: 'voucher',
  hasNoRefunds: true,
  requires: ['firstName', 'lastName', 'shopperEmail', 'telephoneNumber'].map(
    (name) => `paymentMethod.${name}`,
  ),
} as const

/** By `paymentMethod.type`. https://docs.adyen.com/payment-methods, and the page of each */
// biome-ignore format: a row for each method
const METHODS: Readonly<Record<string, Method>> = {
  ideal: { name: 'iDEAL', currencies: ['EUR'] },
  bcmc_mobile: { name: 'Bancontact', currencies: ['EUR'] },
  bizum: { name: 'Bizum', currencies: ['EUR'] },
  klarna: { name: 'Klarna', hasCapture: true, hasLines: true },
  klarna_paynow: { name: 'Klarna', hasCapture: true, hasLines: true },
  klarna_account: { name: 'Klarna', hasCapture: true, hasLines: true },
  paypal: { name: 'PayPal', hasCapture: true },
  affirm: { name: 'Affirm', currencies: ['CAD', 'GBP', 'USD'], hasCapture: true, hasLines: true, requires: [...SHOPPER, 'telephoneNumber'] },
  afterpaytouch: { name: 'Afterpay', currencies: ['AUD', 'CAD', 'NZD'], ...AFTERPAY },
  clearpay: { name: 'Clearpay', currencies: ['GBP'], ...AFTERPAY },
  dana: { name: 'DANA', currencies: ['IDR'] },
  gcash: { name: 'GCash', currencies: ['PHP'] },
  grabpay_MY: { name: 'GrabPay', currencies: ['MYR'] },
  grabpay_PH: { name: 'GrabPay', currencies: ['PHP'] },
  grabpay_SG: { name: 'GrabPay', currencies: ['SGD'] },
  kakaopay: { name: 'KakaoPay', currencies: ['KRW'] },
  paybybank: { name: 'Pay by Bank', currencies: ['EUR', 'GBP'], requires: ['countryCode'] },
  scalapay_3x: { name: 'Scalapay', currencies: ['EUR'], hasCapture: true, requires: ['countryCode', 'shopperName', 'shopperEmail'] },
  trustly: { name: 'Trustly', currencies: ['DKK', 'EUR', 'NOK', 'SEK'] },
  alipay: { name: 'Alipay', currencies: ALIPAY },
  alipay_hk: { name: 'AlipayHK', currencies: ['HKD'] },
  mobilepay: { name: 'MobilePay', currencies: ['DKK', 'EUR'], hasCapture: true },
  molpay_boost: { name: 'Boost', currencies: ['MYR'] },
  gopay_wallet: { name: 'GoPay', currencies: ['IDR'] },
  paymaya_wallet: { name: 'Maya', currencies: ['PHP'] },
  paypay: { name: 'PayPay', currencies: ['JPY'], hasCapture: true },
  touchngo: { name: 'Touch ’n Go', currencies: ['MYR'] },
  truemoney: { name: 'TrueMoney', currencies: ['THB'] },
  twint: { name: 'TWINT', currencies: ['CHF'], hasCapture: true },
  wero: { name: 'Wero', currencies: ['EUR'] },
  zip: { name: 'Zip', currencies: ['AUD', 'NZD'], ...AFTERPAY },
  pix: { name: 'Pix', currencies: ['BRL'], action: 'qrCode' },
  swish: { name: 'Swish', currencies: ['SEK'], action: 'qrCode' },
  upi_qr: { name: 'UPI', currencies: ['INR'], action: 'qrCode' },
  wechatpayQR: { name: 'WeChat Pay', currencies: WECHAT, action: 'qrCode' },
  boletobancario: { name: 'Boleto', currencies: ['BRL'], action: 'voucher', hasNoRefunds: true, requires: ['shopperName', 'socialSecurityNumber', 'billingAddress'] },
  econtext_seven_eleven: { name: '7-Eleven', ...ECONTEXT },
  econtext_stores: { name: 'Konbini', ...ECONTEXT },
  multibanco: { name: 'Multibanco', currencies: ['EUR'], action: 'voucher' },
  oxxo: { name: 'OXXO', currencies: ['MXN'], action: 'voucher', hasNoRefunds: true, requires: ['shopperName', 'shopperEmail'] },
  blik: { name: 'BLIK', currencies: ['PLN'], action: 'await', requires: ['paymentMethod.blikCode'] },
  payto: { name: 'PayTo', currencies: ['AUD'], action: 'await', requires: ['paymentMethod.shopperAccountIdentifier', 'mandate.endsAt'] },
  mbway: { name: 'MB WAY', currencies: ['EUR'], action: 'await', requires: ['paymentMethod.shopperEmail', 'paymentMethod.telephoneNumber'] },
  vipps: { name: 'Vipps', currencies: ['NOK'], hasCapture: true, requires: ['paymentMethod.telephoneNumber'] },
}

/** A method that is no card and no account. */
export function otherMethod(type: string): Method | undefined {
  return Object.hasOwn(METHODS, type) ? METHODS[type] : undefined
}

export function checkMethod(type: string, { currency }: Money, all: Json): void {
  const method = otherMethod(type)
  if (!method) return
  if (method.currencies?.includes(currency) === false) {
    const message = `Could not find an acquirer account for the provided currency (${currency}).`
    throw new ServiceError(500, '905_3', message, 'configuration')
  }
  for (const path of method.requires ?? []) {
    const value = path.split('.').reduce<unknown>((outer, name) => (outer as Json | undefined)?.[name], all)
    if (value === undefined) throw new ServiceError(422, '702', `Required field '${path}' is not provided.`)
  }
}

/** A part of such a payment says what it is a part of. */
export function checkLines(type: string, isPart: boolean, { lineItems }: Json): void {
  if (isPart && otherMethod(type)?.hasLines && lineItems === undefined) {
    throw new ServiceError(422, '702', "Required field 'lineItems' is not provided.")
  }
}
