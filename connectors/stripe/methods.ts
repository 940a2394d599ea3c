import type { Manifest } from '#connectors/contract/manifest.ts'
import type { AuthorizeOrder } from '#connectors/contract/orders.ts'
import { billingDetails } from './buyer-details.ts'
import { OPTIONS } from './option-schemas.ts'

/** What Stripe requires of the buyer, and where the API has it. */
export const ASKED = {
  address: 'billing_details.address with line1, postal_code and country',
  country: 'billing_details.address.country',
  email: 'billing_details.email_address',
  name: 'billing_details.first_name or last_name',
} as const
export type Asked = keyof typeof ASKED

export type MethodRow = Pick<
  Manifest,
  'method' | 'displayName' | 'currencies' | 'countries' | 'options'
> & {
  /** Stripe's type, in payments and in settlements. */
  readonly type: RedirectType
  /** Left out: the money is taken when the buyer approves. */
  readonly captures?: 'one'
  readonly asks?: readonly Asked[]
}

export type RedirectType =
  | 'affirm'
  | 'afterpay_clearpay'
  | 'bancontact'
  | 'eps'
  | 'grabpay'
  | 'ideal'
  | 'klarna'
  | 'p24'
  | 'paypal'

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

/**
 * The methods whose buyers approve on a page. A method is a row: the connector, its tests and the table in
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
]

/** The first fact that Stripe requires, and that the order lacks. */
export function lackingIn({ billing }: AuthorizeOrder, asks: readonly Asked[] = []): Asked | null {
  const { name, email, address } = billingDetails(billing) ?? {}
  const known: Readonly<Record<Asked, unknown>> = {
    address: address?.line1 && address.postal_code && address.country,
    country: address?.country,
    email,
    name,
  }
  return asks.find((one) => !known[one]) ?? null
}
