import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Takers } from '#resources/payment-services/notifications/take.ts'
import { startTestService, type TestService } from '#testing/harness.ts'
import { openTill, type Till } from '#testing/till.ts'
import { simulatedNotificationJob } from './deliver-notifications.ts'

const HOUR_MS = 3_600_000

let service: TestService
let till: Till
beforeAll(async () => {
  service = await startTestService()
  till = openTill(service)
})
afterAll(() => service.close())

/** Takers that note what arrives, and know only the payments of one service. */
function noting(knownServiceId: string) {
  const arrived: string[] = []
  const take = async (serviceId: string, about: string) => {
    arrived.push(about)
    return serviceId === knownServiceId
  }
  const takers: Takers = {
    payment: (_scope, _engine, id, { about }) => take(id, about),
    payout: (_scope, _engine, id, { about }) => take(id, about),
    dispute: (_scope, _engine, id, { about, amount }) => take(id, `${about} ${amount}`),
    lateFailure: (_scope, _engine, id, { about, of }) => take(id, `${about} of ${of}`),
    approval: (_scope, _engine, id, { about }) => take(id, about),
    report: (_scope, _engine, id, { about }) => take(id, about),
  }
  const job = simulatedNotificationJob(takers)
  const { context, engine } = service
  return {
    arrived,
    run: () => job.run({ context, engine }, new AbortController().signal),
    nextDueAt: () => job.nextDueAt?.({ context, engine }),
  }
}

test('takes what the simulator has to tell when it happens, once, also where services share an account', async () => {
  const first = await till.addService({ merchant_id: 'shared', webhook_secret: 'secret-59' })
  const second = await till.addService({ merchant_id: 'shared', webhook_secret: 'secret-59' })
  const start = service.context.clock().getTime()
  await till.pay({ amount: 620_001, intent: 'capture', payment_service_id: second.id })
  const desk = noting(second.id)

  await desk.run()
  expect(desk.arrived).toEqual([])
  expect((await desk.nextDueAt())?.getTime()).toBeGreaterThanOrEqual(start + HOUR_MS)
  service.moveClock(HOUR_MS + 1_000)
  await desk.run()
  expect(first.id).not.toBe(second.id)
  // The first service does not know the payment.
  expect(desk.arrived).toEqual(['late_failure of authorization', 'late_failure of authorization'])
  await desk.run()
  expect(desk.arrived).toHaveLength(2)
  expect(await desk.nextDueAt()).toBeNull()
})

test('a service whose account the simulator refuses holds up no other', async () => {
  const refused = await till.addService({ merchant_id: 'invalid' })
  const own = await till.addService({ merchant_id: 'accepted', dispute_notifications: 'true' })
  const { id } = await till.pay({ intent: 'capture', payment_service_id: own.id })
  await service.send(`POST /sandbox/payment-services/${own.id}/chargebacks`, { transaction_id: id })
  const desk = noting(own.id)

  await expect(desk.run()).rejects.toThrow()
  // It counts as sent: it does not come again.
  await desk.run()

  expect(desk.arrived).toEqual(['chargeback 1000'])
  await service.send(`DELETE /payment-services/${refused.id}`)
})

test('a message for a service that was deleted, or has another account now, is no reason to stop the clock', async () => {
  const services = [
    await till.addService({ merchant_id: 'deleted', dispute_notifications: 'true' }),
    await till.addService({ merchant_id: 'before', dispute_notifications: 'true' }),
  ]
  for (const { id } of services) {
    const paid = await till.pay({ intent: 'capture', payment_service_id: id })
    await service.send(`POST /sandbox/payment-services/${id}/chargebacks`, { transaction_id: paid.id })
  }
  const desk = noting('none')
  expect((await desk.nextDueAt())?.getTime()).toBeLessThanOrEqual(service.context.clock().getTime())

  await service.send(`DELETE /payment-services/${services[0].id}`)
  await service.send(`PUT /payment-services/${services[1].id}`, {
    fields: [{ key: 'merchant_id', value: 'after' }],
  })

  // A dispute of another test ends in two weeks.
  const next = (await desk.nextDueAt())?.getTime() ?? Number.POSITIVE_INFINITY
  expect(next).toBeGreaterThan(service.context.clock().getTime() + 24 * HOUR_MS)
  await desk.run()
  expect(desk.arrived).toEqual([])
})

test('sends again what is not taken', async () => {
  const own = await till.addService({ merchant_id: 'alone', dispute_notifications: 'true' })
  const { id } = await till.pay({ intent: 'capture', payment_service_id: own.id })
  await service.send(`POST /sandbox/payment-services/${own.id}/chargebacks`, { transaction_id: id })
  const [deaf, hearing] = [noting('none'), noting(own.id)]

  await deaf.run()
  await hearing.run()
  expect(deaf.arrived).toEqual(['chargeback 1000'])
  expect(hearing.arrived).toEqual([])
  service.moveClock(61_000)
  await hearing.run()
  await hearing.run()

  expect(hearing.arrived).toEqual(['chargeback 1000'])
})
