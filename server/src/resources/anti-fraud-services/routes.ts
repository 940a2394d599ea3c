import { type Operation, operationsOf } from '#platform/http/operation.ts'
import { Nullable } from '#platform/http/schemas.ts'
import { Type } from '#platform/http/type.ts'
import { actsOf } from '#processing/service-accounts/acts.ts'
import { notificationUrl } from '#processing/service-accounts/notifications.ts'
import { shapesOf } from '#processing/service-accounts/shapes.ts'
import type { OperationNeeds } from '#resources/resource.ts'
import { KIND, type StoredService } from './store.ts'

const operation = operationsOf({
  tag: 'Anti-fraud services',
  concerns: 'merchant-account',
  scopes: 'anti-fraud-services',
})

const ReviewsEnabled = Type.Boolean({
  description: 'Whether a payment that needs a review is held until a reviewer has decided.',
})

const Silent = Type.Boolean({
  description:
    'Whether the service is asked beside the active one, some minutes after a payment. Its decisions are recorded, and change nothing. ' +
    'A silent service is not active.',
})

const SHAPES = shapesOf({
  type: 'anti-fraud-service',
  definition: 'anti_fraud_service_definition_id',
  title: 'AntiFraudService',
  active: 'Whether the service is asked about payments. One service of an account can be active.',
  own: {
    reviews_enabled: Type.Optional(Nullable(ReviewsEnabled)),
    silent: Type.Optional(Nullable(Silent)),
  },
  shown: {
    reviews_enabled: ReviewsEnabled,
    silent: Silent,
    webhook_url: Type.String({
      format: 'uri',
      description: 'Where the provider sends the results of reviews.',
    }),
  },
  example: {
    id: '0199f3a0-5d3b-7c00-8a11-3f1f7f1f0041',
    definition: 'mock-anti-fraud',
    name: 'Fraud checks of the new provider',
    nextName: 'Fraud checks of the old provider',
    secret: { key: 'webhook_secret', value: 'secret-shared-with-the-provider' },
    own: { reviews_enabled: true },
    shown: {
      reviews_enabled: true,
      silent: false,
      webhook_url:
        'https://pay.example.com/anti-fraud-services/0199f3a0-5d3b-7c00-8a11-3f1f7f1f0041/notifications/bQwH0yT1',
    },
  },
})

type Needs = Pick<OperationNeeds, 'secrets' | 'vault' | 'providers' | 'publicUrl'>

export function antiFraudServiceRoutes(needs: Needs): Operation[] {
  const show = (row: StoredService) =>
    SHAPES.show(row, {
      reviews_enabled: row.reviews_enabled,
      silent: row.silent,
      webhook_url: notificationUrl(needs, KIND, row.id),
    })
  const acts = actsOf(KIND, SHAPES, { vault: needs.vault, connectors: needs.providers.antiFraud, show })
  return [
    operation({
      id: 'list_anti_fraud_services',
      route: 'GET /anti-fraud-services',
      summary: 'List anti-fraud services',
      description: 'Anti-fraud services, newest first. Deleted ones are not listed.',
      ...acts.list,
    }),

    operation({
      id: 'create_anti_fraud_service',
      route: 'POST /anti-fraud-services',
      summary: 'Create anti-fraud service',
      description:
        'Connects your own account at a provider that tells fraud from honest payments. Secret fields are sealed in the vault and never ' +
        'shown again. The service is active unless `active` is false or `silent` is true. Only one can be active: a second one is answered with 409.',
      ...acts.create,
    }),

    operation({
      id: 'get_anti_fraud_service',
      route: 'GET /anti-fraud-services/:anti_fraud_service_id',
      summary: 'Get anti-fraud service',
      ...acts.get,
    }),

    operation({
      id: 'update_anti_fraud_service',
      route: 'PUT /anti-fraud-services/:anti_fraud_service_id',
      summary: 'Update anti-fraud service',
      description: 'Fields that are left out stay as they are. An empty value clears an optional field.',
      ...acts.update,
    }),

    operation({
      id: 'delete_anti_fraud_service',
      route: 'DELETE /anti-fraud-services/:anti_fraud_service_id',
      summary: 'Delete anti-fraud service',
      description:
        'Later payments are made without it, and its secrets leave the vault. Results of reviews can ' +
        'no longer be sent to its `webhook_url`. To stop only new payments, set `active` to false.',
      ...acts.remove,
    }),
  ]
}
