import type pg from 'pg'

/** The books of the simulated processor. */
export const SIMULATOR_BOOKS = 'simulator.entries'

/**
 * Differences between our books and those of the provider: payments with other sums, payouts and attempts with another
 * outcome, and attempts with more than one effect. Empty when the books balance. `theirs` is a table like that of the
 * simulator.
 */
export async function disagreements(pool: pg.Pool | pg.Client, theirs = SIMULATOR_BOOKS): Promise<object[]> {
  const found: object[] = []
  for (const question of [PAYMENTS, PAYOUTS, ATTEMPTS, EFFECTS]) {
    found.push(...(await pool.query(question.replaceAll(SIMULATOR_BOOKS, theirs))).rows)
  }
  return found
}

/**
 * Released amounts: all of a voided payment, the rest that captures left of others, and the hold of a failed
 * one.
 */
const PAYMENTS = `
  select t.id, t.status, t.authorized_amount, t.captured_amount, t.refunded_amount, theirs.*
  from transactions t
  cross join lateral (
    select
      coalesce(sum(amount) filter (where operation in ('authorize', 'increment')), 0) as authorized,
      coalesce(sum(amount) filter (
        where operation = 'capture' or (operation = 'authorize' and is_final)), 0) as captured,
      coalesce(sum(amount) filter (where operation = 'refund'), 0) as refunded,
      coalesce(sum(amount) filter (where operation = 'void'), 0) as voided
    from simulator.entries e
    where e.transaction_id = t.id::text and e.status = 'approved'
  ) theirs
  where t.authorized_amount <> theirs.authorized
    or t.captured_amount <> theirs.captured
    or t.refunded_amount <> theirs.refunded
    or t.capturing_amount + t.refunding_amount <> 0
    or (t.status <> 'authorization_failed' and theirs.voided <>
      case t.status when 'authorization_voided' then t.authorized_amount else t.released_amount end)`

/** What the processor paid out for each payout: its amount if it succeeded, else nothing. */
const PAYOUTS = `
  select p.id, p.status, p.amount, theirs.*
  from payouts p
  cross join lateral (
    select coalesce(sum(amount), 0) as paid, max(reference::text) as reference, max(currency) as paid_currency
    from simulator.entries e
    where e.transaction_id = p.id::text and e.operation = 'payout' and e.status = 'approved'
  ) theirs
  where p.status = 'pending'
    or theirs.paid <> case p.status when 'succeeded' then p.amount else 0 end
    or (p.status = 'succeeded' and (theirs.reference, theirs.paid_currency)
      is distinct from (p.payment_service_payout_id, p.currency))`

/**
 * Attempts at gift card services are in other books; see `giftCardDisagreements`. Chargebacks, how they end, and late failures are the processor's
 * own doing: no attempt asked for them. Answers to disputes are about no payment of the table. The attempts of an archived payment are in its file.
 */
const ATTEMPTS = `
  select a.id, a.kind, a.state, e.attempt_id, e.operation as done, e.status
  from (
    select a.* from attempts a left join refunds r on r.id = a.subject_id
    where (a.transaction_id is not null or a.kind in ('payout', 'tokenize', 'forget-token'))
      and a.kind not in ('redeem', 'reverse')
      and r.target_type is distinct from 'gift-card-redemption'
  ) a
  full join simulator.entries e on e.attempt_id = a.id::text
  where (a.id is null and e.operation not in ('chargeback', 'chargebackReversal', 'lateFailure', 'disputeAnswer', 'disputeEnd')
      and not exists (select from archived_payments p where p.id::text = e.transaction_id))
    or a.state not in ('approved', 'declined', 'failed')
    or (a.state = 'approved') <> (coalesce(e.status, '') = 'approved')
    or e.status = 'pending'
    or e.operation <> case a.kind when 'forget-token' then 'forgetToken' else a.kind end`

/** One authorization for each payment, and one attempt for each capture and refund that succeeded. A payout is its attempt. */
const EFFECTS = `
  select a.transaction_id, a.kind, a.subject_id, count(*)
  from attempts a join simulator.entries e on e.attempt_id = a.id::text
  where e.status = 'approved' and a.kind not in ('increment', 'payout', 'tokenize', 'forget-token')
  group by a.transaction_id, a.kind, a.subject_id
  having count(*) > 1`
