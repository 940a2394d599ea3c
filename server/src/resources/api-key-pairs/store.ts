import { type SelectQueryBuilder, sql } from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import { newId } from '#domain/ids.ts'
import type { VerifyingKey } from '#platform/access/auth.ts'
import type { Context, Db, Tx } from '#platform/database/db.ts'
import { nextUpdatedAt } from '#platform/database/sql.ts'
import type { Reach } from '#platform/http/operation.ts'
import { paginate } from '#platform/listing/by-age.ts'
import type { Collection, Page } from '#platform/listing/pagination.ts'
import { ROLE_COLUMNS, toRole } from '#resources/roles/store.ts'
import type { PublicKey } from './keys.ts'
import type { Algorithm, ApiKeyPair } from './schemas.ts'

declare module '#platform/database/db.ts' {
  interface Tables {
    api_key_pairs: {
      id: string
      thumbprint: string
      display_name: string
      algorithm: Algorithm
      signature_algorithm: string
      public_key: string
      active: boolean
      creator_id: string | null
      creator_name: string | null
      creator_thumbprint: string | null
      created_at: Date
      updated_at: Date
      last_used_at: Date | null
    }
    api_key_pair_roles: { api_key_pair_id: string; role_id: string }
    api_key_pair_merchant_accounts: { api_key_pair_id: string; merchant_account_id: string; position: number }
  }
}

/**
 * A key sees the keys that are limited to accounts within its own reach. A key for all accounts sees every
 * key.
 */
export function list({ db, mac }: Context, callerReach: Reach, page: Page): Promise<Collection<ApiKeyPair>> {
  const query = visibleTo(callerReach, selectPairs(db))
  return paginate({ name: 'api-key-pairs', query, table: 'api_key_pairs', page, mac }, toApiKeyPair)
}

export async function find({ db }: Context, callerReach: Reach, id: string): Promise<ApiKeyPair | undefined> {
  const row = await visibleTo(callerReach, selectPairs(db))
    .where('api_key_pairs.id', '=', id)
    .executeTakeFirst()
  return row && toApiKeyPair(row)
}

/** Locks the row, so that changes of one key are applied in turn. */
export async function lock(
  context: Context<Tx>,
  callerReach: Reach,
  id: string,
): Promise<ApiKeyPair | undefined> {
  await context.db
    .selectFrom('api_key_pairs')
    .select('id')
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  return find(context, callerReach, id)
}

export async function findByThumbprint(
  { db }: Context,
  callerReach: Reach,
  thumbprint: string,
): Promise<ApiKeyPair | undefined> {
  const row = await visibleTo(callerReach, selectPairs(db))
    .where('api_key_pairs.thumbprint', '=', thumbprint)
    .executeTakeFirst()
  return row && toApiKeyPair(row)
}

export type NewPair = {
  readonly displayName: string
  readonly active: boolean
  readonly publicKey: PublicKey
  readonly roleIds: readonly string[]
  readonly merchantAccountIds: readonly string[]
}

export async function insert({ db, clock, actor }: Context<Tx>, pair: NewPair): Promise<string> {
  const now = clock()
  const id = newId(now.getTime())
  await db
    .insertInto('api_key_pairs')
    .values({
      id,
      thumbprint: pair.publicKey.thumbprint,
      display_name: pair.displayName,
      algorithm: pair.publicKey.algorithm,
      signature_algorithm: pair.publicKey.signatureAlgorithm,
      public_key: pair.publicKey.pem,
      active: pair.active,
      creator_id: actor.id,
      creator_name: actor.id === null ? null : actor.name,
      creator_thumbprint: actor.id === null ? null : actor.thumbprint,
      created_at: now,
      updated_at: now,
      last_used_at: null,
    })
    .execute()
  await setRoles(db, id, pair.roleIds)
  await setMerchantAccounts(db, id, pair.merchantAccountIds)
  return id
}

export type PairChanges = {
  readonly display_name?: string | null | undefined
  readonly active?: boolean | null | undefined
  readonly role_ids?: readonly string[] | null | undefined
  readonly merchant_account_ids?: readonly string[] | null | undefined
}

export async function update({ db, clock }: Context<Tx>, id: string, changes: PairChanges): Promise<void> {
  const { display_name, active, role_ids, merchant_account_ids } = changes
  await db
    .updateTable('api_key_pairs')
    .set({
      ...(display_name && { display_name }),
      ...(typeof active === 'boolean' && { active }),
      updated_at: nextUpdatedAt(clock()),
    })
    .where('id', '=', id)
    .execute()
  if (role_ids) {
    await db.deleteFrom('api_key_pair_roles').where('api_key_pair_id', '=', id).execute()
    await setRoles(db, id, role_ids)
  }
  if (merchant_account_ids) {
    await db.deleteFrom('api_key_pair_merchant_accounts').where('api_key_pair_id', '=', id).execute()
    await setMerchantAccounts(db, id, merchant_account_ids)
  }
}

export async function remove({ db }: Context<Tx>, id: string): Promise<void> {
  await db.deleteFrom('api_key_pairs').where('id', '=', id).execute()
}

export async function countActive({ db }: Context): Promise<number> {
  const row = await db
    .selectFrom('api_key_pairs')
    .select((eb) => eb.fn.countAll<string>().as('pairs'))
    .where('active', '=', true)
    .executeTakeFirstOrThrow()
  return Number(row.pairs)
}

/** Several processes may report the same use. Only the first within a minute writes. */
export async function markUsed({ db, clock }: Pick<Context, 'db' | 'clock'>, id: string): Promise<void> {
  const now = clock()
  await db
    .updateTable('api_key_pairs')
    .set({ last_used_at: now })
    .where('id', '=', id)
    .where((eb) =>
      eb.or([eb('last_used_at', 'is', null), eb('last_used_at', '<', new Date(now.getTime() - 30_000))]),
    )
    .execute()
}

/** What is needed to check a token. Not limited to a caller: this is how callers are found. */
export async function findVerifyingKey(
  { db }: { readonly db: Db },
  thumbprint: string,
): Promise<VerifyingKey | undefined> {
  const row = await db
    .selectFrom('api_key_pairs')
    .select(['id', 'display_name', 'thumbprint', 'active', 'signature_algorithm', 'public_key'])
    .select((eb) => [
      eb
        .selectFrom('api_key_pair_roles')
        .innerJoin('roles', 'roles.id', 'api_key_pair_roles.role_id')
        .whereRef('api_key_pair_roles.api_key_pair_id', '=', 'api_key_pairs.id')
        .select(sql<string[][]>`coalesce(json_agg(roles.permissions), '[]')`.as('permissions'))
        .as('permissions'),
      eb
        .selectFrom('api_key_pair_merchant_accounts as account')
        .whereRef('account.api_key_pair_id', '=', 'api_key_pairs.id')
        .select(
          sql<string[]>`coalesce(json_agg(account.merchant_account_id order by account.position), '[]')`.as(
            'ids',
          ),
        )
        .as('merchant_account_ids'),
    ])
    .where('thumbprint', '=', thumbprint)
    .executeTakeFirst()
  if (!row) return undefined
  return {
    id: row.id,
    name: row.display_name,
    thumbprint: row.thumbprint,
    active: row.active,
    signatureAlgorithm: row.signature_algorithm,
    publicKey: row.public_key,
    permissions: (row.permissions ?? []).flat(),
    merchantAccountIds: row.merchant_account_ids ?? [],
  }
}

async function setRoles(db: Tx, id: string, roleIds: readonly string[]): Promise<void> {
  await db
    .insertInto('api_key_pair_roles')
    .columns(['api_key_pair_id', 'role_id'])
    .expression(sql`select ${id}::uuid, unnest(${roleIds}::uuid[])`)
    .execute()
}

async function setMerchantAccounts(db: Tx, id: string, accountIds: readonly string[]): Promise<void> {
  if (accountIds.length === 0) return
  await db
    .insertInto('api_key_pair_merchant_accounts')
    .columns(['api_key_pair_id', 'merchant_account_id', 'position'])
    .expression(
      sql`select ${id}::uuid, account.id, account.number - 1
        from unnest(${accountIds}::text[]) with ordinality as account (id, number)`,
    )
    .execute()
}

/** Built once for each handle, because building it takes longer than sending it. */
function selectPairs(db: Db): PairQuery {
  const built = pairQueries.get(db) ?? buildPairQuery(db)
  pairQueries.set(db, built)
  return built
}

const pairQueries = new WeakMap<Db, PairQuery>()

function buildPairQuery(db: Db) {
  return db
    .selectFrom('api_key_pairs')
    .select([
      'api_key_pairs.id',
      'api_key_pairs.thumbprint',
      'api_key_pairs.display_name',
      'api_key_pairs.algorithm',
      'api_key_pairs.active',
      'api_key_pairs.creator_id',
      'api_key_pairs.creator_name',
      'api_key_pairs.creator_thumbprint',
      'api_key_pairs.created_at',
      'api_key_pairs.updated_at',
      'api_key_pairs.last_used_at',
    ])
    .select((eb) => [
      sql<string | null>`(select email_address from users where users.id = api_key_pairs.creator_id)`.as(
        'creator_email',
      ),
      jsonArrayFrom(
        eb
          .selectFrom('api_key_pair_merchant_accounts as link')
          .innerJoin('merchant_accounts as account', 'account.id', 'link.merchant_account_id')
          .whereRef('link.api_key_pair_id', '=', 'api_key_pairs.id')
          .orderBy('link.position')
          .select([
            'account.id',
            'account.display_name',
            'account.created_at',
            'account.updated_at',
            'account.over_capture_amount',
            'account.over_capture_percentage',
          ]),
      ).as('merchant_accounts'),
      jsonArrayFrom(
        eb
          .selectFrom('api_key_pair_roles as link')
          .innerJoin('roles', 'roles.id', 'link.role_id')
          .whereRef('link.api_key_pair_id', '=', 'api_key_pairs.id')
          .orderBy('roles.slug')
          .select(ROLE_COLUMNS),
      ).as('roles'),
    ])
}

type PairQuery = ReturnType<typeof buildPairQuery>

function visibleTo(reach: Reach, query: PairQuery): PairQuery {
  if (reach === 'all') return query
  return query.where((eb) => {
    const links = eb
      .selectFrom('api_key_pair_merchant_accounts as link')
      .whereRef('link.api_key_pair_id', '=', 'api_key_pairs.id')
      .select('link.merchant_account_id')
    const outside = links.where('link.merchant_account_id', 'not in', reach)
    return eb.and([eb.exists(links), eb.not(eb.exists(outside))])
  })
}

type PairRow = PairQuery extends SelectQueryBuilder<infer _D, infer _T, infer Output> ? Output : never

function toApiKeyPair(row: PairRow): ApiKeyPair {
  return {
    type: 'api-key-pair',
    id: row.id,
    thumbprint: row.thumbprint,
    display_name: row.display_name,
    algorithm: row.algorithm,
    active: row.active,
    private_key: null,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    last_used_at: row.last_used_at?.toISOString() ?? null,
    creator: row.creator_id && {
      id: row.creator_id,
      name: row.creator_name ?? '',
      email_address: row.creator_email,
      thumbprint: row.creator_thumbprint,
    },
    merchant_accounts: row.merchant_accounts.map((account) => ({
      type: 'merchant-account',
      ...account,
      created_at: new Date(account.created_at).toISOString(),
      updated_at: new Date(account.updated_at).toISOString(),
    })),
    roles: row.roles.map(toRole),
  } as ApiKeyPair
}
