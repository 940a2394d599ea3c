import { type Static, Type } from 'typebox'
import { Kind, Nullable, OneOf, Strict, Uuid } from '#platform/schemas.ts'
import { FlowCondition } from '#resources/flows/conditions/schemas.ts'
import { ACTIONS, FLOWS } from '#resources/flows/vocabulary.ts'

const RuleOfDecision = Strict(
  {
    id: Uuid(),
    position: Type.Integer(),
    description: Nullable(Type.String()),
  },
  { title: 'RuleOfDecision' },
)

const PassedRule = Strict(
  {
    rule: RuleOfDecision,
    condition: Type.Optional(FlowCondition),
    because: OneOf(['not_met', 'not_known'], {
      description: '`not_known`: the payment does not tell the fact that the condition asks for.',
    }),
    text: Type.String(),
  },
  { title: 'PassedRule' },
)
export type PassedRule = Static<typeof PassedRule>

export const DecisionStep = Strict(
  {
    flow: OneOf(FLOWS),
    action: OneOf(ACTIONS),
    rule: Nullable(RuleOfDecision),
    passed_over: Type.Array(PassedRule, {
      description: 'The rules that were tried before, and why they did not decide.',
    }),
    text: Type.String(),
  },
  { title: 'DecisionStep' },
)
export type DecisionStep = Static<typeof DecisionStep>

const DecisionCandidate = Strict(
  {
    payment_service_id: Uuid(),
    display_name: Nullable(Type.String({ description: 'Null: it is not known any more.' })),
    was_asked: Type.Boolean(),
    reason: Nullable(Type.String({ description: 'Why it was skipped, as a word of its event.' })),
    text: Type.String(),
  },
  { title: 'DecisionCandidate' },
)
export type DecisionCandidate = Static<typeof DecisionCandidate>

export const TransactionDecision = Strict(
  {
    type: Kind('decision'),
    transaction_id: Uuid(),
    version: Nullable(Type.Integer({ description: 'The version of the rules. Null: there were no rules.' })),
    summary: Type.String({ description: 'Why the payment went where it went.' }),
    steps: Type.Array(DecisionStep),
    candidates: Type.Array(DecisionCandidate, {
      description: 'The payment services, in the order in which they were to be asked.',
    }),
  },
  {
    title: 'TransactionDecision',
    examples: [
      {
        type: 'decision',
        transaction_id: '0199f3a0-5d3b-7c00-8a11-3f1f7f1f0001',
        version: 7,
        summary: 'The rule “Euros to the European acquirer” sent the payment to Mock cards.',
        steps: [
          {
            flow: 'card-transaction',
            action: 'route-transaction',
            rule: {
              id: '0199f3a0-5d3b-7c00-8a11-3f1f7f1f0017',
              position: 0,
              description: 'Euros to the European acquirer',
            },
            passed_over: [],
            text: 'The rule “Euros to the European acquirer” chose the payment services.',
          },
        ],
        candidates: [
          {
            payment_service_id: '0199f3a0-5d3b-7c00-8a11-3f1f7f1f0011',
            display_name: 'Mock cards',
            was_asked: true,
            reason: null,
            text: 'Mock cards was asked.',
          },
        ],
      },
    ],
  },
)
export type TransactionDecision = Static<typeof TransactionDecision>
