import { type RawBuilder, sql } from 'kysely'
import type pg from 'pg'
import { firstIdOf } from '#domain/ids.ts'
import type { Db } from '#platform/database/db.ts'
import { type Bounds, HIGHEST, intersect, LOWEST } from '#platform/listing/bounds.ts'
import type { ResolvedRange } from '../schedule.ts'
import type { Row } from '../spooled-runs.ts'
import type { Reading } from './model.ts'

/** How many rows of the table one statement looks at, however few of them match. */
const STEP_MAX = 2_000
/** The first statement looks at few: nothing is known about the size of its rows. */
const STEP_FIRST = 250
/** About how much text one statement may read. */
const PAGE_BYTES = 4 * 1024 ** 2

type Walk = {
  readonly db: Db
  readonly table: 'transactions' | 'payment_service_report_lines'
  readonly merchantAccountId: string
  readonly bounds: Bounds
  readonly order?: 'asc' | 'desc'
  /** How many rows the next range has. */
  readonly step: () => number
  readonly check: Reading['check']
}

type Pages = Pick<Walk, 'table' | 'bounds' | 'order'> & {
  readonly read: (range: Bounds) => RawBuilder<unknown>
}

/**
 * Reads the rows of an account, a page at a time. A page is bounded by the rows of the table and by the text that they have: if
 * a page was large, the next one looks at fewer rows.
 */
export async function* readPages(reading: Source, { read, ...place }: Pages): AsyncGenerator<Row[]> {
  const { db, check, report } = reading
  const merchantAccountId = report.merchant_account_id
  let step = STEP_FIRST
  for await (const range of walk({ ...place, db, check, merchantAccountId, step: () => step })) {
    const rows = await readRows(reading, read(range))
    step = nextStep(step, lengthOf(rows))
    yield rows
  }
}

export function nextStep(step: number, length: number): number {
  const fitting = length === 0 ? STEP_MAX : Math.floor((PAGE_BYTES * step) / length)
  return Math.max(1, Math.min(STEP_MAX, 2 * step, fitting))
}

function lengthOf(rows: readonly Row[]): number {
  let length = 0
  for (const row of rows) for (const text of row) if (text !== null) length += text.length
  return length
}

/**
 * Cuts the rows of an account into short ranges of ids, in order. Each is then read by a statement of its own: no statement
 * is long, and none holds a snapshot while the file is written.
 */
export async function* walk({ bounds, order = 'asc', check, ...place }: Walk): AsyncGenerator<Bounds> {
  let { from, to } = bounds
  while (from < to) {
    check()
    const edge = await edgeOf(place, { from, to }, order)
    if (order === 'asc') {
      yield { from, to: edge ?? to }
      from = edge ?? to
    } else {
      yield { from: edge ?? from, to }
      to = edge ?? from
    }
  }
}

/** The id at which the next range begins. Undefined if there is none. */
async function edgeOf(
  { db, table, merchantAccountId, step }: Omit<Walk, 'bounds' | 'order' | 'check'>,
  { from, to }: Bounds,
  order: 'asc' | 'desc',
): Promise<string | undefined> {
  const { rows } = await sql<{ readonly id: string }>`
    select id from ${sql.table(table)}
    where merchant_account_id = ${merchantAccountId} and id >= ${from} and id < ${to}
    order by id ${sql.raw(order)}
    offset ${order === 'asc' ? step() : step() - 1} limit 1
  `.execute(db)
  // From the end, the range begins with its last row. If that is the very first one, there is no other range.
  return rows[0]?.id === from ? undefined : rows[0]?.id
}

/** The ids of rows that were created within a range of time, and not after `until`. */
export function idsWithin(range: ResolvedRange | undefined, until: Date): Bounds {
  const from = range?.start ? firstIdOf(new Date(range.start)) : LOWEST
  return intersect({ from, to: HIGHEST }, idsUntil(range?.end), idsUntil(until.toISOString()))
}

/** The ids of rows that were created by a time. */
export function idsUntil(end: string | null | undefined): Bounds {
  return { from: LOWEST, to: end ? firstIdOf(new Date(Date.parse(end) + 1)) : HIGHEST }
}

/** Times, numbers and flags as PostgreSQL writes them: to make values of them would cost more than all else. */
const AS_TEXT = { getTypeParser: () => (text: unknown) => text } as unknown as pg.CustomTypesConfig

type Source = Pick<Reading, 'db' | 'pool' | 'report' | 'check'>

export async function readRows(
  { db, pool }: Pick<Source, 'db' | 'pool'>,
  query: RawBuilder<unknown>,
): Promise<Row[]> {
  const { sql: text, parameters } = query.compile(db)
  const { rows } = await pool.query<(string | null)[]>({
    text,
    values: [...parameters],
    rowMode: 'array',
    types: AS_TEXT,
  })
  return rows
}

/** A time as PostgreSQL writes it, as the API does. In UTC only the signs differ, and to make a date would take longest. */
export function asTime(text: string | null): string | null {
  if (text === null) return null
  if (!text.endsWith('+00')) return new Date(text).toISOString()
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${text.slice(20, -3).padEnd(3, '0')}Z`
}
