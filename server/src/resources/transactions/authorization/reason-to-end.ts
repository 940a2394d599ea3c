import { ERROR_CODES, type ErrorCode } from '#connectors/contract/codes.ts'
import type { SyncAnswer } from '#connectors/contract/connector.ts'
import type { ServiceEntry } from '#resources/flows/schemas.ts'

/** Why no other service is asked after a refusal, as words of the events of those services. */
export type Why = {
  readonly reason:
    | 'rule_does_not_retry'
    | 'provider_forbids_retry'
    | 'not_retriable'
    | 'scheme_advice'
    | 'scheme_limit'
    | 'out_of_time'
  /** The error code of the refusal. */
  readonly code: ErrorCode
}

/** What the buyer typed is wrong. It is as wrong at the next service, so only a rule can ask for that. */
const DATA_CODES: readonly ErrorCode[] = [
  'expired_payment_method',
  'incorrect_billing_address',
  'incorrect_cvv',
  'incorrect_expiry_date',
]

/** Answers after which another attempt is made: no money moved, and none will. */
export type Refusal = Extract<SyncAnswer, { outcome: 'declined' | 'failed' | 'not_found' }>

export function isRefusal(answer: SyncAnswer): answer is Refusal {
  return answer.outcome === 'declined' || answer.outcome === 'failed' || answer.outcome === 'not_found'
}

/** The provider has never seen an attempt that it does not find. */
export function codeOfRefusal(answer: Refusal): ErrorCode {
  return answer.outcome === 'not_found' ? 'service_network_error' : answer.code
}

/**
 * Why the next service is not asked after a refusal. Undefined: it is asked. The lists of the rule come before what is usual for the
 * code, and what a provider says about this very payment before both.
 */
export function reasonToEnd(
  answer: Refusal,
  { retry }: Pick<ServiceEntry, 'retry'> = {},
): Why['reason'] | undefined {
  const code = codeOfRefusal(answer)
  if (retry?.not_on?.includes(code)) return 'rule_does_not_retry'
  if (answer.outcome === 'not_found') return undefined
  if (ERROR_CODES[code].isRetriable && !answer.isRetriable) return 'provider_forbids_retry'
  if (retry?.on?.includes(code)) return undefined
  return answer.isRetriable && !DATA_CODES.includes(code) ? undefined : 'not_retriable'
}
