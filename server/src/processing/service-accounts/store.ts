import { type RawBuilder, sql } from 'kysely'
import { KINDS } from '#connectors/contract/check-connector.ts'
import { type AccountRows, accountRows } from '#platform/database/account-rows.ts'
import type { Context, Db, Scope, Tables, Tx } from '#platform/database/db.ts'
import { earliest } from '#platform/database/sql.ts'
import { updateTable } from '#platform/database/statements.ts'
import type { Reach } from '#platform/http/operation.ts'
import type { Collection, Page } from '#platform/listing/pagination.ts'
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

const SERVICE_COLUMNS = ['display_name', 'active', 'fields', 'secrets', 'deleted_at'] as const

/** What callers set. The store adds the rest. */
export type Settings<Row extends ServiceRow> = Omit<
  Row,
  'id' | 'merchant_account_id' | 'created_at' | 'updated_at' | 'deleted_at'
>

type ServiceTable = {
  [Table in keyof Tables]: Tables[Table] extends ServiceRow ? Table : never
}[keyof Tables]
type OwnColumn<Table extends ServiceTable> = Exclude<keyof Tables[Table], keyof ServiceRow> & string
/** A row as it is read: the columns of every kind, and the named ones. */
type RowOf<Table extends ServiceTable, Own extends OwnColumn<Table>> = ServiceRow & Pick<Tables[Table], Own>

export type ServiceStore<Row extends ServiceRow> = ReturnType<typeof storeOf<Row>>

/** All SQL that tables of service accounts share. `own` are the columns that only this table has. */
export function serviceStore<Table extends ServiceTable, const Own extends OwnColumn<Table>>(
  table: Table,
  own: readonly Own[],
): ServiceStore<RowOf<Table, Own>> {
  const rows = accountRows(table, [...SERVICE_COLUMNS, ...own] as never[])
  return storeOf<RowOf<Table, Own>>(table, rows as unknown as AccountRows<RowOf<Table, Own>>)
}

function storeOf<Row extends ServiceRow>(table: keyof Tables, rows: AccountRows<Row>) {
  const live = { deleted_at: null } as Partial<Row>
  return {
    columns: rows.columns,

    find: (scope: Scope, id: string): Promise<Row | undefined> => rows.find(scope, { ...live, id }),

    /** Locks the row, so that changes of one service are applied in turn. */
    lock: (scope: Scope<Tx>, id: string): Promise<Row | undefined> => rows.lock(scope, { ...live, id }),

    /** For kinds of which an account has one active service. */
    findActive: (scope: Scope): Promise<Row | undefined> => rows.find(scope, { ...live, active: true }),

    /** Services by id, also deleted ones: payments still show their names. */
    findMany: async ({ db }: Context, ids: readonly string[]): Promise<ReadonlyMap<string, Row>> => {
      if (ids.length === 0) return new Map()
      const found = await rows
        .select(db)
        .where('id', 'in', [...new Set(ids)])
        .execute()
      return new Map(found.map((row) => [row.id, row]))
    },

    list: (context: Context, reach: Reach, page: Page): Promise<Collection<Row>> => {
      const query = rows.select(context.db).where('deleted_at', 'is', null)
      return rows.list(context, reach, { ...page, query })
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
    listDeletedWithSecrets: ({ db }: Context, by: Date): Promise<Row[]> =>
      rows.select(db).where('deleted_at', '<=', by).where(sql<boolean>`secrets <> '{}'`).execute(),

    insert: (tx: Scope<Tx>, settings: Settings<Row>): Promise<Row> =>
      rows.insert(tx, { ...settings, deleted_at: null } as never),

    update: (tx: Scope<Tx>, before: Row, changes: Partial<Settings<Row>>): Promise<Row> =>
      rows.update(tx, before, changes as never),

    /** The row stays for the books, and its secrets for open attempts. */
    markDeleted: async (tx: Scope<Tx>, before: Row, changes: Partial<Settings<Row>> = {}): Promise<void> => {
      await rows.update(tx, before, { ...changes, deleted_at: tx.clock() } as never)
    },

    /** Removes the secrets from the row. The caller removes them from the vault. */
    forgetSecrets: async (tx: Scope<Tx>, { id }: Pick<ServiceRow, 'id'>): Promise<void> => {
      await updateTable(
        table,
        { secrets: {} } as never,
        { id, merchant_account_id: tx.merchantAccountId } as never,
      ).execute(tx.db)
    },
  }
}

async function run<Row>(db: Db, statement: RawBuilder<Row>): Promise<Row[]> {
  return (await statement.execute(db)).rows
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
export async function findOrphans({ db }: Pick<Context, 'db'>, registries: Registries): Promise<Orphans[]> {
  const known = KINDS.flatMap((kind) => registries[kind].ids())
  const { rows } = await sql<Orphans>`
    select definition, count(*)::int as services
    from (
      select payment_service_definition_id as definition from payment_services where deleted_at is null
      union all
      select gift_card_service_definition_id from gift_card_services where deleted_at is null
      union all
      select anti_fraud_service_definition_id from anti_fraud_services where deleted_at is null
      union all
      select three_ds_service_definition_id from three_ds_services where deleted_at is null
      union all
      select account_updater_service_definition_id from account_updater_services where deleted_at is null
      union all
      select network_token_service_definition_id from network_token_services where deleted_at is null
    ) as services
    where definition <> all(${known}::text[])
    group by definition order by definition
  `.execute(db)
  return rows
}
