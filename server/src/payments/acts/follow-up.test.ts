import { type RawBuilder, sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { givingUp, waitingOnly } from '#testing/giving-up.ts'
import { startTestService, type TestService } from '#testing/harness.ts'
import { openTill, type Till } from '#testing/till.ts'

const SECRET = 'whsec-of-a-processor'

let service: TestService
let till: Till
/** Answers later. */
let slow: { readonly id: string; readonly webhook_url: string }
beforeAll(async () => {
  service = await startTestService()
  till = openTill(service)
  slow = await till.addService({ asynchronous: 'true', webhook_secret: SECRET })
})
afterAll(() => service.close())

const pay = (body: object = {}) => till.pay({ payment_service_id: slow.id, ...body })
const captures = async (id: string) => (await service.send(`GET /transactions/${id}/captures`)).json().items
const getRefund = async (id: string) => (await service.send(`GET /refunds/${id}`)).json()

async function tell(message: object) {
  const response = await till.notify(slow, message, SECRET)
  expect(response.statusCode, response.body).toBe(204)
}

/** A payment whose capture the processor has confirmed. */
async function captured(body: object = {}) {
  const transaction = await pay(body)
  const { payment_service_transaction_id } = transaction
  await till.act(transaction.id, 'capture', {})
  await tell({ event: 'capture.succeeded', payment_service_transaction_id })
  return transaction
}

describe('a capture that is answered later', () => {
  test('is pending until the processor says that it succeeded', async () => {
    const { id, payment_service_transaction_id } = await pay()

    const response = await till.act(id, 'capture', {})
    const open = await captures(id)
    await tell({ event: 'capture.succeeded', payment_service_transaction_id })

    expect(response.json()).toMatchObject({
      status: 'capture_pending',
      intent_outcome: 'succeeded',
      captured_amount: 0,
      captured_at: null,
    })
    expect(open).toMatchObject([{ status: 'pending', amount: 1000, xid: expect.any(String) }])
    expect(await till.get(id)).toMatchObject({
      status: 'capture_succeeded',
      captured_amount: 1000,
      captured_at: expect.any(String),
    })
    expect(await captures(id)).toMatchObject([{ id: open[0].id, xid: open[0].xid, status: 'succeeded' }])
    expect(await till.books(id)).toMatchObject({ captured: 1000 })
    expect(await till.told(id)).toEqual([
      'transaction.authorized',
      'transaction.capture-pending',
      'capture.pending',
      'capture.succeeded',
      'transaction.captured',
    ])
    expect(await till.history(id)).toContain('payment-connector-transaction-webhook-processed')
  })

  test.each([
    ['failed', 'service_error'],
    ['declined', 'refused_transaction'],
  ])('that %s leaves the payment as before', async (outcome, code) => {
    const { id, payment_service_transaction_id } = await pay()
    await till.act(id, 'capture', {})

    await tell({ event: `capture.${outcome}`, payment_service_transaction_id })
    const again = await till.act(id, 'capture', { amount: 900 })

    expect((await captures(id))[1]).toMatchObject({ status: outcome, error_code: code })
    expect(again.json()).toMatchObject({ status: 'capture_pending' })
    expect(await till.books(id)).toMatchObject({ captured: 0 })
  })

  test('counts: a void and a second capture that does not fit are refused, what it decides about comes too early', async () => {
    const { id } = await pay()
    await till.act(id, 'capture', { amount: 600, final: false })

    const voided = await till.act(id, 'void')
    const over = await till.act(id, 'capture', { amount: 401 })
    const refund = await till.act(id, 'refunds', { amount: 1 })
    const just = await till.act(id, 'capture', { amount: 400 })
    const afterFinal = await till.act(id, 'capture', { amount: 1 })
    const canceled = await till.act(id, 'cancel')

    expect(voided.json().details[0].message).toContain('its status is capture_pending')
    expect(over.json().details).toMatchObject([{ pointer: '/amount' }])
    expect([voided, refund, afterFinal].map(({ statusCode }) => statusCode)).toEqual([425, 425, 425])
    expect(refund.headers['retry-after']).toBe('60')
    expect(canceled.statusCode).toBe(400)
    expect(just.json()).toMatchObject({ status: 'capture_pending', captured_amount: 0 })
  })

  test('among several is named by its own id', async () => {
    const { id } = await pay()
    await till.act(id, 'capture', { amount: 600, final: false })
    await till.act(id, 'capture', { amount: 400 })
    const [last, first] = await captures(id)

    await tell({ event: 'capture.succeeded', payment_service_capture_id: last.xid })
    const between = await till.get(id)
    await tell({ event: 'capture.failed', payment_service_capture_id: first.xid })

    expect(between).toMatchObject({ status: 'capture_pending', captured_amount: 400 })
    expect(await till.get(id)).toMatchObject({ status: 'capture_succeeded', captured_amount: 400 })
    expect(await captures(id)).toMatchObject([
      { amount: 400, status: 'succeeded' },
      { amount: 600, status: 'failed' },
    ])
    expect(await till.books(id)).toMatchObject({ captured: 400 })
  })

  test('of a payment with the intent capture decides the payment', async () => {
    const paid = await pay({ intent: 'capture' })
    const refused = await pay({ intent: 'capture' })
    await tell({
      event: 'authorization.succeeded',
      payment_service_transaction_id: paid.payment_service_transaction_id,
    })
    await tell({
      event: 'capture.declined',
      payment_service_transaction_id: refused.payment_service_transaction_id,
    })

    expect(paid.status).toBe('processing')
    expect(await till.get(paid.id)).toMatchObject({ status: 'capture_succeeded', captured_amount: 1000 })
    expect(await captures(paid.id)).toMatchObject([{ status: 'succeeded', amount: 1000 }])
    expect(await till.get(refused.id)).toMatchObject({
      status: 'authorization_declined',
      error_code: 'refused_transaction',
    })
  })
})

describe('a void that is answered later', () => {
  test('is pending until the processor says that it succeeded', async () => {
    const { id, payment_service_transaction_id } = await pay()
    const prefer = { headers: { prefer: 'resource=transaction-void' } }

    const response = await till.act(id, 'void', undefined, prefer)
    const again = await till.act(id, 'void')
    const capture = await till.act(id, 'capture', {})
    await tell({ event: 'void.succeeded', payment_service_transaction_id })

    expect(response.json()).toMatchObject({
      type: 'transaction-void',
      status: 'pending',
      code: null,
      transaction: { status: 'authorization_void_pending', voided_at: null },
    })
    expect(again.json().details[0].message).toContain('its status is authorization_void_pending')
    expect(capture.json().details[0].message).toContain('its status is authorization_void_pending')
    expect([again.statusCode, capture.statusCode]).toEqual([425, 425])
    expect(await till.get(id)).toMatchObject({
      status: 'authorization_voided',
      voided_at: expect.any(String),
    })
    expect(await till.books(id)).toMatchObject({ voided: 1000 })
    expect(await till.told(id)).toEqual([
      'transaction.authorized',
      'transaction.void-pending',
      'transaction.voided',
    ])
  })

  test.each(['failed', 'declined'])('that %s leaves the payment as before', async (outcome) => {
    const { id, payment_service_transaction_id } = await pay()
    await till.act(id, 'void')

    await tell({ event: `void.${outcome}`, payment_service_transaction_id })

    expect(await till.get(id)).toMatchObject({ status: 'authorization_succeeded', voided_at: null })
    expect(await till.told(id)).toContain(`transaction.void-${outcome}`)
    expect(await till.books(id)).toMatchObject({ voided: 0 })
  })
})

describe('a refund that is answered later', () => {
  test('is processing until the processor says that it succeeded', async () => {
    const { id } = await captured()

    const refund = (await till.act(id, 'refunds', { amount: 400 })).json()
    const between = await till.get(id)
    const over = await till.act(id, 'refunds', { amount: 601 })
    await tell({
      event: 'refund.succeeded',
      payment_service_refund_id: refund.payment_service_refund_id,
    })

    expect(refund).toMatchObject({ status: 'processing', payment_service_refund_id: expect.any(String) })
    expect(between.refunded_amount).toBe(0)
    expect(over.json().details).toMatchObject([{ pointer: '/amount' }])
    expect(await getRefund(refund.id)).toMatchObject({ status: 'succeeded' })
    expect(await till.get(id)).toMatchObject({ refunded_amount: 400 })
    expect((await till.told(id)).slice(-2)).toEqual(['refund.pending', 'refund.succeeded'])
  })

  test.each([
    ['failed', 'service_error'],
    ['declined', 'refused_transaction'],
  ])('that %s gives back what it had reserved', async (outcome, code) => {
    const { id } = await captured()
    const refund = (await till.act(id, 'refunds', {})).json()

    await tell({
      event: `refund.${outcome}`,
      payment_service_refund_id: refund.payment_service_refund_id,
    })
    const again = await till.act(id, 'refunds', {})

    expect(await getRefund(refund.id)).toMatchObject({ status: outcome, error_code: code })
    expect(await till.get(id)).toMatchObject({ refunded_amount: 0 })
    expect(again.json()).toMatchObject({ status: 'processing', amount: 1000 })
  })
})

describe('a notification', () => {
  test('that comes twice is acknowledged, and changes nothing', async () => {
    const { id, payment_service_transaction_id } = await pay()
    await till.act(id, 'capture', {})
    const message = { event: 'capture.succeeded', payment_service_transaction_id }
    await tell(message)
    const before = await till.get(id)
    const told = await till.told(id)
    const history = await till.history(id)

    await tell(message)
    await tell(message)

    expect(await till.get(id)).toEqual(before)
    expect(await till.told(id)).toEqual(told)
    expect(await till.history(id)).toEqual(history)
  })

  test('that comes ten times at once counts once', async () => {
    const { id, payment_service_transaction_id } = await pay()
    await till.act(id, 'capture', {})

    await Promise.all(
      Array.from({ length: 10 }, () => tell({ event: 'capture.succeeded', payment_service_transaction_id })),
    )

    expect(await till.get(id)).toMatchObject({ captured_amount: 1000 })
    expect((await till.told(id)).filter((name) => name === 'capture.succeeded')).toHaveLength(1)
  })

  test('that contradicts an earlier one is refused', async () => {
    const { id, payment_service_transaction_id } = await pay()
    await till.act(id, 'capture', {})
    await tell({ event: 'capture.succeeded', payment_service_transaction_id })

    const response = await till.notify(
      slow,
      { event: 'capture.failed', payment_service_transaction_id },
      SECRET,
    )

    expect(response.statusCode).toBe(400)
    expect(await till.get(id)).toMatchObject({ status: 'capture_succeeded', captured_amount: 1000 })
  })

  test.each([
    ['without a signature', undefined],
    ['with another secret', 'whsec-of-somebody'],
  ])('%s is refused', async (_name, secret) => {
    const { id, payment_service_transaction_id } = await pay()
    await till.act(id, 'capture', {})

    const response = await till.notify(
      slow,
      { event: 'capture.succeeded', payment_service_transaction_id },
      secret,
    )

    expect(response.statusCode).toBe(400)
    expect(response.json()).toMatchObject({ code: 'bad_request', message: 'the signature does not fit' })
    expect((await till.get(id)).status).toBe('capture_pending')
  })

  test.each([
    ['an unknown event', { event: 'capture.done' }],
    ['no event', {}],
    ['an event about nothing', { event: 'capture.succeeded' }],
    ['an unknown id', { event: 'capture.succeeded', payment_service_transaction_id: crypto.randomUUID() }],
  ])('with %s is refused', async (_name, message) => {
    expect((await till.notify(slow, message, SECRET)).statusCode).toBe(400)
  })

  test('to a wrong address is not found', async () => {
    const { pathname } = new URL(slow.webhook_url)
    const wrong = [
      pathname.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')),
      pathname.slice(0, -1),
      pathname.replace(slow.id, crypto.randomUUID()),
      pathname.replace(slow.id, 'x'),
    ]

    for (const path of wrong) {
      const response = await till.notify({ webhook_url: `http://127.0.0.1${path}` }, {}, SECRET)
      expect(response.statusCode, path).toBe(404)
    }
  })

  test('and an inquiry have the same effect', async () => {
    const { id, payment_service_transaction_id } = await pay()
    await till.act(id, 'capture', {})
    service.moveClock(61_000)
    await service.resolveDue()
    const waiting = await till.get(id)

    await tell({ event: 'capture.succeeded', payment_service_transaction_id })
    service.moveClock(24 * 3_600_000)
    await service.resolveDue()
    service.moveClock(-24 * 3_600_000)

    expect(waiting.status).toBe('capture_pending')
    expect(await till.get(id)).toMatchObject({ status: 'capture_succeeded', captured_amount: 1000 })
    expect((await till.told(id)).filter((name) => name === 'capture.pending')).toHaveLength(1)
    expect(await till.books(id)).toMatchObject({ captured: 1000 })
  })
})

describe('an operation whose outcome is not known', () => {
  const losing = (on: string, kind = 'stall') => ({ 'mock-card': { fault: { on, kind } } })

  test('is resolved before the next, which is then done', async () => {
    const { id } = await till.pay({ connection_options: losing('capture') })

    const lost = await givingUp(service, () => till.act(id, 'capture', {}))
    const voided = await till.act(id, 'void')

    expect(lost.json().status).toBe('capture_pending')
    expect(voided.json()).toMatchObject({ status: 'authorization_voided' })
    expect((await captures(id))[0]).toMatchObject({ status: 'failed', error_code: 'service_network_error' })
    expect(await till.books(id)).toMatchObject({ captured: 0, voided: 1000 })
  })

  test('and that is still under way makes the next come too early', async () => {
    const { id } = await till.pay({ connection_options: losing('capture') })

    const capturing = waitingOnly(service, 2_000, () => till.act(id, 'capture', {}))
    await expect.poll(() => captures(id), { interval: 10 }).toHaveLength(1)
    const voided = await till.act(id, 'void')
    const lost = await capturing

    expect(lost.json().status).toBe('capture_pending')
    expect(voided.statusCode).toBe(425)
    expect(voided.headers['retry-after']).toBe('1')
    expect(voided.json()).toMatchObject({
      code: 'too_early',
      message: 'Generic error',
      details: [
        { message: 'The outcome of an earlier operation (capture) is not known yet. Try again in a moment.' },
      ],
    })
  })

  test('does not block another refund', async () => {
    const { id } = await till.pay({ intent: 'capture', connection_options: losing('refund', 'lose-answer') })

    const [first, second] = await Promise.all([
      till.act(id, 'refunds', { amount: 100 }),
      till.act(id, 'refunds', { amount: 200 }),
    ])
    service.moveClock(61_000)
    await service.resolveDue()

    expect([first.json().status, second.json().status]).toEqual(['processing', 'processing'])
    expect(await till.get(id)).toMatchObject({ refunded_amount: 300 })
    expect(await till.books(id)).toMatchObject({ refunded: 300 })
  })
})

describe('the database refuses', () => {
  const attempt = (statement: RawBuilder<unknown>) => statement.execute(service.context.db)
  const authorized = async () => (await till.pay()).id
  const paid = async () => (await till.pay({ intent: 'capture' })).id

  test.each([
    ['more captured than is authorized', authorized, sql`captured_amount = 1001`, 'captured_within_limit'],
    ['more on its way than is authorized', authorized, sql`capturing_amount = 1001`, 'captured_within_limit'],
    [
      'both together',
      authorized,
      sql`captured_amount = 600, capturing_amount = 401`,
      'captured_within_limit',
    ],
    ['more refunded than is captured', paid, sql`refunded_amount = 1001`, 'refunded_within_captured'],
    ['more refunds on their way', paid, sql`refunding_amount = 1001`, 'refunded_within_captured'],
    ['a refund of what is not captured', authorized, sql`refunded_amount = 1`, 'refunded_within_captured'],
    ['a void of what is captured', paid, sql`status = 'authorization_voided'`, 'voided_or_captured'],
    [
      'a void beside a capture',
      authorized,
      sql`status = 'authorization_void_pending', capturing_amount = 1`,
      'voided_or_captured',
    ],
    ['a negative amount', authorized, sql`amount = -1`, 'check constraint'],
    ['a negative authorized amount', authorized, sql`authorized_amount = -1`, 'authorized_amount_check'],
    ['a negative limit', authorized, sql`capture_limit = -1`, 'capture'],
    ['a negative captured amount', authorized, sql`captured_amount = -1`, 'check constraint'],
    ['a negative amount on its way', authorized, sql`capturing_amount = -1`, 'capturing_amount_check'],
    ['a negative refunded amount', paid, sql`refunded_amount = -1`, 'refunded_amount_check'],
    ['a negative refund on its way', paid, sql`refunding_amount = -1`, 'refunding_amount_check'],
    ['a status that there is not', authorized, sql`status = 'settled'`, 'status_check'],
  ])('%s', async (_name, make, change, constraint) => {
    const id = await make()

    const update = attempt(sql`update transactions set ${change} where id = ${id}`)

    await expect(update).rejects.toThrow(constraint)
  })

  test('two captures that are both final', async () => {
    const id = await paid()

    const insert = attempt(sql`
      insert into transaction_captures (merchant_account_id, transaction_id, id, amount, is_final, status, updated_at)
      values ('default', ${id}, ${crypto.randomUUID()}, 1, true, 'pending', now())
    `)

    await expect(insert).rejects.toThrow('transaction_captures_one_final')
  })

  test.each([
    ['of nothing', 0],
    ['of less than nothing', -1],
  ])('a refund %s', async (_name, amount) => {
    const id = await paid()

    const insert = attempt(sql`
      insert into refunds
        (merchant_account_id, id, transaction_id, status, amount, currency, target_type, creator_name, updated_at)
      values ('default', ${crypto.randomUUID()}, ${id}, 'processing', ${amount}, 'USD', 'payment-method', '', now())
    `)

    await expect(insert).rejects.toThrow('refunds_amount_check')
  })

  test('a refund and a capture of no payment', async () => {
    const id = crypto.randomUUID()

    const refund = attempt(sql`
      insert into refunds
        (merchant_account_id, id, transaction_id, status, amount, currency, target_type, creator_name, updated_at)
      values ('default', ${id}, ${id}, 'processing', 1, 'USD', 'payment-method', '', now())
    `)
    const capture = attempt(sql`
      insert into transaction_captures (merchant_account_id, transaction_id, id, amount, is_final, status, updated_at)
      values ('default', ${id}, ${id}, 1, true, 'pending', now())
    `)

    await Promise.all([refund, capture].map((write) => expect(write).rejects.toThrow('foreign key')))
  })

  test('an attempt that is both decided and due', async () => {
    const id = await authorized()

    const update = attempt(sql`update attempts set due_at = now() where transaction_id = ${id}`)

    await expect(update).rejects.toThrow('transaction_attempts_check')
  })
})
