import { beforeAll, expect, test } from 'vitest'
import { ReportDesk } from '#testing/report-desk.ts'
import { useReportShop } from '#testing/reports.ts'

const shop = useReportShop()
let desk: ReportDesk
beforeAll(async () => {
  desk = await ReportDesk.open(shop.service)
})

/** What is outstanding, by the payment. */
async function outstanding(filters: object = {}) {
  const rows = await shop.reports.readRows({ model: 'accounts_receivables', params: { filters } })
  return new Map(rows.map((row) => [row['transaction_id'], row]))
}

const owed = async (id: string) => (await outstanding()).get(id)?.['outstanding_amount']

async function capture(amount: number, more: object = {}) {
  const paid = await shop.till.pay({ amount, intent: 'capture', ...more })
  return { id: paid.id as string, reference: paid.payment_service_transaction_id as string }
}

test('a captured payment is owed until it is settled in full', async () => {
  const paid = await capture(1_000, { external_identifier: 'order-1' })
  const authorized = await shop.till.pay({ amount: 500 })

  const before = await outstanding()
  desk.publish({ lines: [{ reference: paid.reference, amount: 400, commission: 12 }] })
  await desk.ingest()
  const partly = await owed(paid.id)
  desk.publish({ lines: [{ reference: paid.reference, amount: 600 }] })
  await desk.ingest()

  expect(before.get(paid.id)).toMatchObject({
    external_identifier: 'order-1',
    days_outstanding: '0',
    settlement_reporting_enabled: 'true',
    currency: 'USD',
    captured_amount: '1000',
    refunded_amount: '0',
    receivable_amount: '1000',
    settled_amount: '0',
    outstanding_amount: '1000',
    disputed: 'false',
  })
  expect(before.has(authorized.id)).toBe(false)
  expect(partly).toBe('600')
  expect(await owed(paid.id)).toBeUndefined()
})

test('a refund is owed to the provider until its settlement, too', async () => {
  const paid = await capture(1_000)
  desk.publish({ lines: [{ reference: paid.reference, amount: 1_000 }] })
  await desk.ingest()
  const refund = (await shop.till.act(paid.id, 'refunds', { amount: 300 })).json()

  const before = await owed(paid.id)
  const reference = refund.payment_service_refund_id
  desk.publish({ lines: [{ kind: 'refund_settlement', reference, amount: -300 }] })
  await desk.ingest()

  expect(before).toBe('-300')
  expect(await owed(paid.id)).toBeUndefined()
})

test('a settlement in another currency counts by what the buyer paid', async () => {
  const paid = await capture(1_000)
  const original = { amount: 1_000, currency: 'USD' }
  desk.publish({
    header: { currency: 'EUR' },
    lines: [{ reference: paid.reference, amount: 920, original, exchangeRate: 0.92 }],
  })

  await desk.ingest()

  expect(await owed(paid.id)).toBeUndefined()
})

test('has the payments that were captured within a time', async () => {
  const paid = await capture(777)
  const { captured_at } = await shop.till.get(paid.id)
  const later = new Date(Date.parse(captured_at) + 1).toISOString()

  expect([...(await outstanding({ timestamp: { start: captured_at, end: captured_at } })).keys()]).toContain(
    paid.id,
  )
  expect([...(await outstanding({ timestamp: { start: later } })).keys()]).not.toContain(paid.id)
})
