import { DateTime, Kind, Nullable, OneOf, Strict, Uuid } from '#platform/http/schemas.ts'
import { type Static, Type } from '#platform/http/type.ts'
import { CollectionOf, pageParameters } from '#platform/listing/pagination.ts'
import { optional } from '#resources/transactions/wire/order.ts'
import { Variants } from '#resources/transactions/wire/variants.ts'
import { EXECUTION_EXAMPLE, ReportExecutionSummary } from './executions/schemas.ts'
import { MODELS, SPECS } from './spec.ts'

const SCHEDULES = ['daily', 'monthly', 'once', 'weekly'] as const
export type Schedule = (typeof SCHEDULES)[number]
export const CREATOR_TYPES = ['user', 'private_key'] as const

const Name = Type.String({ minLength: 1, maxLength: 100, description: 'What the report is called.' })
const Description = Type.String({ minLength: 1, maxLength: 1_000, description: 'What the report is for.' })
const ScheduleField = OneOf(SCHEDULES, {
  description:
    '`once`: now. `daily`, `weekly` and `monthly`: as a day, a week (on Monday) or a month begins in the time zone.',
})

const SPEC_EXAMPLE = {
  model: 'transactions',
  params: {
    fields: ['id', 'created_at', 'status', 'amount', 'currency'],
    filters: {
      status: ['capture_succeeded'],
      created_at: { start: 'day_start', end: 'day_end' },
    },
    sort: [{ field: 'created_at', order: 'asc' }],
  },
}

export const ReportCreate = Strict(
  {
    name: Name,
    ...optional({ description: Nullable(Description) }),
    schedule: ScheduleField,
    schedule_enabled: Type.Boolean({
      description: 'Whether the report runs by its schedule. Must be false for `once`.',
    }),
    schedule_timezone: Type.String({
      default: 'Etc/UTC',
      minLength: 1,
      maxLength: 64,
      description: 'An IANA time zone, such as Europe/Berlin.',
    }),
    spec: Variants(Object.values(SPECS), 'What is in the report.'),
  },
  {
    title: 'ReportCreate',
    examples: [
      {
        name: 'Captured yesterday',
        schedule: 'daily',
        schedule_enabled: true,
        schedule_timezone: 'Europe/Berlin',
        spec: SPEC_EXAMPLE,
      },
    ],
  },
)
export type ReportCreate = Static<typeof ReportCreate>

export const ReportUpdate = Strict(
  optional({
    name: Nullable(Name),
    description: Nullable(Description),
    schedule_enabled: Nullable(
      Type.Boolean({ description: 'Whether the report runs by its schedule. Must be false for `once`.' }),
    ),
  }),
  { title: 'ReportUpdate', examples: [{ name: 'Captured', schedule_enabled: false }] },
)
export type ReportUpdate = Static<typeof ReportUpdate>

const EXAMPLE = {
  type: 'report',
  id: '0199f3a0-5d3b-7c00-8a11-3f1f7f1f0066',
  merchant_account_id: 'default',
  name: 'Captured yesterday',
  description: null,
  creator_id: '0199f3a0-5d3b-7c00-8a11-3f1f7f1f0003',
  creator_display_name: 'Back office',
  creator_type: 'private_key',
  created_at: '2026-11-15T09:30:00.000Z',
  updated_at: '2026-11-15T09:30:00.000Z',
  next_execution_at: '2026-11-16T23:00:00.000Z',
  schedule: 'daily',
  schedule_enabled: true,
  schedule_timezone: 'Europe/Berlin',
  spec: SPEC_EXAMPLE,
  latest_execution: EXECUTION_EXAMPLE,
}

export const Report = Strict(
  {
    type: Kind('report'),
    id: Uuid(),
    merchant_account_id: Type.String(),
    name: Name,
    description: Nullable(Description),
    creator_id: Nullable(Uuid({ description: 'The API key pair that created the report.' })),
    creator_display_name: Nullable(Type.String({ description: 'The name that the key pair had then.' })),
    creator_type: Nullable(OneOf(CREATOR_TYPES)),
    created_at: DateTime(),
    updated_at: DateTime(),
    next_execution_at: Nullable(
      DateTime({ description: 'When the report runs next if its schedule is enabled. Null for `once`.' }),
    ),
    schedule: ScheduleField,
    schedule_enabled: Type.Boolean(),
    schedule_timezone: Type.String(),
    spec: Strict(
      {
        model: OneOf(MODELS),
        params: Type.Unsafe<Readonly<Record<string, unknown>>>({
          type: 'object',
          additionalProperties: true,
        }),
      },
      { title: 'ReportSpec' },
    ),
    latest_execution: Nullable(ReportExecutionSummary),
  },
  { title: 'Report', examples: [EXAMPLE] },
)
export type Report = Static<typeof Report>

export const Reports = CollectionOf(Report, 'Reports')

export const ReportFilters = Strict({
  ...pageParameters(),
  ...optional({
    schedule: Type.Array(OneOf(SCHEDULES), { description: 'Only those with one of these schedules.' }),
    schedule_enabled: Type.Boolean({
      description: 'Only those whose schedule is enabled, or only those whose schedule is not.',
    }),
    name: Type.String({
      description: 'Only those whose name contains this text, in upper or lower case.',
    }),
  }),
})
export type ReportFilters = Static<typeof ReportFilters>
