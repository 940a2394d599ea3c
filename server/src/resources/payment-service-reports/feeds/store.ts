import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Context, Scope, Tables } from '#platform/database/db.ts'
import { giveBack, keep, type Queue, take } from '#platform/queue/queue.ts'

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

type Held = Pick<Feed, 'payment_service_id' | 'lease'>

const QUEUE: Queue<Feed, keyof Held> & { readonly leaseMs: number } = {
  table: 'payment_service_report_feeds',
  key: ['payment_service_id'],
  columns: COLUMNS,
  due: 'due_at',
  leaseMs: 120_000,
  fence: ['lease'],
}

/** Takes the services whose files are to be listed, for the length of a lease. One process works on a service at a time. */
export async function takeDue(
  context: Context,
  { limit, besides }: { readonly limit: number; readonly besides: readonly string[] },
): Promise<Feed[]> {
  await sql`
    insert into payment_service_report_feeds (payment_service_id, merchant_account_id, due_at)
    select id, merchant_account_id, ${context.clock()} from payment_services
    where ${IN_USE} and not exists (
      select from payment_service_report_feeds where payment_service_id = payment_services.id
    )
    on conflict do nothing
  `.execute(context.db)
  return take(context, QUEUE, {
    limit,
    where: sql`payment_service_id <> all(${besides}::uuid[])
      and exists (select from payment_services where id = payment_service_report_feeds.payment_service_id and ${IN_USE})`,
    set: sql`lease = ${randomUUID()}`,
  })
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

/** Long work keeps its lease. Returns whether it still had it. */
export function keepLease(context: Context, held: Held): Promise<boolean> {
  return keep(context, QUEUE, held)
}

/** The provider was asked with success. */
export async function noteListed(context: Context, held: Held, listedUntil: Date | null): Promise<void> {
  await keep(context, QUEUE, held, { listed_until: listedUntil, listed_at: context.clock() })
}

/** Ends the lease, and says when to look again. */
export async function release(
  context: Context,
  held: Held,
  change: Pick<Feed, 'due_at' | 'failures' | 'problem'>,
): Promise<void> {
  const leased_until = sql<Date>`'-infinity'`
  await giveBack(context, QUEUE, held, { ...change, leased_until, lease: null })
}
