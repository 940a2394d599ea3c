import { ERROR_CODES } from '#connectors/contract/codes.ts'
import { PAYMENT_METHODS } from '#domain/payment-method.ts'
import { DateTime, Kind, Nullable, OneOf, Strict, Uuid } from '#platform/http/schemas.ts'
import { type Static, Type } from '#platform/http/type.ts'
import { Variants } from '#resources/transactions/wire/variants.ts'
import { type Condition, FlowCondition } from './conditions/schemas.ts'
import { ACTIONS, FLOWS } from './vocabulary.ts'

export const RULES_MAX = 500
const CONDITIONS_MAX = 30
const ENTRIES_MAX = 20
const METHODS = Object.keys(PAYMENT_METHODS)
const CODES = Object.keys(ERROR_CODES) as (keyof typeof ERROR_CODES)[]
const ATTEMPTS_MAX = 5

const Transformation = Strict({
  name: OneOf(['force_mit', 'use_additional_scheme'], {
    description:
      '`force_mit`: the service is told that the merchant initiated the payment. `use_additional_scheme`: the card is charged through its second scheme; the entry is skipped for cards that have one scheme.',
  }),
})

const Codes = (description: string) =>
  Type.Optional(
    Type.Array(OneOf(CODES), { minItems: 1, maxItems: CODES.length, uniqueItems: true, description }),
  )

const RetryList = Strict(
  {
    on: Codes(
      'After these error codes the next service is asked, also if it usually is not. A card scheme or a provider that forbids it is obeyed.',
    ),
    not_on: Codes('After these error codes no other service is asked.'),
  },
  {
    title: 'RetryList',
    description: 'What follows a refusal by this service. Other error codes are treated as without a list.',
  },
)

const ServiceEntry = Strict({
  payment_service_id: Uuid(),
  instrument: OneOf(['pan', 'network_token'], {
    description:
      '`network_token`: the entry is skipped unless the card has a network token for the service. `pan`: the number, or the token of the service itself.',
  }),
  transformations: Type.Optional(Type.Array(Transformation, { maxItems: 2, uniqueItems: true })),
  weight: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 100,
      description: 'The share of payers in percent, with the strategy `weighted`. All weights add up to 100.',
    }),
  ),
  retry: Type.Optional(RetryList),
  max_attempts: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: ATTEMPTS_MAX,
      description:
        'How often this service is asked at most for one payment: it is asked again with 3-D Secure after a soft decline, with the number after it refused a token, and with the new card after the issuer replaced it.',
    }),
  ),
  cost: Type.Optional(
    Strict(
      {
        basis_points: Type.Number({
          minimum: 0,
          maximum: 10_000,
          description: 'The part that depends on the amount: 290 is 2.9 %.',
        }),
        fixed: Type.Optional(
          Type.Integer({
            minimum: 0,
            maximum: 99_999_999,
            description:
              'The part that is the same for every payment, in the smallest unit of the currency of the payment. Give the rule a condition on the currency if you use it.',
          }),
        ),
      },
      {
        description:
          'What a payment costs, with the strategy `least_cost`. Entries without it come after those that have it.',
      },
    ),
  ),
})
export type ServiceEntry = Static<typeof ServiceEntry>

/** The outcomes by their `type`, and by the action where two have the same. */
export const OUTCOMES = {
  'route-card': Strict(
    {
      type: Kind('card-routing'),
      version: Type.Unsafe<2>({ type: 'integer', const: 2 }),
      result: Type.Array(ServiceEntry, { minItems: 1, maxItems: ENTRIES_MAX, uniqueItems: true }),
      strategy: Type.Optional(
        OneOf(['ordered', 'weighted', 'success_rate', 'least_cost'], {
          description:
            '`ordered`, the default: the first service that can take the payment. `weighted`: one service by its weight, always the same for a buyer; then the others in order. `success_rate`: the service that probably approves, learned from all payments of the account. `least_cost`: the cheapest. The last two ask services that fail again and again after all others.',
        }),
      ),
    },
    { title: 'CardRoutingOutcome' },
  ),
  'route-redirect': Strict(
    {
      type: Kind('list'),
      result: Type.Array(Uuid(), { minItems: 1, maxItems: ENTRIES_MAX, uniqueItems: true }),
    },
    { title: 'RedirectRoutingOutcome' },
  ),
  'select-payment-options': Strict(
    {
      type: Kind('list'),
      result: Type.Array(OneOf(METHODS), { maxItems: METHODS.length, uniqueItems: true }),
    },
    { title: 'PaymentOptionsOutcome' },
  ),
  'skip-3ds': Strict(
    { type: Kind('three-d-secure'), result: OneOf(['attempt', 'force', 'skip']) },
    { title: 'ThreeDSecureOutcome' },
  ),
  yes: Strict(
    { type: Kind('boolean'), result: Type.Unsafe<true>({ type: 'boolean', const: true }) },
    { title: 'BooleanOutcome' },
  ),
} as const
export type Outcome = Static<(typeof OUTCOMES)[keyof typeof OUTCOMES]>

const FlowOutcome = Variants(
  Object.values(OUTCOMES),
  'What the rule decides. Card payments are routed by `card-routing`, others by a `list` of payment services; `decline-early` and `skip-3ds` take `boolean`, `skip-3ds` also `three-d-secure`; payment options are a `list` of methods, in the order in which they are shown.',
  { title: 'FlowOutcome' },
)

const Description = Type.String({ minLength: 1, maxLength: 200 })
const ErrorCode = Nullable(
  Type.String({
    pattern: '^flow_[a-z_]+$',
    maxLength: 255,
    expected: 'must begin with flow_ and go on with small letters and underscores',
    description:
      'The error code of payments that the rule declines. Only for `decline-early`; without it, `flow_decline`.',
  }),
)
const Conditions = Type.Array(FlowCondition, {
  maxItems: CONDITIONS_MAX,
  description: 'All of them must be met. Without conditions the rule matches every payment.',
})
const BasedOn = Type.Optional(
  Type.Integer({
    minimum: 0,
    maximum: 2_147_483_647,
    description:
      'The version that you have read. If there is a newer one, the request is refused and changes nothing.',
  }),
)

const EXAMPLE = {
  description: 'Euros to the European acquirer',
  conditions: [{ name: 'currency', operator: 'is_one_of', value: ['EUR'] }],
  outcome: {
    type: 'card-routing',
    version: 2,
    result: [
      { payment_service_id: '0199f3a0-5d3b-7c00-8a11-3f1f7f1f0011', instrument: 'pan', transformations: [] },
    ],
  },
}

export const FlowRuleCreate = Strict(
  {
    description: Type.Optional(Nullable(Description)),
    conditions: Conditions,
    outcome: FlowOutcome,
    error_code: Type.Optional(ErrorCode),
    based_on_version: BasedOn,
  },
  { title: 'FlowRuleCreate', examples: [EXAMPLE] },
)
export type FlowRuleCreate = Static<typeof FlowRuleCreate>

export const FlowRuleUpdate = Strict(
  {
    position: Type.Integer({
      minimum: 0,
      maximum: RULES_MAX,
      description: 'The place among the rules of this action, from 0. The others move.',
    }),
    description: Type.Optional(Nullable(Description)),
    conditions: Type.Optional(Conditions),
    outcome: Type.Optional(FlowOutcome),
    error_code: Type.Optional(ErrorCode),
    based_on_version: BasedOn,
  },
  { title: 'FlowRuleUpdate', examples: [{ position: 0, description: 'Euros first' }] },
)
export type FlowRuleUpdate = Static<typeof FlowRuleUpdate>

const FlowWarning = Strict(
  {
    pointer: Type.String({ description: 'The field of the rule.' }),
    message: Type.String(),
  },
  { title: 'FlowWarning' },
)
export type FlowWarning = Static<typeof FlowWarning>

const EXAMPLE_RULE = {
  type: 'rule',
  id: '0199f3a0-5d3b-7c00-8a11-3f1f7f1f0017',
  merchant_account_id: 'default',
  flow: 'card-transaction',
  action: 'route-transaction',
  ...EXAMPLE,
  position: 0,
  error_code: null,
  warnings: [],
  created_at: '2026-11-15T09:30:00.000Z',
  updated_at: '2026-11-15T09:30:00.000Z',
}

export const FlowRule = Strict(
  {
    type: Kind('rule'),
    id: Uuid(),
    merchant_account_id: Type.String(),
    description: Nullable(Type.String()),
    flow: OneOf(FLOWS),
    action: OneOf(ACTIONS),
    conditions: Type.Array(FlowCondition),
    outcome: FlowOutcome,
    position: Type.Integer({
      description: 'Rules are tried from 0 upwards. The first that matches decides.',
    }),
    error_code: Nullable(Type.String()),
    warnings: Type.Array(FlowWarning, {
      description: 'What the rule allows and probably should not, such as a service that is switched off.',
    }),
    created_at: DateTime(),
    updated_at: DateTime(),
  },
  {
    title: 'FlowRule',
    examples: [EXAMPLE_RULE],
  },
)
export type FlowRule = Static<typeof FlowRule>

export const FlowRules = Strict(
  {
    items: Type.Array(FlowRule),
    version: Type.Integer({
      description: 'The version of all rules of the merchant account; 0 before the first rule.',
    }),
  },
  { title: 'FlowRules', examples: [{ items: [EXAMPLE_RULE], version: 1 }] },
)
export type FlowRules = Static<typeof FlowRules>

/** A rule as it is stored in a version. */
export type StoredRule = {
  readonly id: string
  readonly flow: FlowRule['flow']
  readonly action: FlowRule['action']
  readonly description: string | null
  readonly conditions: readonly Condition[]
  readonly outcome: Outcome
  readonly error_code: string | null
  readonly created_at: string
  readonly updated_at: string
}
