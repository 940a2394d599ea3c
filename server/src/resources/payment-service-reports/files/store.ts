import { sql } from 'kysely'
import { newId } from '#domain/ids.ts'
import { Overtaken } from '#platform/database/database-errors.ts'
import type { Context, Scope, Tables, Tx } from '#platform/database/db.ts'

declare module '#platform/database/db.ts' {
  interface Tables {
    payment_service_report_files: {
      id: string
      merchant_account_id: string
      payment_service_id: string
      report_id: string
      sha256: string
      /** Large numbers, which the driver reads as text. */
      size: string
      status: 'applying' | 'applied' | 'refused' | 'abandoned'
      problem: string | null
      /** YYYY-MM-DD */
      report_date: string | null
      currency: string | null
      line_count: number
      gross_amount: string
      fee_amount: string
      lines_done: number
      unmatched_count: number
      flagged_count: number
      published_at: Date
      created_at: Date
      finished_at: Date | null
    }
  }
}

export type StoredFile = Tables['payment_service_report_files']

const COLUMNS = sql.raw(
  `id, merchant_account_id, payment_service_id, report_id, sha256, size, status, problem,
    to_char(report_date, 'YYYY-MM-DD') as report_date, currency, line_count, gross_amount, fee_amount, lines_done,
    unmatched_count, flagged_count, published_at, created_at, finished_at`,
)

type NewFile = Omit<
  StoredFile,
  | 'id'
  | 'merchant_account_id'
  | 'lines_done'
  | 'unmatched_count'
  | 'flagged_count'
  | 'created_at'
  | 'finished_at'
>

export async function insert(
  { db, clock, merchantAccountId }: Scope<Tx>,
  given: NewFile,
): Promise<StoredFile> {
  const now = clock()
  const file: StoredFile = {
    id: newId(now.getTime()),
    merchant_account_id: merchantAccountId,
    ...given,
    lines_done: 0,
    unmatched_count: 0,
    flagged_count: 0,
    created_at: now,
    finished_at: given.status === 'applying' ? null : now,
  }
  await db.insertInto('payment_service_report_files').values(file).execute()
  return file
}

type Found = Omit<NewFile, 'payment_service_id' | 'sha256' | 'size' | 'published_at'>

/** A file that was refused can be read after all, by a newer version of its connector. */
export async function accept(
  { db, clock }: Context<Tx>,
  refused: StoredFile,
  found: Found,
): Promise<StoredFile> {
  const change = { ...found, finished_at: found.status === 'applying' ? null : clock() }
  const { numUpdatedRows } = await db
    .updateTable('payment_service_report_files')
    .set(change)
    .where('id', '=', refused.id)
    .where('status', '=', 'refused')
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw new Overtaken()
  return { ...refused, ...change }
}

/** The same bytes are the same file, whatever their name. */
export async function findByHash(
  { db }: Context,
  paymentServiceId: string,
  sha256: string,
): Promise<StoredFile | undefined> {
  const found = await sql<StoredFile>`
    select ${COLUMNS} from payment_service_report_files
    where payment_service_id = ${paymentServiceId} and sha256 = ${sha256}
  `.execute(db)
  return found.rows[0]
}

/** The files of these reports, oldest first. */
export async function listOf({ db }: Context, reportIds: readonly string[]): Promise<StoredFile[]> {
  const found = await sql<StoredFile>`
    select ${COLUMNS} from payment_service_report_files
    where report_id = any(${reportIds}::uuid[]) order by report_id, created_at, id
  `.execute(db)
  return found.rows
}

/** A file that was applied in part cannot be read to its end. The lines that are applied stay. */
export async function abandon({ db, clock }: Context<Tx>, id: string, why: string): Promise<boolean> {
  const { rows } = await sql`
    update payment_service_report_files set status = 'abandoned', finished_at = ${clock()},
      problem = ${why}::text || ': ' || lines_done || ' of ' || line_count || ' lines are applied'
    where id = ${id} and status = 'applying' returning 1
  `.execute(db)
  return rows.length > 0
}

/** The provider delivers an abandoned file after all. Its lines are applied from where we are. */
export async function takeUpAgain({ db }: Context, file: StoredFile): Promise<StoredFile> {
  const { rows } = await sql<StoredFile>`
    update payment_service_report_files set status = 'applying', finished_at = null, problem = null
    where id = ${file.id} and status = 'abandoned' returning ${COLUMNS}
  `.execute(db)
  return rows[0] ?? file
}

type Step = { readonly linesDone: number; readonly unmatched: number; readonly flagged: number }

/**
 * Notes how far the file is applied, in the commit that applies its lines. If another process is further, the
 * transaction ends with `Overtaken`, and nothing is applied twice.
 */
export async function advance(tx: Scope<Tx>, file: StoredFile, step: Step): Promise<StoredFile> {
  const { rows } = await sql<StoredFile>`
    update payment_service_report_files set lines_done = ${step.linesDone},
      unmatched_count = unmatched_count + ${step.unmatched}, flagged_count = flagged_count + ${step.flagged},
      status = case when line_count = ${step.linesDone} then 'applied' else status end,
      finished_at = case when line_count = ${step.linesDone} then ${tx.clock()}::timestamptz end
    where id = ${file.id} and status = 'applying' and lines_done = ${file.lines_done}
    returning ${COLUMNS}
  `.execute(tx.db)
  if (!rows[0]) throw new Overtaken()
  return rows[0]
}

export type CountChange = { readonly id: string; readonly unmatched: number; readonly flagged: number }

/** Counts lines that have found their payment since, and lines to look at. */
export async function addCounts({ db }: Context<Tx>, changes: readonly CountChange[]): Promise<void> {
  if (changes.length === 0) return
  await sql`
    update payment_service_report_files as file set unmatched_count = unmatched_count + change.unmatched,
      flagged_count = flagged_count + change.flagged
    from unnest(${changes.map(({ id }) => id)}::uuid[], ${changes.map(({ unmatched }) => unmatched)}::int[],
      ${changes.map(({ flagged }) => flagged)}::int[]) as change (id, unmatched, flagged)
    where file.id = change.id
  `.execute(db)
}

/** Lines of an applied file were read again: its sums are theirs. */
export async function correct(
  { db }: Context<Tx>,
  id: string,
  change: Omit<CountChange, 'id'> & { readonly gross: number; readonly fees: number },
): Promise<void> {
  await sql`
    update payment_service_report_files set unmatched_count = unmatched_count + ${change.unmatched}::int,
      flagged_count = flagged_count + ${change.flagged}::int, gross_amount = gross_amount + ${change.gross}::bigint,
      fee_amount = fee_amount + ${change.fees}::bigint
    where id = ${id}
  `.execute(db)
}
