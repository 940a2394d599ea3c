import { ERROR_CODES, type ErrorCode } from './codes.ts'
import type { Facts, Refused } from './connector.ts'

/** What refusals mean by their status alone, at providers that use it as HTTP does. */
export const CODE_OF_STATUS: Readonly<Record<number, ErrorCode>> = {
  400: 'invalid_service_request',
  401: 'invalid_service_credentials',
  403: 'insufficient_service_permissions',
  404: 'unknown_service_resource',
  410: 'unknown_service_resource',
  422: 'invalid_service_request',
  429: 'service_rate_limit',
}

/** Nothing was done. The code says whether it was a decline or a failure. */
export function refused(code: ErrorCode, facts: Facts = {}, reference: string | null = null): Refused {
  const { category, isRetriable } = ERROR_CODES[code]
  const outcome = category === 'decline' ? 'declined' : 'failed'
  return { outcome, code, isRetriable, reference, facts }
}
