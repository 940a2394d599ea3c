import { type Static, Type } from 'typebox'
import { Kind, Strict } from '#platform/http/schemas.ts'

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

export const CardSchemeDefinitions = Strict(
  { items: Type.Array(CardSchemeDefinition) },
  { title: 'CardSchemeDefinitions' },
)
export type CardSchemeDefinitions = Static<typeof CardSchemeDefinitions>
