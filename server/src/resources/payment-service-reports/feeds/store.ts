import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Context, Scope, Tables } from '#platform/database/db.ts'

declare module '#platform/database/db.ts' {
  interface Tables {
    payment_service_report_feeds: {
      payment_service_id: string
      merchant_account_id: string
      due_at: Date
      leased_until: Date
      lease: string | null
      listed_until: Date | null
      listed_at: Date | null
      failures: number
      problem: string | null
    }
  }
}

export type Feed = Tables['payment_service_report_feeds']

const COLUMNS = [
  'payment_service_id',
  'merchant_account_id',
  'due_at',
  'leased_until',
  'lease',
  'listed_until',
  'listed_at',
  'failures',
  'problem',
] as const

/** The services whose reports we read now. */
const IN_USE = sql`settlement_reporting_enabled and deleted_at is null`

/** How long a process that is gone keeps others away. By the time of the database, whatever the clock says. */
const LEASE = sql`interval '2 minutes'`

/** Takes the services whose files are to be listed, for the length of a lease. One process works on a service at a time. */
export async function takeDue(
  { db, clock }: Context,
  { limit, besides }: { readonly limit: number; readonly besides: readonly string[] },
): Promise<Feed[]> {
  const now = clock()
  await sql`
    insert into payment_service_report_feeds (payment_service_id, merchant_account_id, due_at)
    select id, merchant_account_id, ${now} from payment_services
    where ${IN_USE} and not exists (
      select from payment_service_report_feeds where payment_service_id = payment_services.id
    )
    on conflict do nothing
  `.execute(db)
  const taken = await sql<Feed>`
    update payment_service_report_feeds set leased_until = now() + ${LEASE}, lease = ${randomUUID()}
    where payment_service_id in (
      select payment_service_id from payment_service_report_feeds as feed
      where due_at <= ${now} and leased_until <= now() and payment_service_id <> all(${besides}::uuid[])
        and exists (select from payment_services where id = feed.payment_service_id and ${IN_USE})
      order by due_at limit ${limit} for update skip locked
    )
    returning ${sql.join(COLUMNS.map((column) => sql.ref(column)))}
  `.execute(db)
  return taken.rows
}

/** When the next service is due. A service that was never asked is due at once. */
export async function nextDueAt({ db, clock }: Context): Promise<Date | null> {
  const { rows } = await sql<{ due_at: Date | null }>`
    select min(coalesce(feed.due_at, ${clock()})) as due_at
    from payment_services left join payment_service_report_feeds as feed on payment_service_id = payment_services.id
    where ${IN_USE}
  `.execute(db)
  return rows[0]?.due_at ?? null
}

/** There is something to read. A service that was never asked is due anyway. */
export async function lookNow({ db, clock }: Context, paymentServiceId: string): Promise<void> {
  await db
    .updateTable('payment_service_report_feeds')
    .set({ due_at: clock() })
    .where('payment_service_id', '=', paymentServiceId)
    .where('due_at', '>', clock())
    .execute()
}

/** The feeds of an account's services whose reports we read. */
export async function listInUse({ db, merchantAccountId }: Scope): Promise<Feed[]> {
  const { rows } = await sql<Feed>`
    select ${sql.join(COLUMNS.map((column) => sql.ref(column)))} from payment_service_report_feeds as feed
    where merchant_account_id = ${merchantAccountId}
      and exists (select from payment_services where id = feed.payment_service_id and ${IN_USE})
    order by payment_service_id
  `.execute(db)
  return rows
}

type Held = Pick<Feed, 'payment_service_id' | 'lease'>

/** Long work keeps its lease. Returns whether it still had it. */
export async function keepLease({ db }: Context, { payment_service_id, lease }: Held): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update payment_service_report_feeds set leased_until = now() + ${LEASE}
    where payment_service_id = ${payment_service_id} and lease = ${lease}
  `.execute(db)
  return numAffectedRows === 1n
}

/** The provider was asked with success. */
export async function noteListed(
  { db, clock }: Context,
  { payment_service_id, lease }: Held,
  listedUntil: Date | null,
): Promise<void> {
  await db
    .updateTable('payment_service_report_feeds')
    .set({ listed_until: listedUntil, listed_at: clock() })
    .where('payment_service_id', '=', payment_service_id)
    .where('lease', '=', lease)
    .execute()
}

/** Ends the lease, and says when to look again. */
export async function release(
  { db }: Context,
  { payment_service_id, lease }: Held,
  change: Pick<Feed, 'due_at' | 'failures' | 'problem'>,
): Promise<void> {
  await db
    .updateTable('payment_service_report_feeds')
    .set({ ...change, leased_until: sql<Date>`'-infinity'`, lease: null })
    .where('payment_service_id', '=', payment_service_id)
    .where('lease', '=', lease)
    .execute()
}
