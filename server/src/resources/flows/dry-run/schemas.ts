import { Kind, Nullable, OneOf, Strict, Uuid } from '#platform/http/schemas.ts'
import { type Static, Type } from '#platform/http/type.ts'
import { DecisionStep, ServiceStanding } from '#resources/transactions/wire/decision.ts'
import { ANTI_FRAUD_DECISIONS, TransactionCreate } from '#resources/transactions/wire/transaction.ts'
import { TRIED } from '../tried-rules.ts'

export const FlowDryRunCreate = Strict(
  {
    transaction: Type.Optional(TransactionCreate),
    transaction_id: Type.Optional(
      Uuid({ description: 'A payment that was made, instead of `transaction`.' }),
    ),
    ...TRIED,
    anti_fraud_decision: Type.Optional(
      OneOf(ANTI_FRAUD_DECISIONS, {
        description:
          'What the anti-fraud service would decide. It is not asked. A payment that was made brings its own.',
      }),
    ),
  },
  {
    title: 'FlowDryRunCreate',
    examples: [
      {
        transaction: {
          amount: 1299,
          currency: 'EUR',
          payment_method: { method: 'card', number: '4111111111111111', expiration_date: '12/30' },
        },
      },
    ],
  },
)
export type FlowDryRunCreate = Static<typeof FlowDryRunCreate>

const DryRunCandidate = Strict(
  {
    payment_service_id: Uuid(),
    display_name: Type.String(),
    reason: Nullable(
      Type.String({ description: 'Why the service would be skipped. Null: it would be asked in its turn.' }),
    ),
    standing: Nullable(ServiceStanding),
    text: Nullable(
      Type.String({ description: '`standing` in words: why the service has its place in the order.' }),
    ),
  },
  { title: 'DryRunCandidate' },
)

export const FlowDryRun = Strict(
  {
    type: Kind('flow-dry-run'),
    version: Nullable(
      Type.Integer({ description: 'Null: there are no rules, or they were in the request.' }),
    ),
    error_code: Nullable(Type.String({ description: 'With which a rule would decline the payment.' })),
    three_d_secure: Nullable(OneOf(['attempt', 'force', 'skip'])),
    objection: Nullable(
      Strict(
        {
          error_code: OneOf([
            'retry_not_allowed_by_scheme',
            'retry_too_early_for_scheme',
            'retry_limit_reached',
          ]),
          stops: OneOf(['payment', 'nothing'], {
            description:
              '`payment`: it would be declined with this code, and no service would be asked. `nothing`: the retry policy only warns.',
          }),
          text: Type.String(),
        },
        {
          title: 'DryRunObjection',
          description: 'What the card’s scheme says against the payment now. Null: nothing.',
        },
      ),
    ),
    steps: Type.Array(DecisionStep),
    candidates: Type.Array(DryRunCandidate, {
      description:
        'The payment services in the order in which they would be asked, then those that would be skipped.',
    }),
  },
  {
    title: 'FlowDryRun',
    examples: [
      {
        type: 'flow-dry-run',
        version: 7,
        error_code: null,
        three_d_secure: null,
        objection: null,
        steps: [],
        candidates: [
          {
            payment_service_id: '0199f3a0-5d3b-7c00-8a11-3f1f7f1f0011',
            display_name: 'Mock cards',
            reason: null,
            standing: null,
            text: null,
          },
        ],
      },
    ],
  },
)
export type FlowDryRun = Static<typeof FlowDryRun>
