import { type Operation, operationsOf } from '#platform/http/operation.ts'
import type { Providers } from '#processing/provider.ts'
import { definitionActsOf } from '#processing/service-accounts/acts.ts'

const operation = operationsOf({
  tag: '3-D Secure service definitions',
  scope: 'three-ds-service-definitions.read',
  concerns: 'instance',
})

export function threeDSServiceDefinitionRoutes({
  providers,
}: {
  readonly providers: Providers
}): Operation[] {
  const acts = definitionActsOf(providers.threeDSecure, {
    type: 'three-ds-service-definition',
    title: 'ThreeDSService',
    about: 'What the service does besides asking the issuer.',
    features: {
      device_data: {
        isIn: ({ prepare }) => prepare !== undefined,
        description:
          'Whether the buyer’s browser is asked about the device before the card is authenticated. Then every buyer is sent to `approval_url`.',
      },
    },
    example: {
      id: 'mock-three-ds',
      display_name: 'Mock 3-D Secure',
      supported_features: { device_data: false },
    },
  })
  return [
    operation({
      id: 'list_three_ds_service_definitions',
      route: 'GET /three-ds-service-definitions',
      summary: 'List 3-D Secure service definitions',
      description: 'The providers for which a 3-D Secure service can be created, and what each supports.',
      ...acts.list,
    }),

    operation({
      id: 'get_three_ds_service_definition',
      route: 'GET /three-ds-service-definitions/:three_ds_service_definition_id',
      summary: 'Get 3-D Secure service definition',
      ...acts.get,
    }),
  ]
}
