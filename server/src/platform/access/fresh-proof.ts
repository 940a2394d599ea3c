import { ApiError } from '../http/errors.ts'
import { type Clock, realTime } from '../process/clock.ts'
import type { Caller } from './auth.ts'
import type { SignedIn } from './signed-in.ts'

/** How long a proof of who you are counts for operations that want a fresh one. */
const FRESH_MS = 10 * 60_000

/** Undefined if the last proof is too old. */
export function freshUntil({ provedAt }: Pick<SignedIn, 'provedAt'>, now: Date): Date | undefined {
  const until = new Date(provedAt.getTime() + FRESH_MS)
  return until > now ? until : undefined
}

/** A session may have been left open. A token is proof in itself: a program signs it for each use. */
export function refuseOldProof({ session }: Pick<Caller, 'session'>, clock: Clock): void {
  if (session && !freshUntil(session, realTime(clock))) throw new ApiError('step_up_required')
}
