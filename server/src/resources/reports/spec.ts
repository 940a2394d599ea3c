import { CARD_SCHEMES, type CardScheme } from '#domain/card-scheme.ts'
import { WRITTEN } from '#domain/written-forms.ts'
import { Kind, Nullable, OneOf, Strict } from '#platform/http/schemas.ts'
import { type Static, type TSchema, Type } from '#platform/http/type.ts'
import { optional, PAYMENT_SOURCES } from '#resources/transactions/wire/order.ts'
import { METHODS } from '#resources/transactions/wire/payment-method.ts'
import {
  THREE_D_SECURE_METHODS,
  THREE_D_SECURE_STATUSES,
} from '#resources/transactions/wire/three-d-secure.ts'
import { STATUSES } from '#resources/transactions/wire/transaction.ts'
import { TRANSACTION_FIELD_NAMES } from './models/transaction-fields.ts'

export const PLACEHOLDERS = [
  'day_start',
  'day_end',
  'week_start',
  'week_end',
  'month_start',
  'month_end',
] as const
export type Placeholder = (typeof PLACEHOLDERS)[number]

const LIST_MAX = 100
/** A spec is shown with its report, in lists, too. */
const SPEC_BYTES_MAX = 16_384

const Moment = (what: string) =>
  Type.Optional(
    Nullable(
      Type.String({
        maxLength: 40,
        description: `${what} A date and time (UTC if it has no zone), or one of ${PLACEHOLDERS.join(', ')}.`,
      }),
    ),
  )

const DateRange = (what: string) =>
  Strict(
    { start: Moment('The first moment.'), end: Moment('The last moment.') },
    {
      description: `${what} Start and end are part of the range; one of them may be null. A placeholder is about the day, week or month that ends at the reference time of the execution, or else is under way then, in the time zone of the report.`,
    },
  )
export type DateRange = { readonly start?: string | null; readonly end?: string | null }

/** The filters that are ranges of time, in all models. */
export const RANGE_FILTERS: readonly string[] = [
  'created_at',
  'updated_at',
  'authorized_at',
  'captured_at',
  'voided_at',
  'ingested_at',
  'timestamp',
]

const AnyOf = <Item extends TSchema>(item: Item) => Type.Array(item, { minItems: 1, maxItems: LIST_MAX })

const DATES = {
  created_at: DateRange('When the payment was created.'),
  updated_at: DateRange('When the payment last changed.'),
  authorized_at: DateRange('When the payment was authorized.'),
  captured_at: DateRange('When the payment was captured.'),
  voided_at: DateRange('When the payment was voided.'),
}

const TransactionFilters = Strict(
  optional({
    ...DATES,
    status: AnyOf(OneOf(STATUSES)),
    currency: AnyOf(Type.String({ ...WRITTEN.currency })),
    method: AnyOf(OneOf(METHODS)),
    scheme: AnyOf(OneOf(Object.keys(CARD_SCHEMES) as CardScheme[])),
    metadata: Type.Unsafe<Metadata | Metadata[]>({
      type: ['object', 'array'],
      additionalProperties: { type: 'string' },
      maxProperties: LIST_MAX,
      maxItems: LIST_MAX,
      items: { type: 'object', additionalProperties: { type: 'string' }, maxProperties: LIST_MAX },
      description:
        'Pairs of text, all of which the metadata must have. A list of objects is read as one object.',
    }),
    payment_source: AnyOf(OneOf(PAYMENT_SOURCES)),
    merchant_initiated: Type.Boolean(),
    is_subsequent_payment: Type.Boolean(),
    three_d_secure_status: AnyOf(OneOf(THREE_D_SECURE_STATUSES)),
    three_d_secure_eci: AnyOf(Type.String({ minLength: 1, maxLength: 2 })),
    three_d_secure_auth_resp: AnyOf(Type.String({ minLength: 1, maxLength: 1 })),
    three_d_secure_method: AnyOf(OneOf(THREE_D_SECURE_METHODS)),
  }),
  { description: 'A payment must match all filters, and one of the values of each.' },
)
type Metadata = Record<string, string>

const Sort = Strict({
  field: OneOf(TRANSACTION_FIELD_NAMES),
  order: Type.Optional(OneOf(['asc', 'desc'] as const, { description: 'Default: `asc`.' })),
})

const TransactionsParams = Strict(
  optional({
    fields: Type.Array(OneOf(TRANSACTION_FIELD_NAMES), {
      minItems: 1,
      maxItems: LIST_MAX,
      description: 'The columns of the file, in this order. Default: all.',
    }),
    filters: TransactionFilters,
    sort: Type.Array(Sort, { maxItems: 5, description: 'Default: by `created_at`, oldest first.' }),
  }),
)
export type TransactionsParams = Static<typeof TransactionsParams>

const ranged = (name: string, what: string) =>
  Strict(optional({ filters: Strict(optional({ [name]: DateRange(what) })) }))

const InsightsParams = Strict(
  optional({
    filters: Strict(
      optional({
        prompt_key: OneOf(['payment_performance'] as const, { description: 'What the summary is about.' }),
        timestamp: DateRange('The period that is compared with the one before it.'),
      }),
    ),
  }),
)

/** One date range, by its name. */
export type RangedParams = { readonly filters?: Readonly<Record<string, DateRange | undefined>> }

const specOf = <const Model extends string, Params extends TSchema>(
  model: Model,
  params: Params,
  { title, description }: { readonly title: string; readonly description: string },
) =>
  Strict(
    { model: Kind(model), params },
    {
      title,
      description: `${description} At most ${SPEC_BYTES_MAX} bytes, written as JSON.`,
      maxBytes: SPEC_BYTES_MAX,
    },
  )

/** Every kind of report, with the parameters that it takes. */
export const SPECS = {
  transactions: specOf('transactions', TransactionsParams, {
    title: 'TransactionsReportSpec',
    description: 'Payments, one a line.',
  }),
  transaction_retries: specOf('transaction_retries', ranged('created_at', 'When the payment was created.'), {
    title: 'TransactionRetriesReportSpec',
    description: 'Every try to authorize a payment, one a line.',
  }),
  detailed_settlement: specOf(
    'detailed_settlement',
    ranged('ingested_at', 'When we read the record from the provider’s file.'),
    {
      title: 'DetailedSettlementReportSpec',
      description: 'What providers settled, refunded and charged back, with their fees, one record a line.',
    },
  ),
  accounts_receivables: specOf(
    'accounts_receivables',
    ranged('timestamp', 'When the payment was captured.'),
    {
      title: 'AccountsReceivablesReportSpec',
      description: 'What providers still owe, one payment a line.',
    },
  ),
  ai_insights: specOf('ai_insights', InsightsParams, {
    title: 'AIInsightsReportSpec',
    description:
      'A summary of how payments fared against the period before. It is counted from the payments; no language model is involved.',
  }),
} as const

export type Model = keyof typeof SPECS
export const MODELS = Object.keys(SPECS) as Model[]
