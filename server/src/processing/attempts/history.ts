import { sql } from 'kysely'
import { arrayOf } from '#platform/database/binary-arrays.ts'
import type { Scope } from '#platform/database/db.ts'
import { type Attempt, COLUMNS, type PaymentAttempt } from './columns.ts'
import type { KindName, PaymentKind } from './kinds.ts'
import { ofPayment, own } from './store.ts'

/** The last attempt of a kind, decided or not. */
export async function lastOf(
  { db, merchantAccountId }: Scope,
  transactionId: string,
  kind: PaymentKind,
): Promise<PaymentAttempt | undefined> {
  return db
    .selectFrom('attempts')
    .select(COLUMNS)
    .$castTo<PaymentAttempt>()
    .where('merchant_account_id', '=', merchantAccountId)
    .where('transaction_id', '=', transactionId)
    .where('kind', '=', kind)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** Finds an attempt by the provider's own id, as notifications name it. Open ones come first. */
export async function findByReference(
  scope: Scope,
  { serviceId, reference, kind }: Named & { readonly reference: string },
): Promise<Attempt | undefined> {
  const found = await scope.db
    .selectFrom('attempts')
    .select(COLUMNS)
    .where('service_id', '=', serviceId)
    .where('reference', '=', reference)
    .where('kind', '=', kind)
    .orderBy(sql`due_at is null`)
    .orderBy('created_at')
    .limit(1)
    .executeTakeFirst()
  return own(scope, found)
}

type Named = { readonly serviceId: string; readonly kind: KindName }

/** The attempts of a payment at a service, decided or not. */
export function listOfPayment(
  { db, merchantAccountId }: Scope,
  { serviceId, transactionId, kind }: Named & { readonly transactionId: string },
): Promise<Attempt[]> {
  return db
    .selectFrom('attempts')
    .select(COLUMNS)
    .where('merchant_account_id', '=', merchantAccountId)
    .where('transaction_id', '=', transactionId)
    .where('service_id', '=', serviceId)
    .where('kind', '=', kind)
    .orderBy('created_at')
    .execute()
}

/** The last attempts about a payment, decided or not, the newest first. */
export async function newestOf(
  { db, merchantAccountId }: Scope,
  transactionId: string,
  limit: number,
): Promise<PaymentAttempt[]> {
  const rows = await db
    .selectFrom('attempts')
    .select(COLUMNS)
    .where('merchant_account_id', '=', merchantAccountId)
    .where('transaction_id', '=', transactionId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
  return rows.map(ofPayment)
}

/** Whether a service has taken money for a payment. */
export async function hasCapturedAt({ db, merchantAccountId }: Scope, serviceId: string): Promise<boolean> {
  const { rows } = await sql`
    select from attempts
    where service_id = ${serviceId} and merchant_account_id = ${merchantAccountId} and reference is not null
      and state = 'approved' and transaction_id is not null and (kind = 'capture' or is_direct_capture)
    limit 1
  `.execute(db)
  return rows.length > 0
}

/** Those of these authorizations of which a void exists, decided or not. */
export async function listReleased(
  { db, merchantAccountId }: Scope,
  asked: readonly Pick<PaymentAttempt, 'id' | 'transaction_id'>[],
): Promise<ReadonlySet<string>> {
  if (asked.length === 0) return new Set()
  const { rows } = await sql<{ subject_id: string }>`
    select subject_id from attempts
    where merchant_account_id = ${merchantAccountId} and kind = 'void'
      and transaction_id = any(${arrayOf.uuid(asked.map((attempt) => attempt.transaction_id))}::uuid[])
      and subject_id = any(${arrayOf.uuid(asked.map(({ id }) => id))}::uuid[])
  `.execute(db)
  return new Set(rows.map(({ subject_id }) => subject_id))
}

/** Whether a void of an authorization's hold exists, decided or not. */
export async function isReleased(scope: Scope, attempt: PaymentAttempt): Promise<boolean> {
  return (await listReleased(scope, [attempt])).has(attempt.id)
}
