import { type RawBuilder, sql } from 'kysely'
import { type Bounds, intersect, LOWEST } from '#platform/listing/bounds.ts'
import type { Row } from '../spooled-runs.ts'
import type { Model, Reading } from './model.ts'
import { asTime, idsUntil, idsWithin, readPages, readRows } from './walk.ts'

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
/** How many lines that were told before one statement reads. None is longer than a few kilobytes. */
const PAGE = 1_000

/**
 * What providers say they have moved, one record a line, with their fees: settlements, refunds, chargebacks and reversals. Those
 * that fit no payment are in it, or it would not add up to what arrives at the bank. Repeated ones are not, and neither are those
 * of which no file has told yet.
 */
export const detailedSettlementModel: Model = { columnsOf: () => NAMES, read }

async function* read(reading: Reading): AsyncGenerator<readonly Row[]> {
  const { ranges, until } = reading
  const { start = null, end = null } = ranges['ingested_at'] ?? {}
  const latest = end === null ? null : new Date(Date.parse(end) + AHEAD_MS).toISOString()
  const bounds = intersect(idsWithin({ start, end: null }, until), idsUntil(latest))
  const read = ({ from, to }: Bounds) =>
    select(
      reading,
      sql`line.id >= ${from} and line.id < ${to}
        and (${start}::timestamptz is null or line.ingested_at >= ${start}::timestamptz)
        and (${end}::timestamptz is null or line.ingested_at <= ${end}::timestamptz)
        order by line.id`,
    )
  if (start !== null) yield* readToldBefore(reading, { start, end, before: bounds.from })
  for await (const rows of readPages(reading, { table: 'payment_service_report_lines', bounds, read })) {
    yield rows.map(withTimes)
  }
}

type ReportPeriod = { readonly start: string; readonly end: string | null; readonly before: string }

/**
 * Chargebacks and reversals that a file told of within the range, and a notification before it: their ids are too early for the
 * range. In the order in which we read them.
 */
async function* readToldBefore(
  reading: Reading,
  { start, end, before }: ReportPeriod,
): AsyncGenerator<Row[]> {
  const until = reading.until.toISOString()
  let [time, id]: Row = [start, LOWEST]
  while (true) {
    reading.check()
    const page = select(
      reading,
      sql`line.kind in ('chargeback', 'chargeback_reversal') and line.id < ${before}
        and (line.ingested_at, line.id) > (${time}::timestamptz, ${id}::uuid)
        and line.ingested_at <= least(${end}::timestamptz, ${until}::timestamptz)
        order by line.ingested_at, line.id limit ${PAGE}`,
    )
    const rows = (await readRows(reading, page)).map(withTimes)
    yield rows
    const last = rows.at(-1)
    if (!last || rows.length < PAGE) return
    time = last[NAMES.indexOf('ingested_at')]
    id = last[NAMES.indexOf('id')]
  }
}

function select({ report }: Reading, which: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`select ${SELECTED} from payment_service_report_lines as line
    join payment_services as service on service.id = line.payment_service_id
    left join transactions as payment
      on payment.merchant_account_id = line.merchant_account_id and payment.id = line.transaction_id
    where line.merchant_account_id = ${report.merchant_account_id} and line.file_id is not null
      and line.unmatched_because is distinct from 'duplicate' and ${which}`
}

function withTimes(row: Row): Row {
  return row.map((text, index) => (TIMES.includes(index) ? asTime(text) : text))
}
