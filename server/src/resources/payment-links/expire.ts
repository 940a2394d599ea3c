import { isDatabaseAway } from '#platform/database/database-errors.ts'
import { type Context, inTransaction, type Scope, type Tx } from '#platform/database/db.ts'
import { errors } from '#platform/http/errors.ts'
import { type Finished, inFinalTransaction, type Once } from '#platform/idempotency/once.ts'
import { failTogether } from '#platform/process/jobs.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import * as events from '#resources/events/store.ts'
import { nameOf } from './create.ts'
import { toTarget } from './show.ts'
import { objectionToExpire, statusAt } from './state.ts'
import * as links from './store.ts'

const BATCH = 100

/** Ends a link now. Repeating it is harmless. A link that is paid, or being paid, stays as it is. */
export function expireLink(scope: Scope, once: Once, id: string): Promise<Finished<void>> {
  return inFinalTransaction(scope, once, async (tx) => {
    const link = await links.lock(tx, id)
    if (!link) throw errors.notFound()
    const objection = objectionToExpire(link)
    if (objection) throw errors.refused(objection)
    if (link.status === 'expired') return
    await expire(tx, link, { expires_at: earlier(link.expires_at, tx.clock()) })
    await auditLogs.record(tx, 'updated', { type: 'payment-link', id, name: nameOf(link) })
  })
}

/** The job: writes down that the time of links is over. Reads and payments go by the time itself. */
export async function expireDueLinks(context: Context, stopping?: AbortSignal): Promise<void> {
  const failures: unknown[] = []
  let beyond: links.Due | null = null
  do {
    if (stopping?.aborted) break
    const due: links.Due[] = await links.due(context, { limit: BATCH, beyond })
    for (const { id, merchant_account_id: merchantAccountId } of due) {
      await expireDue({ ...context, merchantAccountId }, id).catch((error: unknown) => {
        if (isDatabaseAway(error)) throw error
        failures.push(error)
      })
    }
    beyond = due.length < BATCH ? null : (due.at(-1) ?? null)
  } while (beyond !== null)
  failTogether(failures)
}

/** A payment may have begun just before the time was over. Then the link is no longer active, and stays. */
function expireDue(scope: Scope, id: string): Promise<void> {
  return inTransaction(scope, async (tx) => {
    const link = await links.lock(tx, id)
    if (link?.status !== 'active' || statusAt(link, tx.clock()) !== 'expired') return
    await expire(tx, link, {})
  })
}

async function expire(tx: Scope<Tx>, link: links.StoredLink, change: links.Change): Promise<void> {
  const after = await links.change(tx, link, { ...change, status: 'expired' })
  await events.publish(tx, ['payment-link.updated'], toTarget(after, tx.clock()))
}

/** A link whose time is over keeps that time. */
function earlier(one: Date, other: Date): Date {
  return new Date(Math.min(one.getTime(), other.getTime()))
}
