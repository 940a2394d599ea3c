import type { SyncAnswer } from '#connectors/contract/connector.ts'
import type { Scope } from '#platform/database/db.ts'
import { askInTime, isTimeOver, STILL_ASKED } from '#processing/attempts/in-time.ts'
import type { PaymentAttempt } from '#processing/attempts/store.ts'
import type { Engine } from '#processing/engine.ts'
import { type ChosenService, inquire } from '../attempts/ask.ts'
import { concludeLatePayment } from '../attempts/resolve.ts'
import type { StoredTransaction } from '../store.ts'

type Lost = {
  readonly transaction: StoredTransaction
  readonly attempt: PaymentAttempt
  readonly chosen: ChosenService
  readonly answer: SyncAnswer
  /** Whether another service could be asked. */
  readonly hasNext: boolean
}

/**
 * The answer of a service was lost. If another service could be asked, the provider is asked for the outcome at once, provided
 * that it can promise to have done nothing. Else the job asks after a minute: a question makes some providers refuse a request
 * that is still on its way.
 */
export async function lookUpIfLost(
  scope: Scope,
  engine: Engine,
  { transaction, attempt, chosen, answer, hasNext }: Lost,
): Promise<SyncAnswer> {
  const isLost = answer.outcome === 'unknown' && answer !== STILL_ASKED
  const { manifest, sync } = chosen.connector
  const canPromise = manifest.recovery.by === 'lookup' && sync !== undefined
  if (!isLost || !hasNext || !canPromise || isTimeOver(scope, engine)) return answer
  const asking = inquire(scope, engine, transaction, attempt)
  return askInTime(scope, engine, asking, (late) => concludeLatePayment(scope, engine, attempt, late))
}
