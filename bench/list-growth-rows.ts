import type pg from 'pg'

export const MAIN_ACCOUNT = 'default'
/** Holds one row in ten. */
export const SECOND_ACCOUNT = 'second'
export const SMALL_ACCOUNT = 'small'
export const SMALL_ROWS = 5
const PERIOD_MS = 365 * 24 * 3_600_000
const RARE_NAME = 'Zyxwald'
const FIRST_NAMES = ['Anna', 'Ben', 'Clara', 'David', 'Emma', 'Felix', 'Greta', 'Hugo', 'Ida', 'Jonas']
const LAST_NAMES = ['Berg', 'Dorn', 'Fuchs', 'Gross', 'Huber', 'Jung', 'Koch', 'Lang', 'Meyer', 'Nowak']

/** The rows of a database as a rule from index to content, which both programs and SQL can follow. */
export type Rows = { readonly count: number; readonly startMs: number; readonly stepMs: number }

/** Adds rows to tables. */
export type Fill = (client: pg.Client, rows: Rows, progress: (text: string) => void) => Promise<void>

export function rowsOf(count: number): Rows {
  return { count, startMs: Date.now() - PERIOD_MS, stepMs: Math.floor(PERIOD_MS / count) }
}

export function createdAt({ startMs, stepMs }: Rows, index: number): Date {
  return new Date(startMs + index * stepMs)
}

/** The same layout as the service's own ids: the time first. */
export function idOf(rows: Rows, index: number): string {
  const time = createdAt(rows, index).getTime().toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-${index.toString(16).padStart(12, '0')}`
}

/** One in 100 has a given name, one in 25,000 also a given number after it, three of all the rare name. */
export function nameOf({ count }: Rows, index: number): string {
  const isRare = index % Math.floor(count / 3) === 17
  const last = isRare ? RARE_NAME : LAST_NAMES[Math.floor(index / 10) % 10]
  return `${FIRST_NAMES[index % 10]} ${last} ${Math.floor(index / 100) % 250}`
}

export function emailOf(rows: Rows, index: number): string {
  return `${nameOf(rows, index).replaceAll(' ', '.').toLowerCase()}@shop.example`
}

/** Of buyers and payment methods alike. */
export function referenceOf(index: number): string {
  return `customer-${index}`
}

export function sqlTime(index: string): string {
  return `to_timestamp((start_ms + ${index} * step_ms) / 1000.0)`
}

/** The account of a row, by its `index`. The first parameter is the count of rows. */
export const SQL_ACCOUNT = `case when index % ($1::bigint / ${SMALL_ROWS}) = 1 then '${SMALL_ACCOUNT}'
  when index % 10 = 9 then '${SECOND_ACCOUNT}' else '${MAIN_ACCOUNT}' end`

/** An `index` for each row, and the `rule` for their times. Its parameters are count, start and step. */
export const SERIES = `generate_series(0, $1::bigint - 1) as index,
  (select $2::bigint as start_ms, $3::bigint as step_ms) as rule`

/** What `idOf` makes. */
export function sqlId(index: string): string {
  const time = `lpad(to_hex(start_ms + ${index} * step_ms), 12, '0')`
  return `(${time} || '70008000' || lpad(to_hex(${index}::bigint), 12, '0'))::uuid`
}
