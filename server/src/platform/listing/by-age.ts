import { type SelectQueryBuilder, sql } from 'kysely'
import type { Context, Db, Tables } from '../database/db.ts'
import type { Reach } from '../http/operation.ts'
import { across, type Branch, eachAccount } from './branches.ts'
import { type Collection, type Page, type Slice, turnPage } from './pagination.ts'

type Row = { readonly id: string; readonly created_at: Date }

// biome-ignore lint/suspicious/noExplicitAny: any joined tables will do, as long as the output has the two columns
type AnyRowQuery<Output extends Row> = SelectQueryBuilder<any, any, Output>

/**
 * The columns that give the order. Ids alone are enough for tables whose ids hold the time, if their index is
 * sorted by id.
 */
type Key = readonly ('created_at' | 'id')[]

const AGE: Key = ['created_at', 'id']

type List<Output extends Row> = {
  /** Names the list, so that a cursor of one list does not fit another. */
  readonly name: string
  readonly query: AnyRowQuery<Output>
  /** The table whose columns give the order. */
  readonly table: keyof Tables & string
  readonly page: Page
  /** Signs cursors. */
  readonly mac: Context['mac']
}

/**
 * A list along one index: by position, never by offset, so that pages stay stable while rows are added and
 * removed.
 */
export function paginate<Output extends Row, Item>(
  { query, table, key, ...list }: List<Output> & { readonly key?: Key },
  toItem: (row: Output) => Item,
): Promise<Collection<Item>> {
  return turnPage(list, (slice) => cut(query, table, slice, key).execute(), toItem)
}

/** A list of rows that belong to merchant accounts. */
export function paginateAccounts<Output extends Row, Item>(
  { query, table, ...list }: List<Output>,
  { db, reach }: { readonly db: Db; readonly reach: Reach },
  toItem: (row: Output) => Item,
): Promise<Collection<Item>> {
  const account = sql.ref(`${table}.merchant_account_id`)
  return turnPage(list, (slice) => select(slice).execute(), toItem)

  function select(slice: Slice): AnyRowQuery<Output> {
    if (reach === 'all') return cut(query.where(overAllAccounts(table)), table, slice)
    if (reach.length === 1) return cut(query.where(sql<boolean>`${account} = ${reach[0]}`), table, slice)
    return walkEach({ db, table, query, each: { merchant_account_id: eachAccount(reach) } }, slice)
  }
}

/**
 * Always true. It is the condition of the indexes by age over all accounts, so that only a list over all
 * accounts can use them. With wrong statistics, the planner would otherwise read the rows of all accounts for
 * a list of one.
 */
export function overAllAccounts(table: string) {
  return sql<boolean>`${sql.ref(`${table}.created_at`)} > '-infinity'`
}

type Walks<Output extends Row> = Pick<List<Output>, 'table' | 'query'> & {
  readonly db: Db
  /** The values to walk along, by their column. */
  readonly each: Readonly<Record<string, Branch>>
  /** Whether the list includes rows without an account. */
  readonly hasInstallation?: boolean
}

/**
 * One index walk for each combination of values, merged. One walk over several values could not follow the
 * order of age, or would read all rows to find a rare value.
 */
export function walkEach<Output extends Row>(
  { db, table, query, each, hasInstallation = false }: Walks<Output>,
  slice: Slice,
): AnyRowQuery<Output> {
  const own = Object.entries(each).reduce(
    (walk, [column, { value }]) => walk.where(sql<boolean>`${sql.ref(`${table}.${column}`)} = ${value}`),
    query,
  )
  const walk = cut(own, table, slice)
  const all = across(Object.values(each), sql`${walk}`)
  if (!all && !hasInstallation) return walk
  const owned = all ? sql`select found.* from ${all}` : sql`(${walk})`
  const others = hasInstallation ? sql`union all (${ofNoAccount(query, table, slice)})` : sql``
  const found = sql<Output>`(${owned} ${others})`
  const merged = db.selectFrom(found.as(table)).selectAll(table as never)
  return inOrder(merged as unknown as AnyRowQuery<Output>, table, slice)
}

/**
 * The account is null in all of them, but part of the order. Otherwise the planner does not see that the
 * index has this order.
 */
function ofNoAccount<Output extends Row>(query: AnyRowQuery<Output>, table: string, slice: Slice) {
  const account = `${table}.merchant_account_id`
  const ofNone = query
    .where(sql<boolean>`${sql.ref(account)} is null`)
    .orderBy(account, slice.direction === 'desc' ? 'asc' : 'desc')
  return cut(ofNone, table, slice)
}

/** The rows of a slice, from a query on `table`. */
export function cut<Output extends Row>(
  query: AnyRowQuery<Output>,
  table: string,
  slice: Slice,
  key: Key = AGE,
): AnyRowQuery<Output> {
  const { position } = slice
  if (!position) return inOrder(query, table, slice, key)
  const operator = { older: '<', newer: '>', 'newer-or-same': '>=' } as const
  const columns = key.map((column) => sql.ref(`${table}.${column}`))
  const values = key.map((column) => (column === 'id' ? sql`${position.id}` : sql`${position.at}`))
  const isBeyond = sql<boolean>`(${sql.join(columns)}) ${sql.raw(operator[position.go])} (${sql.join(values)})`
  return inOrder(query.where(isBeyond), table, slice, key)
}

/** Sorts and limits rows that are already beyond the position of the slice. */
export function inOrder<Output extends Row>(
  query: AnyRowQuery<Output>,
  table: string,
  { direction, limit }: Slice,
  key: Key = AGE,
): AnyRowQuery<Output> {
  return (
    key
      .reduce((sorted, column) => sorted.orderBy(`${table}.${column}`, direction), query)
      // A literal: with an unknown limit, PostgreSQL would plan the statement again each time.
      .limit(sql.lit(limit))
  )
}
