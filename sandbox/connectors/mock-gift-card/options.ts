import type { Link } from '#connectors/contract/connector.ts'

/** Faults that merchants can cause in the simulated network, for one of their operations. */
export const FAULTS = ['lose-answer', 'stall', 'late', 'twice', 'garbage', 'unreachable'] as const
/** Those of a payment, which merchants can ask for. */
export const OF_PAYMENTS = ['redeem', 'refund', 'reverse'] as const
const OPERATIONS = [...OF_PAYMENTS, 'activate'] as const
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
