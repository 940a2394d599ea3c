import type { Link } from '#connectors/contract/connector.ts'
import { FAULTS, GIFT_CARD_OPERATIONS } from '#connectors/simulators/options.ts'

const OPERATIONS = [...GIFT_CARD_OPERATIONS, 'activate'] as const
export type Operation = (typeof OPERATIONS)[number]

/** The block `mock-gift-card` of a request's `connection_options`. */
type Fault = { readonly on: Operation; readonly kind: (typeof FAULTS)[number] }

/** `wrong` if it is not valid: a misspelt fault must not look like a successful payment. */
export function readFault({ fault }: Link['options']): Fault | null | 'wrong' {
  if (fault === undefined || fault === null) return null
  return isFault(fault) ? fault : 'wrong'
}

function isFault(value: unknown): value is Fault {
  if (typeof value !== 'object' || value === null) return false
  const { on, kind } = value as Readonly<Record<string, unknown>>
  return OPERATIONS.some((operation) => operation === on) && FAULTS.some((one) => one === kind)
}
