import { sql } from 'kysely'
import { newId } from '#domain/ids.ts'
import type { Context, Scope, Tables } from '#platform/db.ts'
import { earliest } from '#platform/earliest.ts'

declare module '#platform/db.ts' {
  interface Tables {
    held_notifications: {
      id: string
      merchant_account_id: string
      payment_service_id: string
      digest: string
      told: string
      checks: number
      due_at: Date
      created_at: Date
    }
  }
}

export type Held = Tables['held_notifications']

/** The same notification is held once. */
export async function insertOnce(
  { db, clock, merchantAccountId }: Scope,
  held: Pick<Held, 'payment_service_id' | 'digest' | 'told' | 'due_at'>,
): Promise<void> {
  const created_at = clock()
  const row = {
    id: newId(created_at.getTime()),
    merchant_account_id: merchantAccountId,
    checks: 0,
    created_at,
  }
  await db
    .insertInto('held_notifications')
    .values({ ...row, ...held })
    .onConflict((conflict) => conflict.columns(['payment_service_id', 'digest']).doNothing())
    .execute()
}

/**
 * Takes notifications of all accounts that are due, oldest first. The statement puts each off, so that no other process
 * takes it now, and the next one does if this process dies: by a second at first, then twice as long each time, up to
 * `pauseMaxMs`, and never beyond `heldMs`.
 */
export async function takeDue(
  { db, clock }: Context,
  {
    limit,
    pauseMaxMs,
    heldMs,
  }: { readonly limit: number; readonly pauseMaxMs: number; readonly heldMs: number },
): Promise<Held[]> {
  const now = clock()
  const { rows } = await sql<Held>`
    update held_notifications set
      checks = checks + 1,
      due_at = greatest(
        least(
          ${now}::timestamptz + interval '1 ms' * least(${pauseMaxMs}::int, 1000 * 2 ^ least(checks, 20)),
          created_at + interval '1 ms' * ${heldMs}::bigint
        ),
        ${now}::timestamptz + interval '1 second'
      )
    where id in (
      select id from held_notifications where due_at <= ${now}
      order by due_at limit ${limit} for update skip locked
    )
    returning *
  `.execute(db)
  return rows.sort((one, other) => (one.id < other.id ? -1 : 1))
}

export async function remove({ db }: Context, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await db.deleteFrom('held_notifications').where(sql<boolean>`id = any(${ids}::uuid[])`).execute()
}

/** Removes the oldest of services that hold more than a number of them, and returns how many. */
export async function removeExcess({ db }: Context, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from held_notifications where id in (
      select old.id from (
        select payment_service_id from held_notifications group by 1 having count(*) > ${limit}
      ) as full_service
      cross join lateral (
        select id from held_notifications where payment_service_id = full_service.payment_service_id
        order by created_at desc, id desc offset ${limit}
      ) as old
    )
  `.execute(db)
  return Number(numAffectedRows ?? 0n)
}

export function nextDueAt(context: Context): Promise<Date | null> {
  return earliest(context, sql`select min(due_at) as at from held_notifications`)
}

/** How many are held, and since when, over all accounts. */
export async function count({
  db,
}: Context): Promise<{ readonly held: number; readonly oldest: Held | undefined }> {
  const { held } = await db
    .selectFrom('held_notifications')
    .select((eb) => eb.fn.countAll<string>().as('held'))
    .executeTakeFirstOrThrow()
  const oldest = await db
    .selectFrom('held_notifications')
    .selectAll()
    .orderBy('created_at')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  return { held: Number(held), oldest }
}
