import { CARD_TYPES } from '#domain/card.ts'
import { CARD_SCHEMES, type CardScheme } from '#domain/card-scheme.ts'
import { PAYMENT_METHODS } from '#domain/payment-method.ts'
import { Kind, Nullable, OneOf, Strict } from '#platform/http/schemas.ts'
import { type Static, type TSchema, Type } from '#platform/http/type.ts'
import { PAYMENT_SOURCES, PRODUCT_TYPES } from '#resources/transactions/wire/order.ts'
import { Variants } from '#resources/transactions/wire/variants.ts'
import type { Action } from '../vocabulary.ts'

const LIST_MAX = 500
const ANY_OF_MAX = 10
const TEXT_MAX = 255

const ONE_OF = ['is_one_of', 'is_not_one_of'] as const
const LIKE = ['like_one_of', 'unlike_any_of'] as const
const INCLUDES = ['includes_all', 'includes_at_least_one', 'includes_none'] as const
const COMPARISONS = [
  'less_than',
  'greater_than',
  'equal_to',
  'less_than_or_equal_to',
  'greater_than_or_equal_to',
] as const
const DECISIONS = ['accept', 'error', 'reject', 'review', 'exception', 'skipped'] as const
const CARD_SOURCES = ['applepay', 'googlepay', 'network-token', 'raw', 'token'] as const
const WEEKDAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const

const METHODS = Object.keys(PAYMENT_METHODS)
const SCHEMES = Object.keys(CARD_SCHEMES) as CardScheme[]

const text = (maxLength = TEXT_MAX) => Type.String({ minLength: 1, maxLength })
const Currency = () => Type.String({ pattern: '^[A-Z]{3}$', expected: 'must be a currency, such as USD' })
const Country = () =>
  Type.String({ pattern: '^[A-Z]{2}$', expected: 'must be a country of two capital letters, such as US' })
const Language = () =>
  Type.String({ pattern: '^[a-z]{2}$', expected: 'must be a language of two small letters, such as en' })
const Bins = (digits: number) =>
  Type.String({
    pattern: `^\\d{1,${digits}}(-\\d{1,${digits}})?$`,
    expected: `must be first digits, or a range of them, such as 41410000-42429999; at most ${digits} digits`,
  })
const AmountValue = () => Type.Integer({ minimum: 0, maximum: 99_999_999 })
const TimeZone = () =>
  Type.String({ minLength: 1, maxLength: 64, description: 'An IANA time zone, such as `Europe/Berlin`.' })
const ClockTime = () =>
  Type.String({ pattern: '^([01]\\d|2[0-3]):[0-5]\\d$', expected: 'must be a time of day, such as 09:30' })

function condition<
  const Name extends string,
  const Operators extends readonly string[],
  Value extends TSchema,
>(name: Name, operators: Operators, value: Value) {
  return Strict({ name: Kind(name), operator: OneOf(operators), value })
}

function listed<Item extends TSchema>(item: Item) {
  return Type.Array(item, { minItems: 1, maxItems: LIST_MAX, uniqueItems: true })
}

/** Every condition by its name. Where a name has two shapes, the operator tells which. */
const SHAPES = {
  amount: condition(
    'amount',
    ['less_than', 'greater_than'],
    Strict({ currency: Currency(), value: AmountValue() }),
  ),
  amount_range: condition(
    'amount',
    ['is_between'],
    Strict({ currency: Currency(), min: AmountValue(), max: AmountValue() }),
  ),
  amount_zero: condition('amount_zero', ['equal_to'], Type.Unsafe<0>({ type: 'integer', const: 0 })),
  anti_fraud_decision: condition('anti_fraud_decision', ONE_OF, listed(OneOf(DECISIONS))),
  browser_language: condition('browser_language', ONE_OF, listed(Language())),
  card_bin: condition('card_bin', ONE_OF, listed(Bins(8))),
  card_country: condition('card_country', ONE_OF, listed(Country())),
  card_issuer_name: condition('card_issuer_name', LIKE, listed(text())),
  card_product_name: condition('card_product_name', LIKE, listed(text())),
  card_scheme: condition('card_scheme', ONE_OF, listed(Nullable(OneOf(SCHEMES)))),
  card_source: condition('card_source', ONE_OF, listed(OneOf(CARD_SOURCES))),
  card_type: condition('card_type', ONE_OF, listed(OneOf(CARD_TYPES))),
  country: condition('country', ONE_OF, listed(Country())),
  currency: condition('currency', ONE_OF, listed(Currency())),
  gift_card_bin: condition('gift_card_bin', ONE_OF, listed(Bins(9))),
  has_gift_cards: condition('has_gift_cards', ['equal_to'], Type.Boolean()),
  is_subsequent_payment: condition('is_subsequent_payment', ['equal_to'], Type.Boolean()),
  merchant_initiated: condition('merchant_initiated', ['equal_to'], Type.Boolean()),
  metadata: condition(
    'metadata',
    ['includes', 'excludes'],
    Strict({
      key: text(),
      value: Type.Unsafe<string | string[]>({
        type: ['string', 'array'],
        minLength: 1,
        maxLength: TEXT_MAX,
        minItems: 1,
        maxItems: 128,
        items: text(),
      }),
    }),
  ),
  metadata_numeric: condition('metadata_numeric', COMPARISONS, Strict({ key: text(), value: Type.Number() })),
  payment_method: condition('payment_method', ['equal_to'], OneOf(METHODS)),
  payment_methods: condition('payment_method', ONE_OF, listed(OneOf(METHODS))),
  payment_source: condition('payment_source', ONE_OF, listed(OneOf(PAYMENT_SOURCES))),
  product_categories: condition('product_categories', INCLUDES, listed(text(50))),
  product_types: condition('product_types', INCLUDES, listed(Nullable(OneOf(PRODUCT_TYPES)))),
  skus: condition('skus', INCLUDES, listed(text())),
  split_routing: condition(
    'split_routing',
    ['less_than_or_equal_to'],
    Type.Integer({ minimum: 1, maximum: 99, description: 'The share of payers in percent.' }),
  ),
  installment_count: condition('installment_count', COMPARISONS, Type.Integer({ minimum: 1, maximum: 99 })),
  weekday: condition(
    'weekday',
    ONE_OF,
    Strict({
      time_zone: TimeZone(),
      days: Type.Array(OneOf(WEEKDAYS), { minItems: 1, maxItems: 7, uniqueItems: true }),
    }),
  ),
  time_of_day: condition(
    'time_of_day',
    ['is_between'],
    Strict({ time_zone: TimeZone(), from: ClockTime(), to: ClockTime() }),
  ),
} as const

export type SimpleCondition = Static<(typeof SHAPES)[keyof typeof SHAPES]>

const AnyOf = Strict(
  {
    name: Kind('any_of'),
    operator: OneOf(['is_true']),
    value: Type.Array(Variants(Object.values(SHAPES), 'A condition.'), {
      minItems: 2,
      maxItems: ANY_OF_MAX,
      description: 'At least one of these must be met. They cannot be `any_of` themselves.',
    }),
  },
  { title: 'AnyOfCondition' },
)
type AnyOf = Static<typeof AnyOf>

export type Condition = SimpleCondition | AnyOf
export type ConditionName = Condition['name']

const CONDITIONS = [...Object.values(SHAPES), AnyOf]

export const FlowCondition = Variants(
  CONDITIONS,
  'What must be true of a payment. A fact that is not known meets no condition, whether it is asked for or excluded.',
  { title: 'FlowCondition' },
)

/** The shapes of a name, and the operators of each. */
export const SHAPES_OF: ReadonlyMap<
  string,
  readonly { readonly operators: readonly string[]; readonly schema: TSchema }[]
> = Map.groupBy(
  [...Object.values(SHAPES), AnyOf].map((schema) => ({
    schema,
    operators: operatorsOf(schema),
    name: nameOf(schema),
  })),
  ({ name }) => name,
)

function operatorsOf(schema: TSchema): readonly string[] {
  return (schema as unknown as { properties: { operator: { enum: string[] } } }).properties.operator.enum
}

function nameOf(schema: TSchema): string {
  return (schema as unknown as { properties: { name: { const: string } } }).properties.name.const
}

/** Facts about cards, which only payments by card have. */
const OF_CARDS: readonly ConditionName[] = [
  'card_bin',
  'card_country',
  'card_issuer_name',
  'card_product_name',
  'card_scheme',
  'card_source',
  'card_type',
]

/** Conditions that an action cannot know when it is decided, and why. */
export function reasonAgainst(name: ConditionName, action: Action): string | undefined {
  if (action !== 'select-payment-options') return undefined
  if (OF_CARDS.includes(name)) return 'payment options are chosen before the buyer has named a card'
  if (name === 'payment_method') return 'payment options are what the rule chooses'
  if (name === 'anti_fraud_decision')
    return 'payment options are chosen before the anti-fraud service is asked'
  return undefined
}
