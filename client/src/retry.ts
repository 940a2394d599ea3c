import type { SwitchyardError } from './errors.ts'

const FIRST_WAIT_MS = 250
const LONGEST_WAIT_MS = 8_000
/** After a crash of the service, a key can be held for a minute. Longer than this, the caller should decide. */
const LONGEST_RETRY_AFTER_MS = 65_000

/**
 * How long to wait before the same request is sent again, or nothing if it must not be. Each request can be
 * repeated safely, as PUT and DELETE change nothing the second time, and a POST has its key.
 */
export function waitBeforeNext(
  error: SwitchyardError,
  tried: number,
  dice = Math.random,
): number | undefined {
  if (!isPassing(error)) return undefined
  const asked = error.retryAfterMs ?? 0
  if (asked > LONGEST_RETRY_AFTER_MS) return undefined
  const backoff = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** tried)
  return asked + backoff * dice()
}

/** Whether the same request may be answered otherwise a little later. */
function isPassing({ status, code }: SwitchyardError): boolean {
  return status === 0 || status === 425 || status === 429 || status >= 500 || code === 'concurrent_request'
}
