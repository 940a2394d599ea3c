import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { TAKERS } from '#resources/payment-services/notifications/takers.ts'
import { startTestService, type TestService } from '#testing/harness.ts'
import { openTill, type Till } from '#testing/till.ts'
import { simulatedNotificationJob } from '../../deliver-notifications.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

let service: TestService
let till: Till
beforeAll(async () => {
  service = await startTestService()
  till = openTill(service)
})
afterAll(() => service.close())

async function pass(days: number): Promise<void> {
  service.moveClock(days * DAY_MS)
  await simulatedNotificationJob(TAKERS).run(service, new AbortController().signal)
}

async function disputed() {
  const { id, payment_service } = await till.pay({ intent: 'capture' })
  await service.send(`POST /sandbox/payment-services/${payment_service.id}/chargebacks`, {
    transaction_id: id,
  })
  await pass(0)
  const [dispute] = (await service.send(`GET /disputes?transaction_id=${id}`)).json().items
  return { id: dispute.id as string, transactionId: id as string }
}

const accept = (id: string) => service.send(`POST /disputes/${id}/accept`)
const defend = (id: string, text = 'It was delivered.') =>
  service.send(`POST /disputes/${id}/evidence`, { texts: [{ name: 'explanation', text }] })
const show = async (id: string) => (await service.send(`GET /disputes/${id}`)).json()
const fieldsOf = async (id: string) => (await service.send(`GET /disputes/${id}/evidence-fields`)).json()
const chargebackOf = async (transactionId: string) =>
  (await service.send(`GET /chargebacks?transaction_id=${transactionId}`)).json().items[0].status
const eventsOf = async (id: string): Promise<string[]> => {
  const { items } = (await service.send(`GET /events?target_id=${id}`)).json()
  return items.map(({ name }: { name: string }) => name).toReversed()
}

describe('in a new sandbox, a dispute', () => {
  test('takes evidence, and is won', async () => {
    const { id, transactionId } = await disputed()
    expect(await fieldsOf(id)).toMatchObject({ can_accept: true, can_defend: true })
    expect(await chargebackOf(transactionId)).toBe('open')

    const answered = await defend(id)

    expect(answered.json().answer, answered.body).toMatchObject({ act: 'defend', status: 'succeeded' })
    expect(await chargebackOf(transactionId)).toBe('answered')
    expect(await fieldsOf(id)).toMatchObject({ can_accept: false, can_defend: false })
    await pass(5)
    expect(await show(id)).toMatchObject({ stage: 'won', respond_by: null })
    expect(await chargebackOf(transactionId)).toBe('returned')
    expect(await eventsOf(id)).toEqual(['dispute.opened', 'dispute.updated', 'dispute.closed'])
  })

  test('is lost if the evidence says so', async () => {
    const { id } = await disputed()
    await defend(id, 'lose')

    await pass(4.9)
    expect(await show(id)).toMatchObject({ stage: 'chargeback' })
    await pass(0.1)
    expect(await show(id)).toMatchObject({ stage: 'lost' })
  })

  test('is accepted, and lost at once', async () => {
    const { id } = await disputed()

    const answered = await accept(id)
    await pass(0)

    expect(answered.json().answer, answered.body).toMatchObject({ act: 'accept', status: 'succeeded' })
    expect(await show(id)).toMatchObject({ stage: 'lost', steps: [{}, { provider_stage: 'accepted' }] })
  })

  test('is lost without an answer', async () => {
    const { id } = await disputed()

    await pass(14)

    expect(await show(id)).toMatchObject({ stage: 'lost', answer: null })
    expect((await accept(id)).json().details[0].message).toContain('takes no answer any more')
  })

  test('can be answered again after the processor refused the evidence', async () => {
    const { id } = await disputed()

    expect((await defend(id, 'refuse')).json().answer).toMatchObject({
      status: 'failed',
      error_code: 'invalid_request_parameters',
    })
    expect((await defend(id)).json().answer).toMatchObject({ status: 'succeeded' })
  })

  test('knows of an answer whose reply was lost, after we have asked again', async () => {
    const { id } = await disputed()

    expect((await defend(id, 'lose-answer')).json().answer).toMatchObject({ status: 'processing' })
    service.moveClock(MINUTE_MS + 1)
    await service.resolveDue()

    expect(await show(id)).toMatchObject({ answer: { status: 'succeeded' } })
    await pass(5)
    expect(await show(id)).toMatchObject({ stage: 'won' })
  })
})
