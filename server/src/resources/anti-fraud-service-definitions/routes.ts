import type { AntiFraudConnector } from '#connectors/contract/anti-fraud.ts'
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

const TYPE = 'anti-fraud-service-definition'
const Path = Strict({ anti_fraud_service_definition_id: DefinitionId('mock-anti-fraud') })
const operation = operationsOf({
  tag: 'Anti-fraud service definitions',
  scope: 'anti-fraud-service-definitions.read',
  concerns: 'instance',
})

const Features = Strict(
  {
    reviews: Type.Boolean({ description: 'Whether the provider sends the result of a review.' }),
  },
  {
    title: 'AntiFraudServiceFeatures',
    description: 'What the service supports besides decisions.',
  },
)

const Definition = DefinitionOf(TYPE, Features, {
  title: 'AntiFraudServiceDefinition',
  example: {
    id: 'mock-anti-fraud',
    display_name: 'Mock anti-fraud',
    fields: [
      {
        key: 'webhook_secret',
        display_name: 'Webhook secret',
        required: false,
        format: 'text',
        secret: true,
        verifiable: false,
      },
    ],
    supported_features: { reviews: true },
  },
})
const Definitions = CollectionOf(Definition, 'AntiFraudServiceDefinitions')

type Needs = { readonly providers: Providers }

export function antiFraudServiceDefinitionRoutes({ providers }: Needs): Operation[] {
  return [
    operation({
      id: 'list_anti_fraud_service_definitions',
      route: 'GET /anti-fraud-service-definitions',
      summary: 'List anti-fraud service definitions',
      description: 'The providers for which an anti-fraud service can be created, and what each supports.',
      isList: true,
      query: Strict(pageParameters()),
      responses: { 200: Definitions },
      handler: async ({ context, query }) => {
        const name = 'anti-fraud-service-definitions'
        const page = await listDefinitions(context, providers.antiFraud, query, name)
        return { ...page, items: page.items.map(show) }
      },
    }),

    operation({
      id: 'get_anti_fraud_service_definition',
      route: 'GET /anti-fraud-service-definitions/:anti_fraud_service_definition_id',
      summary: 'Get anti-fraud service definition',
      params: Path,
      responses: { 200: Definition },
      handler: async ({ params }) => {
        const connector = orNotFound(providers.antiFraud.find(params.anti_fraud_service_definition_id))
        return show(connector)
      },
    }),
  ]
}

function show(connector: AntiFraudConnector) {
  const { readNotification } = connector
  return showDefinition(TYPE, connector, { reviews: readNotification !== undefined })
}
