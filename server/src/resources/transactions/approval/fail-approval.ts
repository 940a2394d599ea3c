import type { Scope, Tx } from '#platform/db.ts'
import type { Engine } from '#processing/engine.ts'
import * as attempts from '../attempts/store.ts'
import { finishSession, forgetCard } from '../authorization/finish-card.ts'
import * as transactionEvents from '../events/store.ts'
import { tellStatus } from '../events/tell.ts'
import { forgetNumbers } from '../gift-card-redemptions/forget-numbers.ts'
import { skipRest } from '../gift-card-redemptions/unwind.ts'
import * as transactions from '../store.ts'

type Failure = {
  readonly code: string
  readonly timedOutAt?: Date
  readonly canceledAt?: Date
  /** What the payment's history says of it. */
  readonly events?: readonly transactionEvents.NewEvent[]
}

/** What was not approved by then has failed, whether or not anybody has looked since. */
export function hasExpired({ outcome }: transactions.StoredTransaction, now: Date): boolean {
  return Date.parse(outcome.approval_expires_at ?? '') <= now.getTime()
}

/** What becomes of a payment that nobody waits for any more, where the buyer had not approved in time. */
export function timedOut(
  transaction: transactions.StoredTransaction,
  { by, now }: { readonly by: Date; readonly now: Date },
): Pick<transactions.Row, 'error_code' | 'outcome'> | undefined {
  if (transaction.status !== 'buyer_approval_pending' || !hasExpired(transaction, by)) return undefined
  return {
    error_code: 'incomplete_buyer_approval',
    outcome: { approval_url: null, buyer_approval_timedout_at: now.toISOString() },
  }
}

/**
 * The buyer said no, or nothing in time, or the merchant gave up: nobody was asked for money, and the card is
 * forgotten.
 */
export async function failApproval(
  tx: Scope<Tx>,
  { vault }: Engine,
  id: string,
  { code, timedOutAt, canceledAt, events = [] }: Failure,
): Promise<transactions.StoredTransaction | undefined> {
  const before = await transactions.lock(tx, id)
  if (before?.status !== 'buyer_approval_pending') return undefined
  // A provider has been asked, and may yet say yes: whoever gives up has to tell it.
  if ((await attempts.openOf(tx, id)).length > 0) return undefined
  const summary = before.outcome.three_d_secure
  const status = code === 'failed_buyer_approval' ? 'declined' : 'cancelled'
  const after = await transactions.change(tx, before, {
    status: 'authorization_failed',
    error_code: code,
    outcome: {
      approval_url: null,
      ...(timedOutAt && { buyer_approval_timedout_at: timedOutAt.toISOString() }),
      ...(canceledAt && { canceled_at: canceledAt.toISOString() }),
      ...(summary && { three_d_secure: { ...summary, status } }),
    },
  })
  await forgetCard(tx, vault, after)
  await finishSession(tx, vault, after, false)
  if (after.has_gift_card_redemptions) {
    await skipRest(tx, after)
    await forgetNumbers(tx, vault, after)
  }
  await transactionEvents.record(tx, id, events)
  await tellStatus(tx, before.status, after)
  return after
}
