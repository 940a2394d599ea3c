import { type RawBuilder, sql } from 'kysely'
import { createdAt } from '#domain/ids.ts'
import { type Bounds, intersect } from '#platform/listing/bounds.ts'
import type { Ranges } from '../executions/store.ts'
import { type SortKey, sortRows } from '../sort-rows.ts'
import type { TransactionsParams } from '../spec.ts'
import type { Row } from '../spooled-runs.ts'
import type { Model, Reading } from './model.ts'
import {
  type Field,
  TRANSACTION_FIELD_NAMES,
  TRANSACTION_FIELDS,
  type TransactionField,
} from './transaction-fields.ts'
import { asTime, idsUntil, idsWithin, readPages } from './walk.ts'

type Filters = NonNullable<TransactionsParams['filters']>
type Condition = { readonly sql: RawBuilder<unknown>; readonly from?: Field['from'] }

/** Payments, one a line. */
export const transactionsModel: Model = {
  columnsOf: (params) => fieldsOf(params),
  read: (reading) => {
    const params = reading.report.params as TransactionsParams
    const fields = fieldsOf(params)
    const sort = params.sort ?? []
    // Ids are in the order of creation.
    const isByAge = sort.every(({ field }) => field === 'created_at')
    if (isByAge) return readInOrder(reading, fields, sort[0]?.order)
    const columns = [...fields, ...sort.map(({ field }) => field)]
    const keys = sort.map(
      ({ field, order }, index): SortKey => ({
        column: fields.length + index,
        isNumber: 'isNumber' in TRANSACTION_FIELDS[field],
        isDescending: order === 'desc',
      }),
    )
    return withoutKeys(sortRows(readInOrder(reading, columns), keys, reading.spool), fields.length)
  },
}

function fieldsOf(params: TransactionsParams): readonly TransactionField[] {
  return params.fields ?? TRANSACTION_FIELD_NAMES
}

async function* readInOrder(
  reading: Reading,
  names: readonly TransactionField[],
  order: 'asc' | 'desc' = 'asc',
): AsyncGenerator<readonly Row[]> {
  const { report, ranges, until } = reading
  const merchantAccountId = report.merchant_account_id
  const fields = names.map((name): Field => TRANSACTION_FIELDS[name])
  const conditions = conditionsOf((report.params as TransactionsParams).filters ?? {}, ranges)
  const selected = sql.raw(fields.map((field) => field.sql).join(', '))
  const tables = tablesFor([...fields, ...conditions])
  const others = sql.join([sql``, ...conditions.map((one) => one.sql)], sql` and `)
  // A payment is authorized, captured, voided and changed after it is created.
  const ends = ['updated_at', 'authorized_at', 'captured_at', 'voided_at'].map((name) =>
    idsUntil(ranges[name]?.end),
  )
  const bounds = intersect(idsWithin(ranges['created_at'], until), ...ends)
  const read = ({ from, to }: Bounds) =>
    sql`select ${selected} from ${tables}
      where transactions.merchant_account_id = ${merchantAccountId}
        and transactions.id >= ${from} and transactions.id < ${to} ${others}
      order by transactions.id ${sql.raw(order)}`
  for await (const rows of readPages(reading, { table: 'transactions', bounds, order, read })) {
    yield shown(rows, fields)
  }
}

/** Changes the rows in place: there are as many as payments. */
function shown(rows: readonly Row[], fields: readonly Field[]): readonly Row[] {
  const times = fields.flatMap(({ show }, index) => (show ? [{ index, show }] : []))
  for (const row of rows as (string | null)[][]) {
    for (const { index, show } of times) {
      const text = row[index] ?? null
      row[index] = show === 'time' || text === null ? asTime(text) : createdAt(text).toISOString()
    }
  }
  return rows
}

async function* withoutKeys(
  pages: AsyncIterable<readonly Row[]>,
  width: number,
): AsyncGenerator<readonly Row[]> {
  for await (const rows of pages) yield rows.map((row) => row.slice(0, width))
}

function tablesFor(parts: readonly { readonly from?: Field['from'] }[]) {
  const needs = (table: Field['from']) => parts.some(({ from }) => from === table)
  const documents = sql`
    join transaction_documents as documents
      on documents.merchant_account_id = transactions.merchant_account_id and documents.id = transactions.id`
  const services = sql`left join payment_services as service on service.id = transactions.payment_service_id`
  return sql`transactions ${needs('document') ? documents : sql``} ${needs('service') ? services : sql``}`
}

const COLUMN_FILTERS = {
  status: 'status',
  currency: 'currency',
  method: 'method',
  scheme: 'scheme',
  payment_source: 'payment_source',
  three_d_secure_status: 'three_d_secure_status',
  three_d_secure_eci: 'three_d_secure_eci',
  three_d_secure_auth_resp: 'three_d_secure_auth_resp',
  three_d_secure_method: 'three_d_secure_method',
} as const satisfies Partial<Record<keyof Filters, TransactionField>>

const TIME_FILTERS = ['created_at', 'updated_at', 'authorized_at', 'captured_at', 'voided_at'] as const

function conditionsOf(filters: Filters, ranges: Ranges): Condition[] {
  const conditions: Condition[] = []
  for (const [name, field] of Object.entries(COLUMN_FILTERS)) {
    const values = filters[name as keyof typeof COLUMN_FILTERS]
    if (values) conditions.push({ sql: sql`${sql.raw(TRANSACTION_FIELDS[field].sql)} = any(${values})` })
  }
  for (const name of ['merchant_initiated', 'is_subsequent_payment'] as const) {
    const value = filters[name]
    if (value !== undefined) conditions.push({ sql: sql`transactions.${sql.raw(name)} = ${value}` })
  }
  const { metadata } = filters
  if (metadata !== undefined) {
    const pairs = Object.assign({}, ...[metadata].flat())
    conditions.push({
      sql: sql`documents.document->'metadata' @> ${JSON.stringify(pairs)}::jsonb`,
      from: 'document',
    })
  }
  return [...conditions, ...TIME_FILTERS.flatMap((name) => inRange(name, ranges[name]))]
}

/** The creation is in the id, which bounds the walk. */
function inRange(name: (typeof TIME_FILTERS)[number], range: Ranges[string] | undefined): Condition[] {
  if (!range || name === 'created_at') return []
  const column =
    name === 'updated_at'
      ? sql`transactions.updated_at`
      : sql.raw(`(transactions.outcome->>'${name}')::timestamptz`)
  return [
    ...(range.start ? [{ sql: sql`${column} >= ${range.start}::timestamptz` }] : []),
    ...(range.end ? [{ sql: sql`${column} <= ${range.end}::timestamptz` }] : []),
  ]
}
