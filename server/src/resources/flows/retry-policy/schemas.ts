import { DateTime, Kind, Nullable, OneOf, Strict } from '#platform/http/schemas.ts'
import { type Static, Type } from '#platform/http/type.ts'
import { Scheme } from '#resources/merchant-accounts/schemas.ts'

const LIMITS_MAX = 50
/** All declines are forgotten after a month. */
const HOURS_MAX = 720
const DECLINES_MAX = 100

const Mode = OneOf(['obey', 'warn'], {
  description:
    '`obey`: an attempt that a card scheme forbids is not made. `warn`: it is made, and the history of the payment tells what the scheme says.',
})

const COUNTED = OneOf(['apart', 'together'], {
  description:
    '`apart`: payments that you initiate and payments of the buyer each have the whole limit. `together`: all count for one.',
})

const LIMIT = {
  scheme: Scheme,
  within_hours: Type.Integer({
    minimum: 1,
    maximum: HOURS_MAX,
    description: 'How far the count looks back.',
  }),
  declines_max: Type.Integer({
    minimum: 0,
    maximum: DECLINES_MAX,
    description: 'After so many declines of a card within this time, it is not tried again.',
  }),
}

const RetryLimit = Strict({ ...LIMIT, scheme: Type.String(), counted: COUNTED }, { title: 'RetryLimit' })

const RetryLimitUpdate = Strict({ ...LIMIT, counted: Type.Optional(COUNTED) }, { title: 'RetryLimitUpdate' })

const SchemeAdvice = Strict(
  {
    kind: OneOf(['merchant_advice_code', 'response_code']),
    code: Type.String(),
    scheme: Nullable(Type.String({ description: 'Null: cards of every scheme.' })),
    action: OneOf(['never', 'later', 'other_data'], {
      description:
        '`never`: not with this card, until it changes. `later`: not before `retry_after_hours`. `other_data`: not with the same details of the card.',
    }),
    retry_after_hours: Nullable(Type.Integer()),
    meaning: Type.String(),
  },
  { title: 'SchemeAdvice' },
)

const EXAMPLE_LIMIT = { scheme: 'mastercard', within_hours: 24, declines_max: 10, counted: 'together' }

export const RetryPolicyUpdate = Strict(
  {
    mode: Type.Optional(Mode),
    limits: Type.Optional(
      Nullable(
        Type.Array(RetryLimitUpdate, {
          maxItems: LIMITS_MAX,
          description: 'All limits that are to apply. Empty: none. Null: those of the schemes.',
        }),
      ),
    ),
  },
  { title: 'RetryPolicyUpdate', examples: [{ mode: 'obey', limits: [EXAMPLE_LIMIT] }] },
)
export type RetryPolicyUpdate = Static<typeof RetryPolicyUpdate>

export const RetryPolicy = Strict(
  {
    type: Kind('retry-policy'),
    mode: Mode,
    limits: Type.Array(RetryLimit, {
      description:
        'The limits that apply. Until you set some, those of the schemes; in a sandbox none, because all tests share a few cards.',
    }),
    scheme_limits: Type.Array(RetryLimit, { description: 'The limits of the schemes.' }),
    scheme_advice: Type.Array(SchemeAdvice, {
      description: 'The codes in answers of issuers by which schemes say what to do with a card.',
    }),
    updated_at: Nullable(DateTime({ description: 'Null: the policy was never changed.' })),
  },
  {
    title: 'RetryPolicy',
    examples: [
      {
        type: 'retry-policy',
        mode: 'obey',
        limits: [EXAMPLE_LIMIT],
        scheme_limits: [EXAMPLE_LIMIT],
        scheme_advice: [
          {
            kind: 'merchant_advice_code',
            code: '03',
            scheme: null,
            action: 'never',
            retry_after_hours: null,
            meaning: 'Do not try again.',
          },
        ],
        updated_at: '2026-11-15T09:30:00.000Z',
      },
    ],
  },
)
export type RetryPolicy = Static<typeof RetryPolicy>
