import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestService, type TestService } from '#testing/harness.ts'
import { openTill, type Till } from '#testing/till.ts'
import { paymentServiceJobs } from './jobs.ts'

const SECRET = 'a-secret-of-ours'

let service: TestService
let till: Till
beforeAll(async () => {
  service = await startTestService()
  till = openTill(service)
})
afterAll(() => service.close())

const remove = (id: string) => service.send(`DELETE /payment-services/${id}`)

test('an open operation ends by a notification after its service is deleted', async () => {
  const later = await till.addService({ asynchronous: 'true', webhook_secret: SECRET })
  const paid = await till.pay({ payment_service_id: later.id, intent: 'capture' })
  const { payment_service_transaction_id } = paid
  const message = { event: 'capture.succeeded', payment_service_transaction_id }

  const removed = await remove(later.id)
  const forged = await till.notify(later, message, 'another-secret')
  const told = await till.notify(later, message, SECRET)
  const again = await till.notify(later, message, SECRET)
  service.moveClock(11 * 60_000)
  for (const { run } of paymentServiceJobs) await run(service, new AbortController().signal)
  const afterwards = await till.notify(later, message, SECRET)

  expect(paid.status).toBe('processing')
  expect(removed.statusCode).toBe(204)
  expect(forged.statusCode).toBe(400)
  expect(told.statusCode, told.body).toBe(204)
  expect((await till.get(paid.id)).status).toBe('capture_succeeded')
  expect(again.statusCode).toBe(204)
  // The payment may be disputed, or fail late: the service still hears of it, for 180 days.
  expect(afterwards.statusCode).toBe(204)
})

test.each([
  ['by the job', () => service.resolveDue()],
  ['when the merchant wants to know', (id: string) => till.act(id, 'sync')],
])('a lost answer is resolved after the service is deleted: %s', async (_when, ask) => {
  const { id: payment_service_id } = await till.addService({ extended: 'true', webhook_secret: SECRET })
  const connection_options = { 'mock-card': { fault: { on: 'authorize', kind: 'lose-answer' } } }
  const paid = await till.pay({ payment_service_id, connection_options })
  await remove(payment_service_id)
  service.moveClock(2 * 60_000)

  await ask(paid.id)

  expect(paid.status).toBe('processing')
  expect((await till.get(paid.id)).status).toBe('authorization_succeeded')
})
