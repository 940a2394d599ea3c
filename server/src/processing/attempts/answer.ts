import { ERROR_CODES } from '#connectors/contract/codes.ts'
import type { Answer, Approved, Facts, SyncAnswer } from '#connectors/contract/connector.ts'

/** A provider's answer about an attempt. Not every approval has an id of the provider. */
export type Told = SyncAnswer | (Omit<Approved, 'reference'> & { readonly reference: null })

/** An answer that leaves the attempt open. */
export type Open<A extends Told = SyncAnswer> = Extract<
  A,
  { outcome: 'unknown' | 'pending' | 'approval_required' }
>
/** An answer that decides the attempt. */
export type Decided<A extends Told = SyncAnswer> = Exclude<A, Open>

export function isDecided<A extends Told>(answer: A): answer is Decided<A> {
  return !['unknown', 'pending', 'approval_required'].includes(answer.outcome)
}

/** The provider has never seen the attempt, and will refuse it if it still arrives. To the merchant: a network error. */
const NEVER_ARRIVED = 'service_network_error'

export function codeOf(answer: Decided<Told>): string | null {
  if (answer.outcome === 'approved') return null
  return answer.outcome === 'not_found' ? NEVER_ARRIVED : answer.code
}

/** How a capture, a refund or a redemption ended, in the words of the API. */
export function endOf({ outcome }: Decided): 'succeeded' | 'declined' | 'failed' {
  if (outcome === 'approved') return 'succeeded'
  return outcome === 'declined' ? 'declined' : 'failed'
}

export function factsOf(answer: Told): Facts {
  return 'facts' in answer ? answer.facts : {}
}

/** The provider's own id of what it did. */
export function referenceOf(answer: Told): string | null {
  return 'reference' in answer ? answer.reference : null
}

/**
 * What an attempt keeps of the answer that decides it. The provider may later refer to it by its reference.
 */
export function closing(answer: Decided<Told>) {
  const reference = referenceOf(answer)
  const { rawCode = null, rawDescription = null } = factsOf(answer)
  return {
    state: answer.outcome === 'not_found' ? ('failed' as const) : answer.outcome,
    due_at: null,
    error_code: codeOf(answer),
    raw_response_code: rawCode,
    raw_response_description: rawDescription,
    ...(reference !== null && { reference }),
  }
}

/** Our own refusal, in the shape of a provider's. */
export function refusal(code: keyof typeof ERROR_CODES): Extract<Answer, { outcome: 'declined' | 'failed' }> {
  const { category, isRetriable } = ERROR_CODES[code]
  const outcome = category === 'decline' ? 'declined' : 'failed'
  return { outcome, code, isRetriable, reference: null, facts: {} }
}
