import type { SignedIn } from './signed-in.ts'

/** How long a proof of who you are counts for operations that want a fresh one. */
const FRESH_MS = 10 * 60_000

/** Undefined if the last proof is too old. */
export function freshUntil({ provedAt }: SignedIn, now: Date): Date | undefined {
  const until = new Date(provedAt.getTime() + FRESH_MS)
  return until > now ? until : undefined
}
