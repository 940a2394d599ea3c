import { type Operation, operationsOf } from '#platform/http/operation.ts'
import type { Providers } from '#processing/provider.ts'
import { definitionActsOf } from '#processing/service-accounts/acts.ts'

const operation = operationsOf({
  tag: 'Gift card service definitions',
  scope: 'gift-card-service-definitions.read',
  concerns: 'instance',
})

export function giftCardServiceDefinitionRoutes({
  providers,
}: {
  readonly providers: Providers
}): Operation[] {
  const acts = definitionActsOf(providers.giftCards, {
    type: 'gift-card-service-definition',
    title: 'GiftCardService',
    about: 'What the service supports besides balances and payments.',
    features: {
      activations: {
        isIn: ({ activate }) => activate !== undefined,
        description: 'Whether cards can be activated.',
      },
      issuances: {
        isIn: ({ issue }) => issue !== undefined,
        description: 'Whether new cards can be issued.',
      },
    },
    example: {
      id: 'mock-gift-card',
      display_name: 'Mock gift card',
      secret: { key: 'api_key', display_name: 'API key', required: true },
      supported_features: { activations: true, issuances: false },
    },
  })
  return [
    operation({
      id: 'list_gift_card_service_definitions',
      route: 'GET /gift-card-service-definitions',
      summary: 'List gift card service definitions',
      description: 'The providers for which a gift card service can be created, and what each supports.',
      ...acts.list,
    }),

    operation({
      id: 'get_gift_card_service_definition',
      route: 'GET /gift-card-service-definitions/:gift_card_service_definition_id',
      summary: 'Get gift card service definition',
      ...acts.get,
    }),
  ]
}
