import { DateTime, Kind, Nullable, OneOf, Strict, Uuid } from '#platform/http/schemas.ts'
import { type Static, Type } from '#platform/http/type.ts'
import { CollectionOf, pageParameters } from '#platform/listing/pagination.ts'
import { optional } from '#resources/transactions/wire/order.ts'

const EXECUTION_STATUSES = ['dispatched', 'failed', 'pending', 'processing', 'succeeded'] as const
export type ExecutionStatus = (typeof EXECUTION_STATUSES)[number]

export const EXECUTION_EXAMPLE = {
  type: 'report-execution',
  id: '0199f3a0-5d3b-7c00-8a11-3f1f7f1f0067',
  created_at: '2026-11-15T23:00:00.000Z',
  updated_at: '2026-11-15T23:00:31.250Z',
  status: 'succeeded',
  context: { reference_timestamp: '2026-11-15T23:00:00.000Z', reference_timezone: 'Europe/Berlin' },
}

const EXECUTION = {
  type: Kind('report-execution'),
  id: Uuid(),
  created_at: DateTime(),
  updated_at: DateTime(),
  status: OneOf(EXECUTION_STATUSES, {
    description:
      '`pending` until a worker takes it, then `dispatched`, `processing` while the file is written, and `succeeded` or `failed`. If a file cannot be written, it is `pending` again, a few times.',
  }),
  context: Strict(
    {
      reference_timestamp: DateTime({ description: 'The time that placeholders are about.' }),
      reference_timezone: Type.String({ description: 'The time zone of days, weeks and months.' }),
    },
    { title: 'ReportExecutionContext' },
  ),
}

export const ReportExecutionSummary = Strict(EXECUTION, { title: 'ReportExecutionSummary' })

export const ReportExecution = Strict(
  {
    ...EXECUTION,
    report: Strict(
      {
        type: Kind('report'),
        id: Uuid(),
        merchant_account_id: Type.String(),
        name: Type.String({ minLength: 1, maxLength: 100 }),
        creator_id: Nullable(Uuid()),
        creator_display_name: Nullable(Type.String()),
        creator_type: Nullable(OneOf(['user', 'private_key'] as const)),
      },
      { title: 'ReportSummary' },
    ),
  },
  {
    title: 'ReportExecution',
    examples: [
      {
        ...EXECUTION_EXAMPLE,
        report: {
          type: 'report',
          id: '0199f3a0-5d3b-7c00-8a11-3f1f7f1f0066',
          merchant_account_id: 'default',
          name: 'Captured yesterday',
          creator_id: '0199f3a0-5d3b-7c00-8a11-3f1f7f1f0003',
          creator_display_name: 'Back office',
          creator_type: 'private_key',
        },
      },
    ],
  },
)
export type ReportExecution = Static<typeof ReportExecution>

export const ReportExecutions = CollectionOf(ReportExecution, 'ReportExecutions')

export const ExecutionsOfReport = Strict(pageParameters())

export const ReportExecutionFilters = Strict({
  ...pageParameters(),
  ...optional({
    report_name: Type.String({
      description: 'Only those of reports whose name contains this text, in upper or lower case.',
    }),
    created_at_lte: DateTime({
      description: 'Only those created at this time or before. With a time zone, URL encoded.',
    }),
    created_at_gte: DateTime({
      description: 'Only those created at this time or after. With a time zone, URL encoded.',
    }),
    status: Type.Array(OneOf(EXECUTION_STATUSES), { description: 'Only those in one of these states.' }),
    creator_id: Type.Array(Uuid(), {
      description: 'Only those of reports that one of these key pairs created.',
    }),
  }),
})
export type ReportExecutionFilters = Static<typeof ReportExecutionFilters>

export const ReportExecutionUrlGenerate = Strict(
  {
    expires_in: Type.Integer({
      minimum: 1,
      maximum: 10_080,
      default: 5,
      description: 'How many minutes the URL is valid. At most a week.',
    }),
  },
  { title: 'ReportExecutionUrlGenerate', examples: [{ expires_in: 60 }] },
)

export const ReportExecutionUrl = Strict(
  {
    url: Type.String({
      description:
        'Where the file can be downloaded. It takes no token: anyone who has the URL gets the file.',
    }),
    expires_at: DateTime({ description: 'From this time on the URL is refused.' }),
  },
  {
    title: 'ReportExecutionUrl',
    examples: [
      {
        url: 'https://pay.example.com/report-files/0199f3a0-5d3b-7c00-8a11-3f1f7f1f0067?until=1794787200&signature=mYwz4T0c9l3r',
        expires_at: '2026-11-16T00:00:00.000Z',
      },
    ],
  },
)
export type ReportExecutionUrl = Static<typeof ReportExecutionUrl>
