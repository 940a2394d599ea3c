import type { Refused } from '#connectors/contract/connector.ts'
import { DAY, HOUR, MINUTE, type TermsRow } from '#connectors/contract/describe.ts'
import type { Manifest } from '#connectors/contract/manifest.ts'
import { refused } from '#connectors/contract/refuse.ts'
import { isObject, type Json } from './wire.ts'

/** What Mollie requires in `billingAddress`, by its fields, and where the API has it. */
export const ASKED = {
  name: 'billing_details.first_name and last_name, each of two letters at least',
  email: 'billing_details.email_address',
  address: 'billing_details.address with line1, postal_code, city and country',
  organization: 'billing_details.address.organization',
} as const
export type Asked = keyof typeof ASKED

export type MethodRow = Pick<Manifest, 'method' | 'displayName' | 'currencies' | 'countries'> &
  TermsRow & {
    /** Mollie's method. */
    readonly type: string
    /** Left out: the money is taken when the buyer approves. */
    readonly captures?: 'several'
    readonly asks?: readonly Asked[]
    /** The buyer sees what is bought. */
    readonly hasLines?: true
  }

// biome-ignore format: one code in each line would bury the rows
const KLARNA = {
  currencies: ['CHF', 'CZK', 'DKK', 'EUR', 'GBP', 'NOK', 'PLN', 'SEK'],
  countries: ['AT', 'BE', 'CH', 'CZ', 'DE', 'DK', 'ES', 'FI', 'FR', 'GB', 'GR', 'IE', 'IT', 'NL', 'NO', 'PL', 'PT', 'SE', 'SK'],
}
const PAYPAL =
  'AUD BRL CAD CHF CZK DKK EUR GBP HKD HUF ILS JPY MXN MYR NOK NZD PHP PLN SEK SGD THB TWD USD'.split(' ')

// biome-ignore format: one code in each line would bury the rows
const PAYSAFECARD = {
  currencies: ['CHF', 'EUR', 'GBP', 'NOK', 'PLN', 'RON', 'SEK'],
  countries: [
    'AT', 'AU', 'BE', 'BG', 'CA', 'CH', 'CY', 'CZ', 'DE', 'DK', 'ES', 'FI', 'FR', 'GB', 'GE', 'GI', 'GR', 'HR', 'HU', 'IE', 'IT',
    'LI', 'LT', 'LU', 'MT', 'MX', 'NL', 'NO', 'NZ', 'PE', 'PL', 'PT', 'RO', 'SE', 'SI', 'SK', 'UY',
  ],
}
const BILLIE = {
  currencies: ['CHF', 'DKK', 'EUR', 'GBP', 'NOK', 'SEK'],
  countries: ['AT', 'CH', 'DE', 'DK', 'ES', 'FI', 'FR', 'GB', 'IT', 'NL', 'NO', 'SE'],
}

/** What is paid later: the buyer and the lines have to be known. */
const LATER: Pick<MethodRow, 'asks' | 'hasLines'> = { asks: ['name', 'email', 'address'], hasLines: true }

/**
 * Every method: Mollie has a page for each. A method is a row: the connector, its tests and the table in
 * docs/connectors/methods.md come from here. Each type is in the published contract, and the rest of a row on Mollie's page about
 * the method, such as https://docs.mollie.com/docs/twint. What is left out there, or was not read there, is left out here.
 */
// biome-ignore format: one row in a line
export const METHODS: readonly MethodRow[] = [
  { method: 'alma', displayName: 'Mollie Alma', type: 'alma', currencies: ['EUR'], countries: ['BE', 'ES', 'FR', 'IT', 'LU', 'NL', 'PT'], asks: ['email'] },
  { method: 'bancomatpay', displayName: 'Mollie BANCOMAT Pay', type: 'bancomatpay', currencies: ['EUR'], countries: ['IT'] },
  { method: 'banktransfer', displayName: 'Mollie bank transfer', type: 'banktransfer', currencies: ['EUR'], countries: 'all', seconds: 12 * DAY, payoutDays: 2 },
  { method: 'belfius', displayName: 'Mollie Belfius', type: 'belfius', currencies: ['EUR'], countries: ['BE'], seconds: HOUR },
  { method: 'billie', displayName: 'Mollie Billie', type: 'billie', ...BILLIE, ...LATER, asks: ['organization', 'name', 'email', 'address'], captures: 'several', seconds: HOUR, payoutDays: 5 },
  { method: 'bizum', displayName: 'Mollie Bizum', type: 'bizum', currencies: ['EUR'], countries: ['ES'], seconds: 4 * MINUTE },
  { method: 'in3', displayName: 'Mollie in3', type: 'in3', currencies: ['EUR'], countries: ['NL'], ...LATER, seconds: 48 * HOUR, payoutDays: 11 },
  { method: 'kbc', displayName: 'Mollie KBC/CBC', type: 'kbc', currencies: ['EUR'], countries: ['BE'], seconds: HOUR, payoutDays: 1 },
  { method: 'mybank', displayName: 'Mollie MyBank', type: 'mybank', currencies: ['EUR'], countries: ['IT'], payoutDays: 3 },
  { method: 'paysafecard', displayName: 'Mollie paysafecard', type: 'paysafecard', ...PAYSAFECARD },
  { method: 'riverty', displayName: 'Mollie Riverty', type: 'riverty', currencies: ['EUR'], countries: ['AT', 'BE', 'DE', 'NL'], ...LATER, captures: 'several' },
  { method: 'satispay', displayName: 'Mollie Satispay', type: 'satispay', currencies: ['EUR'], countries: ['IT'], seconds: 30 * MINUTE, payoutDays: 3 },
  { method: 'ideal', displayName: 'Mollie iDEAL', type: 'ideal', currencies: ['EUR'], countries: ['NL'] },
  { method: 'bancontact', displayName: 'Mollie Bancontact', type: 'bancontact', currencies: ['EUR'], countries: ['BE'], seconds: HOUR, payoutDays: 2 },
  { method: 'blik', displayName: 'Mollie BLIK', type: 'blik', currencies: ['PLN'], countries: ['PL'], seconds: 55, payoutDays: 4 },
  { method: 'eps', displayName: 'Mollie EPS', type: 'eps', currencies: ['EUR'], countries: ['AT'], seconds: HOUR, payoutDays: 3 },
  { method: 'klarna', displayName: 'Mollie Klarna', type: 'klarna', ...KLARNA, ...LATER, captures: 'several', seconds: 48 * HOUR },
  { method: 'mbway', displayName: 'Mollie MB WAY', type: 'mbway', currencies: ['EUR'], countries: ['PT'], seconds: 4 * MINUTE, payoutDays: 3 },
  { method: 'mobilepay', displayName: 'Mollie MobilePay', type: 'mobilepay', currencies: ['DKK', 'EUR'], countries: ['DK', 'FI'] },
  { method: 'multibanco', displayName: 'Mollie Multibanco', type: 'multibanco', currencies: ['EUR'], countries: ['PT'], seconds: 7 * DAY, payoutDays: 3 },
  { method: 'p24', displayName: 'Mollie Przelewy24', type: 'przelewy24', currencies: ['EUR', 'PLN'], countries: ['PL'], seconds: HOUR, payoutDays: 3 },
  { method: 'paybybank', displayName: 'Mollie Pay by Bank', type: 'paybybank', currencies: ['EUR', 'GBP'], countries: 'all' },
  { method: 'paypal', displayName: 'Mollie PayPal', type: 'paypal', currencies: PAYPAL, countries: 'all' },
  { method: 'swish', displayName: 'Mollie Swish', type: 'swish', currencies: ['SEK'], countries: ['SE'] },
  { method: 'trustly', displayName: 'Mollie Trustly', type: 'trustly', currencies: ['DKK', 'EUR', 'GBP', 'NOK', 'SEK'], countries: 'all', seconds: 7 * DAY, payoutDays: 3 },
  { method: 'twint', displayName: 'Mollie TWINT', type: 'twint', currencies: ['CHF'], countries: ['CH'] },
  { method: 'vipps', displayName: 'Mollie Vipps', type: 'vipps', currencies: ['NOK'], countries: ['NO'] },
]

/** Why a request is not sent: Mollie would refuse it. */
export function lackingIn({ billingAddress }: Json, asks: readonly Asked[] = []): Refused | null {
  const known = isObject(billingAddress) ? billingAddress : {}
  const has: Readonly<Record<Asked, boolean>> = {
    name: isName(known['givenName']) && isName(known['familyName']),
    email: known['email'] !== undefined,
    organization: known['organizationName'] !== undefined,
    address: ['streetAndNumber', 'postalCode', 'city', 'country'].every((name) => known[name] !== undefined),
  }
  const lacking = asks.find((one) => !has[one])
  if (lacking === undefined) return null
  const code = lacking === 'address' ? 'missing_billing_address' : 'invalid_request_parameters'
  return refused(code, { rawDescription: `Mollie needs ${ASKED[lacking]} for this method` })
}

/** Two characters at least, and not only digits. */
function isName(value: unknown): boolean {
  return typeof value === 'string' && [...value].length >= 2 && /\D/.test(value)
}
