import { sql } from 'kysely'
import { newId } from '#domain/ids.ts'
import type { Scope, Tx } from '#platform/database/db.ts'
import { nextUpdatedAt } from '#platform/database/sql.ts'

declare module '#platform/database/db.ts' {
  interface Tables {
    account_updater_jobs: { id: string; merchant_account_id: string; created_at: Date; updated_at: Date }
    account_updater_inquiries: {
      id: string
      job_id: string
      merchant_account_id: string
      payment_method_id: string
      status: Outcome | 'pending'
      created_at: Date
      updated_at: Date
    }
  }
}

export type Outcome = 'updated' | 'unchanged' | 'closed' | 'failed'
export type Inquiry = {
  readonly id: string
  readonly payment_method_id: string
  readonly status: Outcome | 'pending'
}
type Asked = Pick<Inquiry, 'id' | 'payment_method_id'>
export type Job = { readonly id: string; readonly createdAt: Date; readonly inquiries: readonly Asked[] }

/** Leaves out cards with an open inquiry. Undefined if none is left. */
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
      'created_at',
      'updated_at',
    ])
    .expression(
      sql`select inquiry.id, ${id}::uuid, ${merchantAccountId}, inquiry.payment_method_id, 'pending',
          ${now}::timestamptz, ${now}::timestamptz
        from unnest(${paymentMethodIds.map(() => newId(now.getTime()))}::uuid[], ${paymentMethodIds}::uuid[])
          as inquiry (id, payment_method_id)`,
    )
    // A literal: with a parameter, a generic plan could not match the partial index.
    .onConflict((conflict) =>
      conflict.column('payment_method_id').where('status', '=', sql.lit('pending')).doNothing(),
    )
    .returning(['id', 'payment_method_id'])
    .execute()
  if (inquiries.length > 0) return { id, createdAt: now, inquiries }
  await db.deleteFrom('account_updater_jobs').where('id', '=', id).execute()
  return undefined
}

export function find(scope: Scope, id: string): Promise<Inquiry | undefined> {
  return own(scope, id).executeTakeFirst()
}

/** Locks the row, so that an inquiry is concluded once. */
export function lock(scope: Scope<Tx>, id: string): Promise<Inquiry | undefined> {
  return own(scope, id).forUpdate().executeTakeFirst()
}

function own({ db, merchantAccountId }: Scope, id: string) {
  return db
    .selectFrom('account_updater_inquiries')
    .select(['id', 'payment_method_id', 'status'])
    .where('merchant_account_id', '=', merchantAccountId)
    .where('id', '=', id)
}

export async function finish({ db, clock }: Scope<Tx>, inquiry: Inquiry, status: Outcome): Promise<Inquiry> {
  await db
    .updateTable('account_updater_inquiries')
    .set({ status, updated_at: nextUpdatedAt(clock()) })
    .where('id', '=', inquiry.id)
    .execute()
  return { ...inquiry, status }
}
