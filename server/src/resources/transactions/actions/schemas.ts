import { type Static, Type } from 'typebox'
import { DateTime, Kind, OneOf, Strict, Uuid } from '#platform/schemas.ts'

const FLOW_ACTIONS = ['select-payment-options', 'route-transaction', 'decline-early', 'skip-3ds'] as const

const FLOWS = ['checkout', 'card-transaction', 'non-card-transaction', 'redirect-transaction'] as const

const TransactionAction = Strict(
  {
    type: Kind('action'),
    id: OneOf(FLOW_ACTIONS, { description: 'The decision.' }),
    flow: OneOf(FLOWS),
    rule_id: Uuid({ description: 'The rule that decided.' }),
    created_at: DateTime(),
    outcome: Type.Unsafe<Record<string, unknown>>({
      type: 'object',
      description: 'The details of the decision.',
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
        outcome: { payment_service_ids: ['0199f3a0-5d3b-7c00-8a11-3f1f7f1f0011'] },
      },
    ],
  },
)

export const TransactionActions = Strict(
  { items: Type.Array(TransactionAction) },
  { title: 'TransactionActions' },
)
export type TransactionActions = Static<typeof TransactionActions>
