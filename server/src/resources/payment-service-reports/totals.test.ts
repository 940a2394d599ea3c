import { sql } from 'kysely'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { startTestService, type TestService } from '#testing/harness.ts'
import { ReportDesk } from '#testing/report-desk.ts'
import { openTill, type Till } from '#testing/till.ts'

let service: TestService
let till: Till
let desk: ReportDesk
beforeEach(async () => {
  await service?.close()
  service = await startTestService()
  till = openTill(service)
  desk = await ReportDesk.open(service)
})
afterAll(() => service.close())

async function totals(query = '?from=2026-01-01&to=2026-12-31') {
  const response = await service.send(`GET /payment-service-reports/totals${query}`)
  expect(response.statusCode, response.body).toBe(200)
  return response.json().items
}

/** The sums are those of the lines: made anew, they would be the same. */
async function expectSumsOfLines() {
  const columns = sql`currency, kind, sum(amount)::text, sum(commission)::text, coalesce(sum(interchange), 0)::text as interchange`
  const { rows: anew } = await sql`
    select (posted_at at time zone 'UTC')::date::text as day, ${columns}, count(*)::text as lines from payment_service_report_lines
    where moves_money(file_id, unmatched_because) group by 1, 2, 3 order by 1, 2, 3`.execute(
    service.context.db,
  )
  const { rows: kept } = await sql`
    select day::text, ${columns}, sum(line_count)::text as lines from settlement_sums
    group by day, currency, kind having sum(line_count) > 0 order by 1, 2, 3`.execute(service.context.db)
  expect(kept).toEqual(anew)
  expect(anew).not.toEqual([])
}

const NOVEMBER = new Date('2026-11-14T23:59:59.999Z')
const OCTOBER = new Date('2026-10-31T23:59:59.999Z')

test('adds up what was settled, taken and charged, by period, service and currency', async () => {
  const paid = await till.pay({ amount: 1_000, intent: 'capture' })
  const reference = paid.payment_service_transaction_id
  desk.publish({
    lines: [
      {
        reference,
        amount: 1_000,
        commission: 30,
        interchange: 20,
        markup: 4,
        schemeFee: 6,
        postedAt: NOVEMBER,
      },
      { reference: 'unheard-of', amount: 500, commission: 5, postedAt: NOVEMBER },
      { reference, kind: 'chargeback', amount: -1_000, commission: 15, postedAt: NOVEMBER },
      { reference: null, kind: 'other', amount: -300, postedAt: NOVEMBER },
      { reference: 'of-october', amount: 70, postedAt: OCTOBER },
    ],
  })
  desk.publish({
    header: { currency: 'EUR' },
    lines: [{ reference: 'of-euros', amount: 9, postedAt: NOVEMBER }],
  })

  await desk.ingest()

  const [service_id] = [paid.payment_service.id]
  const november = {
    type: 'settlement-total',
    period: '2026-11-01',
    payment_service_id: service_id,
    currency: 'USD',
    payment_amount: 1_500,
    refund_amount: 0,
    chargeback_amount: -1_000,
    chargeback_reversal_amount: 0,
    other_amount: -300,
    fee_amount: 50,
    interchange_amount: 20,
    markup_amount: 4,
    scheme_fee_amount: 6,
    net_amount: 150,
    line_count: 4,
  }
  const all = await totals()
  expect(all).toMatchObject([
    { period: '2026-11-01', currency: 'EUR', payment_amount: 9 },
    november,
    { period: '2026-10-01', currency: 'USD', payment_amount: 70, line_count: 1 },
  ])
  expect(all[1]).toEqual(november)
  expect(await totals('?from=2026-11-14&to=2026-11-14&unit=day&currency=USD')).toEqual([
    { ...november, period: '2026-11-14' },
  ])
  expect(await totals('?from=2026-10-26&to=2026-11-01&unit=week')).toMatchObject([{ period: '2026-10-26' }])
  expect(await totals('?from=2026-11-15&to=2026-11-30')).toEqual([])
  expect(await totals(`?to=2026-11-30&payment_service_id=${service_id}`)).toEqual(all)
  expect(await totals('?payment_service_id=0199f3a0-5d3b-7c00-8a11-3f1f7f1f0006')).toEqual([])
  await expectSumsOfLines()
})

test('counts a movement once, however often files tell of it, and as the last file has it', async () => {
  const line = { id: 'once', reference: 'later', amount: 100, commission: 3, postedAt: NOVEMBER }
  desk.publish({ lines: [line] })
  await desk.ingest()
  desk.publish({ header: { date: '2026-11-16' }, lines: [line] })
  await desk.ingest()
  expect(await totals()).toMatchObject([{ payment_amount: 100, fee_amount: 3, line_count: 1 }])

  desk.publish({ header: { date: '2026-11-17' }, lines: [{ ...line, amount: 110, postedAt: OCTOBER }] })
  await desk.ingest()

  expect(await totals()).toMatchObject([
    { period: '2026-10-01', payment_amount: 110, fee_amount: 3, line_count: 1 },
  ])
  await expectSumsOfLines()
})

test('counts a line that finds its payment later once', async () => {
  const later = await till.pay({ amount: 250, intent: 'authorize' })
  desk.publish({
    lines: [{ reference: later.payment_service_transaction_id, amount: 250, postedAt: NOVEMBER }],
  })
  await desk.ingest()
  const before = await totals()
  await service.send(`POST /transactions/${later.id}/capture`, {})

  await desk.matchAgain()

  expect(await totals()).toEqual(before)
  expect(before).toMatchObject([{ payment_amount: 250, line_count: 1 }])
  await expectSumsOfLines()
})

test('a line that can be read at last counts as what it is', async () => {
  desk.readAs = (line) => ({
    ...line,
    kind: 'other',
    code: 'unreadable',
    amount: line.amount - line.commission,
    commission: 0,
  })
  desk.publish({
    lines: [{ reference: 'new-kind', amount: 100, commission: 3, postedAt: NOVEMBER }],
    trailer: { gross: 97, fees: 0, net: 97 },
  })
  await desk.ingest()
  expect(await totals()).toMatchObject([{ other_amount: 97, fee_amount: 0, net_amount: 97 }])
  desk.readAs = (line) => line

  await desk.ingest()

  expect(await totals()).toMatchObject([
    { payment_amount: 100, other_amount: 0, fee_amount: 3, net_amount: 97, line_count: 1 },
  ])
  await expectSumsOfLines()
})

test('shows nothing of another merchant account', async () => {
  desk.publish({ lines: [{ reference: 'ours', amount: 100 }] })
  await desk.ingest()
  await service.send('POST /merchant-accounts', { id: 'other', display_name: 'Other' })

  const response = await service.send('GET /payment-service-reports/totals', undefined, {
    account: 'other',
  })

  expect(response.json()).toEqual({ items: [] })
})

test.each([
  ['?from=2026-11-02&to=2026-11-01', '/from', 'must not be after 2026-11-01, where the time ends'],
  [
    '?unit=day&from=2025-01-01&to=2026-11-01',
    '/from',
    'must not be more than 400 periods before 2026-11-01: ask for less time, or for longer periods',
  ],
  ['?unit=year', '/unit', expect.stringContaining('must be one of')],
  ['?to=yesterday', '/to', expect.stringContaining('date')],
])('refuses %s, and says why', async (query, pointer, message) => {
  const response = await service.send(`GET /payment-service-reports/totals${query}`)

  expect(response.statusCode).toBe(400)
  expect(response.json().details).toMatchObject([{ location: 'query', pointer, message }])
})
