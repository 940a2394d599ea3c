import { inTransaction, type Scope, type Tx } from '#platform/database/db.ts'
import { errors } from '#platform/http/errors.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import {
  type Answered,
  findDispute,
  lockDispute,
  noteAnswer,
} from '#resources/payment-service-reports/lines/disputes.ts'
import type { ChargebackCase } from './schemas.ts'
import { toCase } from './show.ts'

/** Notes that the caller has answered a chargeback at the payment service. A second note takes the place of the first. */
export function answerChargeback(scope: Scope, id: string, note: string): Promise<ChargebackCase> {
  return inTransaction(scope, async (tx) => {
    const { status } = await lock(tx, id)
    if (status === 'returned') throw errors.refused('the bank has returned the money: no answer is needed')
    const { actor } = tx
    return change(tx, id, { note, by: actor.id, byName: actor.name, at: tx.clock() })
  })
}

/** Takes the note back, so that the chargeback is open again. */
export function reopenChargeback(scope: Scope, id: string): Promise<void> {
  return inTransaction(scope, async (tx) => {
    const { answered_at } = await lock(tx, id)
    if (answered_at === null) throw errors.notFound()
    await change(tx, id, null)
  })
}

async function lock(tx: Scope<Tx>, id: string) {
  const found = await lockDispute(tx, id)
  if (!found) throw errors.notFound()
  return found
}

async function change(tx: Scope<Tx>, id: string, answered: Answered | null): Promise<ChargebackCase> {
  await noteAnswer(tx, id, answered)
  const after = await findDispute(tx, id)
  if (!after) throw errors.notFound()
  const name = `Chargeback of transaction ${after.transaction_id}`
  await auditLogs.record(tx, answered ? 'created' : 'deleted', { type: 'chargeback-answer', id, name })
  return toCase(after)
}
