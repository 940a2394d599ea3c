import type pg from 'pg'

/**
 * Differences between our books about gift cards and those of the simulated provider: redemptions with
 * another sum, attempts with another outcome, effects that we did not ask for or that came twice, unreleased
 * holds of failed payments, and leftover numbers in the vault. Empty when the books balance.
 */
export async function giftCardDisagreements(pool: pg.Pool | pg.Client): Promise<object[]> {
  const found: object[] = []
  for (const query of [REDEMPTIONS, ATTEMPTS, EFFECTS, PAYMENTS, NUMBERS]) {
    found.push(...(await pool.query(query)).rows)
  }
  return found
}

/** The amount taken from the cards of a payment, by our books and by theirs. */
const REDEMPTIONS = `
  with ours as (
    select transaction_id::text as id, sum(
      case when status = 'succeeded' and not is_reversed then amount - refunded_amount else 0 end) as paid
    from gift_card_redemptions group by 1
  ), theirs as (
    select transaction_id as id, sum(moved - given_back) as paid
    from simulator.gift_card_entries where operation = 'redeem' group by 1
  )
  select 'paid' as what, id, ours.paid as ours, theirs.paid as theirs
  from ours full join theirs using (id)
  where coalesce(ours.paid, 0) <> coalesce(theirs.paid, 0)
  union all
  select 'refunding', transaction_id::text, refunding_amount, null
  from gift_card_redemptions where refunding_amount <> 0`

const ATTEMPTS = `
  select 'attempt' as what, a.id, a.kind, a.state, e.attempt_id, e.operation as done, e.status
  from (
    select a.* from attempts a left join refunds r on r.id = a.subject_id
    where a.kind in ('redeem', 'reverse') or r.target_type = 'gift-card-redemption'
  ) a
  full join (
    select * from simulator.gift_card_entries where transaction_id is not null
  ) e on e.attempt_id = a.id::text
  where a.id is null
    or a.due_at is not null
    or a.state not in ('approved', 'declined', 'failed')
    or (a.state = 'approved') <> (coalesce(e.status, '') = 'approved')
    or e.operation <> a.kind`

/** A card is redeemed once for a payment, and reversed once. */
const EFFECTS = `
  select 'effect' as what, a.transaction_id, a.kind, a.subject_id, count(*)
  from attempts a join simulator.gift_card_entries e on e.attempt_id = a.id::text
  where e.status = 'approved'
  group by a.transaction_id, a.kind, a.subject_id
  having count(*) > 1`

/** The payment method's part of payments with gift cards. */
const PAYMENTS = `
  select 'payment' as what, t.id, t.status, t.authorized_amount, t.captured_amount, t.refunded_amount, theirs.*
  from transactions t
  cross join lateral (
    select
      coalesce(sum(amount) filter (where operation in ('authorize', 'increment')), 0) as authorized,
      coalesce(sum(amount) filter (
        where operation = 'capture' or (operation = 'authorize' and is_final)), 0) as captured,
      coalesce(sum(amount) filter (where operation = 'refund'), 0) as refunded,
      count(*) filter (where operation = 'void') as voids
    from simulator.entries e
    where e.transaction_id = t.id::text and e.status = 'approved'
  ) theirs
  where t.has_gift_card_redemptions and (
    t.authorized_amount <> theirs.authorized
    or t.captured_amount <> theirs.captured
    or t.refunded_amount <> theirs.refunded
    or t.capturing_amount + t.refunding_amount <> 0
    or theirs.voids <> case
      when t.status in ('authorization_voided', 'authorization_failed') and theirs.authorized > 0 then 1
      when t.released_amount > 0 then 1 else 0 end)`

const NUMBERS = `
  select 'number' as what, r.transaction_id, t.status
  from gift_card_redemptions r join transactions t on t.id = r.transaction_id
  where t.status not in ('processing', 'buyer_approval_pending')
    and (r.number_token is not null or r.pin_token is not null or r.status = 'created')`
