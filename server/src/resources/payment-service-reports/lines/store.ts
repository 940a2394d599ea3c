import { sql } from 'kysely'
import type { ReportLineKind } from '#connectors/contract/reports.ts'
import { Overtaken } from '#platform/database/database-errors.ts'
import type { Context, Scope, Tx } from '#platform/database/db.ts'
import { arrayOf, insertColumns } from '#platform/database/statements.ts'
import * as queue from '#platform/queue/queue.ts'
import { COLUMNS, type Flag, type StoredLine } from './columns.ts'

const ALL_COLUMNS = sql.raw(COLUMNS.join(', '))

/**
 * Looks rows up one by one, by an index. PostgreSQL keeps the plan of a statement, and a plan from when the table was
 * small would read the whole table each time.
 */
const EACH = sql`offset 0`

/** One statement for any number of lines, which one process has read from one file. */
export async function insertAll({ db }: Scope<Tx>, lines: readonly StoredLine[]): Promise<void> {
  const [first] = lines
  if (!first) return
  await insertColumns('payment_service_report_lines', {
    same: {
      merchant_account_id: ['text', first.merchant_account_id],
      payment_service_id: ['uuid', first.payment_service_id],
      report_id: ['uuid', first.report_id],
      file_id: ['uuid', first.file_id],
    },
    each: {
      id: ['uuid', lines.map(({ id }) => id)],
      line_number: ['integer', lines.map((line) => line.line_number)],
      kind: ['text', lines.map(({ kind }) => kind)],
      external_identifier: ['text', lines.map((line) => line.external_identifier)],
      provider_reference: ['text', lines.map((line) => line.provider_reference)],
      own_reference: ['text', lines.map((line) => line.own_reference)],
      currency: ['text', lines.map(({ currency }) => currency)],
      amount: ['bigint', lines.map(({ amount }) => amount)],
      original_amount: ['bigint', lines.map((line) => line.original_amount)],
      original_currency: ['text', lines.map((line) => line.original_currency)],
      exchange_rate: ['float8', lines.map((line) => line.exchange_rate)],
      commission: ['bigint', lines.map(({ commission }) => commission)],
      interchange: ['bigint', lines.map(({ interchange }) => interchange)],
      markup: ['bigint', lines.map(({ markup }) => markup)],
      scheme_fee: ['bigint', lines.map((line) => line.scheme_fee)],
      reason_code: ['text', lines.map((line) => line.reason_code)],
      reason_description: ['text', lines.map((line) => line.reason_description)],
      posted_at: ['timestamptz', lines.map((line) => line.posted_at)],
      ingested_at: ['timestamptz', lines.map((line) => line.ingested_at)],
      transaction_id: ['uuid', lines.map((line) => line.transaction_id)],
      refund_id: ['uuid', lines.map((line) => line.refund_id)],
      unmatched_because: ['text', lines.map((line) => line.unmatched_because)],
      flag: ['text', lines.map(({ flag }) => flag)],
      checks: ['integer', lines.map(({ checks }) => checks)],
      due_at: ['timestamptz', lines.map((line) => line.due_at)],
      notice: ['text', lines.map(({ notice }) => notice)],
      updated_at: ['timestamptz', lines.map((line) => line.updated_at)],
    },
  }).execute(db)
}

/** Inserts a line that another process may be inserting too. Returns whether it was new. */
export async function insertOnce({ db }: Scope<Tx>, line: StoredLine): Promise<boolean> {
  const { rows } = await sql`
    insert into payment_service_report_lines (${ALL_COLUMNS})
    select ${ALL_COLUMNS} from json_populate_record(null::payment_service_report_lines, ${JSON.stringify(line)}::json)
    on conflict do nothing returning 1
  `.execute(db)
  return rows.length > 0
}

type Movement = { readonly kind: ReportLineKind; readonly external_identifier: string }

/** A line that stands for a movement. */
export type ReportedLine = Pick<
  StoredLine,
  | 'id'
  | 'kind'
  | 'external_identifier'
  | 'file_id'
  | 'provider_reference'
  | 'own_reference'
  | 'currency'
  | 'amount'
  | 'original_amount'
  | 'original_currency'
  | 'commission'
  | 'unmatched_because'
>

/** The line stands for its movement. Others only repeat it. */
const COUNTS = sql`external_identifier is not null
  and (unmatched_because is null or unmatched_because not in ('duplicate', 'differs'))`

/** The lines that tell of these movements already. */
export async function findReported(
  { db }: Context,
  paymentServiceId: string,
  told: readonly Movement[],
): Promise<ReportedLine[]> {
  if (told.length === 0) return []
  const found = await sql<ReportedLine>`
    select told.kind, told.external_identifier, line.*
    from unnest(${arrayOf.text(told.map(({ kind }) => kind))}::text[],
      ${arrayOf.text(told.map((movement) => movement.external_identifier))}::text[]) as told (kind, external_identifier)
    cross join lateral (
      select id, file_id, provider_reference, own_reference, currency, amount, original_amount, original_currency,
        commission, unmatched_because
      from payment_service_report_lines
      where payment_service_id = ${paymentServiceId} and kind = told.kind
        and external_identifier = told.external_identifier and ${COUNTS} ${EACH}
    ) as line
  `.execute(db)
  return found.rows
}

/**
 * The provider may correct a line in a later file. If the earlier line fits no payment, this marks it as a duplicate, so that
 * the later one counts. Returns how many lines of each file it marked.
 */
export async function giveWay(
  { db, clock, merchantAccountId }: Scope<Tx>,
  ids: readonly string[],
): Promise<{ readonly file_id: string; readonly lines: number }[]> {
  const { rows } = await sql<{ file_id: string; lines: number }>`
    with given as (
      update payment_service_report_lines set unmatched_because = 'duplicate', due_at = null, updated_at = ${clock()}
      where merchant_account_id = ${merchantAccountId} and id = any(${ids}::uuid[])
        and unmatched_because is not null and unmatched_because not in ('duplicate', 'differs', 'late_sale')
      returning file_id
    )
    select file_id, count(*)::int as lines from given where file_id is not null group by file_id order by file_id
  `.execute(db)
  return rows
}

/** A line that an earlier version of the connector could not read. */
export type Unreadable = Pick<StoredLine, 'id' | 'amount' | 'commission'> & { readonly line_number: number }

export async function listUnreadable(
  { db }: Context,
  file: { readonly id: string; readonly report_id: string },
  limit: number,
): Promise<Unreadable[]> {
  const { rows } = await sql<Unreadable>`
    select id, line_number, amount, commission from payment_service_report_lines
    where report_id = ${file.report_id} and file_id = ${file.id} and unmatched_because = 'unreadable'
    order by line_number limit ${sql.lit(limit)}
  `.execute(db)
  return rows
}

/** Makes room for the same lines, as they are read now. */
export async function takeOut(
  { db, merchantAccountId }: Scope<Tx>,
  unread: readonly Unreadable[],
): Promise<void> {
  const { rows } = await sql`
    delete from payment_service_report_lines
    where merchant_account_id = ${merchantAccountId} and id = any(${unread.map(({ id }) => id)}::uuid[])
      and unmatched_because = 'unreadable' returning 1
  `.execute(db)
  if (rows.length < unread.length) throw new Overtaken()
}

/** The connector knows now that these lines are about no payment. Returns how many still missed one. */
export async function passOver(
  { db, clock, merchantAccountId }: Scope<Tx>,
  unread: readonly Unreadable[],
): Promise<number> {
  const { rows } = await sql`
    update payment_service_report_lines
    set unmatched_because = null, reason_code = null, reason_description = null, updated_at = ${clock()}
    where merchant_account_id = ${merchantAccountId} and id = any(${unread.map(({ id }) => id)}::uuid[])
      and unmatched_because = 'unreadable' returning 1
  `.execute(db)
  return rows.length
}

/** A notification tells of a movement whose line in a file fits no payment yet. The job looks for it now. */
export async function lookNow(
  { db, clock }: Context<Tx>,
  paymentServiceId: string,
  { kind, external_identifier }: Pick<StoredLine, 'kind' | 'external_identifier'>,
): Promise<void> {
  await sql`
    update payment_service_report_lines set due_at = ${clock()}
    where payment_service_id = ${paymentServiceId} and kind = ${kind} and external_identifier = ${external_identifier}
      and ${COUNTS} and unmatched_because is not null
  `.execute(db)
}

/**
 * A notification tells of a chargeback without an id. It is a repetition, or the oldest line of a file that no notification
 * has told of yet gets it. False: the chargeback is new. Under the lock of the payment.
 */
export async function joinNotice({ db }: Context<Tx>, line: StoredLine): Promise<boolean> {
  const { rows } = await sql<StoredLine>`
    select ${ALL_COLUMNS} from payment_service_report_lines
    where payment_service_id = ${line.payment_service_id} and kind = ${line.kind}
      and provider_reference = ${line.provider_reference} and external_identifier is null
    order by id
  `.execute(db)
  if (rows.some(({ notice }) => notice === line.notice)) return true
  const free = rows.find(({ notice, ...row }) => notice === null && pairingOf(row) === pairingOf(line))
  if (!free) return false
  await db
    .updateTable('payment_service_report_lines')
    .set({ notice: line.notice })
    .where('merchant_account_id', '=', free.merchant_account_id)
    .where('id', '=', free.id)
    .execute()
  return true
}

/** Chargebacks without an id of which only notifications have told, oldest first. */
export async function listNotices(
  { db }: Context<Tx>,
  paymentServiceId: string,
  references: readonly (string | null)[],
): Promise<StoredLine[]> {
  if (references.length === 0) return []
  const { rows } = await sql<StoredLine>`
    select ${ALL_COLUMNS} from payment_service_report_lines
    where payment_service_id = ${paymentServiceId} and kind in ('chargeback', 'chargeback_reversal')
      and provider_reference = any(${references}::text[]) and external_identifier is null and file_id is null
    order by id
  `.execute(db)
  return rows
}

/**
 * A file tells of a chargeback that a notification told of before. The record stays, and gets the file's figures. If
 * another line has been faster, the transaction ends with `Overtaken`.
 */
export async function moveToFile(
  { db, merchantAccountId }: Scope<Tx>,
  id: string,
  line: StoredLine,
): Promise<void> {
  const { numUpdatedRows } = await db
    .updateTable('payment_service_report_lines')
    .set({
      report_id: line.report_id,
      file_id: line.file_id,
      line_number: line.line_number,
      own_reference: line.own_reference,
      currency: line.currency,
      amount: line.amount,
      original_amount: line.original_amount,
      original_currency: line.original_currency,
      exchange_rate: line.exchange_rate,
      commission: line.commission,
      interchange: line.interchange,
      markup: line.markup,
      scheme_fee: line.scheme_fee,
      posted_at: line.posted_at,
      ingested_at: line.ingested_at,
      updated_at: line.updated_at,
    })
    .where('merchant_account_id', '=', merchantAccountId)
    .where('id', '=', id)
    .where('file_id', 'is', null)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw new Overtaken()
}

/** The number of the last line of a file that is on record. There is an index by report, and none by file. */
export async function lastNumber(
  { db }: Context,
  file: { readonly id: string; readonly report_id: string },
): Promise<number> {
  const found = await db
    .selectFrom('payment_service_report_lines')
    .select((line) => line.fn.max('line_number').as('last'))
    .where('report_id', '=', file.report_id)
    .where('file_id', '=', file.id)
    .executeTakeFirst()
  return found?.last ?? 0
}

/** Lines without a payment for which it is time to look again, of one service, with their locks. */
export function lockDue(tx: Context<Tx>, limit: number, paymentServiceId: string): Promise<StoredLine[]> {
  return queue.lockDue(tx, QUEUE, { limit, where: sql`payment_service_id = ${paymentServiceId}` })
}

const QUEUE = {
  table: 'payment_service_report_lines',
  columns: COLUMNS,
  open: sql`due_at is not null`,
  due: 'due_at',
  order: ['due_at', 'id'],
} as const

/** The service of the line that has waited longest, besides those services. */
export async function firstDue(
  { db, clock }: Context,
  besides: readonly string[],
): Promise<Pick<StoredLine, 'payment_service_id' | 'merchant_account_id'> | undefined> {
  return db
    .selectFrom('payment_service_report_lines')
    .select(['payment_service_id', 'merchant_account_id'])
    .where('due_at', '<=', clock())
    .where(sql<boolean>`payment_service_id <> all(${besides}::uuid[])`)
    .orderBy('due_at')
    .limit(1)
    .executeTakeFirst()
}

export function nextDueAt(context: Context): Promise<Date | null> {
  return queue.nextDueAt(context, QUEUE)
}

type Looked = Pick<
  StoredLine,
  'id' | 'transaction_id' | 'refund_id' | 'unmatched_because' | 'flag' | 'due_at'
>

/** What another look for the payments of lines has found. */
export async function noteLook(
  { db, clock, merchantAccountId }: Scope<Tx>,
  lines: readonly Looked[],
): Promise<void> {
  if (lines.length === 0) return
  await sql`
    update payment_service_report_lines as line set transaction_id = look.transaction_id, refund_id = look.refund_id,
      unmatched_because = look.because, flag = look.flag, due_at = look.due_at, checks = checks + 1, updated_at = ${clock()}
    from unnest(${lines.map(({ id }) => id)}::uuid[], ${lines.map((line) => line.transaction_id)}::uuid[],
      ${lines.map((line) => line.refund_id)}::uuid[], ${lines.map((line) => line.unmatched_because)}::text[],
      ${lines.map(({ flag }) => flag)}::text[], ${lines.map((line) => line.due_at)}::timestamptz[])
      as look (id, transaction_id, refund_id, because, flag, due_at)
    where line.merchant_account_id = ${merchantAccountId} and line.id = look.id
  `.execute(db)
}

/** A payment or a refund, by the settlements that it has. */
type Settled = { readonly transactionId: string; readonly refundId: string | null }

export type Sum = Settled & {
  /** In the currency of the payment. */
  readonly sum: number
  readonly lastId: string
}

/** What the settlements of payments and refunds add up to. Reads all of them, so it is for failures alone. */
export async function sumUp(
  { db, merchantAccountId }: Scope<Tx>,
  settled: readonly Settled[],
): Promise<Sum[]> {
  if (settled.length === 0) return []
  const { rows } = await sql<Sum>`
    select own.transaction_id as "transactionId", own.refund_id as "refundId",
      sum(coalesce(own.original_amount, own.amount))::float8 as sum, max(own.id::text) as "lastId"
    from unnest(${settled.map(({ transactionId }) => transactionId)}::uuid[],
      ${settled.map(({ refundId }) => refundId)}::uuid[]) as settled (transaction_id, refund_id)
    cross join lateral (
      select id, transaction_id, refund_id, original_amount, amount from payment_service_report_lines
      where merchant_account_id = ${merchantAccountId} and transaction_id = settled.transaction_id
        and kind = case when settled.refund_id is null then 'settlement' else 'refund_settlement' end
        and refund_id is not distinct from settled.refund_id ${EACH}
    ) as own
    group by own.transaction_id, own.refund_id
  `.execute(db)
  return rows
}

/** The line that is flagged because the settlements up to it do not add up. Null: they do. */
export type SumFlag = Settled & { readonly lineId: string; readonly flag: Flag | null }

type FlagChange = { readonly file_id: string; readonly change: number }

/**
 * Flags lines, and takes back the flags of earlier lines of the same payment or refund. Returns how many flags each file has
 * more or fewer.
 */
export async function flag(
  { db, merchantAccountId }: Scope<Tx>,
  flags: readonly SumFlag[],
): Promise<FlagChange[]> {
  if (flags.length === 0) return []
  const { rows } = await sql<FlagChange>`
    with now as (
      select * from unnest(${flags.map(({ transactionId }) => transactionId)}::uuid[],
        ${flags.map(({ refundId }) => refundId)}::uuid[], ${flags.map(({ lineId }) => lineId)}::uuid[],
        ${flags.map((flagged) => flagged.flag)}::text[]) as now (transaction_id, refund_id, line_id, flag)
    ),
    line as (
      select own.id, null as flag from now cross join lateral (
        select id, refund_id from payment_service_report_lines
        where merchant_account_id = ${merchantAccountId} and transaction_id = now.transaction_id
          and flag is not null and flag <> 'other_exchange' ${EACH}
      ) as own
      where own.refund_id is not distinct from now.refund_id and (own.id <> now.line_id or now.flag is null)
      union all
      select line_id, flag from now where flag is not null
    ),
    changed as (
      update payment_service_report_lines as own set flag = line.flag
      from line, payment_service_report_lines as before
      where own.merchant_account_id = ${merchantAccountId} and own.id = line.id
        and before.merchant_account_id = own.merchant_account_id and before.id = own.id
        and before.flag is distinct from line.flag and before.flag is distinct from 'other_exchange'
      returning own.file_id, (line.flag is not null)::int - (before.flag is not null)::int as change
    )
    select file_id, sum(change)::int as change from changed group by file_id having sum(change) <> 0
  `.execute(db)
  return rows
}

/** Far more than a payment has. The list has no pages, and must not fill the memory if a provider sends more. */
const SHOWN_MAX = 1_000

/** What providers report about a payment, newest first. */
export function listOf(scope: Scope, transactionId: string, kind: ReportLineKind): Promise<StoredLine[]> {
  return ofPayment(scope, transactionId, kind).orderBy('id', 'desc').limit(SHOWN_MAX).execute()
}

export async function findOf(
  scope: Scope,
  transactionId: string,
  kind: ReportLineKind,
  id: string,
): Promise<StoredLine | undefined> {
  return ofPayment(scope, transactionId, kind).where('id', '=', id).executeTakeFirst()
}

function ofPayment({ db, merchantAccountId }: Scope, transactionId: string, kind: ReportLineKind) {
  return db
    .selectFrom('payment_service_report_lines')
    .select(COLUMNS)
    .where('merchant_account_id', '=', merchantAccountId)
    .where('transaction_id', '=', transactionId)
    .where('kind', '=', kind)
}

type ChargebackNotice = { readonly reference: string; readonly amount: number; readonly postedAt: Date }

/**
 * What a notification says of a chargeback to which the provider gives no id. A repeated notification says the same; another
 * chargeback of the same amount has another time.
 */
export function noticeOf({ reference, amount, postedAt }: ChargebackNotice): string {
  return `${reference} ${Math.abs(amount)} ${postedAt.toISOString()}`
}

/** By what a file and a notification that tell of the same chargeback agree. */
export function pairingOf(
  line: Pick<StoredLine, 'kind' | 'provider_reference' | 'original_amount' | 'amount'>,
) {
  return `${line.kind} ${line.provider_reference} ${Math.abs(Number(line.original_amount ?? line.amount))}`
}

/** A chargeback or reversal to which the provider gives no id. */
export function isNameless({ kind, external_identifier }: Pick<StoredLine, 'kind' | 'external_identifier'>) {
  return external_identifier === null && (kind === 'chargeback' || kind === 'chargeback_reversal')
}
