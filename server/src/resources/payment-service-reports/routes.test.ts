import { afterAll, beforeAll, expect, test } from 'vitest'
import { REPORTING, signToken, startTestService, type TestService } from '#testing/harness.ts'
import { ReportDesk } from '#testing/report-desk.ts'
import { openTill, type Till } from '#testing/till.ts'

let service: TestService
let till: Till
let desk: ReportDesk
beforeAll(async () => {
  service = await startTestService()
  till = openTill(service)
  desk = await ReportDesk.open(service)
})
afterAll(() => service.close())

async function newest(query = '') {
  const response = await service.send(`GET /payment-service-reports${query}`)
  expect(response.statusCode, response.body).toBe(200)
  return response.json().items[0]
}

async function linesOf(reportId: string, query: string) {
  const response = await service.send(`GET /payment-service-reports/${reportId}/lines${query}`)
  expect(response.statusCode, response.body).toBe(200)
  return response.json().items
}

test('shows a file with its sums, and the lines that no payment fits', async () => {
  const paid = await till.pay({ amount: 1_000, intent: 'capture' })
  desk.publish({
    name: 'day-one',
    header: { reportId: 'batch-1', date: '2026-11-14' },
    lines: [
      { reference: paid.payment_service_transaction_id, amount: 999, commission: 30 },
      { reference: 'unheard-of', amount: 500, commission: 5 },
    ],
  })

  await desk.ingest()

  const report = await newest()
  expect(report).toMatchObject({ external_identifier: 'batch-1', merchant_account_id: 'default' })
  expect(report.files).toMatchObject([
    {
      names: ['day-one.csv'],
      status: 'applied',
      problem: null,
      report_date: '2026-11-14',
      currency: 'USD',
      line_count: 2,
      applied_line_count: 2,
      unmatched_line_count: 1,
      flagged_line_count: 1,
      gross_amount: 1_499,
      fee_amount: 35,
      net_amount: 1_464,
    },
  ])
  expect((await service.send(`GET /payment-service-reports/${report.id}`)).json()).toEqual(report)
  expect(await linesOf(report.id, '?matched=false')).toMatchObject([
    { line_number: 3, unmatched_because: 'unknown_reference', transaction_id: null, amount: 500 },
  ])
  expect(await linesOf(report.id, '?flagged=true')).toMatchObject([
    { line_number: 2, flag: 'below_expected', transaction_id: paid.id, amount: 999 },
  ])
  expect(await linesOf(report.id, '')).toHaveLength(2)
})

test('shows a refused file with its reason, beside the corrected one', async () => {
  const paid = await till.pay({ amount: 1_000, intent: 'capture' })
  const header = { reportId: 'batch-2' }
  const lines = [{ reference: paid.payment_service_transaction_id, amount: 1_000 }]
  desk.publish({ header, lines, trailer: { gross: 1 } })
  await desk.ingest()
  const refused = await newest('?status=refused')
  expect(refused.files[0].problem).toBe('the trailer does not add up: gross 1, but the lines have 1000')

  desk.publish({ header, lines })
  await desk.ingest()

  const { files } = (await service.send(`GET /payment-service-reports/${refused.id}`)).json()
  expect(files.map(({ status }: { status: string }) => status)).toEqual(['refused', 'applied'])
})

test('shows the names under which the same bytes were offered', async () => {
  const name = desk.publish({ name: 'first-name', lines: [{ reference: 'unheard-of-either', amount: 1 }] })
  await desk.ingest()
  desk.publishBytes(desk.bytesOf(name), 'second-name')
  await desk.ingest()

  expect((await newest()).files).toMatchObject([{ names: ['first-name.csv', 'second-name.csv'] }])
})

test('hides reports from another merchant account', async () => {
  await service.send('POST /merchant-accounts', { id: 'other-shop', display_name: 'Other shop' })
  const { id } = await newest()
  const other = { account: 'other-shop' }

  const one = await service.send(`GET /payment-service-reports/${id}`, undefined, other)
  const lines = await service.send(`GET /payment-service-reports/${id}/lines`, undefined, other)
  const list = await service.send('GET /payment-service-reports', undefined, other)

  expect([one.statusCode, lines.statusCode]).toEqual([404, 404])
  expect(list.json().items).toEqual([])
})

test('lets the role for reporting read them', async () => {
  const token = await signToken(await service.addKey({ roleIds: [REPORTING] }), {
    scopes: ['payment-service-reports.read'],
  })

  expect((await service.send('GET /payment-service-reports', undefined, { token })).statusCode).toBe(200)
})
