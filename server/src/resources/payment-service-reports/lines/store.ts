import { sql } from 'kysely'
import type { ReportLineKind } from '#connectors/contract/reports.ts'
import type { Context, Scope, Tx } from '#platform/db.ts'
import { COLUMNS, type StoredLine } from './columns.ts'

const ALL_COLUMNS = sql.raw(COLUMNS.join(', '))

/**
 * Looks rows up one by one, by an index. PostgreSQL keeps the plan of a statement, and a plan from when the table was
 * small would read the whole table each time.
 */
const EACH = sql`offset 0`

/** One statement for any number of lines. */
export async function insertAll({ db }: Scope<Tx>, lines: readonly StoredLine[]): Promise<void> {
  if (lines.length === 0) return
  await sql`
    insert into payment_service_report_lines (${ALL_COLUMNS})
    select ${ALL_COLUMNS} from json_populate_recordset(null::payment_service_report_lines, ${JSON.stringify(lines)}::json)
  `.execute(db)
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
export type Told = Pick<
  StoredLine,
  'id' | 'kind' | 'external_identifier' | 'file_id' | 'currency' | 'amount' | 'commission'
>

/** The line stands for its movement. Others only repeat it. */
const COUNTS = sql`external_identifier is not null
  and (unmatched_because is null or unmatched_because not in ('duplicate', 'differs'))`

/** The lines that tell of these movements already. */
export async function findTold(
  { db }: Context,
  paymentServiceId: string,
  told: readonly Movement[],
): Promise<Told[]> {
  if (told.length === 0) return []
  const found = await sql<Told>`
    select line.id, told.kind, told.external_identifier, line.file_id, line.currency, line.amount, line.commission
    from unnest(${told.map(({ kind }) => kind)}::text[],
      ${told.map((movement) => movement.external_identifier)}::text[]) as told (kind, external_identifier)
    cross join lateral (
      select id, file_id, currency, amount, commission from payment_service_report_lines
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
  { db, clock }: Context<Tx>,
  paymentServiceId: string,
  told: readonly Movement[],
): Promise<{ readonly file_id: string; readonly lines: number }[]> {
  if (told.length === 0) return []
  const { rows } = await sql<{ file_id: string; lines: number }>`
    with given as (
      update payment_service_report_lines as line set unmatched_because = 'duplicate', due_at = null, updated_at = ${clock()}
      from unnest(${told.map(({ kind }) => kind)}::text[],
        ${told.map((movement) => movement.external_identifier)}::text[]) as told (kind, external_identifier)
      where line.payment_service_id = ${paymentServiceId} and line.kind = told.kind
        and line.external_identifier = told.external_identifier and line.unmatched_because is not null
        and line.unmatched_because not in ('duplicate', 'differs', 'late_sale')
      returning line.file_id
    )
    select file_id, count(*)::int as lines from given where file_id is not null group by file_id order by file_id
  `.execute(db)
  return rows
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

/** A file tells of a chargeback that a notification told of before. The record stays, and gets the file's figures. */
export async function moveToFile(
  { db, merchantAccountId }: Scope<Tx>,
  id: string,
  line: StoredLine,
): Promise<void> {
  await db
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
    .execute()
}

/** Lines without a payment for which it is time to look again, of one service, with their locks. */
export async function lockDue(
  { db, clock }: Context<Tx>,
  limit: number,
  paymentServiceId: string,
): Promise<StoredLine[]> {
  const found = await sql<StoredLine>`
    select ${ALL_COLUMNS} from payment_service_report_lines
    where due_at <= ${clock()} and payment_service_id = ${paymentServiceId}
    order by due_at, id limit ${limit} for update skip locked
  `.execute(db)
  return found.rows
}

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

export async function nextDueAt({ db }: Context): Promise<Date | null> {
  const found = await db
    .selectFrom('payment_service_report_lines')
    .select('due_at')
    .where('due_at', 'is not', null)
    .orderBy('due_at')
    .limit(1)
    .executeTakeFirst()
  return found?.due_at ?? null
}

type Looked = Pick<StoredLine, 'id' | 'transaction_id' | 'refund_id' | 'unmatched_because' | 'due_at'>

/** What another look for the payments of lines has found. */
export async function noteLook(
  { db, clock, merchantAccountId }: Scope<Tx>,
  lines: readonly Looked[],
): Promise<void> {
  if (lines.length === 0) return
  await sql`
    update payment_service_report_lines as line set transaction_id = look.transaction_id, refund_id = look.refund_id,
      unmatched_because = look.because, due_at = look.due_at, checks = checks + 1, updated_at = ${clock()}
    from unnest(${lines.map(({ id }) => id)}::uuid[], ${lines.map((line) => line.transaction_id)}::uuid[],
      ${lines.map((line) => line.refund_id)}::uuid[], ${lines.map((line) => line.unmatched_because)}::text[],
      ${lines.map((line) => line.due_at)}::timestamptz[]) as look (id, transaction_id, refund_id, because, due_at)
    where line.merchant_account_id = ${merchantAccountId} and line.id = look.id
  `.execute(db)
}

/** What the settlements of a payment, or of a refund, should add up to. */
export type Expected = {
  readonly transactionId: string
  readonly refundId: string | null
  readonly amount: number
}

type FlagChange = { readonly file_id: string; readonly change: number }

/**
 * Flags the last settlement of each payment or refund whose settlements do not add up to what is expected, and
 * takes the flags of others back. Returns how many flags each file has more or fewer.
 */
export async function flag(
  { db, merchantAccountId }: Scope<Tx>,
  expected: readonly Expected[],
): Promise<FlagChange[]> {
  if (expected.length === 0) return []
  const { rows } = await sql<FlagChange>`
    with line as (
      select own.id, own.file_id, own.flag as before,
        case when own.id = last_value(own.id) over whole and sum(coalesce(own.original_amount, own.amount)) over whole <> expected.amount
          then case when abs(sum(coalesce(own.original_amount, own.amount)) over whole) > abs(expected.amount)
            then 'above_expected' else 'below_expected' end
        end as after
      from unnest(${expected.map(({ transactionId }) => transactionId)}::uuid[],
        ${expected.map(({ refundId }) => refundId)}::uuid[], ${expected.map(({ amount }) => amount)}::bigint[])
        as expected (transaction_id, refund_id, amount)
      cross join lateral (
        select id, file_id, flag, transaction_id, refund_id, original_amount, amount from payment_service_report_lines
        where merchant_account_id = ${merchantAccountId} and transaction_id = expected.transaction_id
          and kind = case when expected.refund_id is null then 'settlement' else 'refund_settlement' end
          and refund_id is not distinct from expected.refund_id ${EACH}
      ) as own
      window whole as (partition by own.transaction_id, own.refund_id order by own.id
        rows between unbounded preceding and unbounded following)
    ),
    changed as (
      update payment_service_report_lines as own set flag = line.after
      from line
      where own.merchant_account_id = ${merchantAccountId} and own.id = line.id and line.before is distinct from line.after
      returning line.file_id, (line.after is not null)::int - (line.before is not null)::int as change
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
