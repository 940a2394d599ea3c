import { type Context, inTransaction, type Scope, type Tx } from '#platform/database/db.ts'
import { failTogether } from '#platform/process/jobs.ts'
import * as files from '../files/store.ts'
import { EXPLAINED } from '../lines/columns.ts'
import * as lines from '../lines/store.ts'
import { applyLines } from './apply-lines.ts'
import { matchLines } from './match-lines.ts'

const BATCH = 500

/** Looks again for the payments of lines that had none: a payment whose outcome was unknown may have been decided since. */
export async function matchDue(context: Context, stopping: AbortSignal): Promise<void> {
  const failures: unknown[] = []
  const done: string[] = []
  while (!stopping.aborted) {
    const first = await lines.firstDue(context, done)
    if (!first) break
    const { payment_service_id: paymentServiceId, merchant_account_id: merchantAccountId } = first
    const looked = await inTransaction({ ...context, merchantAccountId }, (tx) =>
      matchBatch({ ...tx, paymentServiceId }),
    ).catch((error: unknown) => {
      failures.push(error)
      return 0
    })
    // The rest of the service failed, or another process has its locks. The lines of other services do not wait for it.
    if (looked === 0) done.push(paymentServiceId)
  }
  failTogether(failures)
}

async function matchBatch(tx: Scope<Tx> & { readonly paymentServiceId: string }): Promise<number> {
  const due = await lines.lockDue(tx, BATCH, tx.paymentServiceId)
  const looked = await matchLines(tx, due)
  await lines.noteLook(tx, looked.lines)
  const placed = looked.lines.filter(
    ({ unmatched_because: because }) => because === null || EXPLAINED.includes(because),
  )
  const byFile = Map.groupBy(placed, ({ file_id }) => file_id ?? '')
  const found = [...byFile].map(([id, own]) => ({
    id,
    unmatched: -own.length,
    flagged: own.filter(({ flag }) => flag !== null).length,
  }))
  await files.addCounts(
    tx,
    found.filter(({ id }) => id !== ''),
  )
  await applyLines(tx, looked.matched)
  return due.length
}
