import { type Selectable, sql } from 'kysely'
import { newId } from '#domain/ids.ts'
import type { Context, Db, Tables, Tx } from '#platform/database/db.ts'
import { nextUpdatedAt } from '#platform/database/sql.ts'
import { paginate } from '#platform/listing/by-age.ts'
import type { Collection, Page } from '#platform/listing/pagination.ts'
import type { Role, RoleDetails } from './schemas.ts'

declare module '#platform/database/db.ts' {
  interface Tables {
    roles: {
      id: string
      slug: string
      name: string
      description: string
      permissions: string[]
      assignable_to: string[]
      applies_to: string[]
      is_standalone_assignable: boolean
      is_custom: boolean
      created_at: Date
      updated_at: Date | null
    }
  }
}

export const ROLE_COLUMNS = [
  'roles.id',
  'roles.slug',
  'roles.name',
  'roles.description',
  'roles.permissions',
  'roles.assignable_to',
  'roles.applies_to',
  'roles.is_standalone_assignable',
] as const

type RoleRow = Omit<Selectable<Tables['roles']>, 'is_custom' | 'created_at' | 'updated_at'>

export function list({ db, mac }: Context, page: Page): Promise<Collection<Role>> {
  const query = db.selectFrom('roles').select([...ROLE_COLUMNS, 'roles.created_at'])
  return paginate({ name: 'roles', query, table: 'roles', page, mac }, toRole)
}

/** By id or by slug. */
export async function findNamed({ db }: Context, names: readonly string[]): Promise<Role[]> {
  if (names.length === 0) return []
  const ids = names.map((name) => name.toLowerCase())
  const rows = await db
    .selectFrom('roles')
    .select(ROLE_COLUMNS)
    .where((eb) => eb.or([eb('slug', 'in', names), eb(sql<string>`id::text`, 'in', ids)]))
    .execute()
  return rows.map(toRole)
}

export async function findBySlug({ db }: Context, slug: string): Promise<Role | undefined> {
  const row = await db.selectFrom('roles').select(ROLE_COLUMNS).where('slug', '=', slug).executeTakeFirst()
  return row && toRole(row)
}

export function toRole(row: RoleRow): Role {
  const { id, name, slug, description, applies_to, is_standalone_assignable } = row
  return {
    type: 'role',
    id,
    name,
    slug,
    description,
    permissions: { allow: row.permissions },
    assignable_to: row.assignable_to as Role['assignable_to'],
    applies_to,
    is_standalone_assignable,
  }
}

type Holders = { readonly users: number; readonly api_key_pairs: number }

export async function findDetails({ db }: Pick<Context, 'db'>, id: string): Promise<RoleDetails | undefined> {
  const row = await db
    .selectFrom('roles')
    .select([...ROLE_COLUMNS, 'is_custom', 'created_at', 'updated_at'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) return undefined
  return {
    ...toRole(row),
    is_custom: row.is_custom,
    holders: await countHolders(db, id),
    created_at: row.created_at.toISOString(),
    updated_at: (row.updated_at ?? row.created_at).toISOString(),
  }
}

/** Locks the row: a grant of the role waits, because it refers to it. */
export async function lock({ db }: Context<Tx>, id: string): Promise<RoleDetails | undefined> {
  await db.selectFrom('roles').select('id').where('id', '=', id).forUpdate().executeTakeFirst()
  return findDetails({ db }, id)
}

/** Also those that are inactive: they may be made active again. */
async function countHolders(db: Db, id: string): Promise<Holders> {
  const { rows } = await sql<Holders>`
    select (select count(*)::int from api_key_pair_roles where role_id = ${id}) as api_key_pairs,
      (select count(*)::int from user_roles where role_id = ${id}) as users
  `.execute(db)
  return rows[0] ?? { users: 0, api_key_pairs: 0 }
}

export async function countCustom({ db }: Pick<Context, 'db'>): Promise<number> {
  const row = await db
    .selectFrom('roles')
    .select((eb) => eb.fn.countAll<string>().as('roles'))
    .where('is_custom', '=', true)
    .executeTakeFirstOrThrow()
  return Number(row.roles)
}

export async function findCustomNamed(
  { db }: Pick<Context, 'db'>,
  name: string,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('roles')
    .select('id')
    .where('is_custom', '=', true)
    .where(sql<boolean>`lower(name) = lower(${name})`)
    .executeTakeFirst()
  return row?.id
}

export type RoleSettings = {
  readonly name: string
  readonly description: string
  readonly permissions: readonly string[]
  readonly assignable_to: readonly string[]
}

export async function insert({ db, clock }: Context<Tx>, settings: RoleSettings): Promise<string> {
  const now = clock()
  const id = newId(now.getTime())
  await db
    .insertInto('roles')
    .values({
      id,
      slug: await freeSlug(db, settings.name, id),
      name: settings.name,
      description: settings.description,
      permissions: [...settings.permissions],
      assignable_to: [...settings.assignable_to],
      applies_to: [],
      is_standalone_assignable: true,
      is_custom: true,
      created_at: now,
      updated_at: now,
    })
    .execute()
  return id
}

export async function update(
  { db, clock }: Context<Tx>,
  id: string,
  { permissions, assignable_to, ...texts }: Partial<RoleSettings>,
): Promise<void> {
  await db
    .updateTable('roles')
    .set({
      ...texts,
      ...(permissions && { permissions: [...permissions] }),
      ...(assignable_to && { assignable_to: [...assignable_to] }),
      updated_at: nextUpdatedAt(clock()),
    })
    .where('id', '=', id)
    .where('is_custom', '=', true)
    .execute()
}

export async function remove({ db }: Context<Tx>, id: string): Promise<void> {
  await db.deleteFrom('roles').where('id', '=', id).where('is_custom', '=', true).execute()
}

const SLUG_MAX = 36

/** Made from the first name. It stays when the name changes, because programs may use it. */
async function freeSlug(db: Tx, name: string, id: string): Promise<string> {
  const word = name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, SLUG_MAX)
    .replaceAll(/^-|-$/g, '')
  const slug = `custom-${word || 'role'}`
  const taken = await db.selectFrom('roles').select('id').where('slug', '=', slug).executeTakeFirst()
  return taken ? `${slug}-${id.slice(-6)}` : slug
}
