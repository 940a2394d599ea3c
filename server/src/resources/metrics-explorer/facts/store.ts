import { sql } from 'kysely'
import { createdAt, firstIdOf } from '#domain/ids.ts'
import { write } from '#platform/database/brief-transaction.ts'
import type { Context, Tx } from '#platform/database/db.ts'
import { statement } from '#platform/database/statements.ts'
import { FREE } from '#platform/queue/queue.ts'
import { DIMENSIONS } from '../dimensions.ts'
import type { FilterName } from '../schemas.ts'

declare module '#platform/database/db.ts' {
  interface Tables {
    payment_fact_progress: { merchant_account_id: string; filled_to: string }
    payment_facts_pending: { merchant_account_id: string; id: string }
  }
}

export type Key = { readonly merchant_account_id: string; readonly id: string }

/** Smaller than the id of any payment. */
const NO_ID = firstIdOf(new Date(0))

const NAMES = Object.keys(DIMENSIONS) as FilterName[]
const COLUMNS = sql.raw(['merchant_account_id', 'id', 'amount', ...NAMES].join(', '))
const VALUES = sql.raw(
  ['t.merchant_account_id', 't.id', 't.amount', ...NAMES.map((name) => DIMENSIONS[name].raw)].join(', '),
)
export const IS_DECIDED = sql`t.status not in ('processing', 'buyer_approval_pending')`

/**
 * Notes that the facts of a payment are missing or outdated, in the commit that changes the payment. The row is
 * updated if it is there: that waits for a job that is about to remove it, and then inserts it again.
 */
export function notePending(tx: Context<Tx>, { merchant_account_id, id }: Key): Promise<void> {
  return write(
    tx,
    statement`
      insert into payment_facts_pending (merchant_account_id, id) values (${merchant_account_id}, ${id})
      on conflict (merchant_account_id, id) do update set id = excluded.id`,
  )
}

/** Up to which payment an account's facts are written. */
export async function filledTo({ db }: Pick<Context, 'db'>, merchantAccountId: string): Promise<string> {
  const found = await db
    .selectFrom('payment_fact_progress')
    .select('filled_to')
    .where('merchant_account_id', '=', merchantAccountId)
    .executeTakeFirst()
  return found?.filled_to ?? NO_ID
}

/** The accounts that have payments from before a moment without facts, and when the first of these was made. */
export async function behind(
  { db }: Context,
  before: Date,
): Promise<{ readonly merchantAccountId: string; readonly since: Date }[]> {
  const { rows } = await sql<Key>`
    select account.id as merchant_account_id, payment.id
    from merchant_accounts as account
    left join payment_fact_progress as progress on progress.merchant_account_id = account.id
    cross join lateral (
      select id from transactions as t
      where t.merchant_account_id = account.id and t.id >= coalesce(progress.filled_to, ${NO_ID}::uuid)
        and t.id < ${firstIdOf(before)}::uuid
      order by t.id limit 1
    ) as payment
    order by payment.id
  `.execute(db)
  return rows.map(({ merchant_account_id: merchantAccountId, id }) => ({
    merchantAccountId,
    since: createdAt(id),
  }))
}

/**
 * Writes the facts of an account's next payments from before a moment, unless another process is at it. The lock, the rows and the new position are one commit, so each payment
 * is taken once, however many processes there are and wherever one of them dies.
 */
export async function fillNext(
  { db }: Context<Tx>,
  merchantAccountId: string,
  { before, limit }: { readonly before: Date; readonly limit: number },
): Promise<'more' | 'done' | 'busy'> {
  await sql`
    insert into payment_fact_progress (merchant_account_id, filled_to) values (${merchantAccountId}, ${NO_ID})
    on conflict do nothing
  `.execute(db)
  const locked = await sql<{ filled_to: string }>`
    select filled_to from payment_fact_progress where merchant_account_id = ${merchantAccountId} ${FREE}
  `.execute(db)
  const from = locked.rows[0]?.filled_to
  if (from === undefined) return 'busy'
  const end = firstIdOf(before)
  if (from >= end) return 'done'
  const { rows } = await sql<{ filled_to: string }>`
    with page as materialized (
      select * from transactions as t
      where t.merchant_account_id = ${merchantAccountId} and t.id >= ${from}::uuid and t.id < ${end}::uuid
      order by t.id limit ${limit} + 1
    ),
    bound as materialized (
      select coalesce((select id from page order by id offset ${limit} limit 1), ${end}::uuid) as id
    ),
    written as (
      insert into payment_facts (${COLUMNS}) select ${VALUES} from page as t
      join transaction_documents as d on d.merchant_account_id = t.merchant_account_id and d.id = t.id
      where t.id < (select id from bound) and ${IS_DECIDED}
      on conflict do nothing
    ),
    undecided as (
      insert into payment_facts_pending (merchant_account_id, id)
      select t.merchant_account_id, t.id from page as t
      where t.id < (select id from bound) and not (${IS_DECIDED})
      on conflict do nothing
    )
    update payment_fact_progress set filled_to = bound.id from bound
    where merchant_account_id = ${merchantAccountId}
    returning filled_to
  `.execute(db)
  return rows[0]?.filled_to === end ? 'done' : 'more'
}

/** Takes the merchant's own words out of the facts of a payment. */
export async function forgetMetadata({ db }: Context<Tx>, { merchant_account_id, id }: Key): Promise<void> {
  await sql`
    update payment_facts set metadata = null
    where merchant_account_id = ${merchant_account_id} and id = ${id}
  `.execute(db)
}

/** The accounts that have pending payments which are decided by now. */
export async function accountsWithPending({ db }: Context): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select account.id from merchant_accounts as account
    where exists (
      select from payment_facts_pending as w
      join transactions as t on t.merchant_account_id = w.merchant_account_id and t.id = w.id
      where w.merchant_account_id = account.id and ${IS_DECIDED}
    )
    order by account.id
  `.execute(db)
  return rows.map(({ id }) => id)
}

/**
 * Writes the facts of an account's pending payments that are decided by now. The rows are locked first, and the payments read
 * by a statement of their own: so it sees every change that was noted before the lock, and a later one waits.
 */
export async function writePending(
  { db }: Context<Tx>,
  merchantAccountId: string,
  limit: number,
): Promise<'more' | 'done'> {
  const { rows } = await sql<{ id: string }>`
    select w.id from payment_facts_pending as w
    where w.merchant_account_id = ${merchantAccountId} and exists (
      select from transactions as t
      where t.merchant_account_id = w.merchant_account_id and t.id = w.id and ${IS_DECIDED}
    )
    limit ${limit} ${FREE}
  `.execute(db)
  const ids = rows.map(({ id }) => id)
  if (rows.length === 0) return 'done'
  await sql`
    insert into payment_facts (${COLUMNS}) select ${VALUES} from transactions as t
    join transaction_documents as d on d.merchant_account_id = t.merchant_account_id and d.id = t.id
    where t.merchant_account_id = ${merchantAccountId} and t.id = any(${ids}::uuid[])
    on conflict (merchant_account_id, id) do update set ${REPLACED}
  `.execute(db)
  await sql`
    delete from payment_facts_pending
    where merchant_account_id = ${merchantAccountId} and id = any(${ids}::uuid[])
  `.execute(db)
  return rows.length < limit ? 'done' : 'more'
}

const REPLACED = sql.raw(['amount', ...NAMES].map((name) => `${name} = excluded.${name}`).join(', '))
