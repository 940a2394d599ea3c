import { REPORT_LINE_KINDS } from '#connectors/contract/reports.ts'
import { WRITTEN } from '#domain/written-forms.ts'
import { DateTime, Kind, Nullable, OneOf, Strict, Uuid } from '#platform/http/schemas.ts'
import { type Static, Type } from '#platform/http/type.ts'
import { CollectionOf, pageParameters } from '#platform/listing/pagination.ts'
import { FLAGS, UNMATCHED_BECAUSE } from './lines/columns.ts'

const FILE_STATUSES = ['applying', 'applied', 'refused', 'abandoned'] as const
const Count = (description: string) => Type.Integer({ minimum: 0, description })
const Money = (description: string) => Type.Integer({ description })

const EXAMPLE_FILE = {
  type: 'payment-service-report-file' as const,
  id: '0199f3a0-5d3b-7c00-8a11-3f1f7f1f0016',
  names: ['settlement-2026-11-15-USD.csv'],
  status: 'applied' as const,
  problem: null,
  sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  size: 18_204,
  report_date: '2026-11-15',
  currency: 'USD',
  line_count: 120,
  applied_line_count: 120,
  unmatched_line_count: 1,
  flagged_line_count: 0,
  gross_amount: 155_880,
  fee_amount: 5_303,
  net_amount: 150_577,
  published_at: '2026-11-16T02:00:00.000Z',
  ingested_at: '2026-11-16T02:05:01.000Z',
  finished_at: '2026-11-16T02:05:02.000Z',
}

const PaymentServiceReportFile = Strict(
  {
    type: Kind('payment-service-report-file'),
    id: Uuid(),
    names: Type.Array(Type.String(), {
      description:
        'As the payment service names it. Several if it has offered the same bytes under several names.',
    }),
    status: OneOf(FILE_STATUSES, {
      description:
        '`refused`: `problem` says why, and none of its lines is applied. `abandoned`: a part of its lines is applied, and the ' +
        'payment service has replaced the file or no longer delivers it.',
    }),
    problem: Nullable(Type.String()),
    sha256: Type.String({ description: 'The hash of the file’s bytes.' }),
    size: Count('In bytes.'),
    report_date: Nullable(Type.String({ format: 'date', description: 'The day that the file is about.' })),
    currency: Nullable(Type.String({ ...WRITTEN.currency, description: 'The currency of the sums.' })),
    line_count: Count('The lines of the file.'),
    applied_line_count: Count('The lines that are done.'),
    unmatched_line_count: Count(
      'The lines that no payment fits. Lines that only repeat another one, or tell of a sale that came too late, are not counted.',
    ),
    flagged_line_count: Count(
      'The lines after which the settlements of a payment do not add up to what was captured.',
    ),
    gross_amount: Money('The sum of the amounts.'),
    fee_amount: Money('The sum of the commissions.'),
    net_amount: Money('What the merchant gets.'),
    published_at: DateTime(),
    ingested_at: DateTime({ description: 'When we read the file.' }),
    finished_at: Nullable(DateTime({ description: 'When its last line was applied, or it was refused.' })),
  },
  { title: 'PaymentServiceReportFile' },
)
export type PaymentServiceReportFile = Static<typeof PaymentServiceReportFile>

export const PaymentServiceReport = Strict(
  {
    type: Kind('payment-service-report'),
    id: Uuid(),
    merchant_account_id: Type.String(),
    payment_service_id: Uuid(),
    external_identifier: Nullable(
      Type.String({
        description: 'The payment service’s own id of the report. Null for what it tells by notifications.',
      }),
    ),
    files: Type.Array(PaymentServiceReportFile, {
      description: 'Oldest first. A corrected report has several.',
    }),
    created_at: DateTime(),
    updated_at: DateTime(),
  },
  {
    title: 'PaymentServiceReport',
    examples: [
      {
        type: 'payment-service-report',
        id: '0199f3a0-5d3b-7c00-8a11-3f1f7f1f0015',
        merchant_account_id: 'default',
        payment_service_id: '0199f3a0-5d3b-7c00-8a11-3f1f7f1f0006',
        external_identifier: 'batch-2026-11-15-USD',
        files: [EXAMPLE_FILE],
        created_at: '2026-11-16T02:05:01.000Z',
        updated_at: '2026-11-16T02:05:01.000Z',
      },
    ],
  },
)
export type PaymentServiceReport = Static<typeof PaymentServiceReport>

export const PaymentServiceReports = CollectionOf(PaymentServiceReport, 'PaymentServiceReports')

export const PaymentServiceReportFilters = Strict({
  ...pageParameters(),
  payment_service_id: Type.Optional(Uuid({ description: 'Only those of this payment service.' })),
  status: Type.Optional(OneOf(FILE_STATUSES, { description: 'Only those with a file in this state.' })),
})
export type PaymentServiceReportFilters = Static<typeof PaymentServiceReportFilters>

const PaymentServiceReportLine = Strict(
  {
    type: Kind('payment-service-report-line'),
    id: Uuid(),
    payment_service_report_file_id: Nullable(
      Uuid({ description: 'Null while only a notification has told of it.' }),
    ),
    line_number: Nullable(Type.Integer({ description: 'The place in the file.' })),
    kind: OneOf(REPORT_LINE_KINDS, {
      description: '`other`: about no payment, such as a monthly fee or a payout to the bank.',
    }),
    external_identifier: Nullable(
      Type.String({ description: 'The payment service’s own id of the movement.' }),
    ),
    payment_service_reference: Nullable(
      Type.String({
        description:
          'The capture, the refund or the payment, by the payment service’s own id. Null for lines about no payment.',
      }),
    ),
    own_reference: Nullable(Type.String({ description: 'The same, by the id that we sent.' })),
    currency: Type.String({ ...WRITTEN.currency }),
    amount: Money('Above zero: for the merchant. Below zero: taken from the merchant.'),
    original_currency: Nullable(Type.String({ ...WRITTEN.currency })),
    original_amount: Nullable(Money('What the buyer paid, if the currency is another one.')),
    commission: Money('The fee.'),
    code: Nullable(
      Type.String({ description: 'The payment service’s code for the reason of a chargeback.' }),
    ),
    description: Nullable(Type.String({ description: 'The reason in its words.' })),
    transaction_id: Nullable(Uuid({ description: 'The payment. Null if none fits.' })),
    refund_id: Nullable(Uuid()),
    unmatched_because: Nullable(
      OneOf(UNMATCHED_BECAUSE, {
        description:
          'Why no payment fits. `unknown_reference`, `not_decided` and `not_succeeded` are tried again for 30 days: the payment may be decided later.',
      }),
    ),
    flag: Nullable(
      OneOf(FLAGS, {
        description:
          '`below_expected`, `above_expected`: the settlements up to this one do not add up to what was captured or refunded. ' +
          '`other_exchange`: the amount is not what the exchange rate makes of what the buyer paid.',
      }),
    ),
    posted_at: DateTime(),
    ingested_at: DateTime(),
    updated_at: DateTime(),
  },
  {
    title: 'PaymentServiceReportLine',
    examples: [
      {
        type: 'payment-service-report-line',
        id: '0199f3a0-5d3b-7c00-8a11-3f1f7f1f0017',
        payment_service_report_file_id: '0199f3a0-5d3b-7c00-8a11-3f1f7f1f0016',
        line_number: 57,
        kind: 'settlement',
        external_identifier: 'mv_8842',
        payment_service_reference: 'cap_1123',
        own_reference: null,
        currency: 'USD',
        amount: 1_299,
        original_currency: null,
        original_amount: null,
        commission: 38,
        code: null,
        description: null,
        transaction_id: null,
        refund_id: null,
        unmatched_because: 'unknown_reference',
        flag: null,
        posted_at: '2026-11-15T00:00:00.000Z',
        ingested_at: '2026-11-16T02:05:01.000Z',
        updated_at: '2026-11-16T02:05:01.000Z',
      },
    ],
  },
)
export type PaymentServiceReportLine = Static<typeof PaymentServiceReportLine>

export const PaymentServiceReportLines = CollectionOf(PaymentServiceReportLine, 'PaymentServiceReportLines')

export const PaymentServiceReportLineFilters = Strict({
  ...pageParameters(),
  matched: Type.Optional(
    Type.Boolean({ description: 'Only lines that a payment fits, or only those that none fits.' }),
  ),
  flagged: Type.Optional(Type.Boolean({ description: 'Only flagged lines, or only those without a flag.' })),
})
export type PaymentServiceReportLineFilters = Static<typeof PaymentServiceReportLineFilters>
