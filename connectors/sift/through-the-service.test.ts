import { afterAll, beforeAll, expect, test } from 'vitest'
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

const pay = (name: string) =>
  till.pay({
    intent: 'capture',
    buyer: {
      billing_details: {
        first_name: 'Jane',
        email_address: `${name}@example.com`,
        address: { city: 'Austin', country: 'US' },
      },
    },
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

test('no card number reaches Sift', () => {
  expect(JSON.stringify([...standIn.orders.values()])).not.toMatch(/\d{13,}/)
})
