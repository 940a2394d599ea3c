import { violatedUnique } from '#platform/database/database-errors.ts'
import type { Scope, Tx } from '#platform/database/db.ts'
import { errors, inBody } from '#platform/http/errors.ts'
import { type Finished, inFinalTransaction, type Once, UNKEYED } from '#platform/idempotency/once.ts'
import type { Action } from '#resources/audit-logs/schemas.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import type {
  CreateThreeDSConfiguration,
  ThreeDSConfiguration,
  UpdateThreeDSConfiguration,
} from './schemas.ts'
import * as configurations from './store.ts'

export function createConfiguration(
  scope: Scope,
  once: Once,
  request: CreateThreeDSConfiguration,
): Promise<Finished<ThreeDSConfiguration>> {
  return save(scope, { action: 'created', once }, request, (tx) => configurations.insert(tx, request))
}

export async function updateConfiguration(
  scope: Scope,
  id: string,
  request: UpdateThreeDSConfiguration,
): Promise<ThreeDSConfiguration> {
  const saved = await save(scope, { action: 'updated', once: UNKEYED }, request, async (tx) => {
    const updated = await configurations.update(tx, id, request)
    if (!updated) throw errors.notFound()
    return updated
  })
  return saved.answer
}

export async function deleteConfiguration(scope: Scope, id: string): Promise<void> {
  await save(scope, { action: 'deleted', once: UNKEYED }, {}, async (tx) => {
    const removed = await configurations.remove(tx, id)
    if (!removed) throw errors.notFound()
    return removed
  })
}

async function save(
  scope: Scope,
  { action, once }: { readonly action: Action; readonly once: Once },
  { scheme, currency }: UpdateThreeDSConfiguration,
  change: (tx: Scope<Tx>) => Promise<ThreeDSConfiguration>,
): Promise<Finished<ThreeDSConfiguration>> {
  try {
    return await inFinalTransaction(scope, once, async (tx) => {
      const configuration = await change(tx)
      await auditLogs.record(tx, action, {
        type: configuration.type,
        id: configuration.id,
        name: configuration.merchant_name,
      })
      return configuration
    })
  } catch (error) {
    if (violatedUnique(error) !== 'three_ds_configurations_one_per_currency') throw error
    const twin = scheme ? await configurations.findSame(scope, scheme, currency ?? null) : undefined
    const detail = inBody(
      '/currency',
      'value_error.duplicate',
      'this scheme has a configuration for this currency',
    )
    throw errors.duplicate(twin, detail)
  }
}
