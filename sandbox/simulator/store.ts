import type pg from 'pg'
import type { Presented } from './requests.ts'

export type Operation =
  | 'authorize'
  | 'capture'
  | 'void'
  | 'cancel'
  | 'refund'
  | 'increment'
  | 'payout'
  | 'tokenize'
  | 'forgetToken'
  | 'chargeback'
  | 'chargebackReversal'
  | 'lateFailure'
  | 'disputeAnswer'
  | 'disputeEnd'

/** Facts of an authorization that every answer about it repeats. */
type Facts = {
  readonly avs: string | null
  readonly cvv: string
  readonly adviceCode: string | null
  readonly isRetriable: boolean
  readonly schemeTransactionId: string
  readonly presented: Presented
  /** What becomes of the payment later, as the card's number says. */
  readonly scenario?: string
  /** When the buyer has permitted a debit. The bank pays days later. */
  readonly permittedAt?: string
}

/** The processor's lines of business. */
export const PRODUCTS = ['card', 'wallet', 'debit'] as const
type Product = (typeof PRODUCTS)[number]

/** What the books say of an attempt that arrived. */
export type Entry = {
  readonly attemptId: string
  readonly status: 'approved' | 'refused' | 'pending'
  readonly operation: Operation
  readonly merchantId: string
  readonly product: Product
  readonly transactionId: string | null
  readonly reference: string
  readonly authorizationReference: string | null
  /** What a chargeback or a late failure is about. Of a reversal, an answer and an end: the chargeback. */
  readonly subjectReference: string | null
  readonly requestedAmount: number
  readonly amount: number
  readonly currency: string
  readonly isFinal: boolean
  readonly code: string | null
  readonly description: string | null
  readonly facts: Facts | null
  readonly last4: string | null
  /** Where the buyer returns from the processor's page. Null if no approval is needed. */
  readonly returnUrl: string | null
  readonly createdAt: Date
  /** Of what becomes known later: when it takes effect. */
  readonly endedAt: Date | null
}

/** Sums of what was done to an authorization, and of what is still under way. */
export type Sum = {
  readonly operation: Operation
  readonly status: 'approved' | 'pending'
  readonly amount: number
  readonly isFinal: boolean
}

type Handle = pg.Pool | pg.PoolClient
export type Tx = pg.PoolClient

export const COLUMNS = `
  attempt_id as "attemptId", status, operation, merchant_id as "merchantId", transaction_id as "transactionId",
  product, reference, authorization_reference as "authorizationReference",
  subject_reference as "subjectReference", requested_amount as "requestedAmount", amount,
  currency, is_final as "isFinal", code, description, facts, last4, return_url as "returnUrl", created_at as "createdAt", ended_at as "endedAt"`

export async function inTransaction<Result>(
  pool: pg.Pool,
  work: (tx: Tx) => Promise<Result>,
): Promise<Result> {
  const tx = await pool.connect()
  try {
    await tx.query('begin')
    const result = await work(tx)
    await tx.query('commit')
    tx.release()
    return result
  } catch (error) {
    // Closes a connection in an unknown state, and so ends its transaction.
    tx.release(true)
    throw error
  }
}

/** False when the attempt is known already, or closed. One statement, so that it is a commit of its own. */
export async function insert(handle: Handle, entry: Entry): Promise<boolean> {
  const { rowCount } = await handle.query(
    `insert into simulator.entries (
       attempt_id, status, operation, merchant_id, transaction_id, reference, authorization_reference,
       requested_amount, amount, currency, is_final, code, description, facts, last4, return_url, created_at, ended_at,
       subject_reference, product
     ) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20)
     on conflict (attempt_id) do nothing`,
    [
      entry.attemptId,
      entry.status,
      entry.operation,
      entry.merchantId,
      entry.transactionId,
      entry.reference,
      entry.authorizationReference,
      entry.requestedAmount,
      entry.amount,
      entry.currency,
      entry.isFinal,
      entry.code,
      entry.description,
      entry.facts,
      entry.last4,
      entry.returnUrl,
      entry.createdAt,
      entry.endedAt,
      entry.subjectReference,
      entry.product,
    ],
  )
  return rowCount === 1
}

/** From now on the attempt is refused if it still arrives. Does nothing when it has arrived. */
export async function close(handle: Handle, attemptId: string, now: Date): Promise<void> {
  await handle.query(
    `insert into simulator.entries (attempt_id, status, created_at, ended_at) values ($1, 'closed', $2, $2)
     on conflict (attempt_id) do nothing`,
    [attemptId, now],
  )
}

export async function find(handle: Handle, attemptId: string): Promise<Entry | 'closed' | null> {
  const { rows } = await handle.query(`select ${COLUMNS} from simulator.entries where attempt_id = $1`, [
    attemptId,
  ])
  if (rows.length === 0) return null
  return rows[0].status === 'closed' ? 'closed' : rows[0]
}

export async function findByReference(handle: Handle, reference: string): Promise<Entry | null> {
  const { rows } = await handle.query<Entry>(
    `select ${COLUMNS} from simulator.entries where reference = $1`,
    [reference],
  )
  return rows[0] ?? null
}

/** Locks the authorization and everything that was done to it. */
export async function lock(tx: Tx, reference: string): Promise<Entry | null> {
  const { rows } = await tx.query<Entry>(
    `select ${COLUMNS} from simulator.entries where reference = $1 for update`,
    [reference],
  )
  return rows[0] ?? null
}

export async function findPendingOfTransaction(
  handle: Handle,
  merchantId: string,
  transactionId: string,
): Promise<Entry | null> {
  const { rows } = await handle.query<Entry>(
    `select ${COLUMNS} from simulator.entries
     where transaction_id = $1 and merchant_id = $2 and operation = 'authorize'
     order by status = 'pending' desc, created_at desc, attempt_id desc
     limit 1`,
    [transactionId, merchantId],
  )
  return rows[0] ?? null
}

export async function isForgotten(handle: Handle, reference: string): Promise<boolean> {
  const { rows } = await handle.query(
    `select 1 from simulator.entries
     where authorization_reference = $1 and operation = 'forgetToken' and status = 'approved' limit 1`,
    [reference],
  )
  return rows.length > 0
}

/** The oldest pending one, or else the one that ended last. */
export async function findFollowUp(
  tx: Tx,
  authorizationReference: string,
  operation: Operation,
): Promise<Entry | null> {
  const { rows } = await tx.query<Entry>(
    `select ${COLUMNS} from simulator.entries
     where authorization_reference = $1 and operation = $2
     order by status = 'pending' desc,
       case when status = 'pending' then created_at end,
       ended_at desc, attempt_id
     limit 1`,
    [authorizationReference, operation],
  )
  return rows[0] ?? null
}

/**
 * At a time: what takes effect later does not count yet. A late failure takes back what had succeeded, and a capture that
 * failed is no longer the final one.
 */
export async function sums(tx: Tx, authorizationReference: string, now: Date): Promise<Sum[]> {
  const { rows } = await tx.query<Sum>(
    `select case code when 'capture_failed' then 'capture' when 'refund_failed' then 'refund' else operation end as operation,
       status, sum(case operation when 'lateFailure' then -amount else amount end)::float8 as amount,
       bool_or(is_final and not exists (
         select from simulator.entries failed
         where failed.authorization_reference = $1 and failed.subject_reference = entries.reference
           and failed.operation = 'lateFailure' and failed.ended_at <= $2
       )) as "isFinal"
     from simulator.entries
     where authorization_reference = $1 and (status = 'pending' or (status = 'approved' and ended_at <= $2))
     group by 1, status`,
    [authorizationReference, now],
  )
  return rows
}

/** Chargebacks of a payment and all that followed them, also what takes effect later. */
export async function listDisputes(tx: Tx, authorizationReference: string): Promise<Entry[]> {
  const { rows } = await tx.query<Entry>(
    `select ${COLUMNS} from simulator.entries
     where authorization_reference = $1 and operation in ('chargeback', 'chargebackReversal', 'disputeAnswer', 'disputeEnd')
     order by ended_at, reference`,
    [authorizationReference],
  )
  return rows
}

/** Takes back what was to become of a chargeback: the bank decides otherwise. Nobody has been told of it yet. */
export async function removeFuture(tx: Tx, chargebackReference: string, now: Date): Promise<void> {
  const future = `select reference from simulator.entries
    where subject_reference = $1 and operation in ('chargebackReversal', 'disputeEnd') and ended_at > $2`
  await tx.query(`delete from simulator.notices where reference in (${future})`, [chargebackReference, now])
  await tx.query(`delete from simulator.entries where reference in (${future})`, [chargebackReference, now])
}

type Earner = { readonly merchantId: string; readonly currency: string }

/** Payouts of one merchant in one currency take turns. Otherwise two could spend the same money. */
export async function lockEarnings(tx: Tx, { merchantId, currency }: Earner): Promise<void> {
  await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [
    `simulator earnings ${currency} ${merchantId}`,
  ])
}

/**
 * What was captured, less what was given back and paid out, what buyers' banks took back, and what failed later. What is
 * pending counts against the merchant.
 */
export async function earningsOf(tx: Tx, { merchantId, currency }: Earner, now: Date): Promise<number> {
  const { rows } = await tx.query<{ left: number }>(
    `select (
       select coalesce(sum(case when operation in ('refund', 'payout') then -amount else amount end), 0)
       from simulator.entries
       where merchant_id = $1 and currency = $2 and (operation in ('capture', 'refund', 'payout') or is_final)
         and (status = 'approved' or (status = 'pending' and operation in ('refund', 'payout')))
     )::float8 + (
       select coalesce(sum(case when operation = 'chargebackReversal' or code = 'refund_failed' then amount else -amount end), 0)
       from simulator.entries
       where merchant_id = $1 and currency = $2 and operation in ('chargeback', 'chargebackReversal', 'lateFailure')
         and ended_at <= $3
     )::float8 as left`,
    [merchantId, currency, now],
  )
  return rows[0]?.left ?? 0
}

export async function end(
  tx: Tx,
  entry: Entry,
  result: Pick<Entry, 'status' | 'code' | 'description'>,
  now: Date,
): Promise<Entry> {
  await tx.query(
    `update simulator.entries set status = $2, code = $3, description = $4, ended_at = $5
     where attempt_id = $1 and status = 'pending'`,
    [entry.attemptId, result.status, result.code, result.description, now],
  )
  return { ...entry, ...result, endedAt: now }
}

/** The buyer has permitted a debit. */
export async function permit(tx: Tx, entry: Entry, now: Date): Promise<Entry> {
  const permittedAt = now.toISOString()
  await tx.query(
    `update simulator.entries set facts = coalesce(facts, '{}') || jsonb_build_object('permittedAt', $2::text)
     where attempt_id = $1 and status = 'pending'`,
    [entry.attemptId, permittedAt],
  )
  return { ...entry, facts: { ...(entry.facts as Facts), permittedAt } }
}

/** True for the first call of an attempt that has left no entry yet. */
export async function isFirstHit(
  handle: Handle,
  { attemptId, kind, now }: { readonly attemptId: string; readonly kind: string; readonly now: Date },
): Promise<boolean> {
  const { rowCount } = await handle.query(
    `insert into simulator.faults (attempt_id, kind, hit_at)
     select $1::text, $2::text, $3::timestamptz where not exists (select from simulator.entries where attempt_id = $1)
     on conflict (attempt_id) do nothing`,
    [attemptId, kind, now],
  )
  return rowCount === 1
}

/** What the processor settles, and has in no batch yet. The same words as in the index. */
const TO_SETTLE = `batch_id is null and status = 'approved' and amount > 0 and product = 'card'
  and (operation in ('capture', 'refund', 'chargeback', 'chargebackReversal', 'lateFailure') or is_final)`

/** When the first of it ended. */
export async function firstToSettle(tx: Tx, merchantId: string): Promise<Date | null> {
  const { rows } = await tx.query<{ at: Date }>(
    `select ended_at as at from simulator.entries where merchant_id = $1 and ${TO_SETTLE} order by ended_at limit 1`,
    [merchantId],
  )
  return rows[0]?.at ?? null
}

type ToSettle = { readonly merchantId: string; readonly until: Date; readonly limit: number }

export async function listToSettle(
  tx: Tx,
  { merchantId, until, limit }: ToSettle,
): Promise<Pick<Entry, 'reference' | 'currency'>[]> {
  const { rows } = await tx.query<Pick<Entry, 'reference' | 'currency'>>(
    `select reference, currency from simulator.entries
     where merchant_id = $1 and ended_at < $2 and ${TO_SETTLE} order by ended_at limit $3`,
    [merchantId, until, limit],
  )
  return rows
}

export async function putIntoBatch(
  tx: Tx,
  { batchId, references }: { readonly batchId: string; readonly references: readonly string[] },
): Promise<void> {
  await tx.query(
    'update simulator.entries set batch_id = $1 where reference = any ($2::uuid[]) and batch_id is null',
    [batchId, references],
  )
}

/** An entry of a batch, with the attempt id of what it is about. */
export type BatchEntry = Entry & { readonly subjectAttemptId: string | null }

type Page = { readonly batchId: string; readonly after: string | null; readonly limit: number }

export async function listBatch(pool: pg.Pool, { batchId, after, limit }: Page): Promise<BatchEntry[]> {
  const { rows } = await pool.query<BatchEntry>(
    `select ${COLUMNS}, (
       select about.attempt_id from simulator.entries about
       where entries.subject_reference is not null and about.reference = case entries.operation
         when 'chargebackReversal' then entries.authorization_reference else entries.subject_reference end
     ) as "subjectAttemptId"
     from simulator.entries
     where batch_id = $1 and reference > $2 order by reference limit $3`,
    [batchId, after ?? '00000000-0000-0000-0000-000000000000', limit],
  )
  return rows
}
