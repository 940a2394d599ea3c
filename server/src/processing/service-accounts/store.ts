import { type Kysely, type RawBuilder, sql } from 'kysely'
import { newId } from '#domain/ids.ts'
import type { Secrets } from '#platform/access/secrets.ts'
import type { Context, Db, Scope, Tables, Tx } from '#platform/database/db.ts'
import { earliest } from '#platform/database/sql.ts'
import { insertInto, updateTable } from '#platform/database/statements.ts'
import type { Reach } from '#platform/http/operation.ts'
import { paginateAccounts } from '#platform/listing/by-age.ts'
import type { Collection, Page } from '#platform/listing/pagination.ts'
import { laterThan } from '#platform/process/clock.ts'
import type { Registries } from '../connectors.ts'
import type { Kept, RecordChange } from './fields.ts'

/** The columns of every table of service accounts. A kind adds its definition and its own columns. */
export type ServiceRow = Kept & {
  readonly id: string
  readonly merchant_account_id: string
  readonly display_name: string
  readonly active: boolean
  readonly created_at: Date
  readonly updated_at: Date
  /** The row of a deleted service stays for the books. */
  readonly deleted_at: Date | null
}

export const SERVICE_COLUMNS = [
  'id',
  'merchant_account_id',
  'display_name',
  'active',
  'fields',
  'secrets',
  'created_at',
  'updated_at',
  'deleted_at',
] as const satisfies readonly (keyof ServiceRow)[]

/** What callers set. The store adds the rest. */
export type Settings<Row extends ServiceRow> = Omit<
  Row,
  'id' | 'merchant_account_id' | 'created_at' | 'updated_at' | 'deleted_at'
>

type Deleted = Pick<ServiceRow, 'id' | 'merchant_account_id' | 'secrets'>

type ServiceTable = {
  [Table in keyof Tables]: Tables[Table] extends ServiceRow ? Table : never
}[keyof Tables]
type OwnColumn<Table extends ServiceTable> = Exclude<keyof Tables[Table], keyof ServiceRow> & string
/** A row as it is read: the columns of every kind, and the named ones. */
type RowOf<Table extends ServiceTable, Own extends OwnColumn<Table>> = ServiceRow & Pick<Tables[Table], Own>

export type ServiceStore<Row extends ServiceRow> = ReturnType<typeof reads<Row>> &
  ReturnType<typeof writes<Row>>

/** All SQL that tables of service accounts share. `own` are the columns that only this table has. */
export function serviceStore<Table extends ServiceTable, const Own extends OwnColumn<Table>>(
  table: Table,
  own: readonly Own[],
): ServiceStore<RowOf<Table, Own>> {
  const columns = [...SERVICE_COLUMNS, ...own]
  return { ...reads<RowOf<Table, Own>>(table, columns), ...writes<RowOf<Table, Own>>(table, columns) }
}

function reads<Row extends ServiceRow>(table: keyof Tables, columns: readonly string[]) {
  const selection = sql`select ${listed(columns)} from ${sql.table(table)}`
  const rows = (db: Db, condition: RawBuilder<unknown>): Promise<Row[]> =>
    run(db, sql<Row>`${selection} where ${condition}`)
  const live = ({ merchantAccountId }: Scope) =>
    sql`merchant_account_id = ${merchantAccountId} and deleted_at is null`

  return {
    find: async (scope: Scope, id: string): Promise<Row | undefined> =>
      (await rows(scope.db, sql`${live(scope)} and id = ${id}`))[0],

    /** Locks the row, so that changes of one service are applied in turn. */
    lock: async (scope: Scope<Tx>, id: string): Promise<Row | undefined> =>
      (await rows(scope.db, sql`${live(scope)} and id = ${id} for update`))[0],

    /** For kinds of which an account has one active service. */
    findActive: async (scope: Scope): Promise<Row | undefined> =>
      (await rows(scope.db, sql`${live(scope)} and active`))[0],

    /** Services by id, also deleted ones: payments still show their names. */
    findMany: async ({ db }: Context, ids: readonly string[]): Promise<ReadonlyMap<string, Row>> => {
      if (ids.length === 0) return new Map()
      const found = await rows(db, sql`id = any(${[...new Set(ids)]}::uuid[])`)
      return new Map(found.map((row) => [row.id, row]))
    },

    list: ({ db }: Context, secrets: Secrets, reach: Reach, page: Page): Promise<Collection<Row>> => {
      // The query builder is told of one table, because it cannot infer from a name that it learns later.
      const query = (db as unknown as Kysely<{ services: ServiceRow }>)
        .selectFrom(table as 'services')
        .select(columns as (keyof ServiceRow)[])
        .where('deleted_at', 'is', null)
      const list = { name: table.replaceAll('_', '-'), page, secrets, query, table }
      return paginateAccounts(list, { db, reach }, (row) => row as Row)
    },

    /** Whether any account has, or ever had, one. */
    isAny: async ({ db }: Context): Promise<boolean> =>
      (await run(db, sql`select from ${sql.table(table)} limit 1`)).length > 0,

    /** When the first of the services that were deleted after a time, and still have secrets, was deleted. */
    nextDeletion: (context: Context, after: Date): Promise<Date | null> =>
      earliest(
        context,
        sql`select min(deleted_at) as at from ${sql.table(table)} where deleted_at > ${after} and secrets <> '{}'`,
      ),

    /** Services of all accounts that were deleted by a time and still have secrets. */
    listDeletedWithSecrets: ({ db }: Context, by: Date): Promise<Deleted[]> =>
      rows(db, sql`deleted_at <= ${by} and secrets <> '{}'`),
  }
}

function writes<Row extends ServiceRow>(table: keyof Tables, columns: readonly string[]) {
  const change = async (
    { db, merchantAccountId }: Scope<Tx>,
    { id }: Pick<ServiceRow, 'id'>,
    changes: Partial<ServiceRow>,
  ): Promise<Row> => {
    const statement = updateTable(table, changes, { id, merchant_account_id: merchantAccountId })
    return only(await run(db, sql<Row>`${statement} returning ${listed(columns)}`))
  }

  return {
    insert: async ({ db, clock, merchantAccountId }: Scope<Tx>, settings: Settings<Row>): Promise<Row> => {
      const now = clock()
      const row = {
        ...settings,
        id: newId(now.getTime()),
        merchant_account_id: merchantAccountId,
        created_at: now,
        updated_at: now,
        deleted_at: null,
      }
      return only(await run(db, sql<Row>`${insertInto(table, row as never)} returning ${listed(columns)}`))
    },

    update: (scope: Scope<Tx>, before: Row, changes: Partial<Settings<Row>>): Promise<Row> =>
      change(scope, before, { ...changes, updated_at: laterThan(before, scope.clock()) }),

    /** The row stays for the books, and its secrets for open attempts. */
    markDeleted: async (
      scope: Scope<Tx>,
      before: Row,
      changes: Partial<Settings<Row>> = {},
    ): Promise<void> => {
      const now = scope.clock()
      await change(scope, before, { ...changes, deleted_at: now, updated_at: laterThan(before, now) })
    },

    /** Removes the secrets from the row. The caller removes them from the vault. */
    forgetSecrets: async (scope: Scope<Tx>, deleted: Pick<ServiceRow, 'id'>): Promise<void> => {
      await change(scope, deleted, { secrets: {} })
    },
  }
}

function listed(columns: readonly string[]): RawBuilder<unknown> {
  return sql.join(columns.map((column) => sql.ref(column)))
}

async function run<Row>(db: Db, statement: RawBuilder<Row>): Promise<Row[]> {
  return (await statement.execute(db)).rows
}

function only<Row>([row]: readonly Row[]): Row {
  if (!row) throw new Error('the row of a locked service is missing')
  return row
}

/** The names of a kind of provider account. */
export type Names<Definition extends string = string> = {
  /** As in `gift-card-service`: its `type` in the API and in the audit log. Its paths begin with the plural. */
  readonly type: string
  /** As in `gift card service`, for messages. */
  readonly name: string
  /** The column, and the field of a request, that names the connector. */
  readonly definition: Definition
}

/** How many attempts at a service are undecided. */
export type CountOpen = (scope: Scope, id: string) => Promise<number>

export type Named<Definition extends string> = ServiceRow & Readonly<Record<Definition, string>>

/**
 * A kind of provider account: its table, its names, and its differences from the others. A slice declares its
 * own in `store.ts`. `Own` is what its requests have beyond those of every kind.
 */
export type Kind<
  Definition extends string,
  Row extends Named<Definition>,
  Own = unknown,
> = Names<Definition> &
  ServiceStore<Row> & {
    readonly record: RecordChange
    /** The index that refuses a second active service, if an account can have only one. */
    readonly oneActive?: string
    /** Left out if providers of this kind answer everything at once, so that nothing stays open. */
    readonly countOpenAt?: CountOpen
    /** The kind's own columns. Fields that a request leaves out, or sends as null, stay as they were. */
    readonly settings?: (request: Own, before: Row | undefined) => Partial<Row>
  }

type Orphans = { readonly definition: string; readonly services: number }

/** Services whose connector this installation does not offer: its package is no longer named, or its version is another. */
export async function findOrphans(
  { db }: Pick<Context, 'db'>,
  { connectors, giftCards, antiFraud }: Registries,
): Promise<Orphans[]> {
  const known = [...connectors.list, ...giftCards.list, ...antiFraud.list].map(({ manifest }) => manifest.id)
  const { rows } = await sql<Orphans>`
    select definition, count(*)::int as services
    from (
      select payment_service_definition_id as definition from payment_services where deleted_at is null
      union all
      select gift_card_service_definition_id from gift_card_services where deleted_at is null
      union all
      select anti_fraud_service_definition_id from anti_fraud_services where deleted_at is null
    ) as services
    where definition <> all(${known}::text[])
    group by definition order by definition
  `.execute(db)
  return rows
}
