import { sql } from 'kysely'
import { type Bounds, intersect } from '#platform/listing/bounds.ts'
import type { Model, Reading } from './model.ts'
import type { Row } from './row.ts'
import { asTime, idsUntil, idsWithin, readPages } from './walk.ts'

/** The columns and what is in them, as SQL. */
const COLUMNS = {
  id: 'line.id',
  type: 'line.kind',
  transaction_id: 'line.transaction_id',
  transaction_external_identifier: 'payment.external_identifier',
  refund_id: 'line.refund_id',
  payment_service_id: 'line.payment_service_id',
  payment_service_display_name: 'service.display_name',
  payment_service_reference: 'line.provider_reference',
  method: 'payment.method',
  scheme: 'payment.payment_method_scheme',
  currency: 'line.currency',
  amount: 'line.amount',
  commission: 'line.commission',
  interchange: 'line.interchange',
  scheme_fee: 'line.scheme_fee',
  markup: 'line.markup',
  net_amount: 'line.amount - line.commission',
  original_currency: 'line.original_currency',
  original_amount: 'line.original_amount',
  exchange_rate: 'line.exchange_rate',
  reason_code: 'line.reason_code',
  reason_description: 'line.reason_description',
  posted_at: 'line.posted_at',
  ingested_at: 'line.ingested_at',
  payment_service_report_id: 'line.report_id',
  payment_service_report_file_id: 'line.file_id',
  unmatched_because: 'line.unmatched_because',
} as const

const NAMES = Object.keys(COLUMNS)
const TIMES = [NAMES.indexOf('posted_at'), NAMES.indexOf('ingested_at')]
const SELECTED = sql.raw(Object.values(COLUMNS).join(', '))

/** The ids of a large file run ahead of its time: each millisecond has only so many. */
const AHEAD_MS = 60_000

/**
 * What providers say they have moved, one record a line, with their fees: settlements, refunds, chargebacks and reversals. Those
 * that fit no payment are in it, or it would not add up to what arrives at the bank. Repeated ones are not.
 */
export const detailedSettlementModel: Model = { columnsOf: () => NAMES, read }

async function* read(reading: Reading): AsyncGenerator<readonly Row[]> {
  const { report, ranges, until } = reading
  const merchantAccountId = report.merchant_account_id
  const { start = null, end = null } = ranges['ingested_at'] ?? {}
  const latest = end === null ? null : new Date(Date.parse(end) + AHEAD_MS).toISOString()
  const bounds = intersect(idsWithin({ start, end: null }, until), idsUntil(latest))
  const read = ({ from, to }: Bounds) =>
    sql`select ${SELECTED} from payment_service_report_lines as line
        join payment_services as service on service.id = line.payment_service_id
        left join transactions as payment
          on payment.merchant_account_id = line.merchant_account_id and payment.id = line.transaction_id
        where line.merchant_account_id = ${merchantAccountId} and line.id >= ${from} and line.id < ${to}
          and line.unmatched_because is distinct from 'duplicate'
          and (${start}::timestamptz is null or line.ingested_at >= ${start}::timestamptz)
          and (${end}::timestamptz is null or line.ingested_at <= ${end}::timestamptz)
        order by line.id`
  for await (const rows of readPages(reading, { table: 'payment_service_report_lines', bounds, read })) {
    yield rows.map((row) => row.map((text, index) => (TIMES.includes(index) ? asTime(text) : text)))
  }
}
