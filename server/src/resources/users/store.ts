import { type Generated, type SelectQueryBuilder, sql } from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import { newId } from '#domain/ids.ts'
import type { Context, Db, Tx } from '#platform/database/db.ts'
import { nextUpdatedAt } from '#platform/database/sql.ts'
import type { Reach } from '#platform/http/operation.ts'
import { paginate } from '#platform/listing/by-age.ts'
import type { Collection } from '#platform/listing/pagination.ts'
import { realTime } from '#platform/process/clock.ts'
import { ROLE_COLUMNS, toRole } from '#resources/roles/store.ts'
import type { Status, User, UserFilters } from './schemas.ts'

declare module '#platform/database/db.ts' {
  interface Tables {
    users: {
      id: string
      email_address: string
      name: string
      status: Status | 'deleted'
      creator_id: string | null
      creator_name: string | null
      last_signed_in_at: Date | null
      active_since: Generated<Date>
      created_at: Date
      updated_at: Date
    }
    user_roles: { user_id: string; role_id: string }
    user_merchant_accounts: { user_id: string; merchant_account_id: string; position: number }
  }
}

const ADMINISTRATOR = '01900000-0000-7000-8000-000000000001'

/**
 * Callers who are limited to some accounts see the users who are limited to the same. Others see all users.
 */
export function list(
  { db, mac }: Context,
  callerReach: Reach,
  { status, ...page }: UserFilters,
): Promise<Collection<User>> {
  const all = visibleTo(callerReach, selectUsers(db))
  const query = status === undefined ? all : all.where('users.status', '=', status)
  return paginate({ name: 'users', query, table: 'users', page, mac }, toUser)
}

export async function find(
  { db }: Context,
  id: string,
  callerReach: Reach = 'all',
): Promise<User | undefined> {
  const row = await visibleTo(callerReach, selectUsers(db)).where('users.id', '=', id).executeTakeFirst()
  return row && toUser(row)
}

export async function findByEmail({ db }: Context, emailAddress: string): Promise<User | undefined> {
  const row = await selectUsers(db)
    .where(sql<string>`lower(users.email_address)`, '=', emailAddress.toLowerCase())
    .executeTakeFirst()
  return row && toUser(row)
}

/** Changes of one user are applied in turn. */
export async function lock(
  context: Context<Tx>,
  id: string,
  callerReach: Reach = 'all',
): Promise<User | undefined> {
  await context.db.selectFrom('users').select('id').where('id', '=', id).forUpdate().executeTakeFirst()
  return find(context, id, callerReach)
}

/**
 * Whether an active user is left who can do everything, and so let others in again. Changes that could take
 * away the last one wait for each other.
 */
export async function hasAdministrator({ db }: Context<Tx>): Promise<boolean> {
  await db.selectFrom('roles').select('id').where('id', '=', ADMINISTRATOR).forNoKeyUpdate().execute()
  const row = await db
    .selectFrom('users')
    .innerJoin('user_roles', 'user_roles.user_id', 'users.id')
    .select('users.id')
    .where('users.status', '=', 'active')
    .where('user_roles.role_id', '=', ADMINISTRATOR)
    .where(sql<boolean>`not exists (select from user_merchant_accounts where user_id = users.id)`)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

type Known = { readonly email_address: string; readonly status: Status | 'deleted' }

/** What is known of the users among these ids, deleted ones included. */
export async function named({ db }: Context, ids: readonly string[]): Promise<Map<string, Known>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('users')
    .select(['id', 'email_address', 'status'])
    .where('id', 'in', ids)
    .execute()
  return new Map(rows.map(({ id, ...known }) => [id, known]))
}

export type NewUser = {
  /** A new one, if left out. */
  readonly id?: string
  readonly emailAddress: string
  readonly name: string
  readonly status: Status
  readonly roleIds: readonly string[]
  /** Empty means all. */
  readonly merchantAccountIds: readonly string[]
}

export async function insert({ db, clock, actor }: Context<Tx>, user: NewUser): Promise<string> {
  const now = clock()
  const id = user.id ?? newId(now.getTime())
  await db
    .insertInto('users')
    .values({
      id,
      email_address: user.emailAddress,
      name: user.name,
      status: user.status,
      creator_id: actor.id,
      creator_name: actor.name,
      last_signed_in_at: null,
      created_at: now,
      updated_at: now,
    })
    .execute()
  await setRoles(db, id, user.roleIds)
  await setMerchantAccounts(db, id, user.merchantAccountIds)
  return id
}

/** The first user of an installation. */
export function insertAdministrator(
  tx: Context<Tx>,
  person: Pick<NewUser, 'id' | 'emailAddress' | 'name'>,
): Promise<string> {
  return insert(tx, { ...person, status: 'active', roleIds: [ADMINISTRATOR], merchantAccountIds: [] })
}

/** Whether there is no user yet. */
export async function isEmpty({ db }: Context): Promise<boolean> {
  const row = await db
    .selectFrom('users')
    .select('id')
    .where('status', '<>', 'deleted')
    .limit(1)
    .executeTakeFirst()
  return row === undefined
}

export async function findActiveId({ db }: Context, emailAddress: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('users')
    .select('id')
    .where(sql<string>`lower(email_address)`, '=', emailAddress.toLowerCase())
    .where('status', '=', 'active')
    .executeTakeFirst()
  return row?.id
}

/** In real time, as sessions: users must not become unused because the clock of a sandbox was moved. */
export async function noteSignIn({ db, clock }: Context<Tx>, id: string): Promise<void> {
  await db
    .updateTable('users')
    .set({ last_signed_in_at: realTime(clock) })
    .where('id', '=', id)
    .execute()
}

/** Active users who have not signed in since, those first who have not for longest. */
export async function findUnused({ db }: Context, since: Date): Promise<string[]> {
  const rows = await db
    .selectFrom('users')
    .select('id')
    .where('status', '=', 'active')
    .where(LAST_USE, '<', since)
    .orderBy(LAST_USE)
    .execute()
  return rows.map(({ id }) => id)
}

/** Undefined if the user has signed in meanwhile. */
export async function lockUnused(tx: Context<Tx>, id: string, since: Date): Promise<User | undefined> {
  const row = await tx.db
    .selectFrom('users')
    .select('id')
    .where('id', '=', id)
    .where('status', '=', 'active')
    .where(LAST_USE, '<', since)
    .forUpdate()
    .executeTakeFirst()
  return row && find(tx, id)
}

const LAST_USE = sql<Date>`greatest(last_signed_in_at, active_since)`

export type UserChanges = {
  readonly name?: string | null | undefined
  readonly email_address?: string | null | undefined
  readonly status?: Status | 'deleted' | null | undefined
  readonly role_ids?: readonly string[] | null | undefined
  readonly merchant_account_ids?: readonly string[] | null | undefined
}

export async function update({ db, clock }: Context<Tx>, id: string, changes: UserChanges): Promise<void> {
  const { name, email_address, status, role_ids, merchant_account_ids } = changes
  await db
    .updateTable('users')
    .set({
      ...(name && { name }),
      ...(email_address && { email_address }),
      ...(status && { status, active_since: activeSince(status, realTime(clock)) }),
      updated_at: nextUpdatedAt(clock()),
    })
    .where('id', '=', id)
    .execute()
  if (role_ids) {
    await db.deleteFrom('user_roles').where('user_id', '=', id).execute()
    await setRoles(db, id, role_ids)
  }
  if (merchant_account_ids) {
    await db.deleteFrom('user_merchant_accounts').where('user_id', '=', id).execute()
    await setMerchantAccounts(db, id, merchant_account_ids)
  }
}

function activeSince(status: Status | 'deleted', now: Date) {
  return sql<Date>`case when ${status} = 'active' and users.status <> 'active' then ${now}::timestamptz else active_since end`
}

async function setRoles(db: Tx, id: string, roleIds: readonly string[]): Promise<void> {
  await db
    .insertInto('user_roles')
    .columns(['user_id', 'role_id'])
    .expression(sql`select ${id}::uuid, unnest(${roleIds}::uuid[])`)
    .execute()
}

async function setMerchantAccounts(db: Tx, id: string, accountIds: readonly string[]): Promise<void> {
  if (accountIds.length === 0) return
  await db
    .insertInto('user_merchant_accounts')
    .columns(['user_id', 'merchant_account_id', 'position'])
    .expression(
      sql`select ${id}::uuid, account.id, account.number - 1
        from unnest(${accountIds}::text[]) with ordinality as account (id, number)`,
    )
    .execute()
}

function selectUsers(db: Db) {
  return db
    .selectFrom('users')
    .select([
      'users.id',
      'users.email_address',
      'users.name',
      'users.status',
      'users.creator_id',
      'users.creator_name',
      'users.last_signed_in_at',
      'users.created_at',
      'users.updated_at',
    ])
    .select((eb) => [
      jsonArrayFrom(
        eb
          .selectFrom('user_merchant_accounts as link')
          .innerJoin('merchant_accounts as account', 'account.id', 'link.merchant_account_id')
          .whereRef('link.user_id', '=', 'users.id')
          .orderBy('link.position')
          .select(['account.id', 'account.display_name']),
      ).as('merchant_accounts'),
      jsonArrayFrom(
        eb
          .selectFrom('user_roles as link')
          .innerJoin('roles', 'roles.id', 'link.role_id')
          .whereRef('link.user_id', '=', 'users.id')
          .orderBy('roles.slug')
          .select(ROLE_COLUMNS),
      ).as('roles'),
      sql<boolean>`exists (select from user_passkeys where user_id = users.id)`.as('has_passkey'),
      sql<boolean>`exists (select from user_passwords where user_id = users.id)`.as('has_password'),
      sql<boolean>`exists (select from user_identities where user_id = users.id)`.as('has_oidc'),
    ])
    .where('users.status', '<>', 'deleted')
}

function visibleTo(reach: Reach, query: UserQuery): UserQuery {
  if (reach === 'all') return query
  return query.where((eb) => {
    const links = eb
      .selectFrom('user_merchant_accounts as link')
      .whereRef('link.user_id', '=', 'users.id')
      .select('link.merchant_account_id')
    const outside = links.where('link.merchant_account_id', 'not in', reach)
    return eb.and([eb.exists(links), eb.not(eb.exists(outside))])
  })
}

type UserQuery = ReturnType<typeof selectUsers>
type UserRow = UserQuery extends SelectQueryBuilder<infer _D, infer _T, infer Output> ? Output : never

function toUser(row: UserRow): User {
  return {
    type: 'user',
    id: row.id,
    name: row.name,
    email_address: row.email_address,
    status: row.status as Status,
    roles: row.roles.map(toRole),
    merchant_accounts: row.merchant_accounts,
    has_passkey: row.has_passkey,
    has_second_factor: row.has_passkey || row.has_password,
    has_oidc: row.has_oidc,
    creator: row.creator_id && { id: row.creator_id, name: row.creator_name ?? '' },
    last_signed_in_at: row.last_signed_in_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  } as User
}
