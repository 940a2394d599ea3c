import type { Schemas } from '../../api/schema.d.ts'
import type { Tone } from '../parts/values.tsx'

export type Service = Schemas['PaymentService']
export type Definition = Schemas['PaymentServiceDefinition']

export const PATH = '/payment-services'
export const LIST = { to: PATH, label: 'Payment services' }

export function markOf({ status, active }: Pick<Service, 'status' | 'active'>): {
  readonly tone: Tone
  readonly label: string
} {
  if (status === 'failed') return { tone: 'bad', label: 'Failed' }
  if (status === 'pending') return { tone: 'wait', label: 'Pending' }
  return active ? { tone: 'good', label: 'Active' } : { tone: 'mute', label: 'Inactive' }
}

/** In the order in which payments try them. */
export function inOrder(services: readonly Service[]): readonly Service[] {
  return services.toSorted(
    (one, other) =>
      one.position - other.position ||
      one.created_at.localeCompare(other.created_at) ||
      one.id.localeCompare(other.id),
  )
}

/** So many are written out. */
export const FEW = 3
export const ALL = 'All'

/** `EUR, USD`, or how many, or all that the provider takes. */
export function codesText(codes: readonly string[], supported: readonly string[] | undefined): string {
  if (supported && codes.length >= supported.length) return ALL
  if (codes.length <= FEW) return codes.join(', ')
  return `${codes.slice(0, 2).join(', ')} and ${codes.length - 2} more`
}

type Switch = {
  readonly name:
    | 'three_d_secure_enabled'
    | 'network_tokens_enabled'
    | 'payment_method_tokenization_enabled'
    | 'open_loop'
    | 'settlement_reporting_enabled'
  readonly label: string
  readonly hint: string
  /** Features of the definition: whether it can be switched, and how it is by itself. */
  readonly toggle: string
  readonly byItself: string | null
}

/** What can be switched on and off, if the provider supports it. */
export const SWITCHES: readonly Switch[] = [
  {
    name: 'three_d_secure_enabled',
    label: '3-D Secure',
    hint: 'Buyers authenticate where their bank requires it.',
    toggle: 'three_d_secure_hosted',
    byItself: null,
  },
  {
    name: 'network_tokens_enabled',
    label: 'Network tokens',
    hint: 'Stored cards are charged with a network token where available.',
    toggle: 'network_tokens_toggle',
    byItself: 'network_tokens_default',
  },
  {
    name: 'payment_method_tokenization_enabled',
    label: 'Store payment methods at the provider',
    hint: 'In addition to our vault.',
    toggle: 'payment_method_tokenization_toggle',
    byItself: 'payment_method_tokenization',
  },
  {
    name: 'open_loop',
    label: 'Open loop',
    hint: 'Accepts scheme transaction ids of payments made at other services.',
    toggle: 'open_loop_toggle',
    byItself: 'open_loop',
  },
  {
    name: 'settlement_reporting_enabled',
    label: 'Read settlement files',
    hint: 'Payments then show settlements and fees.',
    toggle: 'settlement_reporting',
    byItself: null,
  },
]
