import { beforeAll, expect, test } from 'vitest'
import { ReportDesk } from '#testing/report-desk.ts'
import { useReportShop } from '#testing/reports.ts'

const shop = useReportShop()
let desk: ReportDesk
beforeAll(async () => {
  desk = await ReportDesk.open(shop.service)
})

const read = (params: object) => shop.reports.readRows({ model: 'detailed_settlement', params })

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
