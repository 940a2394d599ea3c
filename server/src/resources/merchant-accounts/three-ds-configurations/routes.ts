import { WRITTEN } from '#domain/written-forms.ts'
import { violatedUnique } from '#platform/database/database-errors.ts'
import type { Scope, Tx } from '#platform/database/db.ts'
import { errors, inBody, orNotFound } from '#platform/http/errors.ts'
import { type Operation, operationsOf } from '#platform/http/operation.ts'
import { Strict, Uuid } from '#platform/http/schemas.ts'
import { Type } from '#platform/http/type.ts'
import { type Finished, inFinalTransaction, type Once, UNKEYED } from '#platform/idempotency/once.ts'
import type { Action } from '#resources/audit-logs/schemas.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import { unknownCodes } from '#resources/transactions/wire/check-codes.ts'
import { MerchantAccountId } from '../schemas.ts'
import { scopeTo } from '../scope-to.ts'
import {
  CreateThreeDSConfiguration,
  ThreeDSConfiguration,
  ThreeDSConfigurations,
  UpdateThreeDSConfiguration,
} from './schemas.ts'
import * as configurations from './store.ts'

const operation = operationsOf({
  tag: 'Merchant accounts: 3DS configurations',
  concerns: 'instance',
  scopes: 'merchant-accounts',
})
const ListPath = Strict({ merchant_account_id: MerchantAccountId })
const Path = Strict({ merchant_account_id: MerchantAccountId, three_ds_configuration_id: Uuid() })

export const threeDSConfigurationRoutes: readonly Operation[] = [
  operation({
    id: 'list_three_ds_configurations',
    route: 'GET /merchant-accounts/:merchant_account_id/three-ds-configurations',
    summary: 'List 3DS configurations',
    isList: true,
    params: ListPath,
    query: Strict({
      currency: Type.Optional(Type.String({ ...WRITTEN.currency, description: 'Only this currency.' })),
    }),
    responses: { 200: ThreeDSConfigurations },
    handler: async ({ context, callerReach, params, query }) => {
      const scope = await scopeTo(context, callerReach, params.merchant_account_id)
      return { items: await configurations.list(scope, query.currency) }
    },
  }),

  operation({
    id: 'create_three_ds_configuration',
    route: 'POST /merchant-accounts/:merchant_account_id/three-ds-configurations',
    summary: 'Create 3DS configuration',
    description:
      'One for each scheme and currency. Without a currency it applies to all currencies that have none of their own.',
    needsFreshProof: true,
    params: ListPath,
    body: CreateThreeDSConfiguration,
    check: ({ body }) => unknownCodes({ currency: body.currency }),
    errors: ['duplicate_record'],
    responses: { 201: ThreeDSConfiguration },
    handler: async ({ context, once, callerReach, params, body }) =>
      createConfiguration(await scopeTo(context, callerReach, params.merchant_account_id), once, body),
  }),

  operation({
    id: 'edit_three_ds_configuration',
    route: 'PUT /merchant-accounts/:merchant_account_id/three-ds-configurations/:three_ds_configuration_id',
    summary: 'Update 3DS configuration',
    description: 'Fields that are left out stay as they are; a null currency means every currency.',
    needsFreshProof: true,
    params: Path,
    body: UpdateThreeDSConfiguration,
    check: ({ body }) => unknownCodes({ currency: body.currency }),
    errors: ['duplicate_record'],
    responses: { 200: ThreeDSConfiguration },
    handler: async ({ context, callerReach, params, body }) => {
      const scope = await scopeTo(context, callerReach, params.merchant_account_id)
      return updateConfiguration(scope, params.three_ds_configuration_id, body)
    },
  }),

  operation({
    id: 'delete_three_ds_configuration',
    route:
      'DELETE /merchant-accounts/:merchant_account_id/three-ds-configurations/:three_ds_configuration_id',
    summary: 'Delete 3DS configuration',
    scope: 'merchant-accounts.write',
    needsFreshProof: true,
    params: Path,
    responses: { 204: null },
    handler: async ({ context, callerReach, params }) => {
      const scope = await scopeTo(context, callerReach, params.merchant_account_id)
      await deleteConfiguration(scope, params.three_ds_configuration_id)
    },
  }),
]

function createConfiguration(
  scope: Scope,
  once: Once,
  request: CreateThreeDSConfiguration,
): Promise<Finished<ThreeDSConfiguration>> {
  return save(scope, { action: 'created', once }, request, (tx) => configurations.insert(tx, request))
}

async function updateConfiguration(
  scope: Scope,
  id: string,
  request: UpdateThreeDSConfiguration,
): Promise<ThreeDSConfiguration> {
  const saved = await save(scope, { action: 'updated', once: UNKEYED }, request, async (tx) =>
    orNotFound(await configurations.update(tx, id, request)),
  )
  return saved.answer
}

async function deleteConfiguration(scope: Scope, id: string): Promise<void> {
  await save(scope, { action: 'deleted', once: UNKEYED }, {}, async (tx) =>
    orNotFound(await configurations.remove(tx, id)),
  )
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
