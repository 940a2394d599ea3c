import { sql } from 'kysely'
import { type Bounds, intersect } from '#platform/listing/bounds.ts'
import type { Row } from '../spooled-runs.ts'
import type { Model, Reading } from './model.ts'
import { idsUntil, idsWithin, readPages } from './walk.ts'

/** What a payment has brought, less refunds, and less what failed after it was captured. */
const RECEIVABLE = 'payment.captured_amount - payment.uncollected_amount - payment.refunded_amount'
const OUTSTANDING = `${RECEIVABLE} - arrived.settled - arrived.refunds_settled`
/** In the currency of the payment. What the buyer paid has no sign of its own. */
const MOVED = sql.raw(
  'case when original_amount is null then amount else sign(amount) * abs(original_amount) end',
)
const CAPTURED_AT = "(payment.outcome->>'captured_at')"

/** The columns and what is in them, as SQL. */
const COLUMNS = {
  transaction_id: 'payment.id',
  external_identifier: 'payment.external_identifier',
  captured_at: CAPTURED_AT,
  days_outstanding: 'null',
  payment_service_id: 'payment.payment_service_id',
  payment_service_display_name: 'service.display_name',
  settlement_reporting_enabled: 'service.settlement_reporting_enabled::text',
  method: 'payment.method',
  scheme: 'payment.payment_method_scheme',
  currency: 'payment.currency',
  captured_amount: 'payment.captured_amount',
  refunded_amount: 'payment.refunded_amount',
  receivable_amount: RECEIVABLE,
  settled_amount: 'arrived.settled',
  refunds_settled_amount: 'arrived.refunds_settled',
  outstanding_amount: OUTSTANDING,
  disputed: 'payment.disputed::text',
} as const

const NAMES = Object.keys(COLUMNS)
const CAPTURED = NAMES.indexOf('captured_at')
const DAYS = NAMES.indexOf('days_outstanding')
const SELECTED = sql.raw(Object.values(COLUMNS).join(', '))
const DAY_MS = 86_400_000

/**
 * What providers still owe, or are still owed, one payment a line: what was captured and refunded, less what their files say
 * has been settled. All amounts are in the currency of the payment. Payments that are settled in full are left out.
 */
export const accountsReceivablesModel: Model = { columnsOf: () => NAMES, read }

async function* read(reading: Reading): AsyncGenerator<readonly Row[]> {
  const { report, ranges, until, context } = reading
  const merchantAccountId = report.merchant_account_id
  const { start = null, end = null } = ranges['timestamp'] ?? {}
  // A payment is captured after it is created.
  const bounds = intersect(idsWithin(undefined, until), idsUntil(end))
  const read = ({ from, to }: Bounds) =>
    sql`select ${SELECTED} from transactions as payment
        join payment_services as service on service.id = payment.payment_service_id
        cross join lateral (
          select
            coalesce(sum(${MOVED}) filter (where kind = 'settlement'), 0) as settled,
            coalesce(sum(${MOVED}) filter (where kind = 'refund_settlement'), 0) as refunds_settled
          from payment_service_report_lines as line
          where line.merchant_account_id = payment.merchant_account_id and line.transaction_id = payment.id
        ) as arrived
        where payment.merchant_account_id = ${merchantAccountId} and payment.id >= ${from} and payment.id < ${to}
          and payment.captured_amount > 0 and ${sql.raw(OUTSTANDING)} <> 0
          and (${start}::timestamptz is null or ${sql.raw(CAPTURED_AT)}::timestamptz >= ${start}::timestamptz)
          and (${end}::timestamptz is null or ${sql.raw(CAPTURED_AT)}::timestamptz <= ${end}::timestamptz)
        order by payment.id`
  for await (const rows of readPages(reading, { table: 'transactions', bounds, read })) {
    yield rows.map((row) => row.with(DAYS, daysSince(row[CAPTURED] ?? null, context.reference_timestamp)))
  }
}

function daysSince(captured: string | null, now: Date): string | null {
  if (captured === null) return null
  return String(Math.max(0, Math.floor((now.getTime() - Date.parse(captured)) / DAY_MS)))
}
