import { type RawBuilder, type Selectable, type SelectQueryBuilder, sql } from 'kysely'
import { newId } from '#domain/ids.ts'
import type { Reach } from '../http/operation.ts'
import { paginateAccounts } from '../listing/by-age.ts'
import type { Collection, Page } from '../listing/pagination.ts'
import { laterThan } from '../process/clock.ts'
import type { Context, Db, Scope, Tables, Tx } from './db.ts'
import { countOwn } from './sql.ts'
import { insertInto, updateTable } from './statements.ts'

/** The columns of every table whose rows belong to merchant accounts. */
type Common = {
  readonly id: string
  readonly merchant_account_id: string
  readonly created_at: Date
  readonly updated_at: Date
}

const COMMON = ['id', 'merchant_account_id', 'created_at', 'updated_at'] as const

type AccountTable = {
  [Name in keyof Tables]: Selectable<Tables[Name]> extends Common ? Name : never
}[keyof Tables]
type OwnColumn<Table extends AccountTable> = Exclude<keyof Tables[Table], keyof Common> & string
type RowOf<Table extends AccountTable, Own extends OwnColumn<Table>> = Common &
  Pick<Selectable<Tables[Table]>, Own & keyof Selectable<Tables[Table]>>

/** What a store says of a row. The rest is added here. A list in a JSON column is given as its text. */
type Own<Row> = Omit<Row, keyof Common>
type Nullable<Row> = { [Name in keyof Own<Row>]: null extends Own<Row>[Name] ? Name : never }[keyof Own<Row>]
/** A column that may be null is null if it is left out. */
type NewRow<Row> = Omit<Own<Row>, Nullable<Row>> & { readonly [Name in Nullable<Row>]?: Own<Row>[Name] }
/** Which rows of an account: the one with this id, or those that have all these values. */
type Which<Row> = string | { readonly [Column in keyof Row]?: Row[Column] }

/**
 * The statements that tables of merchant accounts have in common. `own` are the columns besides those that all have. A store
 * takes what its slice needs, and writes what only its slice has.
 */
export function accountRows<Table extends AccountTable, const Column extends OwnColumn<Table>>(
  table: Table,
  own: readonly Column[],
) {
  const columns = [...COMMON, ...own]
  return {
    ...reads<RowOf<Table, Column>>(table, columns),
    ...writes<RowOf<Table, Column>>(table, columns),
  }
}

export type AccountRows<Row extends Common> = ReturnType<typeof reads<Row>> & ReturnType<typeof writes<Row>>

function reads<Row extends Common>(table: keyof Tables, columns: readonly string[]) {
  const read = (db: Db, rest: RawBuilder<unknown>): Promise<Row[]> =>
    run(db, sql<Row>`select ${listed(columns)} from ${sql.table(table)} where ${rest}`)
  const select = (db: Db) =>
    // The query builder is told of one table, because it cannot infer from a name that it learns later.
    db
      .selectFrom(table as 'buyers')
      .select(columns.map((name) => `${table}.${name}` as never)) as unknown as Query<Row>

  return {
    columns: columns as readonly (keyof Row & string)[],

    find: async (scope: Scope, which: Which<Row>): Promise<Row | undefined> =>
      (await read(scope.db, ofAccount(scope, which)))[0],

    /** Locks the row, so that its changes are applied in turn. */
    lock: async (scope: Scope<Tx>, which: Which<Row>): Promise<Row | undefined> =>
      (await read(scope.db, sql`${ofAccount(scope, which)} for update`))[0],

    /** A row of any account, for callers that do not know whose it is. */
    findAnywhere: async ({ db }: Context, id: string): Promise<Row | undefined> =>
      (await read(db, sql`id = ${id}`))[0],

    /** Newest first. */
    newest: (scope: Scope, which: Which<Row>, condition: RawBuilder<unknown> = sql`true`): Promise<Row[]> =>
      read(scope.db, sql`${ofAccount(scope, which)} and ${condition} order by created_at desc, id desc`),

    /** How many rows the account has. The number holds until the transaction ends. */
    count: (tx: Scope<Tx>): Promise<number> => countOwn(tx, table),

    /** For a list that has filters. */
    select,

    /** A page of the rows of these accounts, newest first. */
    list: (
      { db, mac }: Context,
      reach: Reach,
      { query = select(db), ...page }: Page & { readonly query?: Query<Row> },
    ): Promise<Collection<Row>> => {
      const list = { name: table.replaceAll('_', '-'), page, mac, query, table }
      return paginateAccounts(list, { db, reach }, (row: Row) => row)
    },
  }
}

function writes<Row extends Common>(table: keyof Tables, columns: readonly string[]) {
  const remove = (scope: Scope<Tx>, which: Which<Row>): Promise<Row[]> => {
    const statement = sql`delete from ${sql.table(table)} where ${ofAccount(scope, which)}`
    return run(scope.db, sql<Row>`${statement} returning ${listed(columns)}`)
  }
  return {
    insert: async ({ db, clock, merchantAccountId }: Scope<Tx>, own: NewRow<Row>): Promise<Row> => {
      const now = clock()
      const id = newId(now.getTime())
      const row = { ...own, id, merchant_account_id: merchantAccountId, created_at: now, updated_at: now }
      return only(await run(db, sql<Row>`${insertInto(table, row as never)} returning ${listed(columns)}`))
    },

    /** The caller has locked the row, or alone changes it. */
    update: async ({ db, clock }: Context, before: Row, change: Partial<Own<Row>>): Promise<Row> => {
      const { id, merchant_account_id } = before
      const changed = { ...change, updated_at: laterThan(before, clock()) }
      const statement = updateTable(table, changed as never, { id, merchant_account_id } as never)
      return only(await run(db, sql<Row>`${statement} returning ${listed(columns)}`))
    },

    /** Returns what was there. */
    remove: async (scope: Scope<Tx>, which: Which<Row>): Promise<Row | undefined> =>
      (await remove(scope, which))[0],
    removeAll: remove,
  }
}

// biome-ignore lint/suspicious/noExplicitAny: filters name columns of any table, as long as the output is a row
type Query<Row> = SelectQueryBuilder<any, any, Row>

function ofAccount({ merchantAccountId }: Scope, which: string | object): RawBuilder<unknown> {
  const values = typeof which === 'string' ? { id: which } : which
  // It would not match what is there, or match more than meant.
  if (Object.values(values).includes(undefined)) throw new Error('a value that rows are to have is missing')
  const conditions = Object.entries({ merchant_account_id: merchantAccountId, ...values }).map(
    ([name, value]) => (value === null ? sql`${sql.ref(name)} is null` : sql`${sql.ref(name)} = ${value}`),
  )
  return sql.join(conditions, sql` and `)
}

function listed(columns: readonly string[]): RawBuilder<unknown> {
  return sql.join(columns.map((column) => sql.ref(column)))
}

async function run<Row>(db: Db, statement: RawBuilder<Row>): Promise<Row[]> {
  return (await statement.execute(db)).rows
}

function only<Row>([row]: readonly Row[]): Row {
  if (!row) throw new Error('the row that was written is missing')
  return row
}
