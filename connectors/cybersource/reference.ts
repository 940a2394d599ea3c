/**
 * What CyberSource knows a request by. `code` is what its search finds. `transactionId` must be unique for 180 days: a request that
 * repeats it is refused. Both are the id of the attempt, in letters and digits alone: the one for a query, the other within 30 signs.
 */
export function referenceOf(attemptId: string) {
  return { code: codeOf(attemptId), transactionId: BigInt(`0x${codeOf(attemptId)}`).toString(36) }
}

export function codeOf(attemptId: string): string {
  return attemptId.replaceAll('-', '')
}

/** CyberSource's own id of a request. */
export function isId(value: string | null): value is string {
  return value !== null && /^[A-Za-z0-9]{1,26}$/.test(value)
}
