import type { GiftCardConnector } from '#connectors/contract/gift-card.ts'
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

const TYPE = 'gift-card-service-definition'
const Path = Strict({ gift_card_service_definition_id: DefinitionId('mock-gift-card') })
const operation = operationsOf({
  tag: 'Gift card service definitions',
  scope: 'gift-card-service-definitions.read',
  concerns: 'instance',
})

const Features = Strict(
  {
    activations: Type.Boolean({ description: 'Whether cards can be activated.' }),
    issuances: Type.Boolean({ description: 'Whether new cards can be issued.' }),
  },
  {
    title: 'GiftCardServiceFeatures',
    description: 'What the service supports besides balances and payments.',
  },
)

const Definition = DefinitionOf(TYPE, Features, {
  title: 'GiftCardServiceDefinition',
  example: {
    id: 'mock-gift-card',
    display_name: 'Mock gift card',
    fields: [
      {
        key: 'api_key',
        display_name: 'API key',
        required: true,
        format: 'text',
        secret: true,
        verifiable: false,
      },
    ],
    supported_features: { activations: true, issuances: false },
  },
})
const Definitions = CollectionOf(Definition, 'GiftCardServiceDefinitions')

type Needs = { readonly providers: Providers }

export function giftCardServiceDefinitionRoutes({ providers }: Needs): Operation[] {
  return [
    operation({
      id: 'list_gift_card_service_definitions',
      route: 'GET /gift-card-service-definitions',
      summary: 'List gift card service definitions',
      description: 'The providers for which a gift card service can be created, and what each supports.',
      isList: true,
      query: Strict(pageParameters()),
      responses: { 200: Definitions },
      handler: async ({ context, query }) => {
        const name = 'gift-card-service-definitions'
        const page = await listDefinitions(context, providers.giftCards, query, name)
        return { ...page, items: page.items.map(show) }
      },
    }),

    operation({
      id: 'get_gift_card_service_definition',
      route: 'GET /gift-card-service-definitions/:gift_card_service_definition_id',
      summary: 'Get gift card service definition',
      params: Path,
      responses: { 200: Definition },
      handler: async ({ params }) =>
        show(orNotFound(providers.giftCards.find(params.gift_card_service_definition_id))),
    }),
  ]
}

function show(connector: GiftCardConnector) {
  const { activate, issue } = connector
  return showDefinition(TYPE, connector, {
    activations: activate !== undefined,
    issuances: issue !== undefined,
  })
}
