import type { Secrets } from '#platform/access/secrets.ts'
import { orNotFound } from '#platform/http/errors.ts'
import { type Operation, operationsOf, scopeOf } from '#platform/http/operation.ts'
import { notificationUrl } from '#processing/service-accounts/notifications.ts'
import {
  complaintsAboutNew,
  createService,
  deleteService,
  updateService,
} from '#processing/service-accounts/save.ts'
import { showFields, showSecretFields } from '#processing/service-accounts/schemas.ts'
import type { OperationNeeds } from '#resources/resource.ts'
import {
  AntiFraudService,
  AntiFraudServiceFilters,
  AntiFraudServices,
  CreateAntiFraudService,
  UpdateAntiFraudService,
} from './schemas.ts'
import { find, KIND, list, type StoredService } from './store.ts'

const operation = operationsOf({
  tag: 'Anti-fraud services',
  concerns: 'merchant-account',
  scopes: 'anti-fraud-services',
})

type Needs = Pick<OperationNeeds, 'secrets' | 'vault' | 'providers' | 'publicUrl'>

export function antiFraudServiceRoutes(needs: Needs): Operation[] {
  return [...collectionRoutes(needs), ...itemRoutes(needs)]
}

function collectionRoutes(needs: Needs): Operation[] {
  return [
    operation({
      id: 'list_anti_fraud_services',
      route: 'GET /anti-fraud-services',
      summary: 'List anti-fraud services',
      description: 'Anti-fraud services, newest first. Deleted ones are not listed.',
      isList: true,
      query: AntiFraudServiceFilters,
      responses: { 200: AntiFraudServices },
      handler: async ({ context, reach, query }) => {
        const page = await list(context, reach, query)
        return { ...page, items: page.items.map((row) => showService(needs, row)) }
      },
    }),

    operation({
      id: 'create_anti_fraud_service',
      route: 'POST /anti-fraud-services',
      summary: 'Create anti-fraud service',
      description:
        'Connects your own account at a provider that tells fraud from honest payments. Secret fields are sealed in the vault and never ' +
        'shown again. The service is active unless `active` is false. Only one can be active: a second one is answered with 409.',
      needsFreshProof: true,
      body: CreateAntiFraudService,
      check: ({ body }) => complaintsAboutNew(KIND, needs.providers.antiFraud, body),
      errors: ['duplicate_record'],
      responses: { 201: AntiFraudService },
      handler: (call) =>
        createService(scopeOf(call), KIND, { ...savingWith(needs), once: call.once }, call.body),
    }),
  ]
}

function itemRoutes(needs: Needs): Operation[] {
  return [
    operation({
      id: 'get_anti_fraud_service',
      route: 'GET /anti-fraud-services/:anti_fraud_service_id',
      summary: 'Get anti-fraud service',
      responses: { 200: AntiFraudService },
      handler: async (call) => {
        const service = orNotFound(await find(scopeOf(call), call.params.anti_fraud_service_id))
        return showService(needs, service)
      },
    }),

    operation({
      id: 'update_anti_fraud_service',
      route: 'PUT /anti-fraud-services/:anti_fraud_service_id',
      summary: 'Update anti-fraud service',
      description: 'Fields that are left out stay as they are. An empty value clears an optional field.',
      needsFreshProof: true,
      body: UpdateAntiFraudService,
      errors: ['duplicate_record'],
      responses: { 200: AntiFraudService },
      handler: (call) =>
        updateService(scopeOf(call), KIND, savingWith(needs), {
          id: call.params.anti_fraud_service_id,
          request: call.body,
        }),
    }),

    operation({
      id: 'delete_anti_fraud_service',
      route: 'DELETE /anti-fraud-services/:anti_fraud_service_id',
      summary: 'Delete anti-fraud service',
      description:
        'Later payments are made without it, and its secrets leave the vault. Results of reviews can ' +
        'no longer be sent to its `webhook_url`. To stop only new payments, set `active` to false.',
      needsFreshProof: true,
      responses: { 204: null },
      handler: (call) => deleteService(scopeOf(call), KIND, call.params.anti_fraud_service_id),
    }),
  ]
}

function savingWith(needs: Needs) {
  return {
    vault: needs.vault,
    connectors: needs.providers.antiFraud,
    show: (row: StoredService) => showService(needs, row),
  }
}

type ShowNeeds = { readonly secrets: Secrets; readonly publicUrl: string }

/** An anti-fraud service as the API shows it, without its secrets. */
function showService(needs: ShowNeeds, row: StoredService): AntiFraudService {
  return {
    type: 'anti-fraud-service',
    id: row.id,
    merchant_account_id: row.merchant_account_id,
    anti_fraud_service_definition_id: row.anti_fraud_service_definition_id,
    display_name: row.display_name,
    active: row.active,
    reviews_enabled: row.reviews_enabled,
    webhook_url: notificationUrl(needs, KIND, row.id),
    fields: showFields(row.fields),
    secret_fields: showSecretFields(row.secrets),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  }
}
