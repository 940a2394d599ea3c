import { type Static, Type } from 'typebox'
import { Nullable, OneOf, Strict } from '../../../platform/schemas.ts'
import { optional } from '../order/schemas.ts'

export const INTEGRATION_CLIENTS = ['redirect', 'web', 'android', 'ios'] as const
export type IntegrationClient = (typeof INTEGRATION_CLIENTS)[number]

export const TransactionSessionQuery = Strict(
  optional({ token: Type.String({ description: 'The `session_token` of the transaction.' }) }),
)
export type TransactionSessionQuery = Static<typeof TransactionSessionQuery>

export const TransactionSessionRequest = Strict(
  optional({
    payload: Nullable(
      Type.Unsafe<Record<string, unknown>>({
        type: 'object',
        description: 'What the payment service’s own script wants to know.',
      }),
    ),
  }),
  { title: 'TransactionSessionRequest', examples: [{ payload: {} }] },
)
export type TransactionSessionRequest = Static<typeof TransactionSessionRequest>

export const TransactionSession = Strict(
  {
    session_data: Nullable(
      Type.Unsafe<Record<string, unknown>>({
        type: 'object',
        description: 'What to hand to the payment service’s own script.',
      }),
    ),
    default_completion_url: Type.String({ description: 'Where the buyer goes when done.' }),
    integration_client: OneOf(INTEGRATION_CLIENTS),
  },
  {
    title: 'TransactionSession',
    examples: [
      {
        session_data: { token: 'tok_7d21' },
        default_completion_url: 'https://shop.example.com/paid',
        integration_client: 'web',
      },
    ],
  },
)
export type TransactionSession = Static<typeof TransactionSession>
