import { isIP } from 'node:net'
import { type RawBuilder, sql } from 'kysely'
import { errors, inQuery } from '../http/errors.ts'
import { firstMsOf, lastMsOf } from './bounds.ts'
import { anyOf, hidden } from './branches.ts'
import { hasMark, hasMarks, MINUTE_MS, minuteOf } from './marks.ts'
import type { ColumnType, Filter, ListedTable, Range } from './table.ts'

const UUID = /^(?:urn:uuid:)?([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i

type Value = string | number | boolean
type Column = { readonly name: string; readonly type: ColumnType }

/** One of the values, in a column that never changes and has an index `(merchant_account_id, column, id)`. */
export function inColumn(table: ListedTable, { name, type }: Column, given: readonly Value[]): Filter {
  const values = [...new Set(given)].flatMap((value) => asStored(name, type, value) ?? [])
  return {
    sql: sql<boolean>`${ref(table, name)} = ${anyOf(values, type)}`,
    lead: { kind: 'column', column: name, type, values },
  }
}

/** A boolean column that never changes and has an index `(merchant_account_id, column, id)` of the true values. */
export function isInColumn(table: ListedTable, name: string): Filter {
  return {
    sql: sql<boolean>`${ref(table, name)}`,
    lead: { kind: 'column', column: name, type: 'boolean', values: [true] },
  }
}

/**
 * One of the values, in a column that changes. No index may contain such a column, so each value has a mark.
 */
export function inMarkedColumn(
  table: ListedTable,
  name: string,
  given: readonly string[],
  markOf: (value: string) => string,
): Filter {
  const values = [...new Set(given)]
  return {
    sql: sql<boolean>`${ref(table, name)} = ${anyOf(values, 'text')}`,
    lead: { kind: 'marks', values: values.map(markOf) },
  }
}

/** A boolean column that changes. Only true values have a mark. */
export function isInMarkedColumn(table: ListedTable, name: string, mark: string): Filter {
  return { sql: sql<boolean>`${ref(table, name)}`, lead: { kind: 'marks', values: [mark] } }
}

export function withId(table: ListedTable, id: string): Filter {
  return { sql: sql<boolean>`${ref(table, 'id')} = ${hidden(id, 'uuid')}`, lead: { kind: 'id', id } }
}

export function inRange(table: ListedTable, range: Range): Filter {
  const { column, type, from, to } = range
  return {
    sql: sql<boolean>`${ref(table, column)} between ${hidden(from, type)} and ${hidden(to, type)}`,
    lead: { kind: 'range', ...range },
  }
}

/** All updates are within these years. PostgreSQL does not accept every year that a request may name. */
const FIRST_MS = 0
const LAST_MS = Date.UTC(9999, 11, 31)

type Updates = { readonly updated_at_gte?: string | undefined; readonly updated_at_lte?: string | undefined }

/**
 * Last updated within a span of time. `indexedIn` is a table of its own, because no index may contain what changes. It knows
 * the minute of an update, so its rows are compared with the span again.
 */
export function inUpdates(table: ListedTable, indexedIn: string, given: Updates): Filter[] {
  const { updated_at_gte, updated_at_lte } = given
  if (updated_at_gte === undefined && updated_at_lte === undefined) return []
  const from = updated_at_gte === undefined ? FIRST_MS : firstMsOf(updated_at_gte, 'updated_at_gte')
  const to = updated_at_lte === undefined ? LAST_MS : lastMsOf(updated_at_lte, 'updated_at_lte')
  const span = {
    from: new Date(Math.max(from, FIRST_MS)),
    to: new Date(Math.min(Math.max(to, FIRST_MS), LAST_MS)),
  }
  const updated = { column: 'updated_at', type: 'timestamptz', indexedIn } as const
  const exact = inRange(table, { ...updated, ...span })
  const wide = inRange(table, {
    ...updated,
    from: minuteOf(span.from),
    to: new Date(minuteOf(span.to).getTime() + MINUTE_MS),
  })
  return [{ sql: exact.sql }, { ...wide, sql: sql<boolean>`true` }]
}

export function withMark(table: ListedTable, mark: string): Filter {
  return { sql: hasMark(table, mark), looksUp: 'by-key', lead: { kind: 'marks', values: [mark] } }
}

/** All of the marks. Only the first few are leads, because each lead may have to be counted. */
export function withMarks(table: ListedTable, marks: readonly string[], leadsMax: number): Filter[] {
  const others = marks.slice(leadsMax)
  return [
    ...marks.slice(0, leadsMax).map((mark) => withMark(table, mark)),
    ...(others.length > 0 ? [{ sql: hasMarks(table, others), looksUp: 'by-key' as const }] : []),
  ]
}

/** The filter or its opposite. The opposite matches most rows, so it has no lead. */
export function isOrNot(wanted: boolean | undefined, filter: Filter): Filter[] {
  if (wanted === undefined) return []
  if (wanted) return [filter]
  const { looksUp } = filter
  return [{ sql: sql<boolean>`not (${filter.sql})`, ...(looksUp && { looksUp }) }]
}

/** Any of the filters. Each must have a lead. */
export function anyFilter(filters: readonly Filter[]): Filter {
  const conditions = filters.map((filter) => filter.sql)
  return {
    sql: sql<boolean>`(${sql.join(conditions, sql` or `)})`,
    lead: { kind: 'any', leads: filters.flatMap(({ lead }) => lead ?? []) },
  }
}

export function asUuid(text: string): string | undefined {
  return UUID.exec(text)?.[1]?.toLowerCase()
}

/** The value as PostgreSQL writes it. Undefined: no row can have it. */
function asStored(name: string, type: ColumnType, value: Value): Value | undefined {
  if (type === 'uuid') return asUuid(String(value))
  if (type !== 'inet' || (isIP(String(value)) > 0 && !String(value).includes('%'))) return value
  throw errors.invalid(inQuery(`/${name}`, 'value_error.str.regex', 'must be an IPv4 or IPv6 address'))
}

function ref({ name }: ListedTable, column: string): RawBuilder<unknown> {
  return sql.ref(`${name}.${column}`)
}
