import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Dispute } from '#connectors/contract/connector.ts'
import { takeDispute } from '#resources/payment-service-reports/take-dispute.ts'
import { ReportDesk } from '#testing/report-desk.ts'
import { useReportShop } from '#testing/reports.ts'

const shop = useReportShop()
let desk: ReportDesk
beforeAll(async () => {
  desk = await ReportDesk.open(shop.service)
})

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

const read = (params: object) => shop.reports.readRows({ model: 'detailed_settlement', params })

/** What we read within a day, of which this is the noon. */
function readDay(noon: Date) {
  const at = (hours: number) => new Date(noon.getTime() + hours * HOUR_MS).toISOString()
  return read({ filters: { ingested_at: { start: at(-12), end: at(12) } } })
}

test('has each movement once, with its fees, and those that fit no payment', async () => {
  const paid = await shop.till.pay({ amount: 1_000, intent: 'capture', external_identifier: 'order-1' })
  const refund = (await shop.till.act(paid.id, 'refunds', { amount: 300 })).json()
  const reference = paid.payment_service_transaction_id
  const refunded = refund.payment_service_refund_id
  const sheet = {
    lines: [
      { reference, id: 'm-1', amount: 1_000, commission: 34, interchange: 20, markup: 10, schemeFee: 4 },
      { kind: 'refund_settlement', reference: refunded, id: 'm-2', amount: -300, commission: 5 },
      { kind: 'chargeback', reference, id: 'm-3', amount: -700, code: '10.4', reason: 'Fraud' },
      { reference: 'never heard of it', id: 'm-4', amount: 55 },
    ],
  } as const
  desk.publish(sheet)
  await desk.ingest()
  desk.publish({ ...sheet, lines: sheet.lines.slice(0, 1) })
  await desk.ingest()

  const rows = await read({ filters: { ingested_at: { start: 'day_start', end: 'day_end' } } })

  expect(rows.map(({ type, transaction_id, amount }) => [type, transaction_id, amount])).toEqual([
    ['settlement', paid.id, '1000'],
    ['refund_settlement', paid.id, '-300'],
    ['chargeback', paid.id, '-700'],
    ['settlement', '', '55'],
  ])
  const { items } = (await shop.service.send(`GET /transactions/${paid.id}/settlements`)).json()
  const [settlement] = items
  expect(rows[0]).toMatchObject({
    id: settlement.id,
    transaction_external_identifier: 'order-1',
    payment_service_reference: reference,
    payment_service_display_name: paid.payment_service.display_name,
    method: 'card',
    scheme: 'visa',
    currency: 'USD',
    commission: '34',
    interchange: '20',
    markup: '10',
    scheme_fee: '4',
    net_amount: '966',
    posted_at: settlement.posted_at,
    ingested_at: settlement.ingested_at,
    payment_service_report_id: settlement.payment_service_report_id,
    unmatched_because: '',
  })
  expect(rows[1]).toMatchObject({ refund_id: refund.id, net_amount: '-305' })
  expect(rows[2]).toMatchObject({ reason_code: '10.4', reason_description: 'Fraud' })
  expect(rows[3]).toMatchObject({ unmatched_because: 'unknown_reference' })
})

test('has what we read within a time, to the millisecond', async () => {
  const [first] = await read({})
  const at = String(first?.['ingested_at'])
  const later = new Date(Date.parse(at) + 1).toISOString()

  const ids = async (ingested_at: object) => (await read({ filters: { ingested_at } })).map(({ id }) => id)

  expect(await ids({ start: at, end: at })).toContain(first?.['id'])
  expect(await ids({ start: later })).not.toContain(first?.['id'])
  expect(await ids({ end: '2020-01-01T00:00:00Z' })).toEqual([])
})

describe('a day later', () => {
  test('has what notifications told of the day before, once the file tells of it', async () => {
    const paid = await shop.till.pay({ amount: 1_000, intent: 'capture' })
    const reference = paid.payment_service_transaction_id
    const dispute = (change: Partial<Dispute>): Dispute => ({
      about: 'chargeback',
      id: null,
      reference,
      amount: 1_000,
      currency: 'USD',
      code: null,
      reason: null,
      postedAt: shop.service.context.clock(),
      ...change,
    })
    const scope = { ...shop.service.context, merchantAccountId: 'default' }
    for (const kind of ['chargeback', 'chargeback_reversal'] as const) {
      const told = dispute({ about: kind, id: `told ${kind}` })
      expect(await takeDispute(scope, shop.service.engine, paid.payment_service.id, told)).toBe(true)
    }
    const own = ({ transaction_id }: Record<string, string>) => transaction_id === paid.id
    const day1 = shop.service.context.clock()
    expect((await readDay(day1)).filter(own)).toEqual([])

    shop.service.moveClock(DAY_MS)
    const line = { reference, commission: 15 }
    desk.publish({
      lines: [
        { reference, id: 'settled', amount: 1_000 },
        { ...line, kind: 'chargeback', id: 'told chargeback', amount: -1_000 },
        { ...line, kind: 'chargeback_reversal', id: 'told chargeback_reversal', amount: 1_000 },
      ],
    })
    await desk.ingest()

    const rows = await readDay(shop.service.context.clock())
    expect(rows.map(({ type, commission, transaction_id }) => [type, commission, transaction_id])).toEqual([
      ['chargeback', '15', paid.id],
      ['chargeback_reversal', '15', paid.id],
      ['settlement', '0', paid.id],
    ])
    expect((await readDay(day1)).filter(own)).toEqual([])
    expect((await read({})).filter(own)).toHaveLength(3)
  })

  test('has all of them, however many they are', async () => {
    const { db, clock } = shop.service.context
    // Each id has the time of the notification, and most were read at the same moment.
    await sql`
      insert into payment_service_report_lines
      select made.* from payment_service_report_lines as line, generate_series(1, 2500) as number,
        jsonb_populate_record(line, jsonb_build_object('id', overlay(gen_random_uuid()::text placing left(line.id::text, 13) from 1),
          'external_identifier', 'many ' || number, 'line_number', 10 + number,
          'ingested_at', line.ingested_at + number / 900 * interval '1 ms')) as made
      where line.external_identifier = 'told chargeback'
    `.execute(db)

    const rows = await readDay(clock())

    expect(rows).toHaveLength(2_503)
    expect(new Set(rows.map(({ id }) => id)).size).toBe(2_503)
  })

  test('has no line that fits no payment a second time, though the file is published again', async () => {
    const line = { reference: 'never heard of it either', id: 'unmatched', amount: 55 }
    shop.service.moveClock(DAY_MS)
    desk.publish({ lines: [line] })
    await desk.ingest()
    const day1 = shop.service.context.clock()
    shop.service.moveClock(DAY_MS)
    desk.publish({ lines: [line] })

    await desk.ingest()

    expect(await readDay(shop.service.context.clock())).toEqual([])
    expect(await readDay(day1)).toMatchObject([{ amount: '55', unmatched_because: 'unknown_reference' }])
  })
})
