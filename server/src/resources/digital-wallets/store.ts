import { type Selectable, sql } from 'kysely'
import { newId } from '#domain/ids.ts'
import type { Context, Db, Scope, Tables, Tx } from '#platform/database/db.ts'
import type { Reach } from '#platform/http/operation.ts'
import { laterThan } from '#platform/process/clock.ts'
import type { ExtraConfiguration, WalletAddress, WalletProvider } from './schemas.ts'

declare module '#platform/database/db.ts' {
  interface Tables {
    digital_wallets: {
      id: string
      merchant_account_id: string
      provider: WalletProvider
      merchant_name: string
      merchant_display_name: string | null
      merchant_url: string | null
      merchant_country_code: string | null
      merchant_category_code: string | null
      address: WalletAddress | null
      extra_configuration: ExtraConfiguration | null
      domain_names: string[]
      created_at: Date
      updated_at: Date
    }
  }
}

const COLUMNS = [
  'id',
  'merchant_account_id',
  'provider',
  'merchant_name',
  'merchant_display_name',
  'merchant_url',
  'merchant_country_code',
  'merchant_category_code',
  'address',
  'extra_configuration',
  'domain_names',
  'created_at',
  'updated_at',
] as const

export type StoredWallet = Pick<Selectable<Tables['digital_wallets']>, (typeof COLUMNS)[number]>
export type Settings = Omit<
  StoredWallet,
  'id' | 'merchant_account_id' | 'provider' | 'created_at' | 'updated_at'
>

export function insert(
  { db, clock, merchantAccountId }: Scope<Tx>,
  provider: WalletProvider,
  settings: Settings,
): Promise<StoredWallet> {
  const now = clock()
  return db
    .insertInto('digital_wallets')
    .values({
      ...settings,
      id: newId(now.getTime()),
      merchant_account_id: merchantAccountId,
      provider,
      created_at: now,
      updated_at: now,
    })
    .returning(COLUMNS)
    .executeTakeFirstOrThrow()
}

export function update(
  { db, clock }: Scope<Tx>,
  before: StoredWallet,
  changes: Partial<Settings>,
): Promise<StoredWallet> {
  return db
    .updateTable('digital_wallets')
    .set({ ...changes, updated_at: laterThan(before, clock()) })
    .where('merchant_account_id', '=', before.merchant_account_id)
    .where('id', '=', before.id)
    .returning(COLUMNS)
    .executeTakeFirstOrThrow()
}

export async function remove({ db }: Scope<Tx>, { merchant_account_id, id }: StoredWallet): Promise<void> {
  await db
    .deleteFrom('digital_wallets')
    .where('merchant_account_id', '=', merchant_account_id)
    .where('id', '=', id)
    .execute()
}

export function find(scope: Scope, id: string): Promise<StoredWallet | undefined> {
  return own(scope).where('id', '=', id).executeTakeFirst()
}

export function findOfProvider(scope: Scope, provider: WalletProvider): Promise<StoredWallet | undefined> {
  return own(scope).where('provider', '=', provider).executeTakeFirst()
}

/** Locks the row, so that changes of a wallet, its domains and its keys are applied in turn. */
export function lock(scope: Scope<Tx>, id: string): Promise<StoredWallet | undefined> {
  return own(scope).where('id', '=', id).forUpdate().executeTakeFirst()
}

/** Newest first. An account has one for each provider at most, so there are no pages. */
export function list({ db }: Context, reach: Reach): Promise<StoredWallet[]> {
  const query = select(db).orderBy('created_at', 'desc').orderBy('id', 'desc')
  if (reach === 'all') return query.execute()
  return query.where(sql<boolean>`merchant_account_id = any(${[...reach]}::text[])`).execute()
}

/** Apple's file that proves a domain, from the wallet that has claimed the domain. */
export async function findAssociation({ db }: Context, domain: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('digital_wallet_domains')
    .innerJoin('digital_wallets', 'digital_wallets.id', 'digital_wallet_domains.digital_wallet_id')
    .select(sql<string>`extra_configuration -> 'domain_associations' ->> ${domain}`.as('content'))
    .where('domain', '=', domain)
    .executeTakeFirst()
  return row?.content
}

function own({ db, merchantAccountId }: Scope) {
  return select(db).where('merchant_account_id', '=', merchantAccountId)
}

function select(db: Db) {
  return db.selectFrom('digital_wallets').select(COLUMNS)
}
