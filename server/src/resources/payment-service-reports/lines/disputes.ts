import { type RawBuilder, sql } from 'kysely'
import type { Scope, Tx } from '#platform/database/db.ts'
import { hidden } from '#platform/listing/branches.ts'
import { paginate } from '#platform/listing/by-age.ts'
import type { Collection, Page } from '#platform/listing/pagination.ts'
import { COLUMNS, type StoredLine } from './columns.ts'

/** How a chargeback stands. The order is that in which they are tried: the first that fits is it. */
export const DISPUTE_STATUSES = ['returned', 'answered', 'expired', 'open'] as const
export type DisputeStatus = (typeof DISPUTE_STATUSES)[number]

/** A chargeback, how it stands, and when the bank returned the money. */
export type StoredDispute = StoredLine & {
  readonly status: DisputeStatus
  readonly returned_at: Date | null
  readonly transaction_external_identifier: string | null
  readonly created_at: Date
}

/** Schemes give a merchant up to 45 days to answer a chargeback, and providers less. Later, the money is lost. */
const ANSWERED_WITHIN_DAYS = 45

/** Where the provider has told none: the latest that there may be. */
const DEADLINE = sql<Date>`coalesce(respond_by, posted_at + make_interval(days => ${sql.lit(ANSWERED_WITHIN_DAYS)}))`

/** No provider takes an answer to what is older. An index ends the search here. */
const OLDEST_DAYS = 365

const LINES = 'payment_service_report_lines'

const RETURNED_AT = sql<Date | null>`(
  select min(returned.posted_at) from payment_service_report_lines as returned
  where returned.merchant_account_id = payment_service_report_lines.merchant_account_id
    and returned.transaction_id = payment_service_report_lines.transaction_id
    and returned.kind = 'chargeback_reversal' and returned.posted_at >= payment_service_report_lines.posted_at
)`

/** Which order it was, in the merchant's own words. */
const REFERENCE = sql<string | null>`(
  select paid.external_identifier from transactions as paid
  where paid.merchant_account_id = payment_service_report_lines.merchant_account_id
    and paid.id = payment_service_report_lines.transaction_id
)`

/** The payment service has taken an answer through the API since we know of it: see `disputes/`. A second chargeback needs another. */
const IS_ANSWERED_THERE = sql<boolean>`exists (
  select from disputes as answered
  where answered.merchant_account_id = payment_service_report_lines.merchant_account_id
    and answered.transaction_id = payment_service_report_lines.transaction_id
    and answered.answer ->> 'status' = 'succeeded'
    and (answered.answer ->> 'created_at')::timestamptz >= payment_service_report_lines.ingested_at
    and coalesce(payment_service_report_lines.external_identifier, payment_service_report_lines.notice,
      payment_service_report_lines.id::text) = any(answered.movements)
)`

function statusAt(now: Date): RawBuilder<DisputeStatus> {
  return sql<DisputeStatus>`case
    when ${RETURNED_AT} is not null then 'returned'
    when answered_at is not null or ${IS_ANSWERED_THERE} then 'answered'
    when ${DEADLINE} <= ${now} then 'expired'
    else 'open' end`
}

function disputes({ db, clock, merchantAccountId }: Scope) {
  return db
    .selectFrom(LINES)
    .select([
      ...COLUMNS,
      statusAt(clock()).as('status'),
      RETURNED_AT.as('returned_at'),
      REFERENCE.as('transaction_external_identifier'),
      sql<Date>`ingested_at`.as('created_at'),
    ])
    .where('merchant_account_id', '=', merchantAccountId)
    .where('kind', '=', sql.lit('chargeback'))
    .where('transaction_id', 'is not', null)
}

export type Wanted = {
  readonly status?: DisputeStatus | undefined
  readonly transactionId?: string | undefined
  readonly postedFrom?: Date | undefined
  readonly postedTo?: Date | undefined
}

export function listDisputes(
  scope: Scope,
  { status, transactionId, postedFrom, postedTo }: Wanted,
  page: Page,
): Promise<Collection<StoredDispute>> {
  let query = disputes(scope)
  if (status !== undefined) query = query.where(statusAt(scope.clock()), '=', status)
  if (transactionId !== undefined) query = query.where('transaction_id', '=', transactionId)
  if (postedFrom !== undefined) query = query.where('posted_at', '>=', postedFrom)
  if (postedTo !== undefined) query = query.where('posted_at', '<=', postedTo)
  const list = { name: 'chargebacks', query, table: LINES, page, mac: scope.mac, key: ['id'] } as const
  return paginate(list, (row) => row)
}

export async function findDispute(scope: Scope, id: string): Promise<StoredDispute | undefined> {
  return disputes(scope).where('id', '=', id).executeTakeFirst()
}

/** Chargebacks that wait for an answer, the nearest deadline first. */
export function openDisputes(
  { clock, merchantAccountId }: Pick<Scope, 'clock' | 'merchantAccountId'>,
  limit: number,
) {
  const now = clock()
  const since = new Date(now.getTime() - OLDEST_DAYS * 86_400_000)
  return sql<{ id: string; parent: string | null; at: Date | null; due: Date | null }>`
    select id, transaction_id::text as parent, posted_at as at, respond_by as due from payment_service_report_lines
    where merchant_account_id = ${hidden(merchantAccountId, 'text')} and kind = 'chargeback' and transaction_id is not null
      and posted_at > ${since} and ${statusAt(now)} = 'open'
    order by ${DEADLINE}, id limit ${sql.lit(limit)}`
}

/** Locks a chargeback, so that answers to it are noted in turn. */
export async function lockDispute(scope: Scope<Tx>, id: string): Promise<StoredDispute | undefined> {
  return disputes(scope).where('id', '=', id).forUpdate().executeTakeFirst()
}

export type Answered = {
  readonly note: string
  readonly by: string | null
  readonly byName: string
  readonly at: Date
}

/** Null: it is not answered after all. */
export async function noteAnswer(
  { db, clock, merchantAccountId }: Scope<Tx>,
  id: string,
  answered: Answered | null,
): Promise<void> {
  await db
    .updateTable(LINES)
    .set({
      answered_at: answered?.at ?? null,
      answered_by: answered?.by ?? null,
      answered_by_name: answered?.byName ?? null,
      answer_note: answered?.note ?? null,
      updated_at: clock(),
    })
    .where('merchant_account_id', '=', merchantAccountId)
    .where('id', '=', id)
    .execute()
}

/** Takes out what people wrote about the chargebacks of a payment. That they answered stays. */
export async function forgetNotes(
  { db, merchantAccountId }: Scope<Tx>,
  transactionId: string,
): Promise<void> {
  await db
    .updateTable(LINES)
    .set({ answer_note: null })
    .where('merchant_account_id', '=', merchantAccountId)
    .where('transaction_id', '=', transactionId)
    .where('kind', '=', 'chargeback')
    .where('answer_note', 'is not', null)
    .execute()
}

/** A provider tells, or changes, until when it takes an answer to a chargeback that is on record. */
export async function noteDeadline({ db }: Scope<Tx>, line: StoredLine): Promise<void> {
  if (line.respond_by === null) return
  const { payment_service_id, external_identifier, notice } = line
  const isIt =
    external_identifier === null
      ? sql<boolean>`external_identifier is null and notice = ${notice}`
      : sql<boolean>`external_identifier = ${external_identifier} and unmatched_because is distinct from 'duplicate'`
  await db
    .updateTable(LINES)
    .set({ respond_by: line.respond_by })
    .where('payment_service_id', '=', payment_service_id)
    .where('kind', '=', 'chargeback')
    .where(isIt)
    .where('respond_by', 'is distinct from', line.respond_by)
    .execute()
}
