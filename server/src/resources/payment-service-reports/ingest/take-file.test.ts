import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { reconciliationId } from '#domain/reconciliation-id.ts'
import { startTestService, type TestService } from '#testing/harness.ts'
import { ReportDesk } from '#testing/report-desk.ts'
import { openTill, type Till } from '#testing/till.ts'
import { reportHealth } from '../health.ts'

const DAY_MS = 86_400_000

let service: TestService
let till: Till
let desk: ReportDesk
beforeAll(async () => {
  service = await startTestService()
  till = openTill(service)
})
afterAll(() => service.close())
beforeEach(async () => {
  desk = await ReportDesk.open(service)
})

async function capture(amount = 1_000) {
  const paid = await till.pay({ amount, intent: 'capture' })
  return { id: paid.id as string, reference: paid.payment_service_transaction_id as string }
}

/** The report that was made last, with its lines, the first one first. */
async function lastReport(query = '') {
  const [report] = (await service.send('GET /payment-service-reports?limit=1')).json().items
  const { items } = (await service.send(`GET /payment-service-reports/${report.id}/lines${query}`)).json()
  return { file: report.files.at(-1), lines: items.toReversed() }
}

describe('lines about no payment', () => {
  const FEE = { kind: 'other', reference: null, amount: -2_500, code: 'monthly', reason: 'fee' } as const

  test('are kept and added up, and miss no payment', async () => {
    const paid = await capture()
    desk.publish({
      lines: [
        { reference: paid.reference, amount: 1_000 },
        { ...FEE, commission: 7 },
      ],
    })

    await desk.ingest()

    const { file, lines } = await lastReport()
    expect(file).toMatchObject({
      status: 'applied',
      line_count: 2,
      applied_line_count: 2,
      unmatched_line_count: 0,
      gross_amount: -1_500,
      fee_amount: 7,
    })
    expect(lines[1]).toMatchObject({
      kind: 'other',
      payment_service_reference: null,
      amount: -2_500,
      code: 'monthly',
      transaction_id: null,
      unmatched_because: null,
    })
    expect((await lastReport('?matched=true')).lines).toHaveLength(1)
    expect((await lastReport('?matched=false')).lines).toEqual([])
  })

  test('may name a payment, and still do not settle it', async () => {
    const paid = await capture()
    desk.publish({ lines: [{ ...FEE, reference: paid.reference }] })

    await desk.ingest()

    expect((await lastReport()).lines).toMatchObject([{ kind: 'other', transaction_id: null }])
    expect((await till.get(paid.id)).settled).toBe(false)
  })
})

describe('a file is refused', () => {
  test.each([
    ['a chargeback above zero', { kind: 'chargeback', reference: 'any', amount: 5 }, /wrong sign/],
    ['a reversal below zero', { kind: 'chargeback_reversal', reference: 'any', amount: -5 }, /wrong sign/],
    ['a settlement without a reference', { reference: null, amount: 5 }, /reference is empty/],
  ] as const)('with %s', async (_name, line, problem) => {
    desk.publish({ lines: [line] })

    await desk.ingest()

    expect((await lastReport()).file).toMatchObject({
      status: 'refused',
      problem: expect.stringMatching(problem),
    })
  })

  test('if it is about another account at the provider', async () => {
    desk.account = 'our shop'
    desk.publish({ lines: [], header: { account: 'another shop' } })
    await desk.ingest()
    expect((await lastReport()).file).toMatchObject({
      status: 'refused',
      problem: expect.stringMatching(/another account/),
    })

    desk.publish({ lines: [], header: { account: 'our shop' } })
    await desk.ingest()

    expect((await lastReport()).file.status).toBe('applied')
  })
})

describe('a file that is applied in part', () => {
  /** The process stops after the first of three batches. */
  async function stopInside() {
    const paid = await capture(99_999)
    const lines = Array.from({ length: 1_200 }, () => ({ reference: paid.reference, amount: 1 }))
    const name = desk.publish({ lines })
    const bytes = desk.bytesOf(name)
    const stop = new AbortController()
    desk.onLine = (_reading, number) => {
      if (number === 400 && desk.reads.length > 0) stopped += 1
      // The file is read once to check it, and once to apply it.
      if (stopped === 2) stop.abort()
    }
    let stopped = 0
    await desk.ingest(stop.signal)
    desk.onLine = () => {}
    return { paid, name, bytes, lines }
  }

  test('and then replaced is abandoned, and the new file counts once', async () => {
    const { paid, name, bytes, lines } = await stopInside()
    expect((await lastReport()).file).toMatchObject({ status: 'applying', applied_line_count: 500 })
    const { abandoned } = await reportHealth(service.context)
    // The same movements, and one more.
    const corrected = `${bytes}`.trimEnd().split('\n').slice(0, -1)
    const last = JSON.parse(corrected.at(-1) ?? '')
    corrected.push(JSON.stringify({ ...last, number: last.number + 1, id: 'one more', amount: 5 }))
    corrected.push(JSON.stringify({ type: 'trailer', count: 1_201, gross: 1_205, fees: 0, net: 1_205 }))
    desk.publishBytes(`${corrected.join('\n')}\n`, name)

    await desk.ingest()

    const [report] = (await service.send('GET /payment-service-reports?status=abandoned')).json().items
    expect(report.files).toMatchObject([
      {
        status: 'abandoned',
        problem: expect.stringMatching(/replaced.*: 500 of 1200 lines are applied/),
        line_count: lines.length,
        applied_line_count: 500,
      },
      { status: 'applied', line_count: 1_201 },
    ])
    expect((await till.get(paid.id)).settled_amount).toBe(1_205)
    expect((await reportHealth(service.context)).abandoned).toBe(abandoned + 1)

    // The first bytes come back under another name: the rest of them only repeats what is known.
    desk.publishBytes(bytes, `${name} again`)
    await desk.ingest()

    expect((await till.get(paid.id)).settled_amount).toBe(1_205)
    expect((await reportHealth(service.context)).abandoned).toBe(abandoned)
  })

  test('and in which a newer connector finds fewer lines is tried later, and the problem is named', async () => {
    const { paid } = await stopInside()
    const { db, clock } = service.context
    // As if the older one had found one line more.
    await sql`update payment_service_report_files set line_count = 1201 where status = 'applying'`.execute(db)

    await expect(desk.ingest()).rejects.toThrow('1200 of 1201 lines')

    expect((await lastReport()).file).toMatchObject({ status: 'applying', applied_line_count: 1_200 })
    expect((await till.get(paid.id)).settled_amount).toBe(1_200)
    const { rows } = await sql`
      select problem, checks, due_at > ${clock()} as "isLater" from payment_service_report_offers
    `.execute(db)
    expect(rows).toEqual([
      { problem: expect.stringContaining('1200 of 1201 lines'), checks: 1, isLater: true },
    ])
  })

  test('and no longer delivered is abandoned after a month', async () => {
    const { name, paid } = await stopInside()
    const offer = sql.ref('payment_service_report_offers.published_at')
    const earlier = new Date(service.context.clock().getTime() - 31 * DAY_MS)
    desk.publishBytes('', name)
    desk.cutAfter = 0
    await expect(desk.ingest()).rejects.toThrow()
    expect((await lastReport()).file.status).toBe('applying')

    await sql`update payment_service_report_offers set published_at = ${earlier} where ${offer} is not null`.execute(
      service.context.db,
    )
    desk.isAway = false
    desk.forget(name)
    await expect(desk.ingest()).rejects.toThrow()

    expect((await lastReport()).file).toMatchObject({
      status: 'abandoned',
      problem: expect.stringMatching(/no longer delivers.*: 500 of 1200/),
    })
    expect((await till.get(paid.id)).settled_amount).toBe(500)
    desk.cutAfter = null
    await desk.ingest()
  })
})

test('operators see which files are not read yet, why, and which service does not answer', async () => {
  const name = desk.publish({ lines: [] })
  desk.cutAfter = 3
  await expect(desk.ingest()).rejects.toThrow()
  const feeds = async () => (await service.send('GET /payment-service-reports/feeds')).json().items

  expect(await feeds()).toMatchObject([
    {
      problem: null,
      failures: 0,
      listed_at: expect.any(String),
      unread_files: [{ name: `${name}.csv`, problem: 'the connection was lost', tries: 1 }],
    },
  ])
  desk.cutAfter = null
  desk.isAway = true
  await expect(desk.ingest()).rejects.toThrow()
  expect(await feeds()).toMatchObject([{ problem: 'the provider does not answer', failures: 1 }])
  desk.isAway = false
  await desk.ingest()
  expect(await feeds()).toMatchObject([{ problem: null, failures: 0, unread_files: [] }])
  const other = await service.send('GET /payment-service-reports/feeds', undefined, {
    account: 'another-shop',
  })
  expect(other.json().items ?? []).toEqual([])
})

test('an amount that is not what the rate makes of it is flagged', async () => {
  const [right, wrong] = [await capture(), await capture()]
  const exchanged = { original: { amount: 1_000, currency: 'USD' }, exchangeRate: 150.2 }
  desk.publish({
    header: { currency: 'JPY' },
    lines: [
      { ...exchanged, reference: right.reference, amount: 1_502 },
      { ...exchanged, reference: wrong.reference, amount: 1_602 },
    ],
  })

  await desk.ingest()

  const { file, lines } = await lastReport()
  expect(lines.map(({ flag }: { flag: string }) => flag)).toEqual([null, 'other_exchange'])
  expect(file).toMatchObject({ flagged_line_count: 1, unmatched_line_count: 0 })
})

test('many lines of one payment over several batches are flagged once, at the last one', async () => {
  const paid = await capture(1_201)
  const lines = Array.from({ length: 1_200 }, () => ({ reference: paid.reference, amount: 1 }))
  desk.publish({ lines })

  await desk.ingest()

  const flagged = await lastReport('?flagged=true')
  expect(flagged.file.flagged_line_count).toBe(1)
  expect(flagged.lines).toMatchObject([{ line_number: 1_201, flag: 'below_expected' }])
  desk.publish({ lines: [{ reference: paid.reference, amount: 1 }] })
  await desk.ingest()
  const { rows } = await sql`select id from payment_service_report_lines
    where transaction_id = ${paid.id} and flag is not null`.execute(service.context.db)
  expect(rows).toEqual([])
})

describe('many lines of one exchanged payment', () => {
  const line = { amount: 2, original: { amount: 1, currency: 'USD' }, exchangeRate: 2 }
  const publish = (reference: string, count: number) =>
    desk.publish({
      header: { currency: 'EUR' },
      lines: Array.from({ length: count }, () => ({ ...line, reference })),
    })

  test('are flagged once, until they add up in the currency of the payment', async () => {
    const paid = await capture(1_201)
    publish(paid.reference, 1_200)

    await desk.ingest()

    const flagged = await lastReport('?flagged=true')
    expect(flagged.file.flagged_line_count).toBe(1)
    expect(flagged.lines).toMatchObject([{ line_number: 1_201, flag: 'below_expected' }])
    publish(paid.reference, 1)
    await desk.ingest()
    expect((await lastReport('?flagged=true')).lines).toEqual([])
    publish(paid.reference, 1)
    await desk.ingest()
    expect((await lastReport('?flagged=true')).lines).toMatchObject([{ flag: 'above_expected' }])
    expect(await till.get(paid.id)).toMatchObject({ settled_amount: 2_404, settled_currency: 'EUR' })
  })
})

test('a refund that is found by its reconciliation id has to be decided', async () => {
  const fault = { on: 'refund', kind: 'unreachable' }
  const paid = await till.pay({ intent: 'capture', connection_options: { 'mock-card': { fault } } })
  const refund = (await till.act(paid.id, 'refunds', { amount: 400 })).json()
  desk.publish({
    lines: [
      {
        kind: 'refund_settlement',
        reference: 'only-they-know',
        ourReference: reconciliationId(refund.id),
        amount: -400,
      },
    ],
  })

  await desk.ingest()

  expect(refund.status).toBe('processing')
  expect((await lastReport()).lines).toMatchObject([{ unmatched_because: 'not_decided', refund_id: null }])
})
