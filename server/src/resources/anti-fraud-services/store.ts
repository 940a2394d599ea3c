import { sql } from 'kysely'
import { newId } from '../../domain/ids.ts'
import { laterThan } from '../../domain/later-than.ts'
import type { Context, Db, Scope, Tx } from '../../platform/db.ts'
import type { Reach } from '../../platform/operation.ts'
import { type Collection, paginateAccounts } from '../../platform/pagination.ts'
import type { Secrets } from '../../platform/secrets.ts'
import type { AntiFraudServiceFilters } from './schemas.ts'

declare module '../../platform/db.ts' {
  interface Tables {
    anti_fraud_services: {
      id: string
      merchant_account_id: string
      anti_fraud_service_definition_id: string
      display_name: string
      active: boolean
      reviews_enabled: boolean
      fields: Readonly<Record<string, string>>
      secrets: Readonly<Record<string, string>>
      created_at: Date
      updated_at: Date
      deleted_at: Date | null
    }
  }
}

const COLUMNS = [
  'id',
  'merchant_account_id',
  'anti_fraud_service_definition_id',
  'display_name',
  'active',
  'reviews_enabled',
  'fields',
  'secrets',
  'created_at',
  'updated_at',
  'deleted_at',
] as const

/** An anti-fraud service as it is stored. Its secrets are tokens of the vault, which never leave the server. */
export type StoredService = Awaited<ReturnType<ReturnType<typeof select>['executeTakeFirstOrThrow']>>

export type Settings = Pick<
  StoredService,
  'anti_fraud_service_definition_id' | 'display_name' | 'active' | 'reviews_enabled' | 'fields' | 'secrets'
>

/** The name of the index that refuses a second active service. */
export const ONE_ACTIVE = 'anti_fraud_services_one_active'

export function insert(
  { db, clock, merchantAccountId }: Scope<Tx>,
  settings: Settings,
): Promise<StoredService> {
  const now = clock()
  return db
    .insertInto('anti_fraud_services')
    .values({
      ...settings,
      id: newId(now.getTime()),
      merchant_account_id: merchantAccountId,
      created_at: now,
      updated_at: now,
      deleted_at: null,
    })
    .returning(COLUMNS)
    .executeTakeFirstOrThrow()
}

export function find(scope: Scope, id: string): Promise<StoredService | undefined> {
  return live(scope).where('id', '=', id).executeTakeFirst()
}

/** Holds the row, so that changes of one service are applied in turn. */
export function lock(scope: Scope<Tx>, id: string): Promise<StoredService | undefined> {
  return live(scope).where('id', '=', id).forUpdate().executeTakeFirst()
}

/** The one that is asked about payments. */
export function findActive(scope: Scope): Promise<StoredService | undefined> {
  return live(scope).where('active', '=', true).executeTakeFirst()
}

/** Services by id, deleted ones too: what one once decided still shows its name. */
export async function findMany(
  { db }: Context,
  ids: readonly string[],
): Promise<ReadonlyMap<string, StoredService>> {
  if (ids.length === 0) return new Map()
  const rows = await select(db)
    .where('id', 'in', [...new Set(ids)])
    .execute()
  return new Map(rows.map((row) => [row.id, row]))
}

export function list(
  { db }: Context,
  secrets: Secrets,
  reach: Reach,
  page: AntiFraudServiceFilters,
): Promise<Collection<StoredService>> {
  const query = select(db).where('deleted_at', 'is', null)
  const list = { name: 'anti-fraud-services', page, secrets, query, table: 'anti_fraud_services' } as const
  return paginateAccounts(list, { db, reach }, (row) => row)
}

export function update(
  scope: Scope<Tx>,
  before: StoredService,
  changes: Partial<Settings>,
): Promise<StoredService> {
  return own(scope, before)
    .set({ ...changes, updated_at: laterThan(before, scope.clock()) })
    .returning(COLUMNS)
    .executeTakeFirstOrThrow()
}

/** The row stays for the books, and its secrets for payments that had begun before. */
export async function markDeleted(scope: Scope<Tx>, before: StoredService): Promise<void> {
  const now = scope.clock()
  await own(scope, before)
    .set({ deleted_at: now, updated_at: laterThan(before, now) })
    .execute()
}

type Deleted = Pick<StoredService, 'id' | 'merchant_account_id' | 'secrets'>

/** Services of all accounts that were deleted by then and still have secrets. */
export function listDeletedWithSecrets({ db }: Context, by: Date): Promise<Deleted[]> {
  return db
    .selectFrom('anti_fraud_services')
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
    .updateTable('anti_fraud_services')
    .where('merchant_account_id', '=', merchantAccountId)
    .where('id', '=', id)
}

function live({ db, merchantAccountId }: Scope) {
  return select(db).where('merchant_account_id', '=', merchantAccountId).where('deleted_at', 'is', null)
}

function select(db: Db) {
  return db.selectFrom('anti_fraud_services').select(COLUMNS)
}
