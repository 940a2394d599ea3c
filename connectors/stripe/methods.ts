import type { BuyerField } from '#connectors/contract/buyer-fields.ts'
import { MINUTE, type TermsRow } from '#connectors/contract/describe.ts'
import type { Manifest } from '#connectors/contract/manifest.ts'
import type { AuthorizeOrder } from '#connectors/contract/orders.ts'
import { billingDetails } from './buyer-details.ts'
import { OPTIONS } from './option-schemas.ts'

/** What Stripe requires of the buyer, and where the API has it. */
export const ASKED = {
  address: 'billing_details.address with line1, postal_code and country',
  brazilianAddress: 'billing_details.address with line1, city, state, postal_code and country',
  country: 'billing_details.address.country',
  email: 'billing_details.email_address',
  name: 'billing_details.first_name or last_name',
  taxId: 'billing_details.tax_id of kind br.cpf or br.cnpj',
} as const
export type Asked = keyof typeof ASKED

export type MethodRow = Pick<Manifest, 'method' | 'displayName' | 'currencies' | 'countries' | 'options'> &
  TermsRow & {
    /** Stripe's type, in payments and in settlements. */
    readonly type: MethodType
    /** Left out: the money is taken when the buyer approves. */
    readonly captures?: 'one'
    /** Left out: all or a part can be refunded. */
    readonly refunds?: false
    readonly asks?: readonly Asked[]
    /** What stands in `payment_method_options`. */
    readonly settings?: { readonly wechat_pay: { readonly client: 'web' } }
    /** What the buyer enters on the shop's page, and where Stripe has it. */
    readonly fields?: Readonly<Partial<Record<BuyerField, (entered: string) => Entered>>>
  }

/** Within `payment_method_data` and `payment_method_options`. */
export type Entered = {
  readonly data?: {
    readonly payto:
      | { readonly pay_id: string }
      | { readonly bsb_number: string; readonly account_number: string }
  }
  readonly options?: { readonly blik: { readonly code: string } }
}

type MethodType =
  | 'affirm'
  | 'afterpay_clearpay'
  | 'alipay'
  | 'bancontact'
  | 'blik'
  | 'boleto'
  | 'cashapp'
  | 'eps'
  | 'grabpay'
  | 'ideal'
  | 'kakao_pay'
  | 'klarna'
  | 'konbini'
  | 'mobilepay'
  | 'multibanco'
  | 'oxxo'
  | 'p24'
  | 'pay_by_bank'
  | 'paypal'
  | 'paypay'
  | 'payto'
  | 'pix'
  | 'promptpay'
  | 'swish'
  | 'twint'
  | 'wechat_pay'
  | 'zip'

// biome-ignore format: one code in each line would bury the rows
const KLARNA = {
  currencies: ['AUD', 'CAD', 'CHF', 'CZK', 'DKK', 'EUR', 'GBP', 'NOK', 'NZD', 'PLN', 'RON', 'SEK', 'USD'],
  countries: [
    'AT', 'AU', 'BE', 'CA', 'CH', 'CZ', 'DE', 'DK', 'ES', 'FI', 'FR', 'GB', 'GR', 'IE', 'IT', 'NL', 'NO', 'NZ', 'PL',
    'PT', 'RO', 'SE', 'US',
  ],
}
const PAYPAL = [
  ...['AUD', 'CAD', 'CHF', 'CZK', 'DKK', 'EUR', 'GBP', 'HKD', 'NOK', 'NZD', 'PLN', 'SEK', 'SGD', 'USD'],
]

const ALIPAY = ['AUD', 'CAD', 'CNY', 'EUR', 'GBP', 'HKD', 'JPY', 'MYR', 'NZD', 'SGD', 'USD']
const WECHAT = ['AUD', 'CAD', 'CHF', 'CNY', 'DKK', 'EUR', 'GBP', 'HKD', 'JPY', 'NOK', 'SEK', 'SGD', 'USD']

/**
 * The methods that are no cards and no accounts. A method is a row: the connector, its tests and the table in
 * docs/connectors/methods.md come from here. The facts are those of Stripe's page about the method, such as
 * https://docs.stripe.com/payments/eps. Afterpay and Clearpay are one type, which settlements do not tell apart, so they are one row.
 */
// biome-ignore format: one row in a few lines
export const METHODS: readonly MethodRow[] = [
  { method: 'ideal', displayName: 'Stripe iDEAL', type: 'ideal', currencies: ['EUR'], countries: ['NL'] },
  { method: 'bancontact', displayName: 'Stripe Bancontact', type: 'bancontact', currencies: ['EUR'], countries: ['BE'], asks: ['name'] },
  { method: 'klarna', displayName: 'Stripe Klarna', type: 'klarna', ...KLARNA, captures: 'one', asks: ['country'], options: OPTIONS },
  { method: 'affirm', displayName: 'Stripe Affirm', type: 'affirm', currencies: ['USD', 'CAD'], countries: ['US', 'CA'], captures: 'one' },
  { method: 'afterpay', displayName: 'Stripe Afterpay', type: 'afterpay_clearpay', currencies: ['AUD', 'CAD', 'GBP', 'NZD', 'USD'],
    countries: ['AU', 'CA', 'GB', 'NZ', 'US'], captures: 'one', asks: ['name', 'email', 'address'] },
  { method: 'eps', displayName: 'Stripe EPS', type: 'eps', currencies: ['EUR'], countries: ['AT'], asks: ['name'] },
  { method: 'grabpay', displayName: 'Stripe GrabPay', type: 'grabpay', currencies: ['SGD', 'MYR'], countries: ['SG', 'MY'] },
  { method: 'p24', displayName: 'Stripe Przelewy24', type: 'p24', currencies: ['PLN', 'EUR'], countries: ['PL'], asks: ['email'] },
  { method: 'paypal', displayName: 'Stripe PayPal', type: 'paypal', currencies: PAYPAL, countries: 'all', captures: 'one' },
  { method: 'alipay', displayName: 'Stripe Alipay', type: 'alipay', currencies: ALIPAY, countries: 'all' },
  { method: 'cashapp', displayName: 'Stripe Cash App', type: 'cashapp', currencies: ['USD'], countries: ['US'], captures: 'one' },
  { method: 'kakaopay', displayName: 'Stripe KakaoPay', type: 'kakao_pay', currencies: ['KRW'], countries: ['KR'], captures: 'one' },
  { method: 'mobilepay', displayName: 'Stripe MobilePay', type: 'mobilepay', currencies: ['DKK', 'EUR', 'NOK', 'SEK'], countries: ['DK', 'FI'], captures: 'one' },
  { method: 'paybybank', displayName: 'Stripe Pay by Bank', type: 'pay_by_bank', currencies: ['GBP'], countries: ['GB'] },
  { method: 'paypay', displayName: 'Stripe PayPay', type: 'paypay', currencies: ['JPY'], countries: ['JP'] },
  { method: 'swish', displayName: 'Stripe Swish', type: 'swish', currencies: ['SEK'], countries: ['SE'] },
  { method: 'twint', displayName: 'Stripe TWINT', type: 'twint', currencies: ['CHF'], countries: ['CH'] },
  { method: 'zippay', displayName: 'Stripe Zip', type: 'zip', currencies: ['AUD'], countries: ['AU'] },
  { method: 'pix', displayName: 'Stripe Pix', type: 'pix', currencies: ['BRL'], countries: ['BR'], shape: 'qr' },
  { method: 'thaiqr', displayName: 'Stripe PromptPay', type: 'promptpay', currencies: ['THB'], countries: ['TH'], shape: 'qr', asks: ['email'] },
  { method: 'wechat', displayName: 'Stripe WeChat Pay', type: 'wechat_pay', currencies: WECHAT, countries: 'all', shape: 'qr', settings: { wechat_pay: { client: 'web' } } },
  { method: 'boleto', displayName: 'Stripe Boleto', type: 'boleto', currencies: ['BRL'], countries: ['BR'], shape: 'voucher', refunds: false,
    asks: ['name', 'email', 'taxId', 'brazilianAddress'] },
  { method: 'konbini', displayName: 'Stripe Konbini', type: 'konbini', currencies: ['JPY'], countries: ['JP'], shape: 'voucher', asks: ['name', 'email'] },
  { method: 'multibanco', displayName: 'Stripe Multibanco', type: 'multibanco', currencies: ['EUR'], countries: ['PT'], shape: 'voucher', asks: ['email'] },
  { method: 'oxxo', displayName: 'Stripe OXXO', type: 'oxxo', currencies: ['MXN'], countries: ['MX'], shape: 'voucher', refunds: false, asks: ['name', 'email'] },
  { method: 'blik', displayName: 'Stripe BLIK', type: 'blik', currencies: ['PLN'], countries: ['PL'], shape: 'wait', seconds: MINUTE,
    fields: { blik_code: (code) => ({ options: { blik: { code } } }) } },
  { method: 'payto', displayName: 'Stripe PayTo', type: 'payto', currencies: ['AUD'], countries: ['AU'], shape: 'wait',
    fields: { payto_account: (account) => ({ data: { payto: toPayTo(account) } }) } },
]

/** A BSB of six digits and a number of an account, or else a PayID. */
function toPayTo(entered: string) {
  const [, bsb, account] = /^(\d{3}-?\d{3})-(\d{5,9})$/.exec(entered) ?? []
  return bsb && account ? { bsb_number: bsb.replace('-', ''), account_number: account } : { pay_id: entered }
}

/** The first fact that Stripe requires, and that the order lacks. */
export function lackingIn({ billing }: AuthorizeOrder, asks: readonly Asked[] = []): Asked | null {
  const { name, email, address } = billingDetails(billing) ?? {}
  const known: Readonly<Record<Asked, unknown>> = {
    address: address?.line1 && address.postal_code && address.country,
    brazilianAddress:
      address?.line1 && address.city && address.state && address.postal_code && address.country,
    country: address?.country,
    email,
    name,
    taxId: brazilianTaxId(billing),
  }
  return asks.find((one) => !known[one]) ?? null
}

/** A CPF or CNPJ. */
export function brazilianTaxId(contact: AuthorizeOrder['billing']): string | undefined {
  const { kind, value } = contact?.tax_id ?? {}
  return kind?.startsWith('br.') ? value : undefined
}
