import { createHash } from 'node:crypto'
import type { TokenScheme } from '#connectors/contract/network-token.ts'

/**
 * Attempts name the service that they ask, and services take turns by it. The simulated token service needs no account, so
 * the id follows from merchant account and scheme: one that is slow does not delay the others.
 */
export function simulatedTokenServiceId(merchantAccountId: string, scheme: TokenScheme): string {
  const hash = createHash('sha256').update(`${scheme} token service of ${merchantAccountId}`).digest('hex')
  // A UUID of version 8 (RFC 9562), whose other digits are free.
  return [
    hash.slice(0, 8),
    hash.slice(8, 12),
    `8${hash.slice(13, 16)}`,
    `8${hash.slice(17, 20)}`,
    hash.slice(20, 32),
  ].join('-')
}
