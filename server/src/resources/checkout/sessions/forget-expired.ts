import { sql } from 'kysely'
import { type Context, inTransaction, type Scope, type Tx } from '#platform/database/db.ts'
import { earliest } from '#platform/database/sql.ts'
import type { Job } from '#platform/process/jobs.ts'
import type { Vault } from '#vault'
import { forgetCard, forgetCode } from './forget-card.ts'
import * as sessions from './store.ts'

export const checkoutSessionJobs: Job<Needs>[] = [
  {
    name: 'forget-entered-cards',
    everyMs: 30_000,
    run: ({ context, vault, sessionRetentionDays }) => forgetExpired(context, vault, sessionRetentionDays),
    nextDueAt: ({ context, sessionRetentionDays }) => nextToForgetAt(context, sessionRetentionDays),
  },
]

const BATCH = 100
/** A buyer may approve a payment after its session has expired, but not a day later. */
const PAYMENT_MS = 86_400_000
const DAY_MS = 86_400_000

/** Removes expired data from the vault, and later the rows. Several processes may do it at once. */
export async function forgetExpired(context: Context, vault: Vault, retentionDays: number): Promise<void> {
  await inBatches(context, async (tx) => {
    const due = await sessions.lockWithStaleCode(tx, BATCH)
    for (const session of due) await forgetCode(scopeOf(tx, session), vault, session)
    return due.length
  })
  await inBatches(context, async (tx) => {
    const due = await sessions.lockExpired(tx, { limit: BATCH, paymentMs: PAYMENT_MS })
    for (const session of due) await forgetCard(scopeOf(tx, session), vault, session)
    return due.length
  })
  await inBatches(context, (tx) =>
    sessions.removeExpired(tx, new Date(tx.clock().getTime() - retentionDays * DAY_MS), BATCH),
  )
}

function nextToForgetAt(context: Context, retentionDays: number): Promise<Date | null> {
  return nextDueAt(context, PAYMENT_MS, retentionDays * DAY_MS)
}

async function inBatches(context: Context, work: (tx: Context<Tx>) => Promise<number>): Promise<void> {
  let done: number
  do {
    done = await inTransaction(context, work)
  } while (done === BATCH)
}

function scopeOf(tx: Context<Tx>, { merchant_account_id }: { merchant_account_id: string }): Scope<Tx> {
  return { ...tx, merchantAccountId: merchant_account_id }
}

/** When the next session, or something that it holds, is to be forgotten. */
function nextDueAt(context: Context, paymentMs: number, rowMs: number): Promise<Date | null> {
  const now = context.clock().getTime()
  const expiring = (condition: string, keptMs: number) => sql`(
    select min(expires_at) from checkout_sessions
    where ${sql.raw(condition)} and expires_at > ${new Date(now - keptMs)}
  ) + ${sql.lit(keptMs)} * interval '1 millisecond'`
  const statement = sql<{ at: Date | null }>`select least(
    (select min(security_code_expires_at) from checkout_sessions where security_code_token is not null),
    ${expiring('method is not null and transaction_id is null', 0)},
    ${expiring('method is not null', paymentMs)},
    ${expiring('true', rowMs)}
  ) as at`
  return earliest(context, statement)
}

type Needs = { readonly context: Context; readonly vault: Vault; readonly sessionRetentionDays: number }
