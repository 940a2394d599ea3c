import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import type { Answer, Connector, Unknown } from '#connectors/contract/connector.ts'
import { disagreements } from '#testing/books.ts'
import { startTestService, type TestService } from '#testing/harness.ts'
import { openTill, type Till } from '#testing/till.ts'

const SECRET = 'a-secret-of-ours'

let service: TestService
let till: Till
let later: { readonly id: string; readonly webhook_url: string }
beforeAll(async () => {
  service = await startTestService()
  till = openTill(service)
  later = await till.addService({ asynchronous: 'true', webhook_secret: SECRET })
})
afterEach(async () => {
  vi.restoreAllMocks()
  expect(await disagreements(service.database.pool)).toEqual([])
})
afterAll(() => service.close())

const payOut = (body: object = {}) => till.payOut({ payment_service_id: later.id, ...body })
const tell = (event: string, payment_service_payout_id: string) =>
  till.notify(later, { event, payment_service_payout_id }, SECRET)
const read = async (id: string) => (await service.send(`GET /payouts/${id}`)).json()

test.each(['succeeded', 'declined', 'failed'])('ends a pending payout: %s', async (outcome) => {
  const payout = await payOut()

  const answer = await tell(`payout.${outcome}`, payout.payment_service_payout_id)

  expect(payout).toMatchObject({ status: 'pending', payment_service_payout_id: expect.any(String) })
  expect(answer.statusCode, answer.body).toBe(204)
  expect(await read(payout.id)).toMatchObject({ status: outcome })
  expect(await till.told(payout.id)).toEqual(['payout.pending', `payout.${outcome}`])
  expect(await till.audited(payout.id)).toEqual(['created by Test key', 'updated by Payment service'])
})

test('comes twice, and counts once', async () => {
  const payout = await payOut()

  const answers = await Promise.all(
    [1, 2, 3].map(() => tell('payout.succeeded', payout.payment_service_payout_id)),
  )

  expect(answers.map(({ statusCode }) => statusCode)).toEqual([204, 204, 204])
  expect(await till.told(payout.id)).toEqual(['payout.pending', 'payout.succeeded'])
})

test('a pending payout stays pending when the processor is asked before it ends', async () => {
  const payout = await payOut()

  service.moveClock(120_000)
  await service.resolveDue()
  const before = await read(payout.id)
  await tell('payout.succeeded', payout.payment_service_payout_id)

  expect(before.status).toBe('pending')
  expect(await read(payout.id)).toMatchObject({ status: 'succeeded' })
  expect(await till.told(payout.id)).toEqual(['payout.pending', 'payout.succeeded'])
})

test('of a deleted service still ends its payout', async () => {
  const gone = await till.addService({ asynchronous: 'true' })
  const payout = await till.payOut({ payment_service_id: gone.id })
  await service.send(`DELETE /payment-services/${gone.id}`)

  const message = { event: 'payout.succeeded', payment_service_payout_id: payout.payment_service_payout_id }
  const answer = await till.notify(gone, message)

  expect(answer.statusCode, answer.body).toBe(204)
  expect(await read(payout.id)).toMatchObject({ status: 'succeeded' })
})

test('about another service’s payout is refused', async () => {
  const other = await till.addService({ merchant_id: 'another', asynchronous: 'true' })
  const payout = await payOut()

  const message = { event: 'payout.failed', payment_service_payout_id: payout.payment_service_payout_id }
  const answer = await till.notify(other, message)
  const after = await read(payout.id)
  await tell('payout.succeeded', payout.payment_service_payout_id)

  expect(answer.statusCode).toBe(400)
  expect(after.status).toBe('pending')
})

describe('that contradicts the outcome on record', () => {
  /** A provider that tells what it likes. */
  function telling(answer: (reference: string) => Exclude<Answer, Unknown>): void {
    const connector = service.providers.connectors.find('mock-card') as Connector
    vi.spyOn(service.providers.connectors, 'find').mockReturnValue({
      ...connector,
      readNotification: async ({ body }) => {
        const reference = JSON.parse(body.toString()).payment_service_payout_id
        const told = { about: 'payout', reference, answer: answer(reference) } as const
        return { outcome: 'read', notifications: [told] }
      },
    })
  }

  test('corrects a payout that was refused: the money has left', async () => {
    const payout = await payOut({ amount: 530_002 })
    const { rows } = await service.database.pool.query('select reference from attempts where id = $1', [
      payout.id,
    ])
    telling((reference) => ({ outcome: 'approved', reference, facts: {} }))

    const answer = await tell('payout.succeeded', rows[0].reference)
    await service.database.pool.query(
      `update simulator.entries set status = 'approved' where attempt_id = $1`,
      [payout.id],
    )

    expect(payout.status).toBe('failed')
    expect(answer.statusCode, answer.body).toBe(204)
    expect(await read(payout.id)).toMatchObject({ status: 'succeeded' })
    expect(await till.told(payout.id)).toEqual(['payout.failed', 'payout.succeeded'])
    expect(await till.audited(payout.id)).toEqual(['created by Test key', 'updated by Payment service'])
  })

  test('leaves a payout that succeeded as it is', async () => {
    const payout = await payOut()
    await tell('payout.succeeded', payout.payment_service_payout_id)
    telling((reference) => ({
      outcome: 'declined',
      code: 'service_decline',
      isRetriable: false,
      reference,
      facts: {},
    }))

    await tell('payout.declined', payout.payment_service_payout_id)

    expect(await read(payout.id)).toMatchObject({ status: 'succeeded' })
    expect(await till.told(payout.id)).toEqual(['payout.pending', 'payout.succeeded'])
  })
})
