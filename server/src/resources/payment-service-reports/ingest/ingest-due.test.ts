import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startTestService, type TestService } from '#testing/harness.ts'
import { ReportDesk } from '#testing/report-desk.ts'
import { openTill, type Till } from '#testing/till.ts'
import * as feeds from '../feeds/store.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

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

/** A payment of 1000, captured in one step. */
async function capture(amount = 1_000) {
  const paid = await till.pay({ amount, intent: 'capture' })
  return { id: paid.id as string, reference: paid.payment_service_transaction_id as string }
}

async function listOf(id: string, list: string) {
  const response = await service.send(`GET /transactions/${id}/${list}`)
  expect(response.statusCode, response.body).toBe(200)
  return response.json().items
}

type FileRow = {
  readonly status: string
  readonly problem: string | null
  readonly line_count: number
  readonly lines_done: number
  readonly unmatched_count: number
  readonly flagged_count: number
}

/** The file that was recorded last. */
async function lastFile(): Promise<FileRow> {
  const { rows } = await sql<FileRow>`
    select status, problem, line_count, lines_done, unmatched_count, flagged_count from payment_service_report_files
    order by id desc limit 1
  `.execute(service.context.db)
  return rows[0] as FileRow
}

async function lastFileId(): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    select id from payment_service_report_files order by id desc limit 1
  `.execute(service.context.db)
  return rows[0]?.id ?? ''
}

async function countOf(
  table: 'payment_service_report_files' | 'payment_service_report_lines',
): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from ${sql.table(table)}`.execute(
    service.context.db,
  )
  return rows[0]?.n ?? 0
}

async function unmatchedReasons(): Promise<string[]> {
  const { rows } = await sql<{ because: string }>`
    select unmatched_because as because from payment_service_report_lines as line
    where file_id = (select id from payment_service_report_files order by id desc limit 1)
      and unmatched_because is not null order by line_number
  `.execute(service.context.db)
  return rows.map(({ because }) => because)
}

describe('a file that adds up', () => {
  test('settles its payments: record, amounts, filter, history and webhook event', async () => {
    const paid = await capture()
    desk.publish({
      lines: [
        {
          reference: paid.reference,
          amount: 1_000,
          commission: 34,
          interchange: 20,
          markup: 10,
          schemeFee: 4,
        },
      ],
    })

    await desk.ingest()

    const after = await till.get(paid.id)
    expect([after.settled, after.settled_amount, after.settled_currency]).toEqual([true, 1_000, 'USD'])
    const [settlement, ...others] = await listOf(paid.id, 'settlements')
    expect(others).toEqual([])
    expect(settlement).toMatchObject({
      type: 'settlement',
      transaction_id: paid.id,
      amount: 1_000,
      currency: 'USD',
      commission: 34,
      interchange: 20,
      markup: 10,
      scheme_fee: 4,
      exchange_rate: null,
    })
    expect(settlement.payment_service_report_file_ids).toHaveLength(1)
    const one = await service.send(`GET /transactions/${paid.id}/settlements/${settlement.id}`)
    expect(one.json()).toEqual(settlement)
    expect(await till.history(paid.id)).toContain('payment-connector-report-transaction-settled')
    expect(await till.told(paid.id)).toContain('transaction.settled')
    const listed = await service.send('GET /transactions?has_settlements=true')
    expect(listed.json().items.map(({ id }: { id: string }) => id)).toContain(paid.id)
  })

  test('is applied once, however often the job runs, and under whatever name it comes', async () => {
    const paid = await capture()
    const name = desk.publish({ lines: [{ reference: paid.reference, amount: 1_000 }] })
    await desk.ingest()
    const before = await countOf('payment_service_report_files')

    await desk.ingest()
    desk.publishBytes(desk.bytesOf(name), 'another-name')
    await desk.ingest()

    expect(await countOf('payment_service_report_files')).toBe(before)
    expect(await listOf(paid.id, 'settlements')).toHaveLength(1)
    expect((await till.get(paid.id)).settled_amount).toBe(1_000)
    expect((await till.told(paid.id)).filter((event) => event === 'transaction.settled')).toHaveLength(1)
  })

  test('adds two partial lines of one capture up', async () => {
    const paid = await capture()
    desk.publish({ lines: [{ reference: paid.reference, amount: 400 }] })
    await desk.ingest()
    expect((await lastFile()).flagged_count).toBe(1)

    desk.publish({ lines: [{ reference: paid.reference, amount: 600 }] })
    await desk.ingest()

    expect((await till.get(paid.id)).settled_amount).toBe(1_000)
    expect(await listOf(paid.id, 'settlements')).toHaveLength(2)
    const { rows } = await sql`select flag from payment_service_report_lines
      where transaction_id = ${paid.id} and flag is not null`.execute(service.context.db)
    expect(rows).toEqual([])
    expect((await lastFile()).flagged_count).toBe(0)
  })

  test.each([
    ['one less than was captured', 999, 'below_expected'],
    ['one more than was captured', 1_001, 'above_expected'],
  ])('with %s is kept and flagged', async (_name, amount, flag) => {
    const paid = await capture()
    desk.publish({ lines: [{ reference: paid.reference, amount }] })

    await desk.ingest()

    expect((await till.get(paid.id)).settled_amount).toBe(amount)
    expect(await lastFile()).toMatchObject({ status: 'applied', flagged_count: 1, unmatched_count: 0 })
    const { rows } = await sql`select flag from payment_service_report_lines
      where transaction_id = ${paid.id}`.execute(service.context.db)
    expect(rows).toEqual([{ flag }])
  })

  test('settles in another currency, with the exchange rate', async () => {
    const paid = await capture()
    desk.publish({
      header: { currency: 'EUR' },
      lines: [
        {
          reference: paid.reference,
          amount: 920,
          original: { amount: 1_000, currency: 'USD' },
          exchangeRate: 0.92,
        },
      ],
    })

    await desk.ingest()

    const after = await till.get(paid.id)
    expect([after.settled_amount, after.settled_currency]).toEqual([920, 'EUR'])
    expect((await listOf(paid.id, 'settlements'))[0]).toMatchObject({ currency: 'EUR', exchange_rate: 0.92 })
    expect((await lastFile()).flagged_count).toBe(0)
  })

  test('of which our own reference is known finds its payment, too', async () => {
    const paid = await till.pay({ amount: 700, intent: 'capture' })
    desk.publish({
      lines: [{ reference: 'only-they-know', ourReference: paid.reconciliation_id, amount: 700 }],
    })

    await desk.ingest()

    expect((await till.get(paid.id)).settled_amount).toBe(700)
  })
})

describe('other lines', () => {
  test('settle a refund: record, amounts, history and webhook event', async () => {
    const paid = await capture()
    const refund = (await till.act(paid.id, 'refunds', { amount: 300 })).json()
    desk.publish({
      lines: [{ kind: 'refund_settlement', reference: refund.payment_service_refund_id, amount: -300 }],
    })

    await desk.ingest()

    const after = (await service.send(`GET /refunds/${refund.id}`)).json()
    expect([after.settled, after.settled_amount, after.settled_currency]).toEqual([true, 300, 'USD'])
    const [item] = await listOf(paid.id, 'refund-settlements')
    expect(item).toMatchObject({ type: 'refund-settlement', refund_id: refund.id, amount: -300 })
    const one = await service.send(`GET /transactions/${paid.id}/refund-settlements/${item.id}`)
    expect(one.json()).toEqual(item)
    expect((await till.get(paid.id)).settled).toBe(false)
    expect(await till.history(paid.id)).toContain('payment-connector-report-refund-settled')
    expect(await till.told(paid.id)).toContain('refund.settled')
    expect((await lastFile()).flagged_count).toBe(0)
  })

  test('dispute a payment, and a reversal keeps both records', async () => {
    const paid = await capture()
    desk.publish({
      lines: [
        { kind: 'chargeback', reference: paid.reference, amount: -1_000, commission: 1_500, code: '10.4' },
      ],
    })
    await desk.ingest()
    expect((await till.get(paid.id)).disputed).toBe(true)

    desk.publish({ lines: [{ kind: 'chargeback_reversal', reference: paid.reference, amount: 1_000 }] })
    await desk.ingest()

    const after = await till.get(paid.id)
    expect([after.disputed, after.settled_amount]).toEqual([true, 0])
    expect(await listOf(paid.id, 'chargebacks')).toMatchObject([{ type: 'chargeback', amount: -1_000 }])
    expect(await listOf(paid.id, 'chargeback-reversals')).toMatchObject([{ amount: 1_000 }])
    expect(await till.told(paid.id)).toEqual(
      expect.arrayContaining(['transaction.charged-back', 'transaction.chargeback-reversed']),
    )
    expect(await till.history(paid.id)).toEqual(
      expect.arrayContaining([
        'payment-connector-report-chargeback-posted',
        'payment-connector-report-chargeback-reversal-posted',
      ]),
    )
    const listed = (await service.send('GET /transactions?disputed=true')).json().items
    expect(listed.map(({ id }: { id: string }) => id)).toContain(paid.id)
  })
})

describe('a file is refused as a whole', () => {
  test.each([
    ['is empty', () => '', /empty/],
    ['is cut in a line', (whole: Buffer) => whole.subarray(0, -20), /cut off/],
    [
      'is cut before its trailer',
      (whole: Buffer) => whole.subarray(0, whole.lastIndexOf('\n', -2) + 1),
      /no trailer/,
    ],
    [
      'is not UTF-8',
      (whole: Buffer) => Buffer.concat([whole.subarray(0, 30), Buffer.of(0xff), whole]),
      /UTF-8/,
    ],
  ])('that %s', async (_name, spoil, problem) => {
    const paid = await capture()
    const name = desk.publish({ lines: [{ reference: paid.reference, amount: 1_000 }] })
    desk.publishBytes(spoil(desk.bytesOf(name)) as Buffer, name)

    await desk.ingest()

    const file = await lastFile()
    expect(file).toMatchObject({ status: 'refused', lines_done: 0 })
    expect(file.problem).toMatch(problem)
    expect((await till.get(paid.id)).settled).toBe(false)
  })

  test.each([
    ['count', { count: 3 }],
    ['gross', { gross: 999 }],
    ['fees', { fees: 1 }],
    ['net', { net: 5 }],
  ])(
    'whose trailer has another %s, until a corrected one comes under the same name',
    async (word, trailer) => {
      const paid = await capture()
      const sheet = { name: `wrong-${word}`, lines: [{ reference: paid.reference, amount: 1_000 }] }
      desk.publish({ ...sheet, trailer })
      await desk.ingest()
      expect(await lastFile()).toMatchObject({ status: 'refused' })
      expect((await lastFile()).problem).toContain(word)
      expect((await till.get(paid.id)).settled).toBe(false)

      desk.publish(sheet)
      await desk.ingest()

      expect((await till.get(paid.id)).settled_amount).toBe(1_000)
    },
  )

  test('whose line has another currency than its header', async () => {
    const paid = await capture()
    desk.publish({ lines: [{ reference: paid.reference, amount: 1_000, currency: 'EUR' }] })

    await desk.ingest()

    expect((await lastFile()).problem).toContain('the currency is not USD')
  })

  test.each([
    ['a reference with a NUL', { reference: 'a\u0000b' }],
    ['an endless id', { id: 'x'.repeat(5_000) }],
    ['half a cent', { amount: 0.5 }],
    ['no time', { postedAt: 'soon' as never }],
  ])('with %s', async (_name, change) => {
    const paid = await capture()
    desk.publish({ lines: [{ reference: paid.reference, amount: 1_000, ...change }] })

    await desk.ingest()

    expect(await lastFile()).toMatchObject({ status: 'refused' })
  })
})

describe('a line without a payment is kept', () => {
  test('if its reference is unknown', async () => {
    const paid = await capture()
    desk.publish({
      lines: [
        { reference: 'unheard-of', amount: 5 },
        { reference: paid.reference, amount: 1_000 },
      ],
    })

    await desk.ingest()

    expect(await lastFile()).toMatchObject({ status: 'applied', unmatched_count: 1 })
    expect(await unmatchedReasons()).toEqual(['unknown_reference'])
    expect((await till.get(paid.id)).settled_amount).toBe(1_000)
  })

  test('if it is a second time in the file', async () => {
    const paid = await capture()
    const line = { id: 'told-twice', reference: paid.reference, amount: 1_000 }
    desk.publish({ lines: [line, line] })

    await desk.ingest()

    expect(await unmatchedReasons()).toEqual(['duplicate'])
    expect((await till.get(paid.id)).settled_amount).toBe(1_000)
  })

  test('if a corrected file repeats it', async () => {
    const paid = await capture()
    const more = await capture()
    const line = { id: 'corrected', reference: paid.reference, amount: 1_000 }
    desk.publish({ header: { reportId: 'day-1' }, lines: [line] })
    await desk.ingest()

    desk.publish({
      header: { reportId: 'day-1' },
      lines: [line, { reference: more.reference, amount: 1_000 }],
    })
    await desk.ingest()

    expect((await till.get(paid.id)).settled_amount).toBe(1_000)
    expect((await till.get(more.id)).settled_amount).toBe(1_000)
    expect(await unmatchedReasons()).toEqual(['duplicate'])
    expect(await lastFile()).toMatchObject({ unmatched_count: 0 })
  })

  test('if a later file tells of the same movement with other figures', async () => {
    const paid = await capture()
    const line = { id: 'off-by-one', reference: paid.reference, amount: 999 }
    desk.publish({ lines: [line] })
    await desk.ingest()

    desk.publish({ lines: [{ ...line, amount: 1_000 }] })
    await desk.ingest()

    expect(await unmatchedReasons()).toEqual(['differs'])
    expect(await lastFile()).toMatchObject({ unmatched_count: 1 })
    expect((await till.get(paid.id)).settled_amount).toBe(999)
  })

  test('and gives way to a later line that tells of the same movement with the right reference', async () => {
    const paid = await capture()
    const line = { id: 'wrong-reference', reference: 'mistyped', amount: 1_000 }
    desk.publish({ lines: [line] })
    await desk.ingest()
    const first = await lastFileId()
    expect(await unmatchedReasons()).toEqual(['unknown_reference'])

    desk.publish({ lines: [{ ...line, reference: paid.reference }] })
    await desk.ingest()
    await desk.matchAgain()

    expect(await unmatchedReasons()).toEqual([])
    expect((await till.get(paid.id)).settled_amount).toBe(1_000)
    const { rows } = await sql`select unmatched_count from payment_service_report_files
      where id = ${first}`.execute(service.context.db)
    expect(rows).toEqual([{ unmatched_count: 0 }])
  })

  test.each([
    ['the provider settles another currency', { currency: 'EUR' }, {}],
    [
      'the provider exchanged another currency',
      { currency: 'EUR' },
      { original: { amount: 1_000, currency: 'GBP' } },
    ],
  ])('if %s', async (_name, header, line) => {
    const paid = await capture()
    desk.publish({ header, lines: [{ reference: paid.reference, amount: 1_000, ...line }] })

    await desk.ingest()

    expect(await unmatchedReasons()).toEqual(['other_currency'])
    expect((await till.get(paid.id)).settled).toBe(false)
  })

  test('if the payment belongs to another merchant account', async () => {
    await service.send('POST /merchant-accounts', { id: 'other-shop', display_name: 'Other shop' })
    const other = { account: 'other-shop' }
    await till.addService({}, other)
    const foreign = await till.pay({ amount: 1_000, intent: 'capture' }, other)
    desk.publish({
      lines: [
        {
          reference: foreign.payment_service_transaction_id,
          ourReference: foreign.reconciliation_id,
          amount: 1_000,
        },
      ],
    })

    await desk.ingest()

    expect(await unmatchedReasons()).toEqual(['unknown_reference'])
    expect((await till.get(foreign.id, other)).settled).toBe(false)
  })

  test('and finds its payment later, once the outcome of the payment is known', async () => {
    const paid = await till.pay({ amount: 1_000, intent: 'authorize' })
    const reference = paid.payment_service_transaction_id
    desk.publish({ lines: [{ reference, amount: 1_000 }] })
    await desk.ingest()
    expect(await unmatchedReasons()).toEqual(['not_succeeded'])
    expect((await till.act(paid.id, 'capture', {})).statusCode).toBe(200)

    await desk.matchAgain()

    expect(await unmatchedReasons()).toEqual([])
    expect((await till.get(paid.id)).settled_amount).toBe(1_000)
    expect(await lastFile()).toMatchObject({ unmatched_count: 0, flagged_count: 0 })
    expect(await till.told(paid.id)).toContain('transaction.settled')
  })
})

describe('a provider that errs', () => {
  test('and dates a file into the future still has its other files listed', async () => {
    const paid = await capture()
    const ahead = new Date(service.context.clock().getTime() + 400 * 86_400_000)
    desk.publish({ lines: [] })
    desk.publishedAt('ahead', ahead)
    await desk.ingest()

    desk.publish({ lines: [{ reference: paid.reference, amount: 1_000 }] })
    await desk.ingest()

    expect((await till.get(paid.id)).settled_amount).toBe(1_000)
  })

  test.each([
    ['in five hours', 5, 6],
    ['next year', 9_000, 25],
  ])('and says that the next file comes %s is asked then, or after a day', async (_name, hours, hoursMax) => {
    const now = service.context.clock().getTime()
    desk.nextAt = new Date(now + hours * HOUR_MS)
    await desk.ingest()

    const { rows } = await sql<{ due_at: Date }>`
      select due_at from payment_service_report_feeds where merchant_account_id = 'default'`.execute(
      service.context.db,
    )
    const waitMs = (rows[0]?.due_at.getTime() ?? 0) - now
    expect(waitMs).toBeGreaterThanOrEqual(Math.min(hours, hoursMax - 1) * HOUR_MS)
    expect(waitMs).toBeLessThanOrEqual(hoursMax * HOUR_MS + MINUTE_MS)
  })

  test('and does not deliver one file is asked for new ones as ever', async () => {
    desk.publish({ lines: [] })
    desk.cutAfter = 5
    await expect(desk.ingest()).rejects.toThrow('the connection was lost')

    const { rows } = await sql<{ failures: number; wait_ms: number }>`
      select failures, extract(epoch from due_at - ${service.context.clock()}::timestamptz) * 1000 as wait_ms
      from payment_service_report_feeds where merchant_account_id = 'default'`.execute(service.context.db)
    expect(rows.map(({ failures }) => failures)).toEqual([0])
    expect(Number(rows[0]?.wait_ms)).toBeLessThanOrEqual(65 * 60_000)
  })

  test('and lists more files of one moment than it shows is said to the operator', async () => {
    desk.publish({ lines: [] })
    desk.hasMore = true
    await expect(desk.ingest()).rejects.toThrow('more files of one moment')
  })
})

test('a process that has lost its lease neither keeps nor ends that of its successor', async () => {
  await sql`delete from payment_service_report_feeds`.execute(service.context.db)
  const [lost] = await feeds.takeDue(service.context, { limit: 1, besides: [] })
  if (!lost) throw new Error('no feed is due')
  // Not just now: the database's clock counts microseconds, and ours only milliseconds.
  await sql`update payment_service_report_feeds set leased_until = now() - interval '1 second'`.execute(
    service.context.db,
  )
  const [held] = await feeds.takeDue(service.context, { limit: 1, besides: [] })
  if (!held) throw new Error('the lease was not free')

  expect(await feeds.keepLease(service.context, lost)).toBe(false)
  await feeds.release(service.context, lost, { due_at: new Date(0), failures: 1, problem: 'late' })

  expect(await feeds.keepLease(service.context, held)).toBe(true)
  await feeds.release(service.context, held, { due_at: service.context.clock(), failures: 0, problem: null })
})

test('a file that was refused is applied once the connector can read it', async () => {
  const paid = await capture()
  desk.publish({ lines: [{ reference: paid.reference, amount: 1_000 }] })
  desk.isConfused = true
  await desk.ingest()
  expect(await lastFile()).toMatchObject({ status: 'refused' })

  desk.isConfused = false
  await desk.ingest()

  expect(await lastFile()).toMatchObject({ status: 'applied', problem: null, line_count: 1 })
  expect((await till.get(paid.id)).settled_amount).toBe(1_000)
})

describe('a provider that is away', () => {
  test('while listing is asked again', async () => {
    const paid = await capture()
    desk.publish({ lines: [{ reference: paid.reference, amount: 1_000 }] })
    desk.isAway = true
    await expect(desk.ingest()).rejects.toThrow('does not answer')

    desk.isAway = false
    await desk.ingest()

    expect((await till.get(paid.id)).settled_amount).toBe(1_000)
  })

  test('in the middle of a file leaves nothing half done', async () => {
    const paid = await capture()
    desk.publish({ lines: [{ reference: paid.reference, amount: 1_000 }] })
    const before = [
      await countOf('payment_service_report_files'),
      await countOf('payment_service_report_lines'),
    ]
    desk.cutAfter = 100
    await expect(desk.ingest()).rejects.toThrow('connection was lost')
    expect([
      await countOf('payment_service_report_files'),
      await countOf('payment_service_report_lines'),
    ]).toEqual(before)

    desk.cutAfter = null
    await desk.ingest()

    expect((await till.get(paid.id)).settled_amount).toBe(1_000)
  })
})

test('a process that ends in the middle of a file is continued at its last batch', async () => {
  const paid = await capture(99_999)
  const lines = Array.from({ length: 1_200 }, () => ({ reference: paid.reference, amount: 1 }))
  desk.publish({ lines })
  const stop = new AbortController()
  // The file is read once to check it, and once to apply it.
  desk.onLine = (reading, number) => {
    if (reading === 2 && number === 400) stop.abort()
  }
  await desk.ingest(stop.signal)
  expect(await lastFile()).toMatchObject({ status: 'applying', lines_done: 500 })
  expect((await till.get(paid.id)).settled_amount).toBe(500)

  await desk.ingest()

  expect(await lastFile()).toMatchObject({ status: 'applied', lines_done: 1_200 })
  expect((await till.get(paid.id)).settled_amount).toBe(1_200)
})
