import { sql } from 'kysely'
import { newId } from '#domain/ids.ts'
import type { Context, Scope, Tx } from '#platform/db.ts'

declare module '#platform/db.ts' {
  interface Tables {
    account_updater_jobs: { id: string; merchant_account_id: string; created_at: Date; updated_at: Date }
    account_updater_inquiries: {
      id: string
      job_id: string
      merchant_account_id: string
      payment_method_id: string
      status: Outcome | 'pending'
      tries: number
      due_at: Date
      created_at: Date
      updated_at: Date
    }
  }
}

export type Outcome = 'updated' | 'unchanged' | 'closed' | 'failed'
type Inquiry = { readonly id: string; readonly payment_method_id: string }
export type Job = { readonly id: string; readonly createdAt: Date; readonly inquiries: readonly Inquiry[] }

/** A card that is being asked about already is left out. Undefined when none is left. */
export async function insertJob(
  { db, clock, merchantAccountId }: Scope<Tx>,
  paymentMethodIds: readonly string[],
): Promise<Job | undefined> {
  const now = clock()
  const id = newId(now.getTime())
  const stamps = { created_at: now, updated_at: now, merchant_account_id: merchantAccountId }
  await db
    .insertInto('account_updater_jobs')
    .values({ id, ...stamps })
    .execute()
  const inquiries = await db
    .insertInto('account_updater_inquiries')
    .columns([
      'id',
      'job_id',
      'merchant_account_id',
      'payment_method_id',
      'status',
      'tries',
      'due_at',
      'created_at',
      'updated_at',
    ])
    .expression(
      sql`select inquiry.id, ${id}::uuid, ${merchantAccountId}, inquiry.payment_method_id, 'pending', 0,
          ${now}::timestamptz, ${now}::timestamptz, ${now}::timestamptz
        from unnest(${paymentMethodIds.map(() => newId(now.getTime()))}::uuid[], ${paymentMethodIds}::uuid[])
          as inquiry (id, payment_method_id)`,
    )
    // Written out: with a parameter, a generic plan could not tell that the partial index is meant.
    .onConflict((conflict) =>
      conflict.column('payment_method_id').where('status', '=', sql.lit('pending')).doNothing(),
    )
    .returning(['id', 'payment_method_id'])
    .execute()
  if (inquiries.length > 0) return { id, createdAt: now, inquiries }
  await db.deleteFrom('account_updater_jobs').where('id', '=', id).execute()
  return undefined
}

export type Claimed = {
  readonly id: string
  readonly merchant_account_id: string
  readonly payment_method_id: string
  readonly tries: number
}

/** Takes inquiries that are due and keeps others from them for a while. A process that dies loses them by then. */
export async function claimDue({ db, clock }: Context, limit: number, leaseMs: number): Promise<Claimed[]> {
  const now = clock()
  return db
    .updateTable('account_updater_inquiries')
    .set((eb) => ({ due_at: new Date(now.getTime() + leaseMs), tries: eb('tries', '+', 1), updated_at: now }))
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('account_updater_inquiries')
        .select('id')
        .where('status', '=', 'pending')
        .where('due_at', '<=', now)
        .orderBy('due_at')
        .limit(limit)
        .forUpdate()
        .skipLocked(),
    )
    .returning(['id', 'merchant_account_id', 'payment_method_id', 'tries'])
    .execute()
}

/** Only by the one who claimed it last: the number of tries is its fence. Returns whether it was. */
export async function finish(
  { db, clock }: Context<Tx>,
  { id, tries }: Claimed,
  outcome: Outcome,
): Promise<boolean> {
  const finished = await db
    .updateTable('account_updater_inquiries')
    .set({ status: outcome, updated_at: clock() })
    .where('id', '=', id)
    .where('status', '=', 'pending')
    .where('tries', '=', tries)
    .executeTakeFirst()
  return finished.numUpdatedRows === 1n
}

export async function tryAgainLater(
  { db, clock }: Context,
  { id, tries }: Claimed,
  pauseMs: number,
): Promise<void> {
  const now = clock()
  await db
    .updateTable('account_updater_inquiries')
    .set({ due_at: new Date(now.getTime() + pauseMs), updated_at: now })
    .where('id', '=', id)
    .where('tries', '=', tries)
    .execute()
}
