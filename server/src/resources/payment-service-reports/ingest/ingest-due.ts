import { setTimeout as sleep } from 'node:timers/promises'
import { type Context, inTransaction, type Scope, type Tx } from '#platform/database/db.ts'
import { failTogether } from '#platform/process/jobs.ts'
import * as feeds from '../feeds/store.ts'
import * as files from '../files/store.ts'
import { EXPLAINED } from '../lines/columns.ts'
import * as lines from '../lines/store.ts'
import { applyLines } from './apply-lines.ts'
import { type Ingesting, ingestService } from './ingest-service.ts'
import { matchLines } from './match-lines.ts'

/** Services that are worked on at once. Each needs two database connections at most. */
const AT_ONCE = 4
/** How often the job looks for services that have become due while it waits for a slow one. */
const LOOK_AGAIN_MS = 1_000

/** Lines that are looked at again in one transaction. */
const BATCH = 500

/** Lists and reads the report files of all services that are due. A slow service does not delay the others. */
export async function ingestDue(context: Context, needs: Ingesting, stopping: AbortSignal): Promise<void> {
  const failures: unknown[] = []
  const busy = new Map<string, Promise<void>>()
  try {
    while (!stopping.aborted) {
      const due = await feeds.takeDue(context, { limit: AT_ONCE - busy.size, besides: [...busy.keys()] })
      for (const feed of due) {
        const { payment_service_id: id, merchant_account_id: merchantAccountId } = feed
        const work = ingestService({ ...context, merchantAccountId }, needs, feed, stopping)
          .catch((error: unknown) => void failures.push(error))
          .finally(() => busy.delete(id))
        busy.set(id, work)
      }
      if (busy.size === 0) break
      await Promise.race([...busy.values(), sleep(LOOK_AGAIN_MS)])
    }
  } finally {
    await Promise.all(busy.values())
  }
  failTogether(failures)
}

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
