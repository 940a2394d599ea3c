import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { disagreements } from '#testing/books.ts'
import { giftCardDisagreements } from '#testing/gift-card-books.ts'
import { giftCardWith, openGiftCardCounter } from '#testing/gift-cards.ts'
import { startTestService, type TestService } from '#testing/harness.ts'
import { holdProcessorLine, type ProcessorLine } from '#testing/processor-line.ts'
import { openTill, type Till } from '#testing/till.ts'

const REPORT = { headers: { prefer: 'resource=transaction-void' } }
const MINUTE_MS = 60_000

let service: TestService
let till: Till
let line: ProcessorLine
beforeAll(async () => {
  service = await startTestService()
  till = openTill(service)
  line = holdProcessorLine(service)
})
afterEach(async () => {
  line.repair()
  expect(await disagreements(service.database.pool)).toEqual([])
  expect(await giftCardDisagreements(service.database.pool)).toEqual([])
})
afterAll(() => service.close())

const letGo = (id: string, options = {}) => till.act(id, 'void', undefined, options)
const capture = (id: string, body: object) => till.act(id, 'capture', body)

/** 400 of 1000 are captured, and more may follow. */
async function payInParts(body: object = {}): Promise<string> {
  const { id } = await till.pay(body)
  expect((await capture(id, { amount: 400, final: false })).statusCode).toBe(200)
  return id
}

describe('the rest that captures leave', () => {
  test('is shown by the transaction, step by step', async () => {
    const { id, capturable_amount: whole } = await till.pay()
    const part = (await capture(id, { amount: 400, final: false })).json()
    const last = (await capture(id, { amount: 100 })).json()

    expect([whole, part.capturable_amount, last.capturable_amount]).toEqual([1000, 600, 0])
  })

  test('is released by a void, and the captured part stays', async () => {
    const id = await payInParts()
    const before = await till.get(id)

    const response = await letGo(id)

    expect(response.statusCode, response.body).toBe(200)
    expect(response.json()).toEqual({
      ...before,
      capturable_amount: 0,
      updated_at: response.json().updated_at,
    })
    expect(response.json()).toMatchObject({
      status: 'capture_succeeded',
      authorized_amount: 1000,
      captured_amount: 400,
      voided_at: null,
    })
    expect(await till.books(id)).toEqual({ authorized: 1000, captured: 400, refunded: 0, voided: 600 })
    expect((await till.told(id)).at(-1)).toBe('transaction.modified')
    expect((await till.history(id)).at(-1)).toBe('payment-connector-response-transaction-void-succeeded')
    const log = (await service.send('GET /audit-logs?action=voided')).json().items
    expect(log[0]).toMatchObject({ resource: { type: 'transaction', id, name: 'USD 600' } })
  })

  test('is released once; then nothing can be captured, and everything refunded', async () => {
    const id = await payInParts()
    const report = (await letGo(id, REPORT)).json()

    const again = await letGo(id)
    const captured = await capture(id, { amount: 1 })
    const refunded = await till.act(id, 'refunds', {})

    expect(report).toMatchObject({ type: 'transaction-void', status: 'succeeded', code: null })
    expect([again.statusCode, again.json().message]).toEqual([
      400,
      'The transaction cannot be voided: its status is capture_succeeded, and the rest is released.',
    ])
    expect(captured.statusCode).toBe(400)
    expect(captured.json().message).toContain('the rest is released')
    expect(refunded.json()).toMatchObject({ status: 'succeeded', amount: 400 })
    expect(await till.books(id)).toEqual({ authorized: 1000, captured: 400, refunded: 400, voided: 600 })
  })

  test.each([
    ['the capture was final', { amount: 400 }],
    ['all is captured', { amount: 1000, final: false }],
  ])('is nothing when %s', async (_when, body) => {
    const { id } = await till.pay()
    await capture(id, body)

    const response = await letGo(id)

    expect(response.statusCode).toBe(400)
    expect(response.json().message).toBe(
      'The transaction cannot be voided: its status is capture_succeeded, and nothing is left to release; refund it instead.',
    )
    expect(await till.books(id)).toMatchObject({ voided: 0 })
  })

  test('is released without changing gift cards', async () => {
    const counter = openGiftCardCounter(service)
    const card = giftCardWith(500)
    const { id } = await counter.pay([{ ...card, amount: 300 }], { amount: 1000 })
    await capture(id, { amount: 400, final: false })

    const response = await letGo(id)

    expect(response.json()).toMatchObject({ status: 'capture_succeeded', capturable_amount: 0 })
    expect(await counter.balanceOf(card)).toBe(200)
    expect(await till.books(id)).toMatchObject({ captured: 400, voided: 300 })
  })

  test('is not released by connectors that do not support it', async () => {
    const id = await payInParts()
    const connector = service.providers.connectors.find('mock-card')
    if (!connector) throw new Error('there is no mock-card')
    const { capabilities } = connector.manifest
    Object.assign(capabilities, { remainderVoids: false })

    const response = await letGo(id)

    Object.assign(capabilities, { remainderVoids: true })
    expect([response.statusCode, response.json().message]).toEqual([
      400,
      'Make a final capture to release the rest, or let it expire: the payment service cannot void it.',
    ])
    expect(await till.get(id)).toMatchObject({ capturable_amount: 600 })
    expect(await till.books(id)).toMatchObject({ voided: 0 })
  })
})

describe('a release that the processor refuses', () => {
  test.each([
    [510401, 'failed', 'service_network_error'],
    [510402, 'declined', 'issuer_decline'],
  ])('leaves the rest to be captured, of %i: %s', async (amount, status, code) => {
    const id = await payInParts({ amount })

    const report = (await letGo(id, REPORT)).json()

    expect(report).toMatchObject({ status, code })
    expect(report.transaction).toMatchObject({
      status: 'capture_succeeded',
      capturable_amount: amount - 400,
    })
    expect((await till.told(id)).at(-1)).toBe(`transaction.void-${status}`)
    expect((await capture(id, { amount: 100 })).json()).toMatchObject({ captured_amount: 500 })
    expect(await till.books(id)).toMatchObject({ captured: 500, voided: 0 })
  })
})

describe('a release whose answer does not come', () => {
  const with_ = (kind: string) => ({ connection_options: { 'mock-card': { fault: { on: 'void', kind } } } })

  test.each([
    ['lose-answer', 600, 0],
    ['garbage', 600, 0],
    ['stall', 0, 600],
    ['unreachable', 0, 600],
  ])('%s: %i is released in the end', async (kind, voided, left) => {
    const id = await payInParts(with_(kind))

    const report = await line.waitingOnly(200, async () => (await letGo(id, REPORT)).json())

    // Neither released nor capturable until the outcome is known.
    expect(report).toMatchObject({
      status: 'pending',
      transaction: { status: 'capture_succeeded', capturable_amount: 0 },
    })
    service.moveClock(2 * MINUTE_MS)
    await service.resolveDue()

    expect(await till.get(id)).toMatchObject({ status: 'capture_succeeded', capturable_amount: left })
    expect(await till.books(id)).toMatchObject({ captured: 400, voided })
  })

  test('is resolved before the next capture', async () => {
    const id = await payInParts(with_('lose-answer'))
    await letGo(id)

    const captured = await capture(id, { amount: 600 })

    expect(captured.statusCode).toBe(400)
    expect(captured.json().message).toContain('the rest is released')
    expect(await till.books(id)).toMatchObject({ captured: 400, voided: 600 })
  })

  test('ends by a notification if the processor answers later', async () => {
    const slow = await till.addService({ asynchronous: 'true' })
    const { id, payment_service_transaction_id } = await till.pay({ payment_service_id: slow.id })
    const finish = (event: string) => till.notify(slow, { event, payment_service_transaction_id })
    await capture(id, { amount: 400, final: false })
    await finish('capture.succeeded')

    const pending = (await letGo(id, REPORT)).json()
    const captured = await capture(id, { amount: 600 })
    const declined = await finish('void.declined')
    const { capturable_amount } = await till.get(id)
    await letGo(id)
    await finish('void.succeeded')

    expect(pending).toMatchObject({ status: 'pending', transaction: { capturable_amount: 0 } })
    expect([captured.statusCode, declined.statusCode, capturable_amount]).toEqual([400, 204, 600])
    expect(await till.get(id)).toMatchObject({ status: 'capture_succeeded', capturable_amount: 0 })
    expect(await till.books(id)).toMatchObject({ captured: 400, voided: 600 })
  })
})

describe('at the same instant', () => {
  test('as captures, only one gets the rest', async () => {
    for (let round = 0; round < 6; round += 1) {
      const id = await payInParts()

      const [released, ...captured] = await Promise.all([
        letGo(id),
        capture(id, { amount: 600, final: false }),
        capture(id, { amount: 600, final: false }),
      ])

      const won = [released, ...captured].filter(({ statusCode }) => statusCode === 200)
      expect(won).toHaveLength(1)
      const isReleased = released.statusCode === 200
      expect(await till.get(id)).toMatchObject({
        captured_amount: isReleased ? 400 : 1000,
        capturable_amount: 0,
      })
      expect(await till.books(id)).toMatchObject(
        isReleased ? { captured: 400, voided: 600 } : { captured: 1000, voided: 0 },
      )
    }
  })

  test('ten times, it is done once', async () => {
    const id = await payInParts()

    const responses = await Promise.all(Array.from({ length: 10 }, () => letGo(id)))

    const statuses = responses.map(({ statusCode }) => statusCode)
    expect(statuses.filter((status) => status === 200)).toHaveLength(1)
    expect(statuses.filter((status) => ![200, 400, 425].includes(status))).toEqual([])
    expect(await till.books(id)).toMatchObject({ captured: 400, voided: 600 })
  })
})

test('the database refuses a capture of a released amount', async () => {
  const id = await payInParts()
  await letGo(id)

  const change = sql`update transactions set capturing_amount = 1 where id = ${id}`.execute(
    service.context.db,
  )

  await expect(change).rejects.toThrow('released_within_limit')
})

test('a correction cannot capture a released amount', async () => {
  const id = await payInParts()
  await letGo(id)

  const response = await service.send(`PUT /transactions/${id}`, { captured_amount: 401 })

  expect(response.statusCode).toBe(400)
  expect(response.json().details).toMatchObject([
    { pointer: '/captured_amount', message: 'more than can be captured: 400' },
  ])
})
