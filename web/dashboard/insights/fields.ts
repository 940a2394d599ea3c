import type { Option } from '../parts/fields.tsx'
import type { Filter } from '../parts/list/filters.ts'
import { filtersOf as listFilters } from '../transactions/filters.ts'
import type { Measure } from './metrics.ts'

/** What a metric can be broken down by: modules of the explorer, with the filter that takes their values. */
export const BREAKDOWNS: readonly (Option & { readonly filter?: string })[] = [
  { value: 'payment_service', label: 'Payment service', filter: 'payment_service_id' },
  { value: 'method', label: 'Method' },
  { value: 'payment_method_scheme', label: 'Card scheme' },
  { value: 'currency', label: 'Currency' },
  { value: 'country', label: 'Country' },
  { value: 'error_code', label: 'Decline reason' },
  { value: 'raw_response_code', label: 'Service response code' },
  { value: 'authorized', label: 'Approved' },
  { value: 'payment_source', label: 'Source' },
  { value: 'merchant_initiated', label: 'Merchant-initiated' },
  { value: 'is_subsequent_payment', label: 'Subsequent payment' },
  { value: 'payment_method_bin', label: 'Card BIN' },
  { value: 'payment_method_card_issuer_name', label: 'Card issuer' },
  { value: 'payment_method_card_type', label: 'Card type' },
  { value: 'payment_method_country', label: 'Card country' },
  { value: 'instrument_type', label: 'Instrument' },
  { value: 'metadata', label: 'Metadata' },
  { value: 'rule_route_transaction', label: 'Rule: route', filter: 'rule_id_route_transaction' },
  { value: 'rule_variant_id', label: 'Rule: service chosen' },
  { value: 'rule_skip_3ds', label: 'Rule: 3-D Secure', filter: 'rule_id_skip_3ds' },
  { value: 'authentication_outcome', label: '3-D Secure: outcome' },
  { value: 'three_d_secure_method', label: '3-D Secure: method' },
  { value: 'three_d_secure_auth_resp', label: '3-D Secure: response' },
  { value: 'three_d_secure_eci', label: '3-D Secure: ECI' },
  { value: 'liability_shifted', label: '3-D Secure: liability shifted' },
]

/** Those that say something about a metric: a volume has one currency, and only refused payments have a reason of refusal. */
export function breakdownsOf({ metric, source }: Measure): readonly Option[] {
  const without =
    metric === 'volume'
      ? ['currency']
      : metric === 'auth_rate' && source === 'authorization'
        ? ['error_code', 'raw_response_code', 'authorized']
        : []
  return BREAKDOWNS.filter(({ value }) => !without.includes(value))
}

export const BREAKDOWN_DEFAULT = 'payment_service'

export function filterNameOf(module: string): string {
  return BREAKDOWNS.find(({ value }) => value === module)?.filter ?? module
}

const USUAL = ['method', 'payment_service_id', 'country', 'payment_method_scheme']
const FROM_LIST = [
  ...USUAL,
  'currency',
  'error_code',
  'payment_source',
  'merchant_initiated',
  'is_subsequent_payment',
  'metadata',
  'payment_method_bin',
  'payment_method_country',
]

/** Everything that a question can be narrowed by. What the list of payments has too looks the same here. */
export function filtersOf(services: readonly Option[]): readonly Filter[] {
  const known = listFilters(services)
  const shared = FROM_LIST.flatMap((id) => known.filter((filter) => filter.id === id))
  return [
    { id: 'authorized', label: 'Approved', kind: 'flag', isUsual: true },
    ...shared.map(
      (filter): Filter => ({
        ...filter,
        isUsual: USUAL.includes(filter.id),
        ...(filter.kind === 'text' && { isMany: true }),
      }),
    ),
    ...OWN,
  ]
}

const OWN: readonly Filter[] = [
  { id: 'raw_response_code', label: 'Service response code', kind: 'text', isMany: true, hint: '05' },
  {
    id: 'payment_method_card_type',
    label: 'Card type',
    kind: 'choice',
    options: named('credit debit prepaid'),
  },
  {
    id: 'payment_method_card_issuer_name',
    label: 'Card issuer',
    kind: 'text',
    isMany: true,
    hint: 'As shown in the table',
  },
  {
    id: 'instrument_type',
    label: 'Instrument',
    kind: 'text',
    isMany: true,
    hint: 'pan, network_token',
  },
  {
    id: 'authentication_outcome',
    label: '3-D Secure: outcome',
    kind: 'choice',
    options: named('authenticated attempted unavailable failed cancelled abandoned error'),
  },
  {
    id: 'three_d_secure_method',
    label: '3-D Secure: method',
    kind: 'choice',
    options: named('challenge frictionless'),
  },
  { id: 'three_d_secure_auth_resp', label: '3-D Secure: response', kind: 'text', isMany: true, hint: 'Y' },
  { id: 'three_d_secure_eci', label: '3-D Secure: ECI', kind: 'text', isMany: true, hint: '05' },
  { id: 'liability_shifted', label: '3-D Secure: liability shifted', kind: 'flag' },
  { id: 'rule_id_route_transaction', label: 'Rule: route', kind: 'text', isMany: true, hint: 'Its id' },
  { id: 'rule_variant_id', label: 'Rule: service chosen', kind: 'text', isMany: true, hint: 'Its id' },
  { id: 'rule_id_skip_3ds', label: 'Rule: 3-D Secure', kind: 'text', isMany: true, hint: 'Its id' },
]

function named(words: string): Option[] {
  return words.split(' ').map((value) => ({ value, label: value[0]?.toUpperCase() + value.slice(1) }))
}
