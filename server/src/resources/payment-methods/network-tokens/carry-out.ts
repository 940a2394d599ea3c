import type { TokenAnswer } from '#connectors/contract/network-token.ts'
import { inTransaction, type Scope, type Tx } from '#platform/database/db.ts'
import { ApiError, errors, orNotFound } from '#platform/http/errors.ts'
import { type Finished, inFinalTransaction, type Once } from '#platform/idempotency/once.ts'
import { askBetweenCommits } from '#processing/attempts/ask-between-commits.ts'
import { concludeHeld } from '#processing/attempts/conclude.ts'
import * as attempts from '#processing/attempts/store.ts'
import { mayInquire } from '#processing/attempts/store.ts'
import type { Engine } from '#processing/engine.ts'
import type { Masked } from '#vault'
import { askAbout } from './drop.ts'
import { askFor, NETWORK_TOKEN } from './resolve.ts'
import type { NetworkToken } from './schemas.ts'
import { showToken, type Viewer } from './show.ts'
import * as networkTokens from './store.ts'

type Wanted = {
  readonly kind: 'provision-token' | 'suspend-token' | 'resume-token'
  readonly once: Once
  readonly viewer: Viewer
  /** Refuses what does not fit, and records what is begun. */
  readonly begin: (tx: Scope<Tx>) => Promise<networkTokens.StoredToken>
  readonly securityCode?: Masked | null
}

/**
 * The steps of an operation at the token service: commit the attempt, ask, commit the answer. If a process
 * that died had begun the request, it is not begun again: we inquire about it.
 */
export async function carryOut(
  scope: Scope,
  engine: Engine,
  { once, viewer, kind, begin, securityCode = null }: Wanted,
): Promise<Finished<NetworkToken>> {
  const { attempt, answer } = once.begun
    ? await takeUp(scope, engine, once.begun)
    : await askBetweenCommits(scope, {
        begin: async (tx) => {
          const token = await begin(tx)
          const recorded = await attempts.send(tx, engine.providers, askAbout(token, kind))
          await once.begin(tx, recorded.id)
          return { token, attempt: recorded }
        },
        ask: (begun) => askFor(scope, engine, { ...begun, securityCode }),
      })
  const concluded = answer ? await conclude(scope, engine, attempt, answer) : attempt
  if (concluded.due_at !== null) throw noAnswer()
  if (concluded.state !== 'approved') {
    throw errors.refused(`The token service refuses: ${concluded.error_code ?? 'unknown_error'}.`)
  }
  return finish(scope, engine, { once, viewer }, attempt.subject_id ?? '')
}

async function conclude(scope: Scope, engine: Engine, attempt: attempts.Attempt, answer: TokenAnswer) {
  const told = { attempt, answer }
  const concluded = await inTransaction(scope, (tx) => concludeHeld(tx, engine, NETWORK_TOKEN, told))
  return concluded.attempt
}

/** Answers with the token as it is now. The card, and the token with it, may have been deleted meanwhile. */
export async function finish(
  scope: Scope,
  { vault }: Pick<Engine, 'vault'>,
  { once, viewer }: Pick<Wanted, 'once' | 'viewer'>,
  id: string,
): Promise<Finished<NetworkToken>> {
  const token = await networkTokens.find(scope, id)
  if (!networkTokens.isLive(token)) throw errors.notFound()
  const shown = await showToken(scope, vault, token, viewer)
  return inFinalTransaction(scope, once, async () => shown)
}

async function takeUp(scope: Scope, engine: Engine, id: string) {
  const attempt = orNotFound(await attempts.find(scope, id))
  if (attempt.due_at === null) return { attempt, answer: null }
  if (!mayInquire(attempt, scope.clock)) throw noAnswer()
  const token = await NETWORK_TOKEN.find(scope, attempt)
  return { attempt, answer: await NETWORK_TOKEN.inquire(scope, engine, token, attempt) }
}

/** After this time the job has inquired, and a retry with the same idempotency key gets the outcome. */
function noAnswer(): ApiError {
  const message =
    'Repeat the request with its idempotency key. The token service did not answer, and may still have done it.'
  return new ApiError('gateway_timeout', { message, headers: { 'retry-after': '60' } })
}
