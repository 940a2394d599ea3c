import { ERROR_CODES, type ErrorCode } from './codes.ts'
import type { Facts, Refused } from './connector.ts'

/** Nothing was done. The code says whether it was a decline or a failure. */
export function refused(code: ErrorCode, facts: Facts = {}, reference: string | null = null): Refused {
  const { category, isRetriable } = ERROR_CODES[code]
  const outcome = category === 'decline' ? 'declined' : 'failed'
  return { outcome, code, isRetriable, reference, facts }
}
