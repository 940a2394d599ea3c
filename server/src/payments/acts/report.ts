import type { Attempt } from '#processing/attempts/store.ts'

type Report = {
  readonly status: 'succeeded' | 'pending' | 'declined' | 'failed'
  readonly code: string | null
  readonly raw_response_code: string | null
  readonly raw_response_description: string | null
}

/** The result of an operation, in the words of the API. An unknown outcome is pending. */
export function reportOn(attempt: Attempt): Report {
  const { state, error_code, raw_response_code, raw_response_description } = attempt
  const isDecided = state === 'approved' || state === 'declined' || state === 'failed'
  const status = !isDecided ? 'pending' : state === 'approved' ? 'succeeded' : state
  return { status, code: error_code, raw_response_code, raw_response_description }
}
