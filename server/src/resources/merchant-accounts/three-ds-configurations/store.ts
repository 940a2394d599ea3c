import type { Selectable } from 'kysely'
import { newId } from '#domain/ids.ts'
import type { Scope, Tables, Tx } from '#platform/database/db.ts'
import { nextUpdatedAt } from '#platform/database/sql.ts'
import type {
  CreateThreeDSConfiguration,
  ThreeDSConfiguration,
  UpdateThreeDSConfiguration,
} from './schemas.ts'

declare module '#platform/database/db.ts' {
  interface Tables {
    three_ds_configurations: Omit<ThreeDSConfiguration, 'type' | 'created_at' | 'updated_at'> & {
      created_at: Date
      updated_at: Date
    }
  }
}

const COLUMNS = [
  'id',
  'merchant_account_id',
  'scheme',
  'currency',
  'merchant_acquirer_bin',
  'merchant_acquirer_id',
  'merchant_name',
  'merchant_country_code',
  'merchant_category_code',
  'merchant_url',
  'metadata',
  'created_at',
  'updated_at',
] as const

export async function list(scope: Scope, currency: string | undefined): Promise<ThreeDSConfiguration[]> {
  let query = own(scope).select(COLUMNS).orderBy('created_at', 'desc').orderBy('id', 'desc')
  if (currency !== undefined) query = query.where('currency', '=', currency)
  return (await query.execute()).map(toConfiguration)
}

export async function insert(
  scope: Scope<Tx>,
  request: CreateThreeDSConfiguration,
): Promise<ThreeDSConfiguration> {
  const now = scope.clock()
  const row = await scope.db
    .insertInto('three_ds_configurations')
    .values({
      ...request,
      currency: request.currency ?? null,
      id: newId(now.getTime()),
      merchant_account_id: scope.merchantAccountId,
      created_at: now,
      updated_at: now,
    })
    .returning(COLUMNS)
    .executeTakeFirstOrThrow()
  return toConfiguration(row)
}

/** Fields that cannot be empty keep their value when null is sent; a null currency means every currency. */
export async function update(
  scope: Scope<Tx>,
  id: string,
  { currency, ...request }: UpdateThreeDSConfiguration,
): Promise<ThreeDSConfiguration | undefined> {
  const changes = Object.fromEntries(Object.entries(request).filter(([, value]) => value !== null))
  const row = await scope.db
    .updateTable('three_ds_configurations')
    .set({
      ...changes,
      ...(currency !== undefined && { currency }),
      updated_at: nextUpdatedAt(scope.clock()),
    })
    .where('merchant_account_id', '=', scope.merchantAccountId)
    .where('id', '=', id)
    .returning(COLUMNS)
    .executeTakeFirst()
  return row && toConfiguration(row)
}

export async function remove(scope: Scope<Tx>, id: string): Promise<ThreeDSConfiguration | undefined> {
  const row = await scope.db
    .deleteFrom('three_ds_configurations')
    .where('merchant_account_id', '=', scope.merchantAccountId)
    .where('id', '=', id)
    .returning(COLUMNS)
    .executeTakeFirst()
  return row && toConfiguration(row)
}

/** The existing configuration that a refused one would duplicate. */
export async function findSame(
  scope: Scope,
  scheme: string,
  currency: string | null,
): Promise<string | undefined> {
  const row = await own(scope)
    .select('id')
    .where('scheme', '=', scheme as ThreeDSConfiguration['scheme'])
    .where('currency', 'is not distinct from', currency)
    .executeTakeFirst()
  return row?.id
}

function own({ db, merchantAccountId }: Scope) {
  return db.selectFrom('three_ds_configurations').where('merchant_account_id', '=', merchantAccountId)
}

function toConfiguration(row: Selectable<Tables['three_ds_configurations']>): ThreeDSConfiguration {
  return {
    type: 'merchant-account.three-ds-configuration',
    ...row,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  }
}
