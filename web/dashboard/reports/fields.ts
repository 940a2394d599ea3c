import type { Schemas } from '../../api/schema.d.ts'
import { serviceNow } from '../api/service-time.ts'
import { type Field, field, type Option, type Typed } from '../parts/fields.tsx'
import { capital } from '../parts/locale.ts'
import { type Marks, optionsOf } from '../parts/values.tsx'
import { methodOptions, schemeOptions, sourceOptions, statusOptions } from '../transactions/filters.ts'
import { plain } from '../transactions/words.ts'

type Params = Schemas['TransactionsReportSpec']['params']
type ColumnName = NonNullable<Params['fields']>[number]

const COLUMNS = (
  'id external_identifier status created_at updated_at authorized_at captured_at voided_at amount currency ' +
  'authorized_amount captured_amount refunded_amount method scheme payment_service_transaction_id payment_service_id ' +
  'payment_service_definition_id payment_service_display_name auth_response_code raw_response_code ' +
  'raw_response_description error_code intent_outcome metadata payment_source is_subsequent_payment merchant_initiated ' +
  'three_d_secure_status three_d_secure_eci three_d_secure_auth_resp three_d_secure_method buyer_external_identifier ' +
  'billing_details_first_name billing_details_last_name billing_details_email_address billing_details_phone_number ' +
  'billing_details_address_organization billing_details_address_house_number_or_name billing_details_address_line1 ' +
  'billing_details_address_line2 billing_details_address_postal_code billing_details_address_city ' +
  'billing_details_address_state billing_details_address_state_code billing_details_address_country ' +
  'billing_details_tax_id_value billing_details_tax_id_kind gift_card_redemptions_amount ' +
  'gift_card_redemption_refunds_amount settled settled_currency settled_amount'
).split(' ') as readonly ColumnName[]

/** The time that each model is narrowed by. Payments have several. */
const DATES = {
  transaction_retries: 'created_at',
  detailed_settlement: 'ingested_at',
  accounts_receivables: 'timestamp',
  ai_insights: 'timestamp',
} as const

const PAYMENT_DATES: readonly Option[] = [
  { value: 'created_at', label: 'Created' },
  { value: 'authorized_at', label: 'Authorized' },
  { value: 'captured_at', label: 'Captured' },
  { value: 'voided_at', label: 'Voided' },
  { value: 'updated_at', label: 'Last changed' },
]

const YES_OR_NO: readonly Option[] = [
  { value: 'true', label: 'Yes' },
  { value: 'false', label: 'No' },
]

const FILTER = 'spec.params.filters'

/** The questions depend on what the report is about, and on when it is written. */
export function fieldsOf(typed: Typed): readonly Field[] {
  const model = String(typed['spec.model'] || 'transactions') as keyof typeof MODELS
  const isOnce = typed['schedule'] === 'once'
  const isDated = typed['about'] === 'dates' && isOnce
  const date = dateOf(model, typed['date'])
  return [
    field('text', 'name', 'Name', { isRequired: true }),
    field('long-text', 'description', 'Description'),
    field('choice', 'spec.model', 'Report type', {
      isRequired: true,
      hint: MODELS[model].says,
      options: optionsOf(MODELS),
    }),
    field('choice', 'schedule', 'Frequency', {
      isRequired: true,
      isHalf: true,
      heading: 'Schedule',
      options: scheduleOptions(),
    }),
    field('choice', 'schedule_timezone', 'Time zone', { isRequired: true, isHalf: true, options: zones() }),
    field('choice', 'about', 'Period', {
      isRequired: true,
      isHalf: true,
      options: aboutOptions(String(typed['schedule']), model),
    }),
    ...(model === 'transactions' && typed['about'] !== 'all'
      ? [field('choice', 'date', 'By date', { isRequired: true, isHalf: true, options: PAYMENT_DATES })]
      : []),
    ...(isDated
      ? ([
          field('date', `${FILTER}.${date}.start`, 'First day', { isRequired: true, isHalf: true }),
          field('date', `${FILTER}.${date}.end`, 'Last day', { isRequired: true, isHalf: true }),
        ] as const)
      : []),
    ...(model === 'transactions' ? paymentFields(typed['more'] === true) : []),
  ]
}

function dateOf(model: string, chosen: unknown): string {
  return model === 'transactions' ? String(chosen || 'created_at') : DATES[model as keyof typeof DATES]
}

function scheduleOptions(): Option[] {
  return Object.entries(SCHEDULES).map(([value, label]) => ({
    value,
    label:
      { once: 'Once, now', weekly: 'Every week, on Monday', monthly: 'Every month, on the 1st' }[value] ??
      label,
  }))
}

function aboutOptions(schedule: string, model: string): Option[] {
  const isSummary = model === 'ai_insights'
  if (schedule === 'once')
    return [
      { value: 'auto', label: 'Today so far' },
      { value: 'week', label: 'This week so far' },
      { value: 'month', label: 'This month so far' },
      { value: 'last-week', label: 'Last week' },
      { value: 'last-month', label: 'Last month' },
      { value: 'dates', label: 'Custom dates' },
      { value: 'all', label: isSummary ? 'The last 30 days' : 'Everything so far' },
    ]
  const period = { daily: 'day', weekly: 'week', monthly: 'month' }[schedule] ?? 'day'
  return [
    { value: 'auto', label: `The previous ${period}` },
    ...(isSummary ? [] : [{ value: 'all', label: 'Everything so far' }]),
  ]
}

function zones(): Option[] {
  const own = new Intl.DateTimeFormat().resolvedOptions().timeZone
  return [...new Set([own, 'Etc/UTC', ...Intl.supportedValuesOf('timeZone')])].map((value) => ({
    value,
    label: value,
  }))
}

/** Most reports want all payments of some states. The rest is asked for on demand. */
function paymentFields(isMore: boolean): readonly Field[] {
  return [...WHICH, field('flag', 'more', 'More filters'), ...(isMore ? FURTHER : []), ...FILE]
}

const WHICH: readonly Field[] = [
  field('choices', `${FILTER}.status`, 'Status', {
    heading: 'Which payments',
    hint: 'Leave empty for all.',
    options: statusOptions(),
  }),
  field('lines', `${FILTER}.currency`, 'Currencies', {
    hint: 'One per line, such as USD. Leave empty for all.',
    isHalf: true,
  }),
]

const FURTHER: readonly Field[] = [
  field('pairs', `${FILTER}.metadata`, 'Metadata', {
    hint: 'name: value, one per line. All must match.',
    isHalf: true,
  }),
  field('choices', `${FILTER}.method`, 'Paid with', {
    hint: 'Leave empty for all.',
    options: methodOptions(),
  }),
  field('choices', `${FILTER}.scheme`, 'Card scheme', {
    hint: 'Leave empty for all.',
    options: schemeOptions(),
  }),
  field('choices', `${FILTER}.payment_source`, 'Source', {
    hint: 'Leave empty for all.',
    options: sourceOptions(),
  }),
  field('choice', `${FILTER}.merchant_initiated`, 'Merchant-initiated', { isHalf: true, options: YES_OR_NO }),
  field('choice', `${FILTER}.is_subsequent_payment`, 'Subsequent payment', {
    isHalf: true,
    options: YES_OR_NO,
  }),
  field('choices', `${FILTER}.three_d_secure_status`, '3-D Secure: result', {
    hint: 'Leave empty for all.',
    options: words('complete declined cancelled error setup_error'),
  }),
  field('choices', `${FILTER}.three_d_secure_method`, '3-D Secure: method', {
    hint: 'Leave empty for all.',
    options: words('challenge frictionless'),
  }),
  field('lines', `${FILTER}.three_d_secure_eci`, '3-D Secure: ECI', {
    isHalf: true,
    hint: 'One per line, such as 05.',
  }),
  field('lines', `${FILTER}.three_d_secure_auth_resp`, '3-D Secure: response', {
    isHalf: true,
    hint: 'One per line, such as Y.',
  }),
]

const FILE: readonly Field[] = [
  field('choices', 'spec.params.fields', 'Columns', {
    heading: 'File contents',
    hint: 'Leave empty for all. Columns that start with “Buyer:” are personal data: only users who may see billing details can open such files.',
    options: words(COLUMNS.join(' ')),
  }),
  field('choice', 'sort_by', 'Sorted by', {
    isHalf: true,
    hint: 'Defaults to creation date.',
    options: words(COLUMNS.join(' ')),
  }),
  field('choice', 'sort_order', 'Order', {
    isHalf: true,
    options: [
      { value: 'asc', label: 'Ascending' },
      { value: 'desc', label: 'Descending' },
    ],
  }),
]

function words(names: string): Option[] {
  return names.split(' ').map((value) => ({ value, label: columnName(value) }))
}

type Given = {
  readonly about?: string
  readonly more?: boolean
  readonly date?: string
  readonly sort_by?: string
  readonly sort_order?: 'asc' | 'desc'
  readonly schedule: keyof typeof SCHEDULES
  readonly spec: {
    readonly model: keyof typeof MODELS
    readonly params?: {
      readonly fields?: readonly string[]
      readonly filters?: Readonly<Record<string, unknown>>
    }
  }
}

/** What the form says, as the operation takes it. */
export function bodyOf(given: Given): Schemas['ReportCreate'] {
  const { about = 'auto', more: _more, date, sort_by, sort_order = 'asc', spec, ...rest } = given
  const { filters = {}, ...params } = spec.params ?? {}
  const name = dateOf(spec.model, date)
  const range = rangeOf(about, given.schedule, filters[name])
  const body = {
    ...rest,
    schedule_enabled: given.schedule !== 'once',
    spec: {
      model: spec.model,
      params: {
        ...params,
        ...(sort_by && { sort: [{ field: sort_by, order: sort_order }] }),
        filters: {
          ...Object.fromEntries(Object.entries(filters).map(([one, value]) => [one, meant(one, value)])),
          ...(range && { [name]: range }),
        },
      },
    },
  }
  return body as Schemas['ReportCreate']
}

/** Flags are chosen as words, and codes are written in capitals. */
function meant(name: string, value: unknown): unknown {
  if (value === 'true' || value === 'false') return value === 'true'
  return name === 'currency' ? (value as readonly string[]).map((code) => code.toUpperCase()) : value
}

type Days = { readonly start?: string; readonly end?: string }

function rangeOf(about: string, schedule: Given['schedule'], days: unknown) {
  if (about === 'all') return undefined
  if (about === 'dates' && schedule === 'once') {
    const { start = '', end = '' } = (days ?? {}) as Days
    return { start: boundOf(start, 'start'), end: boundOf(end, 'end') }
  }
  if (schedule === 'once' && (about === 'last-week' || about === 'last-month'))
    return pastRange(about, serviceNow())
  const own = { once: 'day', daily: 'day', weekly: 'week', monthly: 'month' }[schedule]
  const wanted = about === 'auto' || schedule !== 'once' ? own : about
  const { start, end } = PLACEHOLDERS.find(({ value }) => value === wanted) ?? PLACEHOLDERS[0]
  return { start, end }
}

/** Times that each file works out again. A file of a schedule is about the day, week or month that is over. */
export const PLACEHOLDERS = [
  { value: 'day', label: 'The day', start: 'day_start', end: 'day_end' },
  { value: 'week', label: 'The week', start: 'week_start', end: 'week_end' },
  { value: 'month', label: 'The month', start: 'month_start', end: 'month_end' },
] as const

/** The week or month before the one that `now` is in, in the zone of the person. Weeks begin on Monday. */
function pastRange(which: 'last-week' | 'last-month', now: Date): { start: string; end: string } {
  const [year, month] = [now.getFullYear(), now.getMonth()]
  const monday = now.getDate() - ((now.getDay() + 6) % 7)
  const [start, end] =
    which === 'last-month'
      ? [new Date(year, month - 1, 1), new Date(year, month, 1)]
      : [new Date(year, month, monday - 7), new Date(year, month, monday)]
  return { start: start.toISOString(), end: new Date(end.getTime() - 1).toISOString() }
}

/** The first moment of a day in the zone of the person, or the last one. */
function boundOf(day: string, which: 'start' | 'end'): string {
  const first = new Date(`${day}T00:00:00`)
  if (which === 'start') return first.toISOString()
  first.setDate(first.getDate() + 1)
  return new Date(first.getTime() - 1).toISOString()
}

type Report = Schemas['Report']
type Execution = Schemas['ReportExecution']

export const LIST = { to: '/reports', label: 'Reports' } as const

type Model = { readonly label: string; readonly says: string }

export const MODELS: Readonly<Record<Report['spec']['model'], Model>> = {
  transactions: { label: 'Payments', says: 'One line per payment, with the columns you choose.' },
  transaction_retries: {
    label: 'Authorization attempts',
    says: 'One line per attempt: the payment service and its response.',
  },
  detailed_settlement: {
    label: 'Settlement details',
    says: 'One line per entry in settlement files, with fees.',
  },
  accounts_receivables: {
    label: 'Receivables',
    says: 'One line per captured payment that is not fully settled yet.',
  },
  ai_insights: {
    label: 'Performance summary',
    says: 'Approval by service, scheme and reason, compared with the previous period. Calculated, not written by a language model.',
  },
}

export const SCHEDULES: Readonly<Record<Report['schedule'], string>> = {
  once: 'Once',
  daily: 'Every day',
  weekly: 'Every week',
  monthly: 'Every month',
}

export const EXECUTION_STATUSES: Marks<Execution['status']> = {
  pending: { tone: 'wait', label: 'Waiting' },
  dispatched: { tone: 'wait', label: 'Starting' },
  processing: { tone: 'wait', label: 'In progress' },
  succeeded: { tone: 'good', label: 'Ready' },
  failed: { tone: 'bad', label: 'Failed' },
}

export function isUnderWay({ status }: Pick<Execution, 'status'>): boolean {
  return status !== 'succeeded' && status !== 'failed'
}

/** `captured_at` as “Captured at”. */
export function columnName(name: string): string {
  return capital(plain(name).replace(/^billing details /, 'buyer: '))
}
