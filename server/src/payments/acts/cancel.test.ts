import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { MISSING } from '#testing/answers.ts'
import { startTestService, type TestService } from '#testing/harness.ts'
import { CARD, openTill, type Till } from '#testing/till.ts'

const PENDING = 600002

let service: TestService
let till: Till
let extended: { readonly id: string; readonly webhook_url: string }
beforeAll(async () => {
  service = await startTestService()
  till = openTill(service)
  extended = await till.addService({ extended: 'true' })
  await service.send(`PUT /payment-services/${extended.id}`, { three_d_secure_enabled: true })
  await service.send('POST /merchant-accounts', { id: 'other', display_name: 'Other' })
})
afterAll(() => service.close())

const cancel = (id: string, options = {}) => till.act(id, 'cancel', undefined, options)
const pay = (body: object = {}) => till.pay({ payment_service_id: extended.id, ...body })

test('a cancel is refused if the payment service does not support it', async () => {
  const { id } = await till.pay({ amount: PENDING })

  const response = await cancel(id)

  expect(response.statusCode).toBe(400)
  expect(response.json()).toMatchObject({
    code: 'bad_request',
    message: 'Simulator does not support the operation: cancel.',
  })
  expect((await till.get(id)).status).toBe('processing')
})

describe('cancelling an undecided payment', () => {
  test('ends it', async () => {
    const pending = await pay({ amount: PENDING })

    const response = await cancel(pending.id)

    expect(pending).toMatchObject({ status: 'processing', intent_outcome: 'pending' })
    expect(response.statusCode, response.body).toBe(200)
    expect(response.json()).toEqual({
      type: 'transaction-cancel',
      status: 'succeeded',
      code: null,
      raw_response_code: '00',
      raw_response_description: 'Approved',
      transaction: await till.get(pending.id),
    })
    expect(response.json().transaction).toMatchObject({
      status: 'authorization_failed',
      error_code: 'canceled',
      intent_outcome: 'failed',
      canceled_at: expect.any(String),
      authorized_amount: 0,
    })
    expect(await till.told(pending.id)).toEqual(['transaction.failed'])
    expect(await till.history(pending.id)).toEqual([
      'payment-connector-response-transaction-cancel-succeeded',
      'transaction-updated-status',
    ])
    const log = (await service.send('GET /audit-logs?action=canceled')).json().items
    expect(log[0]).toMatchObject({ resource: { type: 'transaction', id: pending.id } })
  })

  test('is final: a later answer of the processor changes nothing', async () => {
    const { id, payment_service_transaction_id } = await pay({ amount: PENDING })
    await cancel(id)
    const before = await till.get(id)

    const told = await till.notify(extended, {
      event: 'authorization.succeeded',
      payment_service_transaction_id,
    })
    service.moveClock(2 * 24 * 3_600_000)
    await service.resolveDue()
    service.moveClock(-2 * 24 * 3_600_000)

    expect(told.statusCode).toBe(400)
    expect(await till.get(id)).toEqual(before)
    expect(await till.books(id)).toMatchObject({ authorized: 0 })
  })

  test('does not store the card that was to be stored', async () => {
    const { id } = await pay({ amount: PENDING, store: true })

    await cancel(id)

    const left = await service.context.db.selectFrom('transaction_cards').selectAll().execute()
    expect(left).toEqual([])
    expect((await service.send('GET /payment-methods')).json().items).toEqual([])
    expect((await till.get(id)).payment_method.id).toBeNull()
  })

  test('does not keep the security code while the processor decides', async () => {
    const session = (await service.send('POST /checkout/sessions')).json()
    const card = { payment_method: CARD }
    await service.send(`PUT /checkout/sessions/${session.id}/fields`, card, { token: null })
    const codeOf = () =>
      service.context.db
        .selectFrom('checkout_sessions')
        .select('security_code_token')
        .where('id', '=', session.id)
        .executeTakeFirstOrThrow()
    const before = await codeOf()

    const payment_method = { method: 'checkout-session', id: session.id }
    const { status } = await pay({ amount: PENDING, payment_method })

    expect(before.security_code_token).not.toBeNull()
    expect(status).toBe('processing')
    expect(await codeOf()).toEqual({ security_code_token: null })
  })

  test('lets the checkout session be paid again', async () => {
    const session = (await service.send('POST /checkout/sessions')).json()
    const url = `/checkout/sessions/${session.id}/fields`
    await service.send(`PUT ${url}`, { payment_method: CARD }, { token: null })
    const payment_method = { method: 'checkout-session', id: session.id }
    const { id } = await pay({ amount: PENDING, payment_method })

    await cancel(id)
    await service.send(`PUT ${url}`, { payment_method: CARD }, { token: null })
    const paid = await pay({ payment_method })

    expect(paid).toMatchObject({ status: 'authorization_succeeded', checkout_session_id: session.id })
  })

  test('the same key again: the same answer', async () => {
    const { id } = await pay({ amount: PENDING })
    const options = { headers: { 'idempotency-key': 'cancel-once' } }

    const first = await cancel(id, options)
    const second = await cancel(id, options)

    expect(first.json().status).toBe('succeeded')
    expect(second.body).toBe(first.body)
  })
})

describe('cancelling a payment that waits for the buyer', () => {
  test('ends it without asking the processor, which does not know it', async () => {
    const waiting = await challenge()

    const response = await cancel(waiting.id)

    expect(waiting.status).toBe('buyer_approval_pending')
    expect(response.json()).toMatchObject({
      status: 'succeeded',
      code: null,
      transaction: {
        status: 'authorization_failed',
        error_code: 'canceled',
        canceled_at: expect.any(String),
      },
    })
    expect((await till.get(waiting.id)).payment_method.approval_url).toBeNull()
    expect(await till.books(waiting.id)).toBeNull()
    expect(await till.told(waiting.id)).toEqual(['transaction.authentication-pending', 'transaction.failed'])
  })

  test('and approving at the same time: one of them decides, in ten rounds', async () => {
    for (let round = 0; round < 10; round += 1) {
      const waiting = await challenge()
      const { pathname } = new URL(waiting.payment_method.approval_url)
      const approve = () =>
        service.app.inject({
          method: 'POST',
          url: pathname,
          payload: 'decision=approve',
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
        })

      const [canceled] = await Promise.all(
        round % 2 === 0 ? [cancel(waiting.id), approve()] : [approve(), cancel(waiting.id)].toReversed(),
      )

      const { status } = await till.get(waiting.id)
      const books = await till.books(waiting.id)
      expect([200, 400, 425]).toContain(canceled?.statusCode)
      expect(status).toBe(canceled?.statusCode === 200 ? 'authorization_failed' : 'authorization_succeeded')
      expect(books?.authorized ?? 0).toBe(status === 'authorization_succeeded' ? 1000 : 0)
    }
  })

  async function challenge() {
    return pay({
      payment_method: {
        method: 'card',
        number: '4111111111102011',
        expiration_date: '12/40',
        redirect_url: 'https://shop.example.com/back',
      },
    })
  }
})

describe('payments that cannot be cancelled', () => {
  test.each([
    ['authorized', {}, 'authorization_succeeded'],
    ['declined', { amount: 200011 }, 'authorization_declined'],
    ['failed', { amount: 200002 }, 'authorization_failed'],
    ['captured', { intent: 'capture' }, 'capture_succeeded'],
  ])('%s', async (_name, body, status) => {
    const { id } = await pay(body)

    const response = await cancel(id)

    expect(response.statusCode).toBe(400)
    expect(response.json().message).toBe(`The transaction cannot be cancelled: its status is ${status}.`)
    expect((await till.get(id)).status).toBe(status)
  })

  test('cancelled before', async () => {
    const { id } = await pay({ amount: PENDING })
    await cancel(id)

    expect((await cancel(id)).statusCode).toBe(400)
  })

  test('missing, or of another account', async () => {
    const { id } = await pay({ amount: PENDING })

    expect((await cancel(MISSING)).statusCode).toBe(404)
    expect((await cancel(id, { account: 'other' })).statusCode).toBe(404)
  })
})
