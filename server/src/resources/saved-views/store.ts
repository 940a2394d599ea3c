import { sql } from 'kysely'
import { newId } from '#domain/ids.ts'
import type { Scope, Tx } from '#platform/database/db.ts'
import { nextUpdatedAt } from '#platform/database/sql.ts'
import { paginate } from '#platform/listing/by-age.ts'
import type { Collection } from '#platform/listing/pagination.ts'
import type { SavedView, SavedViewFilters } from './schemas.ts'

type Query = SavedView['query']

declare module '#platform/database/db.ts' {
  interface Tables {
    saved_views: {
      id: string
      merchant_account_id: string
      user_id: string
      resource: string
      name: string
      query: Query
      periods: SavedView['periods']
      columns: string[]
      is_shared: boolean
      created_at: Date
      updated_at: Date
    }
  }
}

export type Settings = {
  readonly resource: string
  readonly name: string
  readonly query: Query
  readonly periods: SavedView['periods']
  readonly columns: readonly string[]
  readonly is_shared: boolean
}

/** A user sees their own views of an account, and those that others share there. */
export function list(
  scope: Scope,
  userId: string,
  { resource, sharing, ...page }: SavedViewFilters,
): Promise<Collection<SavedView>> {
  let query = visible(scope, userId)
  if (resource !== undefined) query = query.where('saved_views.resource', '=', resource)
  if (sharing !== undefined)
    query = query.where('saved_views.user_id', sharing === 'own' ? '=' : '<>', userId)
  const named = { name: 'saved-views', query, table: 'saved_views', page, mac: scope.mac } as const
  return paginate(named, (row) => toView(row, userId))
}

export async function find(scope: Scope, userId: string, id: string): Promise<SavedView | undefined> {
  const row = await visible(scope, userId).where('saved_views.id', '=', id).executeTakeFirst()
  return row && toView(row, userId)
}

/** Locks the row, so that changes of one view are applied in turn. */
export async function lock(scope: Scope<Tx>, userId: string, id: string): Promise<SavedView | undefined> {
  await scope.db.selectFrom('saved_views').select('id').where('id', '=', id).forUpdate().executeTakeFirst()
  return find(scope, userId, id)
}

export async function countOf({ db, merchantAccountId }: Scope, userId: string): Promise<number> {
  const row = await db
    .selectFrom('saved_views')
    .select((eb) => eb.fn.countAll<string>().as('views'))
    .where('user_id', '=', userId)
    .where('merchant_account_id', '=', merchantAccountId)
    .executeTakeFirstOrThrow()
  return Number(row.views)
}

type Named = { readonly resource: string; readonly name: string }

export async function findNamed(
  { db, merchantAccountId }: Scope,
  userId: string,
  { resource, name }: Named,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('saved_views')
    .select('id')
    .where('user_id', '=', userId)
    .where('merchant_account_id', '=', merchantAccountId)
    .where('resource', '=', resource)
    .where(sql<boolean>`lower(name) = lower(${name})`)
    .executeTakeFirst()
  return row?.id
}

export async function insert(scope: Scope<Tx>, userId: string, settings: Settings): Promise<string> {
  const now = scope.clock()
  const id = newId(now.getTime())
  await scope.db
    .insertInto('saved_views')
    .values({
      id,
      merchant_account_id: scope.merchantAccountId,
      user_id: userId,
      ...settings,
      query: JSON.stringify(settings.query) as never,
      periods: JSON.stringify(settings.periods) as never,
      columns: [...settings.columns],
      created_at: now,
      updated_at: now,
    })
    .execute()
  return id
}

export async function update(
  { db, clock }: Scope<Tx>,
  id: string,
  { query, periods, columns, ...rest }: Partial<Settings>,
): Promise<void> {
  await db
    .updateTable('saved_views')
    .set({
      ...rest,
      ...(query && { query: JSON.stringify(query) as never }),
      ...(periods && { periods: JSON.stringify(periods) as never }),
      ...(columns && { columns: [...columns] }),
      updated_at: nextUpdatedAt(clock()),
    })
    .where('id', '=', id)
    .execute()
}

export async function remove({ db }: Scope<Tx>, id: string): Promise<void> {
  await db.deleteFrom('saved_views').where('id', '=', id).execute()
}

function visible({ db, merchantAccountId }: Scope, userId: string) {
  return db
    .selectFrom('saved_views')
    .innerJoin('users', 'users.id', 'saved_views.user_id')
    .select([
      'saved_views.id',
      'saved_views.merchant_account_id',
      'saved_views.user_id',
      'saved_views.resource',
      'saved_views.name',
      'saved_views.query',
      'saved_views.periods',
      'saved_views.columns',
      'saved_views.is_shared',
      'saved_views.created_at',
      'saved_views.updated_at',
      'users.name as user_name',
    ])
    .where('saved_views.merchant_account_id', '=', merchantAccountId)
    .where((eb) => eb.or([eb('saved_views.user_id', '=', userId), eb('saved_views.is_shared', '=', true)]))
}

type Row = Awaited<ReturnType<ReturnType<typeof visible>['executeTakeFirstOrThrow']>>

function toView({ user_id, user_name, created_at, updated_at, ...row }: Row, userId: string): SavedView {
  return {
    type: 'saved-view',
    ...row,
    is_own: user_id === userId,
    owner: { id: user_id, name: user_name },
    created_at: created_at.toISOString(),
    updated_at: updated_at.toISOString(),
  }
}
