import { Kind, Nullable, OneOf, Strict, Uuid } from '#platform/http/schemas.ts'
import { type Static, Type } from '#platform/http/type.ts'
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

export const ServiceStanding = Strict(
  {
    segment: Nullable(
      Type.String({
        description:
          'The payments that the figures are about: the method, the scheme, the currency and the country of the card. Parts are left out if there were too few such payments. Null: nothing was known of the service.',
      }),
    ),
    success_rate: Nullable(Type.Number({ description: 'Of 1. Recent payments count most.' })),
    payments: Type.Integer({ description: 'How many recent payments the figures stand for.' }),
    drawn: Nullable(
      Type.Number({
        description:
          'With `success_rate`: a rate that the service may have, drawn for this payment. The highest comes first, so that services of which little is known are tried too.',
      }),
    ),
    cost: Nullable(
      Type.Number({
        description: 'With `least_cost`: the cost of the payment, in the smallest unit of its currency.',
      }),
    ),
    cost_payments: Nullable(
      Type.Integer({
        description:
          'How many settled payments of the kind told the cost by their fees. Null: there were fewer than 100, and the cost is that of the rule.',
      }),
    ),
    is_aside: Type.Boolean({
      description: 'Whether it had failed too often in a row. Then it comes after all others.',
    }),
    is_probe: Type.Boolean({ description: 'Whether the payment was to find out if the service is back.' }),
  },
  { title: 'ServiceStanding' },
)
export type ServiceStanding = Static<typeof ServiceStanding>

const DecisionCandidate = Strict(
  {
    payment_service_id: Uuid(),
    display_name: Nullable(Type.String({ description: 'Null: it is not known any more.' })),
    was_asked: Type.Boolean(),
    reason: Nullable(Type.String({ description: 'Why it was skipped, as a word of its event.' })),
    standing: Nullable(ServiceStanding),
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
            standing: null,
            text: 'Mock cards was asked.',
          },
        ],
      },
    ],
  },
)
export type TransactionDecision = Static<typeof TransactionDecision>
