import { sql } from 'kysely'
import { newId } from '#domain/ids.ts'
import { accountRows } from '#platform/database/account-rows.ts'
import type { Scope, Tables, Tx } from '#platform/database/db.ts'

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
export type Inquiry = Tables['account_updater_inquiries']
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
  const asked = await db
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
  if (asked.length > 0) return { id, createdAt: now, inquiries: asked }
  await db.deleteFrom('account_updater_jobs').where('id', '=', id).execute()
  return undefined
}

const inquiries = accountRows('account_updater_inquiries', ['job_id', 'payment_method_id', 'status'])

export const { find, lock } = inquiries

export function finish(tx: Scope<Tx>, inquiry: Inquiry, status: Outcome): Promise<Inquiry> {
  return inquiries.update(tx, inquiry, { status })
}
