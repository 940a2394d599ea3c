import { sql } from 'kysely'
import { newId } from '#domain/ids.ts'
import type { Context, Scope, Tables } from '#platform/database/db.ts'
import { paginate } from '#platform/listing/by-age.ts'
import type { Collection } from '#platform/listing/pagination.ts'
import * as queue from '#platform/queue/queue.ts'
import type { NotificationStatus, PaymentServiceNotificationFilters } from '../schemas.ts'

declare module '#platform/database/db.ts' {
  interface Tables {
    held_notifications: {
      id: string
      merchant_account_id: string
      payment_service_id: string
      digest: string
      told: string
      checks: number
      status: NotificationStatus
      /** Null once it was matched or given up. */
      due_at: Date | null
      ended_at: Date | null
      created_at: Date
    }
  }
}

export type Held = Tables['held_notifications']
const COLUMNS = [
  'id',
  'merchant_account_id',
  'payment_service_id',
  'digest',
  'told',
  'checks',
  'status',
  'due_at',
  'ended_at',
  'created_at',
] as const

const QUEUE: queue.Queue<Held> & { readonly due: string } = {
  table: 'held_notifications',
  key: ['id'],
  columns: COLUMNS,
  due: 'due_at',
}

/** The same notification is held once, and again if it comes after we had given up. */
export async function insertOnce(
  { db, clock, merchantAccountId }: Scope,
  held: Pick<Held, 'payment_service_id' | 'digest' | 'told' | 'due_at'>,
): Promise<void> {
  const created_at = clock()
  const row = {
    id: newId(created_at.getTime()),
    merchant_account_id: merchantAccountId,
    created_at,
  }
  const start = { checks: 0, status: 'held', due_at: held.due_at, ended_at: null } as const
  await db
    .insertInto('held_notifications')
    .values({ ...row, ...held, ...start })
    .onConflict((conflict) =>
      conflict
        .columns(['payment_service_id', 'digest'])
        .doUpdateSet({ ...start, created_at })
        .where('held_notifications.status', '=', 'expired'),
    )
    .execute()
}

/**
 * Takes notifications of all accounts that are due, oldest first. The statement puts each off, so that no other process
 * takes it now, and the next one does if this process dies: by a second at first, then twice as long each time, up to
 * `pauseMaxMs`, and never beyond `heldMs`.
 */
export async function takeDue(
  context: Context,
  {
    limit,
    pauseMaxMs,
    heldMs,
  }: { readonly limit: number; readonly pauseMaxMs: number; readonly heldMs: number },
): Promise<Held[]> {
  const now = context.clock()
  const rows = await queue.take(context, QUEUE, {
    limit,
    set: sql`checks = checks + 1, due_at = greatest(
      least(
        ${now}::timestamptz + interval '1 ms' * least(${pauseMaxMs}::int, 1000 * 2 ^ least(checks, 20)),
        created_at + interval '1 ms' * ${heldMs}::bigint
      ),
      ${now}::timestamptz + interval '1 second'
    )`,
  })
  return rows.sort((one, other) => (one.id < other.id ? -1 : 1))
}

/** It was matched, or we give up. Its row stays for a while, for those who look for it. */
export async function end(
  { db, clock }: Context,
  id: string,
  status: Exclude<NotificationStatus, 'held'>,
): Promise<void> {
  await db
    .updateTable('held_notifications')
    .set({ status, due_at: null, ended_at: clock() })
    .where('id', '=', id)
    .where('status', '=', 'held')
    .execute()
}

/** Removes those that ended so long ago. */
export async function removeEnded({ db, clock }: Context, shownMs: number): Promise<void> {
  const until = new Date(clock().getTime() - shownMs)
  await db.deleteFrom('held_notifications').where('ended_at', '<=', until).execute()
}

/**
 * Removes the oldest of services that have more than a number of them, those that have ended first. Returns how many were
 * still held.
 */
export async function removeExcess({ db }: Context, limit: number): Promise<number> {
  const { rows } = await sql<{ status: NotificationStatus }>`
    delete from held_notifications where id in (
      select old.id from (
        select payment_service_id from held_notifications group by 1 having count(*) > ${limit}
      ) as full_service
      cross join lateral (
        select id from held_notifications where payment_service_id = full_service.payment_service_id
        order by status = 'held' desc, created_at desc, id desc offset ${limit}
      ) as old
    )
    returning status
  `.execute(db)
  return rows.filter(({ status }) => status === 'held').length
}

/** The notifications that came to the address of a service and fitted nothing at first, newest first. */
export function list(
  { db, mac, merchantAccountId }: Scope,
  paymentServiceId: string,
  { status, ...page }: PaymentServiceNotificationFilters,
): Promise<Collection<Held>> {
  let query = db
    .selectFrom('held_notifications')
    .select(COLUMNS)
    .where('merchant_account_id', '=', merchantAccountId)
    .where('payment_service_id', '=', paymentServiceId)
  if (status) query = query.where('status', '=', status)
  const list = { name: `payment-service-notifications ${paymentServiceId}`, page, mac } as const
  return paginate({ ...list, query, table: 'held_notifications' }, (row) => row)
}

export function nextDueAt(context: Context): Promise<Date | null> {
  return queue.nextDueAt(context, QUEUE)
}

/** How many are held, and since when, over all accounts. */
export async function count({
  db,
}: Context): Promise<{ readonly held: number; readonly oldest: Held | undefined }> {
  const { held } = await db
    .selectFrom('held_notifications')
    .select((eb) => eb.fn.countAll<string>().as('held'))
    .where('status', '=', 'held')
    .executeTakeFirstOrThrow()
  const oldest = await db
    .selectFrom('held_notifications')
    .select(COLUMNS)
    .where('status', '=', 'held')
    .orderBy('created_at')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  return { held: Number(held), oldest }
}
