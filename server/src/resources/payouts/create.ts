import type { SyncAnswer } from '#connectors/contract/connector.ts'
import { inBriefTransaction } from '#platform/database/brief-transaction.ts'
import { isOvertaken } from '#platform/database/database-errors.ts'
import type { Scope, Tx } from '#platform/database/db.ts'
import {
  answerUnkeyed,
  type Finished,
  inFinalBriefTransaction,
  inFinalTransaction,
  type Once,
} from '#platform/idempotency/once.ts'
import { askInTimeBetweenCommits } from '#processing/attempts/ask-between-commits.ts'
import { conclude, concludeHeld, concludeLate } from '#processing/attempts/conclude.ts'
import { awaitingOrder } from '#processing/attempts/kept-orders.ts'
import * as attempts from '#processing/attempts/store.ts'
import { mayInquire } from '#processing/attempts/store.ts'
import type { Engine } from '#processing/engine.ts'
import { lineTo } from '#processing/provider.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import { askToPayOut } from './ask.ts'
import { named } from './conclude.ts'
import { type Prepared, prepare } from './prepare.ts'
import { PAYOUT, resolvePayout } from './resolve.ts'
import type { Payout, PayoutCreate } from './schemas.ts'
import { showPayout, toPayout } from './show.ts'
import * as payouts from './store.ts'

/** Sends money to a card: first commit, ask, second commit. */
export async function createPayout(
  scope: Scope,
  once: Once,
  engine: Engine,
  request: PayoutCreate,
): Promise<Finished<Payout>> {
  if (once.begun) return resume(scope, once, engine, once.begun)
  const prepared = await prepare(scope, engine, request)
  const { attempt, answer } = await askInTimeBetweenCommits(scope, engine, {
    inFirstCommit: inBriefTransaction,
    begin: async (tx) => ({ attempt: await begin(tx, once, engine, prepared) }),
    ask: () => askToPayOut(scope, engine, prepared),
    concludeLate: (begun, late) =>
      concludeLate(scope, engine, PAYOUT, { attempt: begun.attempt, answer: late }),
  })
  return finish(scope, once, engine, { ...prepared, attempt, answer }).catch((error: unknown) =>
    answerUnkeyed(once, error, toPayout(prepared.payout, prepared.service)),
  )
}

/** The first commit: the payout is on record before any money moves. */
async function begin(
  tx: Scope<Tx>,
  once: Once,
  { providers }: Engine,
  { payout, connector }: Prepared,
): Promise<attempts.Attempt> {
  const { id, amount, payment_service_id: service_id } = payout
  await payouts.insert(tx, payout)
  const asked = {
    id,
    kind: 'payout',
    service_id,
    amount,
    ...awaitingOrder(connector),
  } as const
  const attempt = await attempts.send(tx, lineTo(providers, connector, 'payout'), asked)
  await auditLogs.record(tx, 'created', named(payout))
  await once.begin(tx, id)
  return attempt
}

type Answered = Prepared & {
  readonly attempt: attempts.Attempt
  readonly answer: SyncAnswer
}

/** The second commit. A payout this new has hardly ever changed, so it is locked only if it has. */
async function finish(
  scope: Scope,
  once: Once,
  engine: Engine,
  { payout, service, attempt, answer }: Answered,
): Promise<Finished<Payout>> {
  const subject = { payout, service }
  return inFinalBriefTransaction(scope, once, async (tx) => {
    const concluded = await conclude(tx, engine, PAYOUT, { subject, attempt, answer })
    return toPayout(concluded.subject.payout, service)
  }).catch((error: unknown) => {
    if (!isOvertaken(error)) throw error
    return inFinalTransaction(scope, once, async (tx) => {
      const concluded = await concludeHeld(tx, engine, PAYOUT, { attempt, answer })
      return toPayout(concluded.subject.payout, service)
    })
  })
}

/** Continues a payout whose process died, for a caller who retries with the same key. */
async function resume(scope: Scope, once: Once, engine: Engine, id: string): Promise<Finished<Payout>> {
  const attempt = await attempts.find(scope, id)
  if (attempt && mayInquire(attempt, scope.clock)) await resolvePayout(scope, engine, attempt)
  return inFinalTransaction(scope, once, (tx) => showPayout(tx, id))
}
