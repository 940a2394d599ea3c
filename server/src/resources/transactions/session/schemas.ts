import { Nullable, OneOf, Strict } from '#platform/http/schemas.ts'
import { type Static, Type } from '#platform/http/type.ts'
import { INTEGRATION_CLIENTS } from '../wire/transaction.ts'

/** Null is how some clients send no body. */
export const UpdateTransactionSession = Strict(
  {
    payload: Type.Optional(
      Nullable(
        Type.Unsafe<Record<string, unknown>>({
          type: 'object',
          additionalProperties: true,
          description: 'What the provider’s script asks for. We pass it on unchanged.',
        }),
      ),
    ),
  },
  { title: 'UpdateTransactionSession', examples: [{ payload: { domain_name: 'shop.example.com' } }] },
)

export const TransactionSession = Strict(
  {
    session_data: Nullable(
      Type.Unsafe<Record<string, unknown>>({
        type: 'object',
        additionalProperties: true,
        description: 'What the provider’s script needs. Each provider has its own fields.',
      }),
    ),
    default_completion_url: Type.String({
      format: 'uri',
      description:
        'Where to send the buyer after approving. We ask the provider for the outcome there, and lead back to your shop.',
    }),
    integration_client: OneOf(INTEGRATION_CLIENTS, {
      description: 'As in the request of the payment; `redirect` if it named none.',
    }),
  },
  {
    title: 'TransactionSession',
    examples: [
      {
        session_data: { client_id: 'shop', order_id: '6f1e2c34-7a1b-4f0e-9f55-0a4b6a2f8c11' },
        default_completion_url:
          'https://pay.example.com/approvals/default/0199f3a0-5d3b-7c00-8a11-3f1f7f1f0001/kQ3vN8bT1xZr7LwE5yUa2A/return',
        integration_client: 'web',
      },
    ],
  },
)
export type TransactionSession = Static<typeof TransactionSession>
