import { DateTime, Kind, OneOf, Strict, Uuid } from '#platform/http/schemas.ts'
import { type Static, Type } from '#platform/http/type.ts'
import { ACTIONS, FLOWS } from '#resources/flows/vocabulary.ts'

const TransactionAction = Strict(
  {
    type: Kind('action'),
    id: OneOf(ACTIONS, { description: 'The decision.' }),
    flow: OneOf(FLOWS),
    rule_id: Uuid({ description: 'The rule that decided.' }),
    created_at: DateTime(),
    outcome: Type.Unsafe<Record<string, unknown>>({
      type: 'object',
      description: 'The outcome of the rule, as it was then.',
    }),
  },
  {
    title: 'TransactionAction',
    examples: [
      {
        type: 'action',
        id: 'route-transaction',
        flow: 'card-transaction',
        rule_id: '0199f3a0-5d3b-7c00-8a11-3f1f7f1f0017',
        created_at: '2026-11-15T09:30:00.000Z',
        outcome: {
          type: 'card-routing',
          version: 2,
          result: [{ payment_service_id: '0199f3a0-5d3b-7c00-8a11-3f1f7f1f0011', instrument: 'pan' }],
        },
      },
    ],
  },
)

export const TransactionActions = Strict(
  { items: Type.Array(TransactionAction) },
  { title: 'TransactionActions' },
)
export type TransactionActions = Static<typeof TransactionActions>
