import { WRITTEN } from '#domain/written-forms.ts'
import { Kind, Nullable, OneOf, Strict } from '#platform/http/schemas.ts'
import { type Static, type TSchema, Type } from '#platform/http/type.ts'
import { optional } from '#resources/transactions/wire/order.ts'

export const SOURCES = ['authentication', 'authorization', 'monitoring'] as const
export type Source = (typeof SOURCES)[number]

export const METRICS = ['volume', 'transactions', 'auth_rate'] as const
export type Metric = (typeof METRICS)[number]

export const MODULES = [
  'authentication_outcome',
  'authorized',
  'country',
  'currency',
  'error_code',
  'instrument_type',
  'is_subsequent_payment',
  'liability_shifted',
  'merchant_initiated',
  'metadata',
  'method',
  'payment_method_bin',
  'payment_method_card_issuer_name',
  'payment_method_card_type',
  'payment_method_country',
  'payment_method_scheme',
  'payment_service',
  'payment_source',
  'raw_response_code',
  'rule_route_transaction',
  'rule_skip_3ds',
  'rule_variant_id',
  'three_d_secure_auth_resp',
  'three_d_secure_eci',
  'three_d_secure_method',
] as const
export type Module = (typeof MODULES)[number]

/** How many values one filter takes. */
const VALUES_MAX = 100
const TEXT_MAX = 1_000

export const Source = OneOf(SOURCES, {
  description:
    '`authorization`: payments whose authorization is decided. `authentication`: those of them that went through 3-D Secure. ' +
    '`monitoring`: the payments that monitoring takes its rates of.',
})
export const Metric = OneOf(METRICS, {
  description:
    '`volume`: the sum of the amounts, in the smallest unit of the currency. `transactions`: the number of payments. ' +
    '`auth_rate`: the share that succeeded, from 0 to 1: authorized or, in the source `authentication`, authenticated.',
})
const Module = OneOf(MODULES, { description: 'The field by whose values the payments are grouped.' })

export const MetricPath = Strict({ source: Source, metric: Metric })
export const ModulePath = Strict({ source: Source, metric: Metric, module: Module })

/** A list of values. The NUL character stands for payments without a value. */
const AnyOf = (which: string, form: object = {}, more: object = {}) =>
  Type.Array(Type.String({ maxLength: TEXT_MAX, ...form, nulMeansNull: true }), {
    maxItems: VALUES_MAX,
    description: `Only payments ${which}. Several values: one of them. The NUL character: without a value.`,
    ...more,
  })

const FLAG = { pattern: '^(true|false|\\u0000)$', expected: 'true or false' }
const ID = {
  pattern: '^([0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}|\\u0000)$',
  expected: 'a UUID, such as 0199f3a0-5d3b-7c00-8a11-3f1f7f1f0001',
}
const orNul = ({ pattern, expected }: { readonly pattern: string; readonly expected: string }) => ({
  pattern: `${pattern}|^\\u0000$`,
  expected,
})

const FILTERS = {
  authentication_outcome: AnyOf(
    'with this outcome of 3-D Secure: authenticated, attempted, unavailable, failed, cancelled, abandoned or error',
  ),
  authorized: AnyOf('that were authorized (true), or that were not (false)', FLAG),
  country: AnyOf('of this country', orNul(WRITTEN.country)),
  currency: AnyOf('in this currency. For `volume` exactly one is needed', orNul(WRITTEN.currency), {
    examples: [['USD']],
  }),
  error_code: AnyOf('that ended with this code'),
  instrument_type: AnyOf('with this instrument, such as pan or network_token'),
  is_subsequent_payment: AnyOf('that follow an earlier one (true), or that do not (false)', FLAG),
  liability_shifted: AnyOf(
    'whose issuer is liable for fraud, as the result of 3-D Secure says (true), or is not (false)',
    FLAG,
  ),
  merchant_initiated: AnyOf('that the merchant initiated (true), or the buyer (false)', FLAG),
  metadata: AnyOf('whose metadata has these pairs. Each value is a JSON object of text to text'),
  method: AnyOf('with this method'),
  payment_method_bin: AnyOf('with a card that begins with these digits', orNul(WRITTEN.cardStart)),
  payment_method_card_issuer_name: AnyOf('with a card of this issuer'),
  payment_method_card_type: AnyOf('with a card of this type: credit, debit or prepaid'),
  payment_method_country: AnyOf('with a payment method of this country', orNul(WRITTEN.country)),
  payment_method_scheme: AnyOf('with a card of this scheme'),
  payment_service_id: AnyOf('that this payment service was asked about last', ID),
  payment_source: AnyOf('from this source'),
  raw_response_code: AnyOf('with this answer of the payment service, in its own words'),
  rule_id_route_transaction: AnyOf('that this rule routed'),
  rule_id_skip_3ds: AnyOf('for which this rule decided about 3-D Secure'),
  rule_variant_id: AnyOf('that a weighted rule gave to this payment service'),
  three_d_secure_auth_resp: AnyOf('with this answer of the issuer in 3-D Secure, such as Y'),
  three_d_secure_eci: AnyOf('with this electronic commerce indicator'),
  three_d_secure_method: AnyOf('authenticated this way: challenge or frictionless'),
}
export type FilterName = keyof typeof FILTERS
export const FILTER_NAMES = Object.keys(FILTERS) as FilterName[]

const WHEN = {
  datetime_range: Type.String({
    maxLength: 100,
    examples: ['P30D/now'],
    description:
      'An ISO 8601 interval of at most 366 days: two moments, or a moment and a duration. `now`, `hour_start` and `hour_end` stand ' +
      'for moments. A payment counts at the time of its creation.',
  }),
  ...optional({
    timezone: Type.String({
      maxLength: 64,
      description: 'The IANA time zone in which days begin, such as Europe/Berlin. Default: UTC.',
    }),
  }),
}

export const ModuleQuery = Strict({ ...WHEN, ...optional(FILTERS) })
export type ModuleQuery = Static<typeof ModuleQuery>

export const TotalsQuery = Strict({
  ...WHEN,
  ...optional(FILTERS),
  exclude_previous: Type.Boolean({
    default: false,
    description: 'Leaves out the period before, and with it the difference.',
  }),
})
export type TotalsQuery = Static<typeof TotalsQuery>

const nullable = (filters: typeof FILTERS) =>
  Object.fromEntries(
    Object.entries(filters).map(([name, schema]) => [name, Nullable(schema as TSchema)]),
  ) as Record<FilterName, ReturnType<typeof Nullable<(typeof FILTERS)['country']>>>

/** A list shows all presets of an account with their filters. */
const PRESET_BYTES_MAX = 16_384

export const PresetFilters = Strict(
  { ...WHEN, ...optional(nullable(FILTERS)) },
  {
    title: 'MetricsExplorerFiltersQueryParams',
    description: `The query of a question. Filters that are null are left out. At most ${PRESET_BYTES_MAX} bytes, written as JSON.`,
    maxBytes: PRESET_BYTES_MAX,
  },
)
export type PresetFilters = Static<typeof PresetFilters>

export const ShownFilters = Strict(
  { ...WHEN, ...optional(FILTERS) },
  {
    title: 'MetricsExplorerPresetFilters',
    description: 'The query to ask with. The range keeps its words: they are read when you ask.',
  },
)
export type ShownFilters = Static<typeof ShownFilters>

const Value = Nullable(
  Type.Number({
    description:
      'An amount in the smallest unit of the currency, a number of payments, or a rate from 0 to 1. Null: there was no payment to take a rate of.',
  }),
)
const Series = Strict(
  {
    first_interval: Type.String({
      description: 'When the hour or the day of the first value begins. ISO 8601, UTC.',
    }),
    values: Type.Array(Value, { description: 'One for each hour up to two days, else one for each day.' }),
  },
  { title: 'MetricsExplorerTotalSeries' },
)
const Summary = Strict({ value: Value }, { title: 'MetricsExplorerTotalSummary' })

export const Total = Strict(
  {
    type: Kind('metrics-explorer.total'),
    series: Strict(
      { current: Series, previous: Nullable(Series) },
      { title: 'MetricsExplorerTotalSeriesSet' },
    ),
    summary: Strict(
      {
        current: Summary,
        previous: Nullable(Summary),
        delta: Nullable(
          Type.Number({
            description:
              'The difference to the period before: in percent or, for `auth_rate`, the rate less the rate before. Null without a value to compare with.',
          }),
        ),
      },
      { title: 'MetricsExplorerTotalSummarySet' },
    ),
  },
  {
    title: 'MetricsExplorerTotalResponse',
    examples: [
      {
        type: 'metrics-explorer.total',
        series: {
          current: { first_interval: '2026-11-14T00:00:00.000Z', values: [129900, 258000, 0] },
          previous: { first_interval: '2026-11-11T00:00:00.000Z', values: [99000, 0, 211200] },
        },
        summary: { current: { value: 387900 }, previous: { value: 310200 }, delta: 25.05 },
      },
    ],
  },
)
export type Total = Static<typeof Total>

const MODULE_EXAMPLE = {
  type: 'metrics-explorer.module',
  key: 'US',
  display_name: 'United States',
  value: 42,
  metadata: null,
}

const ModuleEntry = Strict(
  {
    type: Kind('metrics-explorer.module'),
    key: Type.String({
      nulMeansNull: true,
      description:
        'The value of the field, as its filter takes it. The NUL character: payments without a value.',
    }),
    display_name: Type.String({ description: 'The value as people read it.' }),
    value: Value,
    metadata: Nullable(
      Type.Unsafe<Record<string, string | boolean>>({
        type: 'object',
        additionalProperties: { type: ['string', 'boolean'] },
        description: 'More about the value: of payment services and of metadata.',
      }),
    ),
  },
  {
    title: 'MetricsExplorerModule',
    examples: [MODULE_EXAMPLE],
  },
)
export type ModuleEntry = Static<typeof ModuleEntry>
export const ModuleEntries = Type.Array(ModuleEntry, { examples: [[MODULE_EXAMPLE]] })
