import { afterAll, beforeAll, expect, test } from 'vitest'
import { tellOutcomesJob } from '#resources/anti-fraud-services/outcomes/tell.ts'
import { createStandIn, STAND_IN_TEAM } from '#sandbox/stand-ins/signifyd/stand-in.ts'
import { startTestService, type TestService } from '#testing/harness.ts'
import { openTill, type Till } from '#testing/till.ts'

/** Checkouts that Signifyd judges, through the whole service, with the stand-in over the network. */

const standIn = createStandIn({
  now: () => new Date(),
  send: async ({ url, headers, body: payload }) => {
    const { pathname } = new URL(url)
    return (await service.app.inject({ method: 'POST', url: pathname, headers, payload })).statusCode
  },
})
let listening: Awaited<ReturnType<typeof standIn.listen>>
let service: TestService
let till: Till

beforeAll(async () => {
  listening = await standIn.listen(0)
  service = await startTestService()
  till = openTill(service)
  const fields = { ...STAND_IN_TEAM, stand_in_url: listening.origin }
  const made = await service.send('POST /anti-fraud-services', {
    display_name: 'Signifyd',
    anti_fraud_service_definition_id: 'signifyd-anti-fraud',
    fields: Object.entries(fields).map(([key, value]) => ({ key, value })),
    reviews_enabled: true,
  })
  expect(made.statusCode, made.body).toBe(201)
  await standIn.control('/_stand-in/webhook', { url: made.json().webhook_url })
})
afterAll(async () => {
  await service.close()
  await listening.close()
})

const pay = (name: string) =>
  till.pay({
    intent: 'capture',
    buyer: { billing_details: { first_name: 'Jane', email_address: `${name}@example.com` } },
  })

test.each([
  ['jane', 'accept', 'capture_succeeded'],
  ['reject', 'reject', 'authorization_declined'],
  ['hold', 'review', 'authorization_succeeded'],
])('the order of %s is %s', async (name, decision, status) => {
  expect(await pay(name)).toMatchObject({ anti_fraud_decision: decision, status })
})

test.each([
  ['ACCEPT', 'capture_succeeded'],
  ['REJECT', 'authorization_voided'],
])('a reviewer’s %s ends the review', async (action, status) => {
  const { id } = await pay('hold')
  const answer = await standIn.control(`/_stand-in/orders/${id}/decide`, { action })

  expect(await answer.json()).toEqual({ delivered: 204 })
  expect(await till.get(id)).toMatchObject({ status, pending_review: false })
})

test('hears once what became of the order', async () => {
  const { id } = await pay('jane')
  service.moveClock(120_000)
  for (const _turn of [1, 2]) await tellOutcomesJob.run(service, new AbortController().signal)

  const told = standIn.transactions.filter(({ orderId }) => orderId === id)
  expect(told).toMatchObject([{ transactions: [{ gatewayStatusCode: 'SUCCESS', amount: 10 }] }])
  expect(JSON.stringify([...standIn.checkouts.values(), ...standIn.transactions])).not.toMatch(/\d{13,}/)
})
