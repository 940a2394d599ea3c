import { sql } from 'kysely'
import { firstIdOf } from '#domain/ids.ts'
import { laterThan } from '#domain/later-than.ts'
import { write, writeOrFail } from '#platform/brief-transaction.ts'
import { Overtaken } from '#platform/database-errors.ts'
import type { Scope, Tables, Tx } from '#platform/db.ts'
import { insertInto, updateReturning, updateTable } from '#platform/statements.ts'
import type { PaymentAttempt as Attempt } from '#processing/attempts/store.ts'
import { noteChange, noteLate } from '#resources/metrics-explorer/facts/note-change.ts'
import { COLUMNS, type Outcome as StoredOutcome } from './columns.ts'
import type { Document } from './document.ts'
import * as marks from './marks/store.ts'
import { isPendingReview } from './review.ts'
import type { Status } from './wire/transaction.ts'

export type Outcome = StoredOutcome

/** A payment as it is stored, without its document. */
export type Row = Tables['transactions']
export type StoredTransaction = Row & { readonly document: Document }

/** Takes a `Tx`, so that a payment and its attempt are recorded together before a provider is asked. */
export async function insert(tx: Scope<Tx>, row: Row, document: Document): Promise<void> {
  const { merchant_account_id, id, updated_at } = row
  await write(tx, insertInto('transactions', { ...row, outcome: JSON.stringify(row.outcome) as never }))
  const written = { merchant_account_id, id, document: JSON.stringify(document) as never }
  await write(tx, insertInto('transaction_documents', written))
  await write(tx, insertInto('transaction_updates', { merchant_account_id, id, updated_at }))
  await marks.insert(tx, row, marks.of(row, document.metadata))
  await noteLate(tx, row)
}

export async function find(scope: Scope, id: string): Promise<StoredTransaction | undefined> {
  const found = await sql<StoredTransaction>`${OWN} where ${isOwn(scope, id)}`.execute(scope.db)
  return found.rows[0]
}

/** Locks the row. All changes of a payment wait for this lock, and decide by what they read under it. */
export async function lock(scope: Scope<Tx>, id: string): Promise<StoredTransaction | undefined> {
  const found = await sql<StoredTransaction>`
    ${OWN} where ${isOwn(scope, id)} for update of ${LOCKED}
  `.execute(scope.db)
  return found.rows[0]
}

/** The same for many payments, always in the order of their ids, so that two callers never wait for each other. */
export async function lockMany(
  { db, merchantAccountId }: Scope<Tx>,
  ids: readonly string[],
): Promise<StoredTransaction[]> {
  const found = await sql<StoredTransaction>`
    ${OWN} where transactions.merchant_account_id = ${merchantAccountId}
      and transactions.id = any(${ids}::uuid[])
    order by transactions.id for update of ${LOCKED}
  `.execute(db)
  return found.rows
}

const OWN_COLUMNS = sql.raw(`${COLUMNS.join(', ')}, transaction_documents.document`)
const OWN_TABLES = sql`
  transactions join transaction_documents
    on transaction_documents.merchant_account_id = transactions.merchant_account_id
    and transaction_documents.id = transactions.id
`
const OWN = sql`select ${OWN_COLUMNS} from ${OWN_TABLES}`

function isOwn({ merchantAccountId }: Scope, id: string) {
  return sql`transactions.merchant_account_id = ${merchantAccountId} and transactions.id = ${id}`
}

/**
 * A query that waits for a lock then reads the locked rows as they are now, and all others as they were
 * before.
 */
const LOCKED = sql`transactions, transaction_documents`

type Locked = { readonly transaction: StoredTransaction; readonly attempt: Attempt }

type LockedRow = StoredTransaction &
  Pick<Attempt, (typeof ATTEMPT_COLUMNS)[number]> & {
    readonly attempt_error_code: Attempt['error_code']
    readonly attempt_updated_at: Attempt['updated_at']
  }

const ATTEMPT_COLUMNS = [
  'state',
  'reference',
  'raw_response_code',
  'raw_response_description',
  'checks',
  'due_at',
  'may_complete',
  'returned',
  'approval',
] as const

const ATTEMPT = sql.raw(
  `${ATTEMPT_COLUMNS.map((name) => `attempt.${name}`).join(', ')},
    attempt.error_code as attempt_error_code, attempt.updated_at as attempt_updated_at`,
)

/** Locks the payment and one of its attempts, and reads both as they are now. */
export async function lockWith(scope: Scope<Tx>, attempt: Attempt): Promise<Locked | undefined> {
  const { rows } = await sql<LockedRow>`
    select ${OWN_COLUMNS}, ${ATTEMPT} from ${OWN_TABLES}
    join attempts as attempt
      on attempt.merchant_account_id = transactions.merchant_account_id
      and attempt.transaction_id = transactions.id
      and attempt.id = ${attempt.id}
    where ${isOwn(scope, attempt.transaction_id)}
    for update of ${LOCKED}, attempt
  `.execute(scope.db)
  if (!rows[0]) return undefined
  const { attempt_error_code: error_code, attempt_updated_at: updated_at, ...row } = rows[0]
  const { state, checks, due_at, may_complete, returned, approval, ...rest } = row
  const { reference, raw_response_code, raw_response_description, ...transaction } = rest
  const answered = { reference, error_code, raw_response_code, raw_response_description }
  const asked = { state, checks, due_at, may_complete, returned, approval, updated_at }
  return { transaction, attempt: { ...attempt, ...answered, ...asked } }
}

/** The payments that replaced one whose authorization had expired. */
export function reauthorizationsOf(
  { db, merchantAccountId }: Scope,
  id: string,
): Promise<Pick<Row, 'id' | 'status'>[]> {
  return db
    .selectFrom('transactions')
    .select(['id', 'status'])
    .where('merchant_account_id', '=', merchantAccountId)
    .where('reauthorized_from_transaction_id', '=', id)
    .execute()
}

/** What may change about a payment. `outcome` is merged into the stored one. */
export type Change = Partial<
  Pick<
    Row,
    | 'status'
    | 'amount'
    | 'authorized_amount'
    | 'capture_limit'
    | 'captured_amount'
    | 'capturing_amount'
    | 'refunded_amount'
    | 'refunding_amount'
    | 'released_amount'
    | 'uncollected_amount'
    | 'is_capture_final'
    | 'has_gift_card_refunds'
    | 'error_code'
    | 'payment_service_transaction_id'
    | 'payment_service_id'
    | 'payment_method_id'
    | 'external_identifier'
    | 'outcome'
  >
>

/**
 * Applies a decision about the payment as it was read, and updates the marks by which lists find it. A caller
 * that does not hold the lock gets an error when the payment has changed since.
 */
export async function change(
  tx: Scope<Tx>,
  before: StoredTransaction,
  { outcome, ...columns }: Change,
): Promise<StoredTransaction> {
  const updated_at = laterThan(before, tx.clock())
  const changed = { ...before, ...columns, outcome: { ...before.outcome, ...outcome }, updated_at }
  const after = { ...changed, pending_review: isPendingReview(changed) }
  const isThis = { merchant_account_id: before.merchant_account_id, id: before.id }
  const { pending_review } = after
  const changes = {
    ...columns,
    ...(pending_review !== before.pending_review && { pending_review }),
    ...(outcome && { outcome: JSON.stringify(after.outcome) as never }),
  }
  const asItWas = { ...isThis, status: before.status, updated_at: before.updated_at }
  await writeOrFail(
    tx,
    updateReturning('transactions', { ...changes, updated_at }, asItWas),
    () => new Overtaken(),
  )
  await write(tx, updateTable('transaction_updates', { updated_at }, isThis))
  await marks.replace(tx, before, {
    from: marks.of(before, before.document.metadata),
    to: marks.of(after, after.document.metadata),
  })
  await noteChange(tx, before, after)
  return after
}

/** What a report says about a payment: the amount is added to what was reported before. */
export type Reported = {
  readonly id: string
  readonly amount: number
  readonly currency: string | null
  readonly isDisputed: boolean
  readonly updatedAt: Date
}

/** For payments whose locks the caller holds. Updates the marks by which lists find them, too. */
export async function addReported(tx: Scope<Tx>, reported: readonly Reported[]): Promise<void> {
  const { merchantAccountId } = tx
  const ids = reported.map(({ id }) => id)
  const times = reported.map(({ updatedAt }) => updatedAt)
  await sql`
    update transactions set settled_amount = settled_amount + added.amount,
      settled_currency = coalesce(settled_currency, added.currency), disputed = disputed or added.is_disputed,
      updated_at = added.updated_at
    from unnest(${ids}::uuid[], ${reported.map(({ amount }) => amount)}::bigint[],
      ${reported.map(({ currency }) => currency)}::text[],
      ${reported.map(({ isDisputed }) => isDisputed)}::boolean[], ${times}::timestamptz[])
      as added (id, amount, currency, is_disputed, updated_at)
    where transactions.merchant_account_id = ${merchantAccountId} and transactions.id = added.id
  `.execute(tx.db)
  await sql`
    update transaction_updates as updates set updated_at = added.updated_at
    from unnest(${ids}::uuid[], ${times}::timestamptz[]) as added (id, updated_at)
    where updates.merchant_account_id = ${merchantAccountId} and updates.id = added.id
  `.execute(tx.db)
  await marks.insertMany(tx, [
    ...reported.flatMap(({ id, currency }) =>
      currency === null ? [] : [{ id, mark: marks.markOf('settled') }],
    ),
    ...reported.flatMap(({ id, isDisputed }) => (isDisputed ? [{ id, mark: marks.markOf('disputed') }] : [])),
  ])
}

/** The document is written once. Only a merchant's correction and a provider's answer change it. */
export async function changeDocument(
  tx: Scope<Tx>,
  before: StoredTransaction,
  document: Document,
): Promise<StoredTransaction> {
  const isThis = { merchant_account_id: before.merchant_account_id, id: before.id }
  await write(
    tx,
    updateTable('transaction_documents', { document: JSON.stringify(document) as never }, isThis),
  )
  await marks.replace(tx, before, {
    from: marks.of(before, before.document.metadata),
    to: marks.of(before, document.metadata),
  })
  const after = { ...before, document }
  await noteChange(tx, before, after)
  return after
}

/** Payments of an account in a status that were created before a moment, oldest first. */
export async function olderInStatus(
  { db, merchantAccountId }: Scope,
  status: Status,
  { before, after, limit }: { readonly before: Date; readonly after: string | null; readonly limit: number },
): Promise<string[]> {
  const rows = await db
    .selectFrom('transaction_marks')
    .select('id')
    .where('merchant_account_id', '=', merchantAccountId)
    .where('mark', '=', marks.markOf('status', status))
    .where('id', '<', sql<string>`${firstIdOf(before)}::uuid`)
    .where('id', '>', after ?? firstIdOf(new Date(0)))
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

/** When a refused void is retried. */
export type Again = { readonly triedBefore: Date; readonly createdAfter: Date }

/** Which of these hold money of which no capture has begun. */
export async function expirableAmong(
  { db, merchantAccountId }: Scope,
  ids: readonly string[],
  { triedBefore, createdAfter }: Again,
): Promise<string[]> {
  const rows = await db
    .selectFrom('transactions')
    .select('id')
    .where('merchant_account_id', '=', merchantAccountId)
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .where('status', '=', 'authorization_succeeded')
    // Gift cards alone hold nothing at a payment service. Their money goes back to them.
    .where(
      sql<boolean>`(authorized_amount > 0 or (payment_service_id is null and has_gift_card_redemptions))`,
    )
    .where(sql<boolean>`captured_amount + capturing_amount = 0`)
    .where(
      sql<boolean>`(error_code is distinct from 'expired_authorization'
        or (updated_at <= ${triedBefore} and id > ${firstIdOf(createdAfter)}::uuid))`,
    )
    .orderBy('id')
    .execute()
  return rows.map(({ id }) => id)
}

/** Statuses in which we may still have to release a hold or give back what gift cards paid. */
const HELD: readonly Status[] = [
  'processing',
  'authorization_succeeded',
  'authorization_void_pending',
  'capture_pending',
]
export const MARKS_WHILE_HELD = HELD.map((status) => marks.markOf('status', status))

/** How many unfinished payments hold money at a service. Those from before a moment hold none any more. */
export async function countHeldAt(
  { db, merchantAccountId }: Scope,
  paymentServiceId: string,
  createdAfter: Date,
): Promise<number> {
  const { held } = await db
    .selectFrom('transaction_marks as mark')
    .innerJoin('transactions as payment', (join) =>
      join
        .onRef('payment.merchant_account_id', '=', 'mark.merchant_account_id')
        .onRef('payment.id', '=', 'mark.id'),
    )
    .select((eb) => eb.fn.countAll<string>().as('held'))
    .where('mark.merchant_account_id', '=', merchantAccountId)
    .where('mark.mark', 'in', MARKS_WHILE_HELD)
    .where('mark.id', '>', firstIdOf(createdAfter))
    .where('payment.payment_service_id', '=', paymentServiceId)
    .where('payment.authorized_amount', '>', 0)
    .executeTakeFirstOrThrow()
  return Number(held)
}
