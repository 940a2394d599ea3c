import { lapsedBy } from '#payments/conclude/void.ts'
import * as redemptions from '#payments/store/redemptions.ts'
import type { Context } from '#platform/database/db.ts'
import { orNotFound } from '#platform/http/errors.ts'
import { type Operation, operationsOf, scopeOf } from '#platform/http/operation.ts'
import type { Job } from '#platform/process/jobs.ts'
import {
  complaintsAboutNew,
  createService,
  deleteService,
  forgetSecretsJob,
  updateService,
} from '#processing/service-accounts/save.ts'
import type { OperationNeeds, Resource } from '#resources/resource.ts'
import type { Vault } from '#vault'
import {
  CreateGiftCardService,
  GiftCardService,
  GiftCardServiceFilters,
  GiftCardServices,
  UpdateGiftCardService,
} from './schemas.ts'
import { showService } from './show.ts'
import { find, KIND, list } from './store.ts'

const operation = operationsOf({
  tag: 'Gift card services',
  concerns: 'merchant-account',
  scopes: 'gift-card-services',
})

type Needs = Pick<OperationNeeds, 'vault' | 'providers'>

function giftCardServiceRoutes(needs: Needs): Operation[] {
  return [...collectionRoutes(needs), ...itemRoutes(needs)]
}

function collectionRoutes(needs: Needs): Operation[] {
  return [
    operation({
      id: 'list_gift_card_services',
      route: 'GET /gift-card-services',
      summary: 'List gift card services',
      description: 'Gift card services, newest first. Deleted ones are not listed.',
      isList: true,
      query: GiftCardServiceFilters,
      responses: { 200: GiftCardServices },
      handler: async ({ context, reach, query }) => {
        const page = await list(context, reach, query)
        return { ...page, items: page.items.map(showService) }
      },
    }),

    operation({
      id: 'create_gift_card_service',
      route: 'POST /gift-card-services',
      summary: 'Create gift card service',
      description:
        'Connects your own account at a provider of gift cards. Secret fields are sealed in the vault and never ' +
        'shown again. The service is active unless `active` is false. Only one can be active: a second one is answered with 409.',
      needsFreshProof: true,
      body: CreateGiftCardService,
      check: ({ body }) => complaintsAboutNew(KIND, needs.providers.giftCards, body),
      errors: ['duplicate_record'],
      responses: { 201: GiftCardService },
      handler: (call) =>
        createService(scopeOf(call), KIND, { ...savingWith(needs), once: call.once }, call.body),
    }),
  ]
}

function itemRoutes(needs: Needs): Operation[] {
  return [
    operation({
      id: 'get_gift_card_service',
      route: 'GET /gift-card-services/:gift_card_service_id',
      summary: 'Get gift card service',
      responses: { 200: GiftCardService },
      handler: async (call) =>
        showService(orNotFound(await find(scopeOf(call), call.params.gift_card_service_id))),
    }),

    operation({
      id: 'update_gift_card_service',
      route: 'PUT /gift-card-services/:gift_card_service_id',
      summary: 'Update gift card service',
      description:
        'Fields that are left out stay as they are. An empty value clears an optional field. ' +
        'They cannot be changed while an operation is open at the service, because its outcome has to be found there.',
      needsFreshProof: true,
      body: UpdateGiftCardService,
      errors: ['duplicate_record'],
      responses: { 200: GiftCardService },
      handler: (call) =>
        updateService(scopeOf(call), KIND, savingWith(needs), {
          id: call.params.gift_card_service_id,
          request: call.body,
        }),
    }),

    operation({
      id: 'delete_gift_card_service',
      route: 'DELETE /gift-card-services/:gift_card_service_id',
      summary: 'Delete gift card service',
      description:
        'Payments with its gift cards can no longer be refunded to them. We keep asking for the outcome of open operations; ' +
        'then the secrets leave the vault. To stop only new payments, set `active` to false.',
      needsFreshProof: true,
      responses: { 204: null },
      handler: (call) => deleteService(scopeOf(call), KIND, call.params.gift_card_service_id),
    }),
  ]
}

function savingWith(needs: Needs) {
  return { vault: needs.vault, connectors: needs.providers.giftCards, show: showService }
}

export const giftCardServiceJobs: Job<GiftCardServiceJobNeeds>[] = [
  forgetSecretsJob(KIND, (scope, id) => redemptions.countHeldAt(scope, id, lapsedBy(scope.clock()))),
]

export const giftCardServiceResource: Resource = {
  operations: giftCardServiceRoutes,
  jobs: giftCardServiceJobs,
}

type GiftCardServiceJobNeeds = { readonly context: Context; readonly vault: Vault }
