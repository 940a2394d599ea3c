import type { Schemas } from '../../api/schema.d.ts'
import { type Field, field } from '../parts/fields.tsx'

/** What people change about an account. Keys of providers are set through the API, by those who have them. */
export const SETTINGS: readonly Field[] = [
  field('text', 'display_name', 'Name', { isRequired: true }),
  field('number', 'over_capture_percentage', 'Over-capture limit, in percent', {
    min: 0,
    max: 1_000,
    whenEmpty: 'null',
  }),
  field('number', 'over_capture_amount', 'Over-capture limit, in the smallest unit of the currency (cents)', {
    min: 0,
    max: 99_999_999,
    whenEmpty: 'null',
  }),
  field('flag', 'account_updater_enabled', 'Keep stored cards up to date (account updater)'),
  field('flag', 'async_network_tokens_enabled', 'Provision network tokens in the background'),
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
  field('choice', 'scheme', 'Scheme', {
    isRequired: true,
    options: SCHEMES.map(([value, label]) => ({ value, label })),
  }),
  field('text', 'merchant_acquirer_bin', 'Acquirer BIN', { isRequired: true }),
  field('text', 'merchant_acquirer_id', 'Acquirer merchant id', { isRequired: true }),
  field('text', 'merchant_name', 'Name shown to buyers', { isRequired: true }),
  field('text', 'merchant_country_code', 'Country', {
    isRequired: true,
    hint: 'Three-digit ISO 3166 code, such as 840 for the United States.',
  }),
  field('text', 'merchant_category_code', 'Category (MCC)', { isRequired: true, hint: 'Four digits.' }),
  field('url', 'merchant_url', 'Shop URL', { isRequired: true }),
  field('currency', 'currency', 'Only for these currencies', {
    whenEmpty: 'null',
    hint: 'Leave empty for all currencies.',
  }),
]
