import type { Link } from '#connectors/contract/connector.ts'
import type { Instrument, Operation } from '#connectors/contract/orders.ts'
import { CARD_OPERATIONS, FAULTS } from '#connectors/simulators/options.ts'

/** The block `mock-card` of a request's `connection_options`. */
type Options = {
  readonly fault: { readonly on: Operation; readonly kind: (typeof FAULTS)[number] } | null
  readonly adviceCode: Advice | null
  readonly isRetrySkipped: boolean
}

/**
 * Returns the name of a wrong option, if there is one. A misspelt fault must not look like a successful
 * payment.
 */
export function readOptions(options: Link['options']): Options | { readonly wrong: string } {
  const { fault, merchant_advice_code: advice, skip_retry: skip } = options
  if (!isAbsent(fault) && !isFault(fault)) return { wrong: 'fault' }
  if (!isAbsent(advice) && !isAdvice(advice)) return { wrong: 'merchant_advice_code' }
  if (!isAbsent(skip) && typeof skip !== 'boolean') return { wrong: 'skip_retry' }
  return {
    fault: isAbsent(fault) ? null : fault,
    adviceCode: isAbsent(advice) ? null : advice,
    isRetrySkipped: skip === true,
  }
}

/**
 * With a null for the number, any card gets the code. If the number is missing, it was removed on the way, as
 * card numbers are; then we cannot tell which card was meant. The number is compared here, and never sent.
 */
export function adviceCodeFor({ adviceCode }: Options, instrument: Instrument): string | null {
  if (!adviceCode || adviceCode.account_number === undefined) return null
  const { account_number: number, result = null } = adviceCode
  const isMeant = number === null || (instrument.kind === 'card' && instrument.number.use(String) === number)
  return isMeant ? result : null
}

function isFault(value: unknown): value is NonNullable<Options['fault']> {
  return (
    isObject(value) &&
    CARD_OPERATIONS.some((operation) => operation === value['on']) &&
    FAULTS.some((kind) => kind === value['kind'])
  )
}

type Advice = { readonly result?: string | null; readonly account_number?: string | null }

function isAdvice(value: unknown): value is Advice {
  return isObject(value) && isTextOrAbsent(value['result']) && isTextOrAbsent(value['account_number'])
}

function isTextOrAbsent(value: unknown): boolean {
  return isAbsent(value) || typeof value === 'string'
}

function isAbsent(value: unknown): value is null | undefined {
  return value === undefined || value === null
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
