import { type Static, Type } from 'typebox'
import { Nullable, OneOf, Strict } from '#platform/http/schemas.ts'

const FlowOutcomeOption = Strict(
  {
    type: OneOf(['action', 'transaction-route', 'outcome'], {
      description: 'A payment method, a payment service for cards, or anything else.',
    }),
    id: Type.String({ description: 'What an outcome names.' }),
    label: Type.String(),
    active: Type.Boolean({ description: 'Whether a payment can come to it today.' }),
    icon_url: Nullable(Type.String({ format: 'uri' })),
    group: Type.Optional(Nullable(Type.String())),
    countries: Type.Optional(Type.Array(Type.String())),
    currencies: Type.Optional(Type.Array(Type.String())),
    instruments: Type.Optional(Type.Array(OneOf(['network_token', 'pan']))),
    transformations: Type.Optional(
      Type.Array(Strict({ name: OneOf(['force_mit', 'use_additional_scheme']) })),
    ),
    network_tokens_enabled: Type.Optional(Type.Boolean()),
    open_loop: Type.Optional(Type.Boolean()),
  },
  { title: 'FlowOutcomeOption' },
)

export const FlowOutcomeOptions = Strict(
  { items: Type.Array(FlowOutcomeOption) },
  {
    title: 'FlowOutcomeOptions',
    examples: [
      {
        items: [
          {
            type: 'transaction-route',
            id: '0199f3a0-5d3b-7c00-8a11-3f1f7f1f0011',
            label: 'Mock cards',
            active: true,
            icon_url: null,
            countries: ['DE', 'US'],
            currencies: ['EUR', 'USD'],
            instruments: ['network_token', 'pan'],
            transformations: [{ name: 'force_mit' }, { name: 'use_additional_scheme' }],
            network_tokens_enabled: false,
            open_loop: false,
          },
        ],
      },
    ],
  },
)
export type FlowOutcomeOptions = Static<typeof FlowOutcomeOptions>
