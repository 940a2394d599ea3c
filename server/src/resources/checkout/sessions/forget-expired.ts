import { type Context, inTransaction, type Scope, type Tx } from '#platform/database/db.ts'
import type { Vault } from '#vault'
import { forgetCard } from './forget-card.ts'
import { forgetCode } from './forget-code.ts'
import { nextDueAt } from './next-due.ts'
import * as sessions from './store.ts'

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

export function nextToForgetAt(context: Context, retentionDays: number): Promise<Date | null> {
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
