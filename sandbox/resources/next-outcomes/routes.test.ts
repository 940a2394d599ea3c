import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { startTestService, type TestService } from '#testing/harness.ts'
import { openTill, type Till } from '#testing/till.ts'

let service: TestService
let till: Till
let simulator: string
beforeAll(async () => {
  service = await startTestService()
  till = openTill(service)
  simulator = (await service.send('GET /payment-services')).json().items[0].id
})
beforeEach(() => disarm())
afterAll(() => service.close())

const path = () => `/sandbox/payment-services/${simulator}/next-outcomes`
const arm = (body: object, key?: string) =>
  service.send(`POST ${path()}`, body, key === undefined ? {} : { headers: { 'idempotency-key': key } })
const disarm = () => service.send(`DELETE ${path()}`)
const armed = async () => (await service.send(`GET ${path()}`)).json().items

test('the next payment is refused for the chosen reason, and the one after it is not', async () => {
  const made = await arm({ effect: 'refuse', code: 'insufficient_funds' })

  const waiting = await armed()
  const [first, second] = [await till.pay(), await till.pay()]

  expect(made.statusCode, made.body).toBe(201)
  expect(made.json()).toMatchObject({
    type: 'sandbox-next-outcome',
    payment_service_id: simulator,
    operation: 'authorize',
    effect: 'refuse',
    code: 'insufficient_funds',
  })
  expect(waiting).toEqual([made.json()])
  expect(first).toMatchObject({ status: 'authorization_declined', error_code: 'insufficient_funds' })
  expect(second.status).toBe('authorization_succeeded')
  expect(await armed()).toEqual([])
})

test('several outcomes hit one payment each, in their order', async () => {
  await arm({ effect: 'refuse', code: 'suspected_fraud' })
  await arm({ effect: 'refuse', code: 'incorrect_cvv' })

  const codes = [(await till.pay()).error_code, (await till.pay()).error_code, (await till.pay()).error_code]

  expect(codes).toEqual(['suspected_fraud', 'incorrect_cvv', null])
})

test('a lost answer leaves the payment without an outcome, and the job finds out that it was authorized', async () => {
  await arm({ effect: 'lose-answer' })

  const payment = await till.pay()
  service.moveClock(60_000)
  await service.resolveDue()

  expect(payment.status).toBe('processing')
  expect((await till.get(payment.id)).status).toBe('authorization_succeeded')
  expect(await till.books(payment.id)).toMatchObject({ authorized: 1_000 })
})

test('a payment that could not be sent is not in the books', async () => {
  await arm({ effect: 'unreachable' })

  const payment = await till.pay()

  expect(['authorization_failed', 'processing', 'authorization_succeeded']).toContain(payment.status)
  expect(await armed()).toEqual([])
})

test('captures, refunds and voids can be hit, too', async () => {
  const payment = await till.pay()
  await arm({ operation: 'capture', effect: 'refuse', code: 'refused_transaction' })
  await arm({ operation: 'refund', effect: 'refuse', code: 'issuer_decline' })

  const refused = await till.act(payment.id, 'capture', {})
  const captured = await till.act(payment.id, 'capture', {})
  const declined = await till.act(payment.id, 'refunds', {})
  const refunded = await till.act(payment.id, 'refunds', {})

  expect((await till.books(payment.id))?.captured).toBe(1_000)
  expect(refused.json().status).not.toBe('succeeded')
  expect(captured.statusCode).toBe(200)
  expect(declined.json()).toMatchObject({ status: 'declined', error_code: 'issuer_decline' })
  expect(refunded.json()).toMatchObject({ status: 'succeeded' })
})

test('a cancel fails, and the payment stays as it was; the next cancel ends it', async () => {
  const { id } = await till.addService({ merchant_id: 'default', extended: 'true' })
  const pending = await till.pay({ amount: 600_002, payment_service_id: id })
  await arm({ operation: 'cancel', effect: 'refuse', code: 'service_error' })

  const failed = await till.act(pending.id, 'cancel', undefined)
  const stays = await till.get(pending.id)
  const canceled = await till.act(pending.id, 'cancel', undefined)

  expect(failed.statusCode, failed.body).toBe(200)
  expect(failed.json()).toMatchObject({
    type: 'transaction-cancel',
    status: 'failed',
    code: 'service_error',
    raw_response_code: '540002',
  })
  expect(stays.status).toBe('processing')
  expect(canceled.json()).toMatchObject({
    status: 'succeeded',
    transaction: { status: 'authorization_failed' },
  })
})

test('a token of a payment service fails, or waits for the answer that was lost', async () => {
  const tokenization = { payment_method_tokenization_enabled: true }
  await service.send(`PUT /payment-services/${simulator}`, tokenization)
  const askForToken = async () => {
    const { payment_method: card } = await till.pay({ store: true })
    const order = { payment_service_id: simulator, redirect_url: 'https://shop.example.com/stored' }
    const answer = await service.send(`POST /payment-methods/${card.id}/payment-service-tokens`, order)
    const statusNow = async () =>
      (await service.send(`GET /payment-methods/${card.id}/payment-service-tokens`)).json().items[0].status
    return { status: answer.json().status, statusNow }
  }
  await arm({ operation: 'tokenize', effect: 'refuse', code: 'invalid_payment_method' })
  await arm({ operation: 'tokenize', effect: 'lose-answer' })

  const failed = await askForToken()
  const waiting = await askForToken()
  service.moveClock(60_000)
  await service.resolveDue()

  expect(failed.status).toBe('failed')
  expect(waiting.status).toBe('processing')
  expect(await waiting.statusNow()).toBe('succeeded')
})

test('a wallet with the same merchant_id is hit, too: the stored method waits, and then asks its buyer', async () => {
  const wallet = await service.send('POST /payment-services', {
    display_name: 'Wallet',
    payment_service_definition_id: 'mock-paypal',
    fields: [{ key: 'merchant_id', value: 'default' }],
    accepted_currencies: ['USD'],
    accepted_countries: ['US'],
  })
  await arm({ operation: 'tokenize', effect: 'lose-answer' })

  const stored = await service.send('POST /payment-methods', {
    method: 'paypal',
    country: 'US',
    currency: 'USD',
    redirect_url: 'https://shop.example.com/stored',
  })
  service.moveClock(60_000)
  await service.resolveDue()
  const { id } = stored.json()
  const tokens = await service.send(`GET /payment-methods/${id}/payment-service-tokens`)

  expect(wallet.statusCode, wallet.body).toBe(201)
  expect(stored.json().status, stored.body).toBe('processing')
  expect((await service.send(`GET /payment-methods/${id}`)).json()).toMatchObject({
    status: 'buyer_approval_required',
    approval_url: expect.any(String),
  })
  expect(tokens.json().items[0].status).toBe('buyer_approval_required')
})

test('what is disarmed hits nothing', async () => {
  await arm({ effect: 'refuse', code: 'insufficient_funds' })

  const gone = await disarm()

  expect(gone.statusCode).toBe(204)
  expect(await armed()).toEqual([])
  expect((await till.pay()).status).toBe('authorization_succeeded')
})

test('a request that is repeated with its key arms once', async () => {
  const body = { effect: 'refuse', code: 'insufficient_funds' }

  const [first, second] = [await arm(body, 'arm-once'), await arm(body, 'arm-once')]

  expect(second.json()).toEqual(first.json())
  expect(await armed()).toHaveLength(1)
})

test('the audit log says who armed and disarmed', async () => {
  const { id } = (await arm({ effect: 'late' })).json()
  await disarm()

  expect(await till.audited(id)).toEqual(['created by Test key'])
  expect(await till.audited(simulator)).toContain('deleted by Test key')
})

test.each([
  [{ effect: 'refuse' }, '/code'],
  [{ effect: 'refuse', code: 'bad_weather' }, '/code'],
  [{ effect: 'refuse', operation: 'refund', code: 'insufficient_funds' }, '/code'],
  [{ effect: 'late', code: 'insufficient_funds' }, '/code'],
  [{ effect: 'explode' }, '/effect'],
  [{ effect: 'late', operation: 'sync' }, '/operation'],
  [{}, '/effect'],
])('refuses %o, and names the field', async (body, pointer) => {
  const response = await arm(body)

  expect(response.statusCode, response.body).toBe(400)
  expect(response.json().details[0].pointer).toBe(pointer)
  expect(await armed()).toEqual([])
})

test('a hundred outcomes may wait, and no more', async () => {
  for (let count = 0; count < 100; count += 1) {
    expect((await arm({ effect: 'refuse', code: 'insufficient_funds' })).statusCode).toBe(201)
  }

  const beyond = await arm({ effect: 'refuse', code: 'insufficient_funds' })

  expect(beyond.statusCode).toBe(400)
  expect(beyond.json().details[0].message).toContain('disarm some first')
})

test('other providers have no outcomes on request, and production has no such path', async () => {
  const other = await service.send('POST /payment-services', {
    display_name: 'Wallet',
    payment_service_definition_id: 'mock-paypal',
    fields: [{ key: 'merchant_id', value: 'shop' }],
    accepted_currencies: ['USD'],
    accepted_countries: ['US'],
  })
  const refused = await service.send(`POST /sandbox/payment-services/${other.json().id}/next-outcomes`, {
    effect: 'late',
  })
  const production = await startTestService({ environment: 'production' })
  try {
    const missing = await production.send(`GET ${path()}`)

    expect(refused.statusCode).toBe(400)
    expect(refused.json().details[0].message).toContain('use mock-card')
    expect(missing.statusCode).toBe(404)
  } finally {
    await production.close()
  }
})
