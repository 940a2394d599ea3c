import { CARD_SCHEMES } from '#domain/card-scheme.ts'
import { type Operation, operation } from '#platform/http/operation.ts'
import { CardSchemeDefinitions } from './schemas.ts'

export function cardSchemeDefinitionRoutes({ publicUrl }: { readonly publicUrl: string }): Operation[] {
  const items: CardSchemeDefinitions['items'] = Object.entries(CARD_SCHEMES).map(([id, display_name]) => ({
    type: 'card-scheme-definition',
    id,
    icon_url: `${publicUrl}/assets/card-schemes/${id}.svg`,
    display_name,
  }))
  return [
    operation({
      id: 'list_card_scheme_definitions',
      route: 'GET /card-scheme-definitions',
      tag: 'Card scheme definitions',
      summary: 'List card scheme definitions',
      description: 'Every card scheme, with a name and an icon to show beside a card.',
      scope: 'card-scheme-definitions.read',
      concerns: 'merchant-account',
      isList: true,
      responses: { 200: CardSchemeDefinitions },
      handler: async () => ({ items }),
    }),
  ]
}
