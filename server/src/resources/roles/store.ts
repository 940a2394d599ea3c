import { type Selectable, sql } from 'kysely'
import type { Context, Tables } from '#platform/db.ts'
import { paginate } from '#platform/listing/by-age.ts'
import type { Collection, Page } from '#platform/pagination.ts'
import type { Secrets } from '#platform/secrets.ts'
import type { Role } from './schemas.ts'

declare module '#platform/db.ts' {
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
      created_at: Date
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

type RoleRow = Omit<Selectable<Tables['roles']>, 'created_at'>

export function list({ db }: Context, secrets: Secrets, page: Page): Promise<Collection<Role>> {
  const query = db.selectFrom('roles').select([...ROLE_COLUMNS, 'roles.created_at'])
  return paginate({ name: 'roles', query, table: 'roles', page, secrets }, toRole)
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
