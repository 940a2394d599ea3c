import { orNotFound } from '#platform/http/errors.ts'
import { type Operation, operationsOf, scopeOf } from '#platform/http/operation.ts'
import {
  complaintsAboutNew,
  createService,
  deleteService,
  updateService,
} from '#processing/service-accounts/save.ts'
import { showFields, showSecretFields } from '#processing/service-accounts/schemas.ts'
import type { OperationNeeds } from '#resources/resource.ts'
import {
  CreateThreeDSService,
  ThreeDSService,
  ThreeDSServiceFilters,
  ThreeDSServices,
  UpdateThreeDSService,
} from './schemas.ts'
import { find, KIND, list, type StoredService } from './store.ts'

const operation = operationsOf({
  tag: '3-D Secure services',
  concerns: 'merchant-account',
  scopes: 'three-ds-services',
})

type Needs = Pick<OperationNeeds, 'vault' | 'providers'>

export function threeDSServiceRoutes(needs: Needs): Operation[] {
  return [...collectionRoutes(needs), ...itemRoutes(needs)]
}

function collectionRoutes(needs: Needs): Operation[] {
  return [
    operation({
      id: 'list_three_ds_services',
      route: 'GET /three-ds-services',
      summary: 'List 3-D Secure services',
      description: '3-D Secure services, newest first. Deleted ones are not listed.',
      isList: true,
      query: ThreeDSServiceFilters,
      responses: { 200: ThreeDSServices },
      handler: async ({ context, reach, query }) => {
        const page = await list(context, reach, query)
        return { ...page, items: page.items.map((row) => showService(row)) }
      },
    }),

    operation({
      id: 'create_three_ds_service',
      route: 'POST /three-ds-services',
      summary: 'Create 3-D Secure service',
      description:
        'Connects your own account at a provider of a 3-D Secure server, which asks issuers whether the buyer is the holder of the ' +
        'card. Secret fields are sealed in the vault and never shown again. The service is active unless `active` is false. Only ' +
        'one can be active: a second one is answered with 409.',
      needsFreshProof: true,
      body: CreateThreeDSService,
      check: ({ body }) => complaintsAboutNew(KIND, needs.providers.threeDSecure, body),
      errors: ['duplicate_record'],
      responses: { 201: ThreeDSService },
      handler: (call) =>
        createService(scopeOf(call), KIND, { ...savingWith(needs), once: call.once }, call.body),
    }),
  ]
}

function itemRoutes(needs: Needs): Operation[] {
  return [
    operation({
      id: 'get_three_ds_service',
      route: 'GET /three-ds-services/:three_ds_service_id',
      summary: 'Get 3-D Secure service',
      responses: { 200: ThreeDSService },
      handler: async (call) => {
        const service = orNotFound(await find(scopeOf(call), call.params.three_ds_service_id))
        return showService(service)
      },
    }),

    operation({
      id: 'update_three_ds_service',
      route: 'PUT /three-ds-services/:three_ds_service_id',
      summary: 'Update 3-D Secure service',
      description: 'Fields that are left out stay as they are. An empty value clears an optional field.',
      needsFreshProof: true,
      body: UpdateThreeDSService,
      errors: ['duplicate_record'],
      responses: { 200: ThreeDSService },
      handler: (call) =>
        updateService(scopeOf(call), KIND, savingWith(needs), {
          id: call.params.three_ds_service_id,
          request: call.body,
        }),
    }),

    operation({
      id: 'delete_three_ds_service',
      route: 'DELETE /three-ds-services/:three_ds_service_id',
      summary: 'Delete 3-D Secure service',
      description:
        'Later payments are made without it, and its secrets leave the vault once no buyer can be approving a payment that it has ' +
        'begun to authenticate.',
      needsFreshProof: true,
      responses: { 204: null },
      handler: (call) => deleteService(scopeOf(call), KIND, call.params.three_ds_service_id),
    }),
  ]
}

function savingWith(needs: Needs) {
  return {
    vault: needs.vault,
    connectors: needs.providers.threeDSecure,
    show: showService,
  }
}

/** A 3-D Secure service as the API shows it, without its secrets. */
function showService(row: StoredService): ThreeDSService {
  return {
    type: 'three-ds-service',
    id: row.id,
    merchant_account_id: row.merchant_account_id,
    three_ds_service_definition_id: row.three_ds_service_definition_id,
    display_name: row.display_name,
    active: row.active,
    fields: showFields(row.fields),
    secret_fields: showSecretFields(row.secrets),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  }
}
