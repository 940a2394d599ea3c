import { lapsedBy } from '#payments/conclude/void.ts'
import * as redemptions from '#payments/store/redemptions.ts'
import type { Context } from '#platform/database/db.ts'
import { type Operation, operationsOf } from '#platform/http/operation.ts'
import type { Job } from '#platform/process/jobs.ts'
import { actsOf } from '#processing/service-accounts/acts.ts'
import { forgetSecretsJob } from '#processing/service-accounts/save.ts'
import { shapesOf } from '#processing/service-accounts/shapes.ts'
import type { OperationNeeds, Resource } from '#resources/resource.ts'
import type { Vault } from '#vault'
import { KIND } from './store.ts'

const operation = operationsOf({
  tag: 'Gift card services',
  concerns: 'merchant-account',
  scopes: 'gift-card-services',
})

const SHAPES = shapesOf({
  type: 'gift-card-service',
  definition: 'gift_card_service_definition_id',
  title: 'GiftCardService',
  active:
    'Whether gift cards are looked up and redeemed with this service. One service of an account can be active.',
  example: {
    id: '0199f3a0-5d3b-7c00-8a11-3f1f7f1f0031',
    definition: 'mock-gift-card',
    name: 'Gift cards of the new provider',
    nextName: 'Gift cards of the old provider',
    secret: { key: 'api_key', value: 'key-of-the-provider' },
  },
})

function giftCardServiceRoutes({
  vault,
  providers,
}: Pick<OperationNeeds, 'vault' | 'providers'>): Operation[] {
  const connectors = providers.giftCards
  const acts = actsOf(KIND, SHAPES, { vault, connectors, show: (row) => SHAPES.show(row, {}) })
  return [
    operation({
      id: 'list_gift_card_services',
      route: 'GET /gift-card-services',
      summary: 'List gift card services',
      description: 'Gift card services, newest first. Deleted ones are not listed.',
      ...acts.list,
    }),

    operation({
      id: 'create_gift_card_service',
      route: 'POST /gift-card-services',
      summary: 'Create gift card service',
      description:
        'Connects your own account at a provider of gift cards. Secret fields are sealed in the vault and never ' +
        'shown again. The service is active unless `active` is false. Only one can be active: a second one is answered with 409.',
      ...acts.create,
    }),

    operation({
      id: 'get_gift_card_service',
      route: 'GET /gift-card-services/:gift_card_service_id',
      summary: 'Get gift card service',
      ...acts.get,
    }),

    operation({
      id: 'update_gift_card_service',
      route: 'PUT /gift-card-services/:gift_card_service_id',
      summary: 'Update gift card service',
      description:
        'Fields that are left out stay as they are. An empty value clears an optional field. ' +
        'They cannot be changed while an operation is open at the service, because its outcome has to be found there.',
      ...acts.update,
    }),

    operation({
      id: 'delete_gift_card_service',
      route: 'DELETE /gift-card-services/:gift_card_service_id',
      summary: 'Delete gift card service',
      description:
        'Payments with its gift cards can no longer be refunded to them. We keep asking for the outcome of open operations; ' +
        'then the secrets leave the vault. To stop only new payments, set `active` to false.',
      ...acts.remove,
    }),
  ]
}

export const giftCardServiceJobs: Job<GiftCardServiceJobNeeds>[] = [
  forgetSecretsJob(KIND, (scope, id) => redemptions.countHeldAt(scope, id, lapsedBy(scope.clock()))),
]

export const giftCardServiceResource: Resource = {
  operations: giftCardServiceRoutes,
  jobs: giftCardServiceJobs,
}

type GiftCardServiceJobNeeds = { readonly context: Context; readonly vault: Vault }
