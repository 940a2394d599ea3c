import { accountRows } from '#platform/database/account-rows.ts'
import type { Scope, Tables, Tx } from '#platform/database/db.ts'
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

const rows = accountRows('three_ds_configurations', [
  'scheme',
  'currency',
  'merchant_acquirer_bin',
  'merchant_acquirer_id',
  'merchant_name',
  'merchant_country_code',
  'merchant_category_code',
  'merchant_url',
  'metadata',
])

export async function list(scope: Scope, currency: string | undefined): Promise<ThreeDSConfiguration[]> {
  return (await rows.newest(scope, currency === undefined ? {} : { currency })).map(toConfiguration)
}

/** The configuration for payments in a currency: its own, or the one for every currency. */
export async function findFor(
  scope: Scope,
  scheme: string,
  currency: string,
): Promise<ThreeDSConfiguration | undefined> {
  const all = (await rows.newest(scope, { scheme: scheme as ThreeDSConfiguration['scheme'] })).map(
    toConfiguration,
  )
  return all.find((one) => one.currency === currency) ?? all.find((one) => one.currency === null)
}

export async function insert(
  scope: Scope<Tx>,
  request: CreateThreeDSConfiguration,
): Promise<ThreeDSConfiguration> {
  return toConfiguration(await rows.insert(scope, { ...request, currency: request.currency ?? null }))
}

/** Fields that cannot be empty keep their value when null is sent; a null currency means every currency. */
export async function update(
  scope: Scope<Tx>,
  id: string,
  { currency, ...request }: UpdateThreeDSConfiguration,
): Promise<ThreeDSConfiguration | undefined> {
  const before = await rows.lock(scope, id)
  if (!before) return undefined
  const changes = Object.fromEntries(Object.entries(request).filter(([, value]) => value !== null))
  return toConfiguration(
    await rows.update(scope, before, { ...changes, ...(currency !== undefined && { currency }) }),
  )
}

export async function remove(scope: Scope<Tx>, id: string): Promise<ThreeDSConfiguration | undefined> {
  const row = await rows.remove(scope, id)
  return row && toConfiguration(row)
}

/** The existing configuration that a refused one would duplicate. */
export async function findSame(
  scope: Scope,
  scheme: ThreeDSConfiguration['scheme'],
  currency: string | null,
): Promise<string | undefined> {
  return (await rows.find(scope, { scheme, currency }))?.id
}

function toConfiguration(row: Tables['three_ds_configurations']): ThreeDSConfiguration {
  return {
    type: 'merchant-account.three-ds-configuration',
    ...row,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  }
}
