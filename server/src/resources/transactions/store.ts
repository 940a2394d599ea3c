import { sql } from 'kysely'
import type { AvsResponseCode, CvvResponseCode } from '#connectors/contract/connector.ts'
import { firstIdOf } from '#domain/ids.ts'
import { write, writeOrFail } from '#platform/brief-transaction.ts'
import { Overtaken } from '#platform/database-errors.ts'
import type { Scope, Tables, Tx } from '#platform/db.ts'
import { insertInto, updateReturning, updateTable } from '#platform/statements.ts'
import type { PaymentAttempt as Attempt } from '#processing/attempts/store.ts'
import type { Document } from './document.ts'
import * as marks from './marks/store.ts'
import { type AntiFraud, isPendingReview } from './review.ts'
import type { Intent, PaymentSource } from './wire/order.ts'
import type { TransactionThreeDSecureSummary } from './wire/three-d-secure.ts'
import type { InstrumentType, Status } from './wire/transaction.ts'

declare module '#platform/db.ts' {
  interface Tables {
    transactions: {
      merchant_account_id: string
      id: string
      intent: Intent
      amount: number
      currency: string
      country: string | null
      method: string | null
      payment_source: PaymentSource
      merchant_initiated: boolean
      is_subsequent_payment: boolean
      has_gift_card_redemptions: boolean
      gift_card_amount: number
      has_gift_card_refunds: boolean
      external_identifier: string | null
      buyer_id: string | null
      buyer_external_identifier: string | null
      buyer_email_address: string | null
      ip_address: string | null
      checkout_session_id: string | null
      payment_link_id: string | null
      payment_method_id: string | null
      payment_method_label: string | null
      payment_method_scheme: string | null
      payment_method_country: string | null
      payment_method_fingerprint: string | null
      payment_method_bin: string | null
      reauthorized_from_transaction_id: string | null
      payment_service_id: string | null
      status: Status
      authorized_amount: number
      capture_limit: number
      captured_amount: number
      capturing_amount: number
      refunded_amount: number
      refunding_amount: number
      released_amount: number
      is_capture_final: boolean
      pending_review: boolean
      disputed: boolean
      error_code: string | null
      payment_service_transaction_id: string | null
      outcome: Outcome
      updated_at: Date
    }
    transaction_documents: { merchant_account_id: string; id: string; document: Document }
    transaction_updates: { merchant_account_id: string; id: string; updated_at: Date }
  }
}

/** What the provider, the 3-D Secure server and the anti-fraud service said, and when things happened. Times are ISO 8601. */
export type Outcome = {
  /** What the last attempt presented, if it is not what the document says. */
  readonly instrument_type?: InstrumentType | null
  readonly raw_response_code?: string | null
  readonly raw_response_description?: string | null
  readonly auth_response_code?: string | null
  readonly iso_response_code?: string | null
  readonly avs_response_code?: AvsResponseCode | null
  readonly cvv_response_code?: CvvResponseCode | null
  readonly merchant_advice_code?: string | null
  readonly scheme_transaction_id?: string | null
  readonly transaction_link_id?: string | null
  readonly payment_account_reference?: string | null
  readonly additional_identifiers?: Readonly<Record<string, string | null>>
  readonly three_d_secure?: TransactionThreeDSecureSummary | null
  readonly anti_fraud?: AntiFraud
  readonly approval_url?: string | null
  readonly approval_expires_at?: string | null
  readonly session_token?: string | null
  readonly buyer_approval_timedout_at?: string | null
  readonly authorized_at?: string | null
  readonly captured_at?: string | null
  readonly voided_at?: string | null
  readonly canceled_at?: string | null
}

/** A payment as it is stored, without its document. */
export type Row = Tables['transactions']
export type StoredTransaction = Row & { readonly document: Document }

export const COLUMNS = [
  'transactions.merchant_account_id',
  'transactions.id',
  'transactions.intent',
  'transactions.amount',
  'transactions.currency',
  'transactions.country',
  'transactions.method',
  'transactions.payment_source',
  'transactions.merchant_initiated',
  'transactions.is_subsequent_payment',
  'transactions.has_gift_card_redemptions',
  'transactions.gift_card_amount',
  'transactions.has_gift_card_refunds',
  'transactions.external_identifier',
  'transactions.buyer_id',
  'transactions.buyer_external_identifier',
  'transactions.buyer_email_address',
  'transactions.ip_address',
  'transactions.checkout_session_id',
  'transactions.payment_link_id',
  'transactions.payment_method_id',
  'transactions.payment_method_label',
  'transactions.payment_method_scheme',
  'transactions.payment_method_country',
  'transactions.payment_method_fingerprint',
  'transactions.payment_method_bin',
  'transactions.reauthorized_from_transaction_id',
  'transactions.payment_service_id',
  'transactions.status',
  'transactions.authorized_amount',
  'transactions.capture_limit',
  'transactions.captured_amount',
  'transactions.capturing_amount',
  'transactions.refunded_amount',
  'transactions.refunding_amount',
  'transactions.released_amount',
  'transactions.is_capture_final',
  'transactions.pending_review',
  'transactions.disputed',
  'transactions.error_code',
  'transactions.payment_service_transaction_id',
  'transactions.outcome',
  'transactions.updated_at',
] as const

/** Takes a `Tx`, so that a payment and its attempt are recorded together before a provider is asked. */
export async function insert(tx: Scope<Tx>, row: Row, document: Document): Promise<void> {
  const { merchant_account_id, id, updated_at } = row
  await write(tx, insertInto('transactions', { ...row, outcome: JSON.stringify(row.outcome) as never }))
  const written = { merchant_account_id, id, document: JSON.stringify(document) as never }
  await write(tx, insertInto('transaction_documents', written))
  await write(tx, insertInto('transaction_updates', { merchant_account_id, id, updated_at }))
  await marks.insert(tx, row, marks.of(row, document.metadata))
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
  const { state, reference, raw_response_code, raw_response_description, checks, due_at, ...rest } = rows[0]
  const { attempt_error_code: error_code, attempt_updated_at: updated_at, ...transaction } = rest
  const answered = { reference, error_code, raw_response_code, raw_response_description }
  return { transaction, attempt: { ...attempt, ...answered, state, checks, due_at, updated_at } }
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
  const updated_at = tx.clock()
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
  return after
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
  return { ...before, document }
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
