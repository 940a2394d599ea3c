/** As `AbortSignal.timeout`, which the oldest browsers do not have. */
export function within(timeoutMs: number): AbortSignal {
  const controller = new AbortController()
  setTimeout(() => controller.abort(), timeoutMs)
  return controller.signal
}
