import { type Operation, operationsOf } from '#platform/http/operation.ts'
import type { Providers } from '#processing/provider.ts'
import { definitionActsOf } from '#processing/service-accounts/acts.ts'

const operation = operationsOf({
  tag: 'Anti-fraud service definitions',
  scope: 'anti-fraud-service-definitions.read',
  concerns: 'instance',
})

export function antiFraudServiceDefinitionRoutes({
  providers,
}: {
  readonly providers: Providers
}): Operation[] {
  const acts = definitionActsOf(providers.antiFraud, {
    type: 'anti-fraud-service-definition',
    title: 'AntiFraudService',
    about: 'What the service supports besides decisions.',
    features: {
      reviews: {
        isIn: ({ readNotification }) => readNotification !== undefined,
        description: 'Whether the provider sends the result of a review.',
      },
    },
    example: {
      id: 'mock-anti-fraud',
      display_name: 'Mock anti-fraud',
      secret: { key: 'webhook_secret', display_name: 'Webhook secret', required: false },
      supported_features: { reviews: true },
    },
  })
  return [
    operation({
      id: 'list_anti_fraud_service_definitions',
      route: 'GET /anti-fraud-service-definitions',
      summary: 'List anti-fraud service definitions',
      description: 'The providers for which an anti-fraud service can be created, and what each supports.',
      ...acts.list,
    }),

    operation({
      id: 'get_anti_fraud_service_definition',
      route: 'GET /anti-fraud-service-definitions/:anti_fraud_service_definition_id',
      summary: 'Get anti-fraud service definition',
      ...acts.get,
    }),
  ]
}
