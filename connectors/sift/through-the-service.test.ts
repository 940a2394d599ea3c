import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { tellOutcomesJob } from '#resources/anti-fraud-services/outcomes/tell.ts'
import { TAKERS } from '#resources/payment-services/notifications/takers.ts'
import { simulatedNotificationJob } from '#sandbox/deliver-notifications.ts'
import { createStandIn, type Message, STAND_IN_ACCOUNT } from '#sandbox/stand-ins/sift/stand-in.ts'
import { startTestService, type TestService } from '#testing/harness.ts'
import { openTill, type Till } from '#testing/till.ts'

/** Orders that Sift judges, through the whole service, with the stand-in over the network. */

const sent: Message[] = []
const standIn = createStandIn({
  now: () => new Date(),
  send: async (message) => {
    sent.push(message)
    return 204
  },
})
let listening: Awaited<ReturnType<typeof standIn.listen>>
let service: TestService
let till: Till
let webhook = ''

beforeAll(async () => {
  listening = await standIn.listen(0)
  service = await startTestService()
  till = openTill(service)
  const fields = { ...STAND_IN_ACCOUNT, stand_in_url: listening.origin }
  const made = await service.send('POST /anti-fraud-services', {
    display_name: 'Sift',
    anti_fraud_service_definition_id: 'sift-anti-fraud',
    fields: Object.entries(fields).map(([key, value]) => ({ key, value })),
    reviews_enabled: true,
  })
  expect(made.statusCode, made.body).toBe(201)
  webhook = new URL(made.json().webhook_url).pathname
  await standIn.control('/_stand-in/webhook', { url: made.json().webhook_url })
})
afterAll(async () => {
  await service.close()
  await listening.close()
})

const pay = (name: string, more: object = {}) =>
  till.pay({
    intent: 'capture',
    buyer: {
      billing_details: {
        first_name: 'Jane',
        email_address: `${name}@example.com`,
        address: { city: 'Austin', country: 'US' },
      },
    },
    ...more,
  })

test.each([
  ['jane', 'accept', 'capture_succeeded'],
  ['reject', 'reject', 'authorization_declined'],
  ['none', 'skipped', 'capture_succeeded'],
  ['user', 'error', 'capture_succeeded'],
])('an order of %s is decided %s', async (name, decision, status) => {
  expect(await pay(name)).toMatchObject({ anti_fraud_decision: decision, status })
})

test.each([
  ['looks_good_payment_abuse', 'capture_succeeded'],
  ['block_order_payment_abuse', 'authorization_voided'],
])('a payment waits for the review, and ends by %s', async (decision, status) => {
  const { id, pending_review } = await pay('review')
  await standIn.control(`/_stand-in/orders/${id}/decide`, { decision })
  const { headers, body } = sent.at(-1) as Message

  const taken = await service.send(`POST ${webhook}`, JSON.parse(body), { token: null, headers })

  expect([pending_review, taken.statusCode]).toEqual([true, 204])
  expect(await till.get(id)).toMatchObject({ status, pending_review: false })
})

test('a workflow that has decided at once tells us again, and nothing changes', async () => {
  const { id } = await pay('jane')
  await standIn.control(`/_stand-in/orders/${id}/decide`, { decision: 'looks_good_payment_abuse' })
  const { headers, body } = sent.at(-1) as Message

  const taken = await service.send(`POST ${webhook}`, JSON.parse(body), { token: null, headers })

  expect(taken.statusCode).toBe(204)
  expect(await till.get(id)).toMatchObject({ status: 'capture_succeeded' })
})

describe('what became of an order', () => {
  const tell = async (ms = 120_000) => {
    service.moveClock(ms)
    await tellOutcomesJob.run(service, new AbortController().signal)
  }
  const toldOf = (id: string) =>
    standIn.outcomes
      .filter((event) => event['$order_id'] === id)
      .map(
        ({
          $order_id: _order,
          $payment_method: _method,
          $currency_code: _currency,
          $user_id: _user,
          ...told
        }) => told,
      )
  const sold = (id: string) => ({
    $type: '$transaction',
    $transaction_type: '$sale',
    $transaction_status: '$success',
    $transaction_id: `${id}-sale`,
    $amount: 10_000_000,
  })

  test('is told once, in order', async () => {
    const paid = await pay('jane')
    await till.act(paid.id, 'refunds', { amount: 400 })
    await till.act(paid.id, 'refunds', { amount: 100, reason: 'Fraudulent order' })
    const rejected = await pay('reject')
    const declined = await pay('jane', { amount: 200_011 })
    const held = await pay('jane', { intent: 'authorize' })
    await till.act(held.id, 'void')

    await tell()
    await tell()

    expect(toldOf(paid.id)).toEqual([
      sold(paid.id),
      {
        ...sold(paid.id),
        $transaction_type: '$refund',
        $amount: 4_000_000,
        $transaction_id: expect.any(String),
      },
      { $type: '$order_status', $order_status: '$canceled', $reason: '$payment_risk' },
    ])
    expect(toldOf(rejected.id)).toEqual([
      { $type: '$order_status', $order_status: '$canceled', $reason: '$payment_risk' },
    ])
    expect(toldOf(declined.id)).toMatchObject([
      { $transaction_status: '$failure', $decline_category: '$insufficient_funds' },
    ])
    expect(toldOf(held.id)).toMatchObject([
      { $transaction_type: '$authorize', $transaction_status: '$success' },
      { $type: '$order_status', $order_status: '$canceled', $reason: '$other' },
    ])
  })

  test('is told again where Sift could not be reached, and by one process at a time', async () => {
    const { id } = await pay('jane')
    const { fetch } = service.providers
    Object.assign(service.providers, { fetch: () => Promise.reject(new TypeError('fetch failed')) })
    await tell()
    Object.assign(service.providers, { fetch })
    expect(toldOf(id)).toEqual([])

    service.moveClock(120_000)
    const turn = () => tellOutcomesJob.run(service, new AbortController().signal)
    await Promise.all([turn(), turn(), turn()])

    expect(toldOf(id)).toEqual([sold(id)])
  })

  test('tells of chargebacks, and of their end', async () => {
    const { id, payment_service } = await pay('jane')
    const dispute = (body: object) =>
      service.send(`POST /sandbox/payment-services/${payment_service.id}/chargebacks`, {
        transaction_id: id,
        ...body,
      })
    const hear = () => simulatedNotificationJob(TAKERS).run(service, new AbortController().signal)
    expect((await dispute({})).statusCode).toBe(201)
    await hear()
    expect((await dispute({ stage: 'reversal' })).statusCode).toBe(201)
    await hear()

    await tell()

    expect(toldOf(id).slice(1)).toEqual([
      { $type: '$chargeback', $chargeback_state: '$received', $chargeback_reason: '$fraud' },
      { $type: '$chargeback', $chargeback_state: '$won', $chargeback_reason: '$fraud' },
    ])
  })

  test('of an account without Sift is nowhere', async () => {
    const other = { account: 'no-sift' }
    await service.send('POST /merchant-accounts', { id: other.account, display_name: 'Shop' })
    await till.addService({}, other)
    const { id } = await till.pay({ intent: 'capture' }, other)

    await tell()

    expect(toldOf(id)).toEqual([])
  })
})

test('no card number reaches Sift', () => {
  expect(JSON.stringify([...standIn.orders.values(), ...standIn.outcomes])).not.toMatch(/\d{13,}/)
})
