import { type Search, valuesOf } from '../address.ts'
import { periodOf, type Span } from './span.ts'

/** The explorer counts payments whose authorization is decided. */
const APPROVED = [
  'authorization_succeeded',
  'capture_pending',
  'capture_succeeded',
  'authorization_void_pending',
  'authorization_voided',
]
const REFUSED = ['authorization_declined', 'authorization_failed']

/** Filters that the list of payments has, too, under the same name. */
const SHARED = [
  'country',
  'currency',
  'error_code',
  'metadata',
  'method',
  'payment_service_id',
  'payment_source',
]
/** Those of which it takes one value. */
const SINGLE = ['is_subsequent_payment', 'merchant_initiated', 'payment_method_bin', 'payment_method_country']
const SEVERAL = [...SHARED, 'payment_method_scheme']

/** What stands for payments without a value. */
export const NUL = '\0'

export type Chosen = Readonly<Record<string, readonly string[]>>

/** The filters of the explorer that are set in an address. */
export function chosenIn(search: Search, names: readonly string[]): Chosen {
  const set = names.map((name) => [name, valuesOf(search, name)] as const)
  return Object.fromEntries(set.filter(([, values]) => values.length > 0))
}

/** The list of exactly the payments that are counted. Undefined if the list cannot be narrowed to them. */
export function listOf(chosen: Chosen, span: Span, isAuthentication: boolean): Search | undefined {
  const search: Record<string, readonly string[] | string> = {
    status: [...APPROVED, ...REFUSED],
    created_at: periodOf(span),
    ...(isAuthentication && { used_3ds: 'true' }),
  }
  for (const [name, values] of Object.entries(chosen)) {
    if (values.includes(NUL)) return undefined
    if (name === 'authorized') search['status'] = statusesOf(values)
    else if (SEVERAL.includes(name)) search[name] = values
    else if (SINGLE.includes(name) && values.length === 1) search[name] = values
    else return undefined
  }
  return search
}

function statusesOf(values: readonly string[]): readonly string[] {
  return [...(values.includes('true') ? APPROVED : []), ...(values.includes('false') ? REFUSED : [])]
}
