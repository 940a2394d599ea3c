import { errors } from '../../platform/errors.ts'
import { type Operation, operation } from '../../platform/operation.ts'
import { Strict } from '../../platform/schemas.ts'
import type { Secrets } from '../../platform/secrets.ts'
import type { Providers } from '../../processing/provider.ts'
import { listConnectors } from '../payment-service-definitions/list.ts'
import {
  GiftCardServiceDefinition,
  GiftCardServiceDefinitionFilters,
  GiftCardServiceDefinitionId,
  GiftCardServiceDefinitions,
} from './schemas.ts'
import { showDefinition } from './show.ts'

const Path = Strict({ gift_card_service_definition_id: GiftCardServiceDefinitionId })
const TAG = 'Gift card service definitions'

type Needs = { readonly secrets: Secrets; readonly providers: Providers }

export function giftCardServiceDefinitionRoutes({ secrets, providers }: Needs): Operation[] {
  return [
    operation({
      id: 'list_gift_card_service_definitions',
      route: 'GET /gift-card-service-definitions',
      tag: TAG,
      summary: 'List gift card service definitions',
      description: 'The providers that gift card services can be set up with, and what each can do.',
      scope: 'gift-card-service-definitions.read',
      concerns: 'instance',
      isList: true,
      query: GiftCardServiceDefinitionFilters,
      responses: { 200: GiftCardServiceDefinitions },
      handler: async ({ query }) => {
        const name = 'gift-card-service-definitions'
        const page = await listConnectors(providers.giftCards, secrets, query, name)
        return { ...page, items: page.items.map(showDefinition) }
      },
    }),

    operation({
      id: 'get_gift_card_service_definition',
      route: 'GET /gift-card-service-definitions/:gift_card_service_definition_id',
      tag: TAG,
      summary: 'Get a gift card service definition',
      scope: 'gift-card-service-definitions.read',
      concerns: 'instance',
      params: Path,
      responses: { 200: GiftCardServiceDefinition },
      handler: async ({ params }) => {
        const connector = providers.giftCards.find(params.gift_card_service_definition_id)
        if (!connector) throw errors.notFound()
        return showDefinition(connector)
      },
    }),
  ]
}
