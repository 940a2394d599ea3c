import { sql } from 'kysely'
import { dayAt, firstOfMonth, mondayOf, startOfDay } from '#domain/time-zone.ts'
import { isEmpty } from '#platform/listing/bounds.ts'
import type { ResolvedRange } from '../schedule.ts'
import type { Row } from '../spooled-runs.ts'
import type { Model, Reading } from './model.ts'
import { idsWithin, readRows, walk } from './walk.ts'

const COLUMNS = [
  'insight',
  'value',
  'payments',
  'authorized',
  'auth_rate',
  'previous_payments',
  'previous_authorized',
  'previous_auth_rate',
  'auth_rate_change',
  'note',
] as const

const NOTE =
  'Counted from the payments of this merchant account by SQL; no language model was used. ' +
  'A payment counts once it is decided, and as authorized if it was. Rates and their change are in percent.'

const MONTH_MS = 30 * 24 * 3_600_000

/** Counting many rows at once is cheap, as none of them leaves the database. */
const STEP = 20_000

/**
 * How payments fared, against as long a time before: in all, by service, scheme and error. Plain counting, as the first line
 * of the file says.
 */
export const aiInsightsModel: Model = { columnsOf: () => COLUMNS, read }

async function* read(reading: Reading): AsyncGenerator<readonly Row[]> {
  const period = periodOf(reading)
  const lengthMs = Date.parse(period.end) - Date.parse(period.start) + 1
  const earlier = (text: string) => new Date(Date.parse(text) - lengthMs).toISOString()
  const before = { start: earlier(period.start), end: earlier(period.end) }
  const counts = await count(reading, period)
  const previous = await count(reading, before)
  const about = `${NOTE} From ${period.start} to ${period.end}, against ${before.start} to ${before.end}.`
  yield [['about', null, null, null, null, null, null, null, null, about]]
  yield rowsOf(counts, previous)
}

type Count = { readonly insight: string; readonly value: string; payments: number; authorized: number }
type Counts = Map<string, Count>

async function count(reading: Reading, range: ResolvedRange): Promise<Counts> {
  const { db, report, until, check } = reading
  const merchantAccountId = report.merchant_account_id
  const counts: Counts = new Map()
  const bounds = idsWithin(range, until)
  if (isEmpty(bounds)) return counts
  for await (const { from, to } of walk({
    db,
    table: 'transactions',
    merchantAccountId,
    bounds,
    step: () => STEP,
    check,
  })) {
    const rows = await readRows(
      reading,
      sql`select fact.insight, fact.value, count(*), count(*) filter (where payment.is_authorized)
        from (
          select service.display_name, transactions.payment_method_scheme as scheme, transactions.error_code,
            transactions.status not in ('authorization_declined', 'authorization_failed') as is_authorized
          from transactions left join payment_services as service on service.id = transactions.payment_service_id
          where transactions.merchant_account_id = ${merchantAccountId}
            and transactions.id >= ${from} and transactions.id < ${to}
            and transactions.status not in ('processing', 'buyer_approval_pending')
        ) as payment
        cross join lateral (values
          ('payments', ''),
          ('payment_service', payment.display_name),
          ('scheme', payment.scheme),
          ('error_code', payment.error_code)
        ) as fact (insight, value)
        where fact.value is not null
        group by 1, 2`,
    )
    for (const [insight, value, payments, authorized] of rows) {
      add(counts, {
        insight: insight ?? '',
        value: value ?? '',
        payments: Number(payments),
        authorized: Number(authorized),
      })
    }
  }
  return counts
}

function add(counts: Counts, more: Count): void {
  const key = `${more.insight} ${more.value}`
  const known = counts.get(key)
  if (!known) {
    counts.set(key, more)
    return
  }
  known.payments += more.payments
  known.authorized += more.authorized
}

const ORDER = ['payments', 'payment_service', 'scheme', 'error_code']

/** All first, then by kind, those with the most payments first. What there was only before is listed, too. */
function rowsOf(counts: Counts, previous: Counts): Row[] {
  const none = ({ insight, value }: Count): Count => ({ insight, value, payments: 0, authorized: 0 })
  const all = new Map([...previous].map(([key, before]) => [key, none(before)]))
  for (const [key, now] of counts) all.set(key, now)
  return [...all]
    .map(([key, now]) => ({ now, before: previous.get(key) ?? none(now) }))
    .toSorted(
      (a, b) =>
        ORDER.indexOf(a.now.insight) - ORDER.indexOf(b.now.insight) ||
        b.now.payments - a.now.payments ||
        b.before.payments - a.before.payments ||
        (a.now.value < b.now.value ? -1 : 1),
    )
    .map(({ now, before }) => toRow(now, before))
}

function toRow(now: Count, before: Count): Row {
  const [rate, previousRate] = [rateOf(now), rateOf(before)]
  const change = rate === null || previousRate === null ? null : (rate - previousRate).toFixed(2)
  const percent = (value: number | null) => value?.toFixed(2) ?? null
  return [
    now.insight,
    now.value === '' ? null : now.value,
    String(now.payments),
    String(now.authorized),
    percent(rate),
    String(before.payments),
    String(before.authorized),
    percent(previousRate),
    change,
    null,
  ]
}

function rateOf({ payments, authorized }: Count): number | null {
  return payments === 0 ? null : (100 * authorized) / payments
}

type Period = { readonly start: string; readonly end: string }

/** What the report asks for, or else the time since it ran before; for a report that runs once, 30 days. */
function periodOf({ report, context, ranges }: Reading): Period {
  const { reference_timestamp: reference, reference_timezone: zone } = context
  const given = ranges['timestamp']
  const end = given?.end ?? new Date(reference.getTime() - 1).toISOString()
  if (given?.start) return { start: given.start, end }
  const last = dayAt(zone, new Date(Date.parse(end)))
  switch (report.schedule) {
    case 'daily':
      return { start: startOfDay(zone, last).toISOString(), end }
    case 'weekly':
      return { start: startOfDay(zone, mondayOf(last)).toISOString(), end }
    case 'monthly':
      return { start: startOfDay(zone, firstOfMonth(last)).toISOString(), end }
    case 'once':
      return { start: new Date(Date.parse(end) - MONTH_MS + 1).toISOString(), end }
  }
}
