import type { Attempt } from '#processing/attempts/store.ts'

type Report = {
  readonly status: 'succeeded' | 'pending' | 'declined' | 'failed'
  readonly code: string | null
  readonly raw_response_code: string | null
  readonly raw_response_description: string | null
}

/** How an operation went, in the words of the API. What is not known yet is pending. */
export function reportOn(attempt: Attempt): Report {
  const { state, error_code, raw_response_code, raw_response_description } = attempt
  const isDecided = state === 'approved' || state === 'declined' || state === 'failed'
  const status = !isDecided ? 'pending' : state === 'approved' ? 'succeeded' : state
  return { status, code: error_code, raw_response_code, raw_response_description }
}
