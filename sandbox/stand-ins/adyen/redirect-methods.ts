import { ServiceError } from './errors.ts'
import type { Money } from './state.ts'

type Json = Readonly<Record<string, unknown>>
type RedirectMethod = {
  readonly name: string
  /** Left out: all of them. */
  readonly currencies?: readonly string[]
  /** Left out: Adyen captures with the approval, whatever the payment says. */
  readonly hasCapture?: true
  /** Fields of the payment without which Adyen refuses it. */
  readonly requires?: readonly string[]
  /** Parts of the payment need the lines that they are about. */
  readonly hasLines?: true
}

const SHOPPER = ['shopperName', 'shopperEmail', 'billingAddress'] as const
const AFTERPAY = {
  hasCapture: true,
  hasLines: true,
  requires: [...SHOPPER, 'deliveryAddress', 'lineItems'],
} as const

/** By `paymentMethod.type`. https://docs.adyen.com/payment-methods, and the page of each */
// biome-ignore format: a row for each method
const METHODS: Readonly<Record<string, RedirectMethod>> = {
  ideal: { name: 'iDEAL', currencies: ['EUR'] },
  bcmc_mobile: { name: 'Bancontact', currencies: ['EUR'] },
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
  vipps: { name: 'Vipps', currencies: ['NOK'], hasCapture: true, requires: ['paymentMethod.telephoneNumber'] },
}

/** A method whose shopper approves on a page. */
export function redirectMethod(type: string): RedirectMethod | undefined {
  return Object.hasOwn(METHODS, type) ? METHODS[type] : undefined
}

export function checkRedirect(type: string, { currency }: Money, all: Json): void {
  const method = redirectMethod(type)
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
  if (isPart && redirectMethod(type)?.hasLines && lineItems === undefined) {
    throw new ServiceError(422, '702', "Required field 'lineItems' is not provided.")
  }
}
