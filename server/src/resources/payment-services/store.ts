import { sql } from 'kysely'
import { newId } from '../../domain/ids.ts'
import { laterThan } from '../../domain/later-than.ts'
import type { Context, Db, Scope, Tx } from '../../platform/db.ts'
import type { Reach } from '../../platform/operation.ts'
import { type Collection, paginateAccounts } from '../../platform/pagination.ts'
import type { Secrets } from '../../platform/secrets.ts'
import type { MerchantProfileSummary, PaymentService, PaymentServiceFilters } from './schemas.ts'

declare module '../../platform/db.ts' {
  interface Tables {
    payment_services: {
      id: string
      merchant_account_id: string
      payment_service_definition_id: string
      method: string
      display_name: string
      active: boolean
      position: number
      status: PaymentService['status']
      accepted_currencies: string[]
      accepted_countries: string[]
      fields: Readonly<Record<string, string>>
      secrets: Readonly<Record<string, string>>
      reporting_fields: Readonly<Record<string, string>>
      reporting_secrets: Readonly<Record<string, string>>
      three_d_secure_enabled: boolean
      merchant_profile: MerchantProfileSummary | null
      payment_method_tokenization_enabled: boolean
      network_tokens_enabled: boolean
      open_loop: boolean
      settlement_reporting_enabled: boolean
      created_at: Date
      updated_at: Date
      deleted_at: Date | null
    }
  }
}

const COLUMNS = [
  'id',
  'merchant_account_id',
  'payment_service_definition_id',
  'method',
  'display_name',
  'active',
  'position',
  'status',
  'accepted_currencies',
  'accepted_countries',
  'fields',
  'secrets',
  'reporting_fields',
  'reporting_secrets',
  'three_d_secure_enabled',
  'merchant_profile',
  'payment_method_tokenization_enabled',
  'network_tokens_enabled',
  'open_loop',
  'settlement_reporting_enabled',
  'created_at',
  'updated_at',
  'deleted_at',
] as const

const ALL_COLUMNS = sql.raw(COLUMNS.join(', '))

const WORKING_COLUMNS = [
  'id',
  'merchant_account_id',
  'payment_service_definition_id',
  'method',
  'display_name',
  'fields',
  'secrets',
  'three_d_secure_enabled',
  'merchant_profile',
  'updated_at',
  'deleted_at',
] as const

/** A payment service as it is stored. Its secrets are tokens of the vault, which never leave the server. */
export type StoredService = Awaited<ReturnType<ReturnType<typeof select>['executeTakeFirstOrThrow']>>

export type Settings = Omit<
  StoredService,
  'id' | 'merchant_account_id' | 'status' | 'created_at' | 'updated_at' | 'deleted_at'
>

export async function insert(
  { db, clock, merchantAccountId }: Scope<Tx>,
  settings: Settings,
): Promise<StoredService> {
  const now = clock()
  return db
    .insertInto('payment_services')
    .values({
      ...settings,
      id: newId(now.getTime()),
      merchant_account_id: merchantAccountId,
      status: 'created',
      created_at: now,
      updated_at: now,
      deleted_at: null,
    })
    .returning(COLUMNS)
    .executeTakeFirstOrThrow()
}

export function find({ db, merchantAccountId }: Scope, id: string): Promise<StoredService | undefined> {
  return select(db)
    .where('merchant_account_id', '=', merchantAccountId)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
}

/** Holds the row, so that changes of one service are applied in turn. */
export function lock({ db, merchantAccountId }: Scope<Tx>, id: string): Promise<StoredService | undefined> {
  return select(db)
    .where('merchant_account_id', '=', merchantAccountId)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
}

export function list(
  { db }: Context,
  secrets: Secrets,
  reach: Reach,
  filters: PaymentServiceFilters,
): Promise<Collection<StoredService>> {
  let query = select(db).where('deleted_at', filters.deleted ? 'is not' : 'is', null)
  if (filters.method) query = query.where('method', '=', filters.method)
  const list = { name: 'payment-services', page: filters, secrets, query, table: 'payment_services' } as const
  return paginateAccounts(list, { db, reach }, (row) => row)
}

/** Together with who is to be asked about payments first, if anybody: one question to the database for both. */
export type ActiveService = StoredService & { readonly anti_fraud_service_id: string | null }

/** Those that a payment by this method can go to, in the order in which they are tried. Written out: every payment asks. */
export async function listActive({ db, merchantAccountId }: Scope, method: string): Promise<ActiveService[]> {
  const { rows } = await sql<ActiveService>`
    select ${ALL_COLUMNS}, (
      select id from anti_fraud_services
      where merchant_account_id = ${merchantAccountId} and active and deleted_at is null
    ) as anti_fraud_service_id
    from payment_services
    where merchant_account_id = ${merchantAccountId} and method = ${method} and active and status = 'created'
      and deleted_at is null
    order by position, created_at, id
  `.execute(db)
  return rows
}

/** What it takes to work with a service, without the long lists of what it accepts. */
export type WorkingService = Pick<StoredService, (typeof WORKING_COLUMNS)[number]>

/** Services by id, deleted ones too: what once went through one still shows its name. */
export async function findMany(
  { db }: Context,
  ids: readonly string[],
): Promise<ReadonlyMap<string, WorkingService>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('payment_services')
    .select(WORKING_COLUMNS)
    .where('id', 'in', [...new Set(ids)])
    .execute()
  return new Map(rows.map((row) => [row.id, row]))
}

/** Where a new service comes last. */
export async function nextPosition({ db, merchantAccountId }: Scope): Promise<number> {
  const row = await db
    .selectFrom('payment_services')
    .select((eb) => eb.fn.max('position').as('last'))
    .where('merchant_account_id', '=', merchantAccountId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return (row?.last ?? 0) + 1
}

/** Whether there is any, or ever was, in any account. */
export async function isAny({ db }: Context): Promise<boolean> {
  const row = await db.selectFrom('payment_services').select('id').limit(1).executeTakeFirst()
  return row !== undefined
}

export async function update(
  scope: Scope<Tx>,
  before: StoredService,
  changes: Partial<Settings>,
): Promise<StoredService> {
  return own(scope, before)
    .set({ ...changes, updated_at: laterThan(before, scope.clock()) })
    .returning(COLUMNS)
    .executeTakeFirstOrThrow()
}

/** The row stays for the books, and its secrets for what is still open. */
export async function markDeleted(scope: Scope<Tx>, before: StoredService): Promise<void> {
  const now = scope.clock()
  await own(scope, before)
    .set({ reporting_secrets: {}, deleted_at: now, updated_at: laterThan(before, now) })
    .execute()
}

type Deleted = Pick<StoredService, 'id' | 'merchant_account_id' | 'secrets'>

/** Services of all accounts that were deleted by then and still have secrets. */
export function listDeletedWithSecrets({ db }: Context, by: Date): Promise<Deleted[]> {
  return db
    .selectFrom('payment_services')
    .select(['id', 'merchant_account_id', 'secrets'])
    .where('deleted_at', '<=', by)
    .where(sql<boolean>`secrets <> '{}'`)
    .execute()
}

/** Takes the secrets out of the row. The caller removes them from the vault. */
export async function forgetSecrets(scope: Scope<Tx>, deleted: Deleted): Promise<void> {
  await own(scope, deleted).set({ secrets: {} }).execute()
}

function own({ db, merchantAccountId }: Scope<Tx>, { id }: Pick<StoredService, 'id'>) {
  return db
    .updateTable('payment_services')
    .where('merchant_account_id', '=', merchantAccountId)
    .where('id', '=', id)
}

function select(db: Db) {
  return db.selectFrom('payment_services').select(COLUMNS)
}
