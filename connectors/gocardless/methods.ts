import type { TermsRow } from '#connectors/contract/describe.ts'
import type { Manifest } from '#connectors/contract/manifest.ts'

export type MethodRow = Pick<Manifest, 'method' | 'displayName' | 'currencies' | 'countries'> &
  TermsRow & {
    /** How GoCardless names it. Null: it takes the one of the currency. */
    readonly scheme: string | null
    /** What PayTo asks of the merchant. */
    readonly purpose?: 'retail'
  }

// biome-ignore format: one code in each line would bury the rows
const SEPA = [
  'AT', 'BE', 'CY', 'DE', 'EE', 'ES', 'FI', 'FR', 'GR', 'HR', 'IE', 'IT', 'LT', 'LU', 'LV', 'MC', 'MT', 'NL', 'PT', 'SI', 'SK', 'SM',
]
const CURRENCIES = ['AUD', 'CAD', 'DKK', 'EUR', 'GBP', 'NZD', 'SEK', 'USD']

/**
 * Every method. A method is a row: the connector, its tests and the table in docs/connectors/methods.md come from here. Schemes and
 * currencies are those of GoCardless's library, and of https://developer.gocardless.com/billing-requests/overview.
 */
// biome-ignore format: one row in a line
export const METHODS: readonly MethodRow[] = [
  { method: 'gocardless', displayName: 'GoCardless', scheme: null, shape: 'debit', currencies: CURRENCIES, countries: 'all' },
  { method: 'ach', displayName: 'GoCardless ACH', scheme: 'ach', shape: 'debit', currencies: ['USD'], countries: ['US'] },
  { method: 'autogiro', displayName: 'GoCardless Autogiro', scheme: 'autogiro', shape: 'debit', currencies: ['SEK'], countries: ['SE'] },
  { method: 'bacs', displayName: 'GoCardless Bacs', scheme: 'bacs', shape: 'debit', currencies: ['GBP'], countries: ['GB', 'GG', 'IM', 'JE'] },
  { method: 'becs', displayName: 'GoCardless BECS', scheme: 'becs', shape: 'debit', currencies: ['AUD'], countries: ['AU'] },
  { method: 'becsnz', displayName: 'GoCardless BECS NZ', scheme: 'becs_nz', shape: 'debit', currencies: ['NZD'], countries: ['NZ'] },
  { method: 'betalingsservice', displayName: 'GoCardless Betalingsservice', scheme: 'betalingsservice', shape: 'debit', currencies: ['DKK'], countries: ['DK'] },
  { method: 'pad', displayName: 'GoCardless PAD', scheme: 'pad', shape: 'debit', currencies: ['CAD'], countries: ['CA'] },
  { method: 'sepa', displayName: 'GoCardless SEPA', scheme: 'sepa_core', shape: 'debit', currencies: ['EUR'], countries: SEPA },
  { method: 'paybybank', displayName: 'GoCardless Instant Bank Pay', scheme: null, currencies: ['EUR', 'GBP'], countries: ['DE', 'FR', 'GB', 'IE'] },
  { method: 'payto', displayName: 'GoCardless PayTo', scheme: 'pay_to', purpose: 'retail', currencies: ['AUD'], countries: ['AU'] },
]
