import type { Schemas } from '../../api/schema.d.ts'
import type { Field } from '../parts/fields.tsx'

/** What people change about an account. Keys of providers are set through the API, by those who have them. */
export const SETTINGS: readonly Field[] = [
  { name: 'display_name', label: 'Name', kind: 'text', isRequired: true },
  {
    name: 'over_capture_percentage',
    label: 'Over-capture limit, in percent',
    kind: 'number',
    min: 0,
    max: 1_000,
    whenEmpty: 'null',
  },
  {
    name: 'over_capture_amount',
    label: 'Over-capture limit, in the smallest unit of the currency (cents)',
    kind: 'number',
    min: 0,
    max: 99_999_999,
    whenEmpty: 'null',
  },
  { name: 'account_updater_enabled', label: 'Keep stored cards up to date (account updater)', kind: 'flag' },
  { name: 'async_network_tokens_enabled', label: 'Provision network tokens in the background', kind: 'flag' },
]

type Scheme = Schemas['ThreeDSConfiguration']['scheme']

const SCHEMES: readonly (readonly [Scheme, string])[] = [
  ['visa', 'Visa'],
  ['mastercard', 'Mastercard'],
  ['amex', 'American Express'],
  ['discover', 'Discover'],
  ['diners-club', 'Diners Club'],
  ['jcb', 'JCB'],
  ['unionpay', 'UnionPay'],
  ['carte-bancaire', 'Cartes Bancaires'],
]

export function schemeText(scheme: Scheme): string {
  return SCHEMES.find(([value]) => value === scheme)?.[1] ?? scheme
}

/** What the directory of a scheme wants to know about a merchant. */
export const THREE_DS: readonly Field[] = [
  {
    name: 'scheme',
    label: 'Scheme',
    kind: 'choice',
    isRequired: true,
    options: SCHEMES.map(([value, label]) => ({ value, label })),
  },
  { name: 'merchant_acquirer_bin', label: 'Acquirer BIN', kind: 'text', isRequired: true },
  { name: 'merchant_acquirer_id', label: 'Acquirer merchant id', kind: 'text', isRequired: true },
  { name: 'merchant_name', label: 'Name shown to buyers', kind: 'text', isRequired: true },
  {
    name: 'merchant_country_code',
    label: 'Country',
    kind: 'text',
    isRequired: true,
    hint: 'Three-digit ISO 3166 code, such as 840 for the United States.',
  },
  {
    name: 'merchant_category_code',
    label: 'Category (MCC)',
    kind: 'text',
    isRequired: true,
    hint: 'Four digits.',
  },
  { name: 'merchant_url', label: 'Shop URL', kind: 'url', isRequired: true },
  {
    name: 'currency',
    label: 'Only for these currencies',
    kind: 'currency',
    whenEmpty: 'null',
    hint: 'Leave empty for all currencies.',
  },
]
