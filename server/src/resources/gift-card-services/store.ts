import { sql } from 'kysely'
import { newId } from '../../domain/ids.ts'
import { laterThan } from '../../domain/later-than.ts'
import type { Context, Db, Scope, Tx } from '../../platform/db.ts'
import type { Reach } from '../../platform/operation.ts'
import { type Collection, paginateAccounts } from '../../platform/pagination.ts'
import type { Secrets } from '../../platform/secrets.ts'
import type { GiftCardServiceFilters } from './schemas.ts'

declare module '../../platform/db.ts' {
  interface Tables {
    gift_card_services: {
      id: string
      merchant_account_id: string
      gift_card_service_definition_id: string
      display_name: string
      active: boolean
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
  'gift_card_service_definition_id',
  'display_name',
  'active',
  'fields',
  'secrets',
  'created_at',
  'updated_at',
  'deleted_at',
] as const

/** A gift card service as it is stored. Its secrets are tokens of the vault, which never leave the server. */
export type StoredService = Awaited<ReturnType<ReturnType<typeof select>['executeTakeFirstOrThrow']>>

export type Settings = Pick<
  StoredService,
  'gift_card_service_definition_id' | 'display_name' | 'active' | 'fields' | 'secrets'
>

/** The name of the index that refuses a second active service. */
export const ONE_ACTIVE = 'gift_card_services_one_active'

export function insert(
  { db, clock, merchantAccountId }: Scope<Tx>,
  settings: Settings,
): Promise<StoredService> {
  const now = clock()
  return db
    .insertInto('gift_card_services')
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

/** The one that gift cards are looked up, stored and redeemed with. */
export function findActive(scope: Scope): Promise<StoredService | undefined> {
  return live(scope).where('active', '=', true).executeTakeFirst()
}

/** Services by id, deleted ones too: what once went through one still shows its name. */
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
  page: GiftCardServiceFilters,
): Promise<Collection<StoredService>> {
  const query = select(db).where('deleted_at', 'is', null)
  const list = { name: 'gift-card-services', page, secrets, query, table: 'gift_card_services' } as const
  return paginateAccounts(list, { db, reach }, (row) => row)
}

/** Whether there is any, or ever was, in any account. */
export async function isAny({ db }: Context): Promise<boolean> {
  const row = await db.selectFrom('gift_card_services').select('id').limit(1).executeTakeFirst()
  return row !== undefined
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

/** The row stays for the books, and its secrets for what is still open. */
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
    .selectFrom('gift_card_services')
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
    .updateTable('gift_card_services')
    .where('merchant_account_id', '=', merchantAccountId)
    .where('id', '=', id)
}

function live({ db, merchantAccountId }: Scope) {
  return select(db).where('merchant_account_id', '=', merchantAccountId).where('deleted_at', 'is', null)
}

function select(db: Db) {
  return db.selectFrom('gift_card_services').select(COLUMNS)
}
