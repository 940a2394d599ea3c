import { sql } from 'kysely'
import { firstIdOf } from '#domain/ids.ts'
import { write, writeOrFail } from '#platform/database/brief-transaction.ts'
import { Overtaken } from '#platform/database/database-errors.ts'
import type { Scope, Tables, Tx } from '#platform/database/db.ts'
import { arrayOf, insertInto, updateReturning, updateTable } from '#platform/database/statements.ts'
import { isOtherMinute } from '#platform/listing/marks.ts'
import { laterThan } from '#platform/process/clock.ts'
import { noteChange, noteLate } from '#resources/metrics-explorer/facts/note-change.ts'
import type { Document, PaymentMethodSnapshot } from '../document.ts'
import { isPendingReview } from '../state.ts'
import { COLUMNS, MANY_COLUMNS, type Outcome as StoredOutcome } from './columns.ts'
import * as marks from './marks.ts'

export type Outcome = StoredOutcome

/** A payment as it is stored, without its document. */
export type Row = Tables['transactions']
export type StoredTransaction = Row & { readonly document: Document }
/** One of many payments that were read together: what matching and events need of it. */
export type OneOfMany = Pick<StoredTransaction, (typeof MANY_COLUMNS)[number]> & {
  readonly outcome: Pick<StoredOutcome, 'iso_response_code'>
  readonly document: Pick<Document, 'metadata' | 'buyer'> & {
    readonly payment_method: Pick<PaymentMethodSnapshot, 'method' | 'label' | 'scheme'> | null
  }
}

/** As an outcome is stored. What is null is left out: it is read the same, and most payments have half of it. */
function outcomeText(outcome: Outcome): string {
  const told: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(outcome)) if (value !== null) told[name] = value
  return JSON.stringify(told)
}

/** Takes a `Tx`, so that a payment and its attempt are recorded together before a provider is asked. */
export async function insert(tx: Scope<Tx>, row: Row, document: Document): Promise<void> {
  const { merchant_account_id, id, updated_at } = row
  await write(tx, insertInto('transactions', { ...row, outcome: outcomeText(row.outcome) as never }))
  const written = { merchant_account_id, id, document: JSON.stringify(document) as never }
  await write(tx, insertInto('transaction_documents', written))
  await write(tx, insertInto('transaction_updates', { merchant_account_id, id, updated_at }))
  await marks.insertFirst(tx, row, marks.of(row, document.metadata))
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

/**
 * The same for many payments, always in the order of their ids, so that two callers never wait for each other. Documents
 * change only under the lock of their payment. So they are read after it, and need no lock of their own. Of documents and
 * outcomes a few parts are read: as a whole they would take the database three times as long, and the process too.
 */
export async function lockMany(
  { db, merchantAccountId }: Scope<Tx>,
  ids: readonly string[],
): Promise<OneOfMany[]> {
  const own = arrayOf.uuid(ids)
  const locked = await sql<LockedRow>`
    select ${OF_MANY}, outcome ->> 'iso_response_code' as iso_response_code from transactions
    where merchant_account_id = ${merchantAccountId} and id = any(${own}::uuid[])
    order by id for update
  `.execute(db)
  const documented = await sql<DocumentRow>`
    select id, document -> 'metadata' as metadata, document -> 'buyer' as buyer, document #>> '{payment_method,method}' as method,
      document #>> '{payment_method,label}' as label, document #>> '{payment_method,scheme}' as scheme
    from transaction_documents where merchant_account_id = ${merchantAccountId} and id = any(${own}::uuid[])
  `.execute(db)
  const documents = new Map(documented.rows.map((row) => [row.id, row]))
  return locked.rows.flatMap((row) => {
    const document = documents.get(row.id)
    const { iso_response_code } = row
    return document
      ? [Object.assign(row, { outcome: { iso_response_code }, document: partsOf(document) })]
      : []
  })
}

type LockedRow = Omit<OneOfMany, 'outcome' | 'document'> & { readonly iso_response_code: string | null }

type DocumentRow = Pick<OneOfMany['document'], 'metadata' | 'buyer'> & {
  readonly id: string
  /** Null: the payment has no payment method yet. */
  readonly method: string | null
  readonly label: string | null
  readonly scheme: string | null
}

function partsOf({ metadata, buyer, method, label, scheme }: DocumentRow): OneOfMany['document'] {
  return { metadata, buyer, payment_method: method === null ? null : { method, label, scheme } }
}

const OF_MANY = sql.raw(MANY_COLUMNS.join(', '))
const ROW_COLUMNS = sql.raw(COLUMNS.join(', '))
export const OWN_COLUMNS = sql`${ROW_COLUMNS}, transaction_documents.document`
export const OWN_TABLES = sql`
  transactions join transaction_documents
    on transaction_documents.merchant_account_id = transactions.merchant_account_id
    and transaction_documents.id = transactions.id
`
const OWN = sql`select ${OWN_COLUMNS} from ${OWN_TABLES}`

export function isOwn({ merchantAccountId }: Scope, id: string) {
  return sql`transactions.merchant_account_id = ${merchantAccountId} and transactions.id = ${id}`
}

/**
 * A query that waits for a lock then reads the locked rows as they are now, and all others as they were
 * before.
 */
export const LOCKED = sql`transactions, transaction_documents`

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
    ...(outcome && { outcome: outcomeText(after.outcome) as never }),
  }
  const asItWas = { ...isThis, status: before.status, updated_at: before.updated_at }
  await writeOrFail(
    tx,
    updateReturning('transactions', { ...changes, updated_at }, asItWas),
    () => new Overtaken(),
  )
  if (isOtherMinute(before.updated_at, updated_at)) {
    await write(tx, updateTable('transaction_updates', { updated_at }, isThis))
  }
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
  await sql`
    with added as materialized (
      select * from unnest(${arrayOf.uuid(reported.map(({ id }) => id))}::uuid[],
        ${arrayOf.bigint(reported.map(({ amount }) => amount))}::bigint[],
        ${arrayOf.text(reported.map(({ currency }) => currency))}::text[],
        ${arrayOf.boolean(reported.map(({ isDisputed }) => isDisputed))}::boolean[],
        ${arrayOf.timestamptz(reported.map(({ updatedAt }) => updatedAt))}::timestamptz[])
        as added (id, amount, currency, is_disputed, updated_at)
    ),
    moved as (
      update transaction_updates as updates set updated_at = added.updated_at
      from added where updates.merchant_account_id = ${merchantAccountId} and updates.id = added.id
    )
    update transactions set settled_amount = settled_amount + added.amount,
      settled_currency = coalesce(settled_currency, added.currency), disputed = disputed or added.is_disputed,
      updated_at = added.updated_at
    from added where transactions.merchant_account_id = ${merchantAccountId} and transactions.id = added.id
  `.execute(tx.db)
  const idsOf = (found: readonly Reported[]) => found.map(({ id }) => id)
  await marks.insertMany(
    tx,
    marks.markOf('settled'),
    idsOf(reported.filter(({ currency }) => currency !== null)),
  )
  await marks.insertMany(tx, marks.markOf('disputed'), idsOf(reported.filter(({ isDisputed }) => isDisputed)))
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

/**
 * Takes the buyer out of a payment that the caller has locked: lists find it by its buyer no more. Document and outcome are
 * replaced by those without personal data.
 */
export async function forgetBuyer(
  tx: Scope<Tx>,
  before: StoredTransaction,
  { document, outcome }: Pick<StoredTransaction, 'document' | 'outcome'>,
): Promise<void> {
  const updated_at = laterThan(before, tx.clock())
  const isThis = { merchant_account_id: before.merchant_account_id, id: before.id }
  const forgotten = {
    buyer_id: null,
    buyer_external_identifier: null,
    buyer_email_address: null,
    ip_address: null,
    payment_method_label: document.payment_method?.label ?? null,
    payment_method_fingerprint: null,
    outcome: outcomeText(outcome) as never,
    updated_at,
  }
  await write(tx, updateTable('transactions', forgotten, isThis))
  await write(tx, updateTable('transaction_updates', { updated_at }, isThis))
  await changeDocument(tx, before, document)
}

/** The next payments of a buyer, the oldest first. */
export async function ofBuyer(
  { db, merchantAccountId }: Scope,
  buyerId: string,
  { after, limit }: { readonly after?: string | undefined; readonly limit: number },
): Promise<string[]> {
  const rows = await db
    .selectFrom('transactions')
    .select('id')
    .where('merchant_account_id', '=', merchantAccountId)
    .where('buyer_id', '=', buyerId)
    .where('id', '>', after ?? firstIdOf(new Date(0)))
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}
