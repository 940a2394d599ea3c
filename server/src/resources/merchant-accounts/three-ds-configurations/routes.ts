import { Type } from 'typebox'
import { WRITTEN } from '#domain/written-forms.ts'
import { type Operation, operation } from '#platform/http/operation.ts'
import { Strict, Uuid } from '#platform/http/schemas.ts'
import { unknownCodes } from '#resources/transactions/wire/check-codes.ts'
import { MerchantAccountId } from '../schemas.ts'
import { scopeTo } from '../scope-to.ts'
import { createConfiguration, deleteConfiguration, updateConfiguration } from './save.ts'
import {
  CreateThreeDSConfiguration,
  ThreeDSConfiguration,
  ThreeDSConfigurations,
  UpdateThreeDSConfiguration,
} from './schemas.ts'
import * as configurations from './store.ts'

const TAG = 'Merchant accounts: 3DS configurations'
const ListPath = Strict({ merchant_account_id: MerchantAccountId })
const Path = Strict({ merchant_account_id: MerchantAccountId, three_ds_configuration_id: Uuid() })

export function threeDSConfigurationRoutes(): Operation[] {
  return [
    operation({
      id: 'list_three_ds_configurations',
      route: 'GET /merchant-accounts/:merchant_account_id/three-ds-configurations',
      tag: TAG,
      summary: 'List 3DS configurations',
      scope: 'merchant-accounts.read',
      concerns: 'instance',
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
      tag: TAG,
      summary: 'Create 3DS configuration',
      description:
        'One for each scheme and currency. Without a currency it applies to all currencies that have none of their own.',
      scope: 'merchant-accounts.write',
      concerns: 'instance',
      needsFreshProof: true,
      params: ListPath,
      body: CreateThreeDSConfiguration,
      check: ({ body }) => unknownCodes({ currency: body.currency }),
      responses: { 201: ThreeDSConfiguration },
      handler: async ({ context, once, callerReach, params, body }) =>
        createConfiguration(await scopeTo(context, callerReach, params.merchant_account_id), once, body),
    }),

    operation({
      id: 'edit_three_ds_configuration',
      route: 'PUT /merchant-accounts/:merchant_account_id/three-ds-configurations/:three_ds_configuration_id',
      tag: TAG,
      summary: 'Update 3DS configuration',
      description: 'Fields that are left out stay as they are; a null currency means every currency.',
      scope: 'merchant-accounts.write',
      concerns: 'instance',
      needsFreshProof: true,
      params: Path,
      body: UpdateThreeDSConfiguration,
      check: ({ body }) => unknownCodes({ currency: body.currency }),
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
      tag: TAG,
      summary: 'Delete 3DS configuration',
      scope: 'merchant-accounts.write',
      concerns: 'instance',
      needsFreshProof: true,
      params: Path,
      responses: { 204: null },
      handler: async ({ context, callerReach, params }) => {
        const scope = await scopeTo(context, callerReach, params.merchant_account_id)
        await deleteConfiguration(scope, params.three_ds_configuration_id)
      },
    }),
  ]
}
