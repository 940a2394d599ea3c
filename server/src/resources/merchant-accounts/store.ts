import type { SelectQueryBuilder } from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import { type Requestor, TOKEN_SCHEMES, type TokenScheme } from '#connectors/contract/network-token.ts'
import type { CardScheme } from '#domain/card-scheme.ts'
import type { Secrets } from '#platform/access/secrets.ts'
import type { Context, Db, Scope, Tables, Tx } from '#platform/database/db.ts'
import { insertRows } from '#platform/database/statements.ts'
import type { Reach } from '#platform/http/operation.ts'
import { paginate } from '#platform/listing/by-age.ts'
import type { Collection } from '#platform/listing/pagination.ts'
import { laterThan } from '#platform/process/clock.ts'
import type { MerchantAccount, MerchantAccountFilters } from './schemas.ts'

declare module '#platform/database/db.ts' {
  interface Tables {
    merchant_accounts: {
      id: string
      display_name: string
      account_updater_enabled: boolean
      account_updater_request_encryption_key_id: string | null
      account_updater_response_decryption_key_id: string | null
      loon_accepted_schemes: CardScheme[] | null
      loon_merchant_account_id: string | null
      over_capture_amount: number | null
      over_capture_percentage: number | null
      async_network_tokens_enabled: boolean
      sealed_keys: Buffer | null
      created_at: Date
      updated_at: Date
    }
    merchant_account_network_tokens: {
      merchant_account_id: string
      scheme: TokenScheme
      requestor_id: string
      app_id: string
    }
  }
}

/** Fields with keys of outside services. They are sealed, and answers show only that they are set. */
export const KEY_FIELDS = [
  'loon_client_key',
  'loon_secret_key',
  'account_updater_request_encryption_key',
  'account_updater_response_decryption_key',
] as const
type KeyField = (typeof KEY_FIELDS)[number]

const COLUMNS = [
  'id',
  'display_name',
  'account_updater_enabled',
  'account_updater_request_encryption_key_id',
  'account_updater_response_decryption_key_id',
  'loon_accepted_schemes',
  'loon_merchant_account_id',
  'over_capture_amount',
  'over_capture_percentage',
  'async_network_tokens_enabled',
  'sealed_keys',
  'created_at',
  'updated_at',
] as const

/** A merchant account with its keys opened. It stays inside this slice. */
export type Settings = Omit<MerchantAccount, 'type' | 'created_at' | 'updated_at'>
export type Account = Settings & { readonly created_at: Date; readonly updated_at: Date }

export async function exists({ db }: { readonly db: Db }, id: string): Promise<boolean> {
  const row = await db.selectFrom('merchant_accounts').select('id').where('id', '=', id).executeTakeFirst()
  return row !== undefined
}

/** The ids that exist among the given ones. */
export async function existing({ db }: Context, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const rows = await db.selectFrom('merchant_accounts').select('id').where('id', 'in', ids).execute()
  return new Set(rows.map(({ id }) => id))
}

export async function find({ db }: Context, secrets: Secrets, id: string): Promise<Account | undefined> {
  const row = await selectAccounts(db).where('id', '=', id).executeTakeFirst()
  return row && toAccount(secrets, row)
}

export async function allIds({ db }: Context): Promise<string[]> {
  const rows = await db.selectFrom('merchant_accounts').select('id').orderBy('id').execute()
  return rows.map(({ id }) => id)
}

export function allNames({ db }: Context): Promise<{ id: string; display_name: string }[]> {
  return db.selectFrom('merchant_accounts').select(['id', 'display_name']).orderBy('id').execute()
}

/** How much more than authorized may be captured. */
export async function overCaptureOf(
  { db }: Context,
  id: string,
): Promise<{ readonly amount: number | null; readonly percentage: number | null }> {
  return db
    .selectFrom('merchant_accounts')
    .select(['over_capture_amount as amount', 'over_capture_percentage as percentage'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
}

/** Locks the row, so that updates of one account are applied in turn. */
export async function lock({ db }: Context<Tx>, secrets: Secrets, id: string): Promise<Account | undefined> {
  await db.selectFrom('merchant_accounts').select('id').where('id', '=', id).forUpdate().executeTakeFirst()
  const row = await selectAccounts(db).where('id', '=', id).executeTakeFirst()
  return row && toAccount(secrets, row)
}

export function list(
  { db }: Context,
  secrets: Secrets,
  reach: Reach,
  { search, ...page }: MerchantAccountFilters,
): Promise<Collection<Account>> {
  let query = selectAccounts(db)
  if (reach !== 'all') query = query.where('id', 'in', reach)
  if (search !== undefined) {
    const pattern = `%${search.replaceAll(/[\\%_]/g, '\\$&')}%`
    query = query.where((eb) => eb.or([eb('id', 'ilike', pattern), eb('display_name', 'ilike', pattern)]))
  }
  return paginate(
    { name: 'merchant-accounts', query, table: 'merchant_accounts', page, mac: secrets.mac },
    (row) => toAccount(secrets, row),
  )
}

export async function insert(
  { db, clock }: Context<Tx>,
  secrets: Secrets,
  settings: Settings,
): Promise<Account> {
  const now = clock()
  await db
    .insertInto('merchant_accounts')
    .values({ ...toRow(secrets, settings), created_at: now, updated_at: now })
    .execute()
  await replaceNetworkTokens(db, settings)
  return { ...settings, created_at: now, updated_at: now }
}

export async function update(
  { db, clock }: Context<Tx>,
  secrets: Secrets,
  account: Account,
): Promise<Account> {
  const updated_at = laterThan(account, clock())
  await db
    .updateTable('merchant_accounts')
    .set({ ...toRow(secrets, account), updated_at })
    .where('id', '=', account.id)
    .execute()
  await db
    .deleteFrom('merchant_account_network_tokens')
    .where('merchant_account_id', '=', account.id)
    .execute()
  await replaceNetworkTokens(db, account)
  return { ...account, updated_at }
}

/** The account that already has this id at a network token service. */
export async function ownerOfNetworkToken(
  { db }: Context,
  kind: 'requestor_id' | 'app_id',
  id: string,
): Promise<{ readonly accountId: string; readonly scheme: TokenScheme } | undefined> {
  const row = await db
    .selectFrom('merchant_account_network_tokens')
    .select(['merchant_account_id', 'scheme'])
    .where(kind, '=', id)
    .executeTakeFirst()
  return row && { accountId: row.merchant_account_id, scheme: row.scheme }
}

/** The account's names at a scheme's token service, if it has any. */
export async function requestorOf(
  { db, merchantAccountId }: Scope,
  scheme: TokenScheme,
): Promise<Requestor | undefined> {
  const row = await db
    .selectFrom('merchant_account_network_tokens')
    .select(['requestor_id', 'app_id'])
    .where('merchant_account_id', '=', merchantAccountId)
    .where('scheme', '=', scheme)
    .executeTakeFirst()
  return row && { scheme, requestorId: row.requestor_id, appId: row.app_id }
}

/** Whether the account wants cards to get network tokens when they are stored. */
export async function wantsNetworkTokens({ db, merchantAccountId }: Scope): Promise<boolean> {
  const row = await db
    .selectFrom('merchant_accounts')
    .select('async_network_tokens_enabled')
    .where('id', '=', merchantAccountId)
    .executeTakeFirst()
  return row?.async_network_tokens_enabled === true
}

async function replaceNetworkTokens(db: Tx, settings: Settings): Promise<void> {
  const rows = TOKEN_SCHEMES.flatMap((scheme) => {
    const requestor_id = settings[`${scheme}_network_tokens_requestor_id`]
    const app_id = settings[`${scheme}_network_tokens_app_id`]
    if (!requestor_id || !app_id) return []
    return [{ merchant_account_id: settings.id, scheme, requestor_id, app_id }]
  })
  if (rows.length > 0) await insertRows('merchant_account_network_tokens', rows).execute(db)
}

function selectAccounts(db: Db) {
  return db
    .selectFrom('merchant_accounts')
    .select(COLUMNS)
    .select((eb) => [
      jsonArrayFrom(
        eb
          .selectFrom('merchant_account_network_tokens as token')
          .select(['token.scheme', 'token.requestor_id', 'token.app_id'])
          .whereRef('token.merchant_account_id', '=', 'merchant_accounts.id'),
      ).as('network_tokens'),
    ])
}

type Row =
  ReturnType<typeof selectAccounts> extends SelectQueryBuilder<infer _D, infer _T, infer Output>
    ? Output
    : never

function toAccount(secrets: Secrets, { sealed_keys, network_tokens, ...row }: Row): Account {
  const keys: Partial<Record<KeyField, string>> = sealed_keys
    ? JSON.parse(secrets.open('merchant-account-keys', row.id, sealed_keys))
    : {}
  const tokens = Object.fromEntries(
    TOKEN_SCHEMES.flatMap((scheme) => {
      const found = network_tokens.find((token) => token.scheme === scheme)
      return [
        [`${scheme}_network_tokens_requestor_id`, found?.requestor_id ?? null],
        [`${scheme}_network_tokens_app_id`, found?.app_id ?? null],
      ]
    }),
  )
  const opened = Object.fromEntries(KEY_FIELDS.map((field) => [field, keys[field] ?? null]))
  return { ...row, ...opened, ...tokens } as Account
}

function toRow(
  secrets: Secrets,
  settings: Settings,
): Omit<Tables['merchant_accounts'], 'created_at' | 'updated_at'> {
  const keys = Object.fromEntries(
    KEY_FIELDS.filter((field) => settings[field] !== null).map((field) => [field, settings[field]]),
  )
  const hasKeys = Object.keys(keys).length > 0
  return {
    id: settings.id,
    display_name: settings.display_name,
    account_updater_enabled: settings.account_updater_enabled,
    account_updater_request_encryption_key_id: settings.account_updater_request_encryption_key_id,
    account_updater_response_decryption_key_id: settings.account_updater_response_decryption_key_id,
    loon_accepted_schemes: settings.loon_accepted_schemes,
    loon_merchant_account_id: settings.loon_merchant_account_id,
    over_capture_amount: settings.over_capture_amount,
    over_capture_percentage: settings.over_capture_percentage,
    async_network_tokens_enabled: settings.async_network_tokens_enabled,
    sealed_keys: hasKeys ? secrets.seal('merchant-account-keys', settings.id, JSON.stringify(keys)) : null,
  }
}
