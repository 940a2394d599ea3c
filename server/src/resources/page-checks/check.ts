import { readBuiltPages } from '#pages/built-pages.ts'
import { type Finding, verifyPages } from '#pages/verify.ts'
import { type Context, inTransaction } from '#platform/database/db.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import * as events from '#resources/events/store.ts'
import * as pageChecks from './store.ts'

const DAY_MS = 86_400_000
/** PCI DSS 11.6.1 asks for a check at least once a week. */
const EVERY_MS = 7 * DAY_MS
/** A check that has not ended by then was interrupted. */
const LONGEST_MS = 10 * 60_000
/** An assessor looks at one year. */
const KEPT_MS = 400 * DAY_MS

/** The weekly check. Of several processes, one makes it. */
export async function checkPagesWeekly(context: Context, url: string): Promise<void> {
  const now = context.clock().getTime()
  const begun = await inTransaction(context, async (tx) => {
    await pageChecks.lockChecks(tx)
    const last = await pageChecks.latest(tx, new Date(now - LONGEST_MS))
    if (last && last.created_at.getTime() > now - EVERY_MS) return undefined
    await pageChecks.removeBefore(tx, new Date(now - KEPT_MS))
    return pageChecks.begin(tx, url)
  })
  if (begun) await finish(context, begun)
}

/** A check that a person asks for. Returns what differs. */
export async function checkPages(context: Context, url: string): Promise<readonly Finding[]> {
  const begun = await inTransaction(context, (tx) => pageChecks.begin(tx, url))
  return finish(context, begun)
}

/** Looks at the pages, then stores what it saw with the event and the audit entry about it. */
async function finish(
  context: Context,
  { id, url, created_at }: pageChecks.StoredPageCheck,
): Promise<readonly Finding[]> {
  const findings = await verifyPages(readBuiltPages(), url)
  await inTransaction(context, async (tx) => {
    await pageChecks.lockChecks(tx)
    await pageChecks.conclude(tx, id, findings)
    if (findings.length === 0) return
    const place = { ...tx, merchantAccountId: null }
    const target = { type: 'page-check', id, url, findings, created_at: created_at.toISOString() }
    await events.publish(place, ['page-check.failed'], target)
    await auditLogs.record(place, 'created', {
      type: 'page-check',
      id,
      name: `The payment pages at ${url} differ from those that were built`,
    })
  })
  return findings
}
