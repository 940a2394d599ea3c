import { sql } from 'kysely'
import { type Context, inTransaction, type Scope, type Tx } from '#platform/database/db.ts'
import { earliest } from '#platform/database/sql.ts'
import type { Job } from '#platform/process/jobs.ts'
import * as events from '#resources/events/store.ts'
import { toDispute } from './schemas.ts'
import { find, markReminded } from './store.ts'

/** Time enough for people to find evidence, also over a weekend. */
const BEFORE_MS = 3 * 24 * 3_600_000
const BATCH = 100

type Due = { readonly merchant_account_id: string; readonly id: string }

/** Subscribers learn that a deadline is near, once, unless the dispute was answered at its stage. */
export const remindOfDisputesJob: Job<{ readonly context: Context }> = {
  name: 'remind-of-disputes',
  everyMs: 5 * 60_000,
  run: async ({ context }, stopping) => {
    const { clock } = context
    const { rows } = await sql<Due>`
      select merchant_account_id, id from disputes
      where respond_by > ${clock()} and respond_by <= ${new Date(clock().getTime() + BEFORE_MS)}
        and reminded_for is distinct from respond_by
      order by respond_by limit ${BATCH}`.execute(context.db)
    for (const { merchant_account_id: merchantAccountId, id } of rows) {
      if (stopping.aborted) return
      await inTransaction({ ...context, merchantAccountId }, (tx) => remind(tx, id))
    }
  },
  nextDueAt: async ({ context }) => {
    const next = await earliest(
      context,
      sql`select min(respond_by) as at from disputes
        where respond_by > ${context.clock()} and reminded_for is distinct from respond_by`,
    )
    return next && new Date(next.getTime() - BEFORE_MS)
  },
}

/** Two processes that find the same dispute mark it in turn: the second finds it marked. */
async function remind(tx: Scope<Tx>, id: string): Promise<void> {
  const dispute = (await markReminded(tx, id)) ? await find(tx, id) : undefined
  if (dispute) await events.publish(tx, ['dispute.deadline-near'], toDispute(dispute))
}
