import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { MISSING } from '#testing/answers.ts'
import { disagreements } from '#testing/books.ts'
import { startTestService, type TestService } from '#testing/harness.ts'
import { byHand } from '#testing/model/guard.ts'
import { openTill, type Till } from '#testing/till.ts'

const SECRET = 'a-secret-of-ours'

let service: TestService
let till: Till
let later: { readonly id: string; readonly webhook_url: string }
beforeAll(async () => {
  service = await startTestService()
  till = openTill(service)
  later = await till.addService({ asynchronous: 'true', webhook_secret: SECRET })
})
afterEach(async () => expect(await disagreements(service.database.pool)).toEqual([]))
afterAll(() => service.close())

const pay = (body: object = {}) => till.pay({ payment_service_id: later.id, ...body })
const tell = (event: string, message: object) => till.notify(later, { event, ...message }, SECRET)
const refunded = async () => {
  const { id, payment_service_transaction_id: sale } = await pay({ intent: 'capture' })
  await tell('capture.succeeded', { payment_service_transaction_id: sale })
  const refund = (await till.act(id, 'refunds', { amount: 400 })).json()
  return { id, refund }
}

describe('a notification ends', () => {
  test.each([
    ['succeeded', 'capture_succeeded', null],
    ['declined', 'authorization_declined', 'refused_transaction'],
    ['failed', 'authorization_failed', 'service_error'],
  ])('a payment that was taken at once: %s', async (outcome, status, error_code) => {
    const { id, payment_service_transaction_id, status: before } = await pay({ intent: 'capture' })

    const answer = await tell(`capture.${outcome}`, { payment_service_transaction_id })

    expect(before).toBe('processing')
    expect(answer.statusCode, answer.body).toBe(204)
    expect(await till.get(id)).toMatchObject({ status, error_code })
    expect(await till.history(id)).toContain('payment-connector-transaction-webhook-processed')
  })

  test('no payment whose request still asks: it may go on to another service', async () => {
    const { id, payment_service_transaction_id } = await pay({ intent: 'capture' })
    const put = (state: string, due: string) =>
      byHand(
        service.context.db,
        sql`update attempts set state = ${state}, due_at = now() + ${due}::interval where transaction_id = ${id}`,
      )
    await put('sent', '1 minute')

    const early = await tell('capture.declined', { payment_service_transaction_id })
    const waiting = await till.get(id)
    await put('sent', '-1 second')
    await tell('capture.declined', { payment_service_transaction_id })

    expect([early.statusCode, waiting.status]).toEqual([204, 'processing'])
    expect((await till.get(id)).status).toBe('authorization_declined')
  })

  test.each([
    ['succeeded', 'capture_succeeded', 600],
    ['declined', 'authorization_succeeded', 0],
    ['failed', 'authorization_succeeded', 0],
  ])('a capture: %s', async (outcome, status, captured_amount) => {
    const { id, payment_service_transaction_id } = await pay()
    const { status: before } = (await till.act(id, 'capture', { amount: 600 })).json()

    const answer = await tell(`capture.${outcome}`, { payment_service_transaction_id })

    expect(before).toBe('capture_pending')
    expect(answer.statusCode, answer.body).toBe(204)
    expect(await till.get(id)).toMatchObject({ status, captured_amount })
  })

  test.each([
    ['succeeded', 'authorization_voided', 'transaction.voided'],
    ['declined', 'authorization_succeeded', 'transaction.void-declined'],
    ['failed', 'authorization_succeeded', 'transaction.void-failed'],
  ])('a void: %s', async (outcome, status, event) => {
    const { id, payment_service_transaction_id } = await pay()
    const { status: before } = (await till.act(id, 'void')).json()

    const answer = await tell(`void.${outcome}`, { payment_service_transaction_id })

    expect(before).toBe('authorization_void_pending')
    expect(answer.statusCode, answer.body).toBe(204)
    expect((await till.get(id)).status).toBe(status)
    expect((await till.told(id)).slice(-2)).toEqual(['transaction.void-pending', event])
  })

  test.each([
    ['succeeded', null, 400],
    ['declined', 'refused_transaction', 0],
    ['failed', 'service_error', 0],
  ])('a refund: %s', async (outcome, error_code, refunded_amount) => {
    const { id, refund } = await refunded()

    const answer = await tell(`refund.${outcome}`, {
      payment_service_refund_id: refund.payment_service_refund_id,
    })

    expect(refund.status).toBe('processing')
    expect(answer.statusCode, answer.body).toBe(204)
    const after = (await service.send(`GET /refunds/${refund.id}`)).json()
    expect(after).toMatchObject({ status: outcome, error_code })
    expect(await till.get(id)).toMatchObject({ refunded_amount })
  })

  test('an authorization that was left pending', async () => {
    const { id, status, payment_service_transaction_id } = await pay({ amount: 600_002 })

    await tell('authorization.succeeded', { payment_service_transaction_id })

    expect(status).toBe('processing')
    expect(await till.get(id)).toMatchObject({
      status: 'authorization_succeeded',
      authorized_amount: 600_002,
    })
    expect(await till.audited(id)).toEqual(['created by Test key', 'updated by Payment service'])
  })
})

describe('a decided attempt', () => {
  test('stays as it is when the message comes again, which is acknowledged', async () => {
    const { id, payment_service_transaction_id } = await pay({ intent: 'capture' })
    await tell('capture.succeeded', { payment_service_transaction_id })
    const told = await till.told(id)

    const again = await tell('capture.succeeded', { payment_service_transaction_id })

    expect(again.statusCode, again.body).toBe(204)
    expect(await till.told(id)).toEqual(told)
  })

  test('is decided once by eight equal messages, while the job asks as well', async () => {
    const { id, payment_service_transaction_id } = await pay({ intent: 'capture' })
    service.moveClock(61_000)

    const answers = await Promise.all([
      ...Array.from({ length: 8 }, () => tell('capture.succeeded', { payment_service_transaction_id })),
      service.resolveDue(),
    ])

    expect(answers.slice(0, 8).map((answer) => answer?.statusCode)).toEqual(Array(8).fill(204))
    expect(await till.get(id)).toMatchObject({ status: 'capture_succeeded', captured_amount: 1000 })
    expect((await till.told(id)).filter((name) => name === 'transaction.captured')).toHaveLength(1)
    expect(await till.audited(id)).toEqual([
      'created by Test key',
      expect.stringMatching(/^updated by (Payment service|test)$/),
    ])
  })

  test('is not decided otherwise later', async () => {
    const { id, payment_service_transaction_id } = await pay({ intent: 'capture' })
    await tell('capture.succeeded', { payment_service_transaction_id })

    const contrary = await tell('capture.failed', { payment_service_transaction_id })

    expect(contrary.statusCode).toBe(400)
    expect((await till.get(id)).status).toBe('capture_succeeded')
  })

  test('is resolved by the job when no message comes', async () => {
    const { id, payment_service_transaction_id } = await pay({ intent: 'capture' })
    const settled = await service.providers.fetch('https://processor.simulator.invalid/settle', {
      method: 'POST',
      headers: { 'x-merchant-id': 'shop', 'content-type': 'application/json' },
      body: JSON.stringify({
        operation: 'capture',
        outcome: 'succeeded',
        reference: payment_service_transaction_id,
      }),
    })
    expect(settled.status).toBe(200)

    service.moveClock(61_000)
    await service.resolveDue()

    expect((await till.get(id)).status).toBe('capture_succeeded')
  })
})

describe('a message is refused', () => {
  test.each([
    ['without a signature', undefined],
    ['with a signature of another', 'another-secret'],
  ])('%s, and changes nothing', async (_how, secret) => {
    const { id, payment_service_transaction_id } = await pay({ intent: 'capture' })
    const message = { event: 'capture.succeeded', payment_service_transaction_id }

    const answer = await till.notify(later, message, secret)

    expect(answer.statusCode).toBe(400)
    expect((await till.get(id)).status).toBe('processing')
    await tell('capture.succeeded', { payment_service_transaction_id })
  })

  test.each([
    ['about something unknown', { event: 'capture.succeeded', payment_service_transaction_id: MISSING }],
    ['with an event that is none', { event: 'capture.perhaps', payment_service_transaction_id: MISSING }],
    ['that names nothing', { event: 'capture.succeeded' }],
  ])('%s', async (_what, message) => {
    expect((await till.notify(later, message, SECRET)).statusCode).toBe(400)
  })

  test.each([
    ['a wrong key', (url: string) => `${url.slice(0, -1)}${url.endsWith('A') ? 'B' : 'A'}`],
    ['another service', (url: string) => url.replace(later.id, MISSING)],
    ['an id that is none', (url: string) => url.replace(later.id, 'nothing')],
  ])('with 404 at an address with %s', async (_what, change) => {
    const answer = await till.notify(
      { webhook_url: change(later.webhook_url) },
      { event: 'capture.succeeded', payment_service_transaction_id: MISSING },
      SECRET,
    )

    expect(answer.statusCode).toBe(404)
  })

  test('at the address of a service that was deleted', async () => {
    const gone = await till.addService({ asynchronous: 'true' })
    await service.send(`DELETE /payment-services/${gone.id}`)

    const answer = await till.notify(gone, { event: 'capture.succeeded' })

    expect(answer.statusCode).toBe(404)
  })

  test('about a payment of another service', async () => {
    const { id, payment_service_transaction_id } = await pay({ intent: 'capture' })
    const other = await till.addService({ merchant_id: 'somebody-else', asynchronous: 'true' })

    const answer = await till.notify(other, { event: 'capture.succeeded', payment_service_transaction_id })

    expect(answer.statusCode).toBe(400)
    expect((await till.get(id)).status).toBe('processing')
    await tell('capture.succeeded', { payment_service_transaction_id })
  })
})
