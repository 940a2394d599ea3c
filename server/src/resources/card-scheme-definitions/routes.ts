import { CARD_SCHEMES } from '#domain/card-scheme.ts'
import { type Operation, operation } from '#platform/http/operation.ts'
import { Kind, Strict } from '#platform/http/schemas.ts'
import { type Static, Type } from '#platform/http/type.ts'

const CardSchemeDefinition = Strict(
  {
    type: Kind('card-scheme-definition'),
    id: Type.String({
      minLength: 1,
      maxLength: 50,
      description: 'The scheme’s identifier, as in `scheme` elsewhere.',
    }),
    icon_url: Type.String({ format: 'uri' }),
    display_name: Type.String({ minLength: 1, maxLength: 200 }),
  },
  {
    title: 'CardSchemeDefinition',
    examples: [
      {
        type: 'card-scheme-definition',
        id: 'visa',
        icon_url: 'https://pay.example.com/assets/card-schemes/visa.svg',
        display_name: 'Visa',
      },
    ],
  },
)

const CardSchemeDefinitions = Strict(
  { items: Type.Array(CardSchemeDefinition) },
  { title: 'CardSchemeDefinitions' },
)
type CardSchemeDefinitions = Static<typeof CardSchemeDefinitions>

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
