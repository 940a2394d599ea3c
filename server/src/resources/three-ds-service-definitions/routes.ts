import type { ThreeDSecureConnector } from '#connectors/contract/three-d-secure.ts'
import { orNotFound } from '#platform/http/errors.ts'
import { type Operation, operationsOf } from '#platform/http/operation.ts'
import { Strict } from '#platform/http/schemas.ts'
import { Type } from '#platform/http/type.ts'
import { CollectionOf, pageParameters } from '#platform/listing/pagination.ts'
import type { Providers } from '#processing/provider.ts'
import {
  DefinitionId,
  DefinitionOf,
  listDefinitions,
  showDefinition,
} from '#processing/service-accounts/schemas.ts'

const TYPE = 'three-ds-service-definition'
const Path = Strict({ three_ds_service_definition_id: DefinitionId('mock-three-ds') })
const operation = operationsOf({
  tag: '3-D Secure service definitions',
  scope: 'three-ds-service-definitions.read',
  concerns: 'instance',
})

const Features = Strict(
  {
    device_data: Type.Boolean({
      description:
        'Whether the buyer’s browser is asked about the device before the card is authenticated. Then every buyer is sent to `approval_url`.',
    }),
  },
  {
    title: 'ThreeDSServiceFeatures',
    description: 'What the service does besides asking the issuer.',
  },
)

const Definition = DefinitionOf(TYPE, Features, {
  title: 'ThreeDSServiceDefinition',
  example: {
    id: 'mock-three-ds',
    display_name: 'Mock 3-D Secure',
    fields: [],
    supported_features: { device_data: false },
  },
})
const Definitions = CollectionOf(Definition, 'ThreeDSServiceDefinitions')

type Needs = { readonly providers: Providers }

export function threeDSServiceDefinitionRoutes({ providers }: Needs): Operation[] {
  return [
    operation({
      id: 'list_three_ds_service_definitions',
      route: 'GET /three-ds-service-definitions',
      summary: 'List 3-D Secure service definitions',
      description: 'The providers for which a 3-D Secure service can be created, and what each supports.',
      isList: true,
      query: Strict(pageParameters()),
      responses: { 200: Definitions },
      handler: async ({ context, query }) => {
        const name = 'three-ds-service-definitions'
        const page = await listDefinitions(context, providers.threeDSecure, query, name)
        return { ...page, items: page.items.map(show) }
      },
    }),

    operation({
      id: 'get_three_ds_service_definition',
      route: 'GET /three-ds-service-definitions/:three_ds_service_definition_id',
      summary: 'Get 3-D Secure service definition',
      params: Path,
      responses: { 200: Definition },
      handler: async ({ params }) => {
        const connector = orNotFound(providers.threeDSecure.find(params.three_ds_service_definition_id))
        return show(connector)
      },
    }),
  ]
}

function show(connector: ThreeDSecureConnector) {
  const { prepare } = connector
  return showDefinition(TYPE, connector, { device_data: prepare !== undefined })
}
