import { sql } from 'kysely'
import type { Subject } from '#connectors/contract/connector.ts'
import { uuidOf } from '#domain/reconciliation-id.ts'
import type { Context, Scope } from '#platform/database/db.ts'
import { arrayOf } from '#platform/database/statements.ts'
import { isId } from '#platform/http/incoming.ts'
import * as attempts from './store.ts'
import {
  type Attempt,
  COLUMNS,
  type KindName,
  ofPayment,
  own,
  type PaymentAttempt,
  type PaymentKind,
} from './store.ts'

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
async function findByReference(
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

/** Those of these attempts that are on record, in any account. */
export async function findAll(
  { db }: Context,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Attempt>> {
  const rows = await db
    .selectFrom('attempts')
    .select(COLUMNS)
    .where(sql<boolean>`id = any(${arrayOf.uuid(ids)}::uuid[])`)
    .execute()
  return new Map(rows.map((row) => [row.id, row]))
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

type Sought = { readonly serviceId: string; readonly subject: Subject; readonly kind: KindName }

/**
 * Finds the attempt that a notification is about: by the provider's own id, by the id of the attempt, or by the
 * reconciliation id of its payment or payout.
 */
export async function findBySubject(scope: Scope, sought: Sought): Promise<attempts.Attempt | undefined> {
  return (
    (await byReference(scope, sought)) ??
    (await byAttempt(scope, sought, sought.subject.attemptId)) ??
    byReconciliation(scope, sought)
  )
}

async function byReference(scope: Scope, { serviceId, subject, kind }: Sought) {
  const { reference } = subject
  return reference === null ? undefined : findByReference(scope, { serviceId, reference, kind })
}

async function byAttempt(scope: Scope, { serviceId, kind }: Sought, id: string | null | undefined) {
  if (!id || !isId(id)) return undefined
  const found = await attempts.find(scope, id)
  return found?.service_id === serviceId && found.kind === kind ? found : undefined
}

async function byReconciliation(scope: Scope, sought: Sought) {
  const { serviceId, subject, kind } = sought
  const id = uuidOf(subject.reconciliationId ?? '')
  if (id === undefined) return undefined
  // A payout shares its id with its attempt.
  if (kind === 'payout') return byAttempt(scope, sought, id)
  const all = await listOfPayment(scope, { serviceId, transactionId: id, kind })
  const fitting = all.filter((attempt) => mayBe(attempt, subject))
  return only(fitting.filter(({ due_at }) => due_at !== null)) ?? only(fitting)
}

/** The provider calls an attempt by one id. So what has another one is something else. */
function mayBe({ reference }: attempts.Attempt, subject: Subject): boolean {
  return reference === null || subject.reference === null || reference === subject.reference
}

/** A payment may have several captures: which of them is meant, must not be guessed. */
function only(found: readonly attempts.Attempt[]): attempts.Attempt | undefined {
  return found.length === 1 ? found[0] : undefined
}
