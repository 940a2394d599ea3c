import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { createStandIn, STAND_IN_ACCOUNT } from '#sandbox/stand-ins/sift/stand-in.ts'
import { complaintsOf } from '#testing/gift-cards.ts'
import { startTestService, type TestService } from '#testing/harness.ts'
import { openTill, type Till } from '#testing/till.ts'
import { tellOutcomesJob } from './tell.ts'

/** Services that are asked beside the one that decides. The simulator decides by the buyer's e-mail address. */
let service: TestService
let till: Till
const made: string[] = []
beforeAll(async () => {
  service = await startTestService()
  till = openTill(service)
})
afterEach(async () => {
  for (const id of made.splice(0)) await service.send(`DELETE /anti-fraud-services/${id}`)
})
afterAll(() => service.close())

async function connect(more: object = {}) {
  const response = await service.send('POST /anti-fraud-services', {
    display_name: 'Simulator',
    anti_fraud_service_definition_id: 'mock-anti-fraud',
    fields: [],
    ...more,
  })
  expect(response.statusCode, response.body).toBe(201)
  made.push(response.json().id)
  return response.json()
}
const pay = (name: string) =>
  till.pay({ intent: 'capture', buyer: { billing_details: { email_address: `${name}@example.com` } } })
async function turn(): Promise<void> {
  service.moveClock(120_000)
  await tellOutcomesJob.run(service, new AbortController().signal)
}
async function decisionsOf(id: string) {
  const { items } = (await service.send(`GET /transactions/${id}/events`)).json()
  return items
    .filter(({ name }: { name: string }) => name.startsWith('anti-fraud'))
    .map(({ name, context }: { name: string; context: Record<string, unknown> }) => ({
      name,
      decision: context['decision'],
      silent: context['silent'],
      service: context['anti_fraud_service_id'],
    }))
}

test('decides nothing: what it says is in the history of the payment, once', async () => {
  const silent = await connect({ silent: true, reviews_enabled: true })
  const { id } = await pay('reject')
  const before = await till.get(id)

  await turn()
  await turn()

  expect(silent).toMatchObject({ silent: true, active: false })
  expect(before).toMatchObject({ status: 'capture_succeeded', anti_fraud_decision: null })
  expect(await till.get(id)).toEqual(before)
  expect(await decisionsOf(id)).toEqual([
    { name: 'anti-fraud-decision', decision: 'reject', silent: true, service: silent.id },
  ])
})

test('is asked beside the one that decides, and its reviews hold nothing back', async () => {
  const deciding = await connect()
  const silent = await connect({ silent: true, reviews_enabled: true })
  const { id, pending_review } = await pay('review')
  await turn()
  const before = await till.get(id)

  const told = await till.notify(silent, { transaction_id: id, decision: 'reject' })
  const strange = await till.notify(silent, { transaction_id: silent.id, decision: 'reject' })

  expect(pending_review).toBe(false)
  expect([told.statusCode, strange.statusCode]).toEqual([204, 404])
  expect(await till.get(id)).toEqual(before)
  expect(await decisionsOf(id)).toEqual([
    { name: 'anti-fraud-decision-update', decision: 'reject', silent: true, service: silent.id },
    { name: 'anti-fraud-decision', decision: 'review', silent: true, service: silent.id },
    { name: 'anti-fraud-decision', decision: 'review', silent: undefined, service: deciding.id },
  ])
})

test('is asked about payments that were declined, too, and never twice after it could not be reached', async () => {
  await connect({ silent: true })
  const { id } = await till.pay({
    amount: 200_011,
    buyer: { billing_details: { email_address: 'unavailable@example.com' } },
  })

  await turn()
  await turn()

  expect((await till.get(id)).status).toBe('authorization_declined')
  expect(await decisionsOf(id)).toMatchObject([{ name: 'anti-fraud-decision-error', decision: 'skipped' }])
})

test('asks nobody about payments from before it was connected, or after it was stopped', async () => {
  const { id: early } = await pay('reject')
  service.moveClock(60 * 60_000)
  const { id } = await connect({ silent: true })
  await turn()
  await service.send(`PUT /anti-fraud-services/${id}`, { silent: false })
  const { id: late } = await pay('reject')
  await turn()

  expect([await decisionsOf(early), await decisionsOf(late)]).toEqual([[], []])
})

test('a provider that learns from outcomes is asked first, and then told', async () => {
  // It is also asked about payments of the ten minutes before.
  service.moveClock(60 * 60_000)
  const standIn = createStandIn({ now: () => new Date() })
  const listening = await standIn.listen(0)
  const fields = { ...STAND_IN_ACCOUNT, stand_in_url: listening.origin }
  await connect({
    anti_fraud_service_definition_id: 'sift-anti-fraud',
    fields: Object.entries(fields).map(([key, value]) => ({ key, value })),
    silent: true,
  })
  const { id } = await pay('reject')

  await turn()
  await listening.close()

  expect([...standIn.orders.keys()]).toEqual([id])
  expect(standIn.outcomes).toMatchObject([
    { $type: '$transaction', $order_id: id, $transaction_type: '$sale' },
  ])
  expect(await decisionsOf(id)).toMatchObject([{ decision: 'reject', silent: true }])
})

test('a service is silent or active, and the last word counts', async () => {
  const { id } = await connect()
  const update = (body: object) => service.send(`PUT /anti-fraud-services/${id}`, body)
  const stateOf = ({ active, silent }: { active: boolean; silent: boolean }) => ({ active, silent })

  const both = await update({ active: true, silent: true, display_name: 'Both' })
  const silenced = await update({ silent: true })
  const kept = await update({ display_name: 'Kept' })
  const back = await update({ active: true })

  expect(complaintsOf(both)).toEqual([['/active', 'value_error.conflict']])
  expect((await service.send(`GET /anti-fraud-services/${id}`)).json().display_name).toBe('Kept')
  expect([silenced, kept, back].map((answer) => stateOf(answer.json()))).toEqual([
    { active: false, silent: true },
    { active: false, silent: true },
    { active: true, silent: false },
  ])
})
