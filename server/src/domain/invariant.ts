/** Stops the request when the program, not the caller, is wrong. Becomes a 500. */
export function invariant(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Error(`invariant: ${message}`)
}
