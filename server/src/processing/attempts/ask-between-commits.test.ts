import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Answer } from '#connectors/contract/connector.ts'
import type { Operation } from '#connectors/contract/orders.ts'
import type { Scope } from '#platform/database/db.ts'
import { startTestService, type TestService } from '#testing/harness.ts'
import { openReplayer } from '#testing/test-replayer.ts'
import { openTill, PAYOUT_CARD, type Till } from '#testing/till.ts'
import * as history from './history.ts'
import type * as attempts from './store.ts'

const PATIENCE = { authorize: 60_000, capture: 40_000, void: 30_000, payout: 50_000, sync: 45_000 }
const DECLINED: Answer = {
  outcome: 'declined',
  code: 'insufficient_funds',
  isRetriable: true,
  reference: 'declined-1',
  facts: {},
}
const slow = openReplayer('test-slow', PATIENCE)

let service: TestService
let till: Till
let serviceId: string
let scope: Scope
let answerWithinMs: number
beforeAll(async () => {
  service = await startTestService({ connectors: [slow.connector] })
  till = openTill(service)
  scope = { ...service.context, merchantAccountId: 'default' }
  answerWithinMs = service.providers.answerWithinMs
  const made = await service.send('POST /payment-services', {
    display_name: 'Slow',
    payment_service_definition_id: 'test-slow',
    fields: [],
    accepted_currencies: ['USD'],
    accepted_countries: ['US'],
  })
  serviceId = made.json().id
})
beforeEach(() => {
  slow.sent.length = 0
  slow.meanwhile = async () => undefined
  slow.meanwhileAgain = async () => undefined
})
afterEach(async () => {
  Object.assign(service.providers, { answerWithinMs })
  await service.engine.afterwards.done()
  expect(service.troubles).toEqual([])
})
afterAll(() => service.close())

const pay = (body: object = {}, headers = {}) =>
  till.pay({ payment_service_id: serviceId, ...body }, { headers })

/** From now on the client cannot wait for this operation. Returns how the provider answers in the end. */
function stall(operation: Operation) {
  const gate = Promise.withResolvers<Answer | undefined>()
  slow.meanwhile = async (asked) => (asked === operation ? gate.promise : undefined)
  Object.assign(service.providers, { answerWithinMs: 0 })
  return async (answer?: Answer) => {
    gate.resolve(answer)
    await service.engine.afterwards.done()
  }
}

async function attemptOf(transactionId: string, kind: 'authorize' | 'capture') {
  const attempt = await history.lastOf(scope, transactionId, kind)
  if (!attempt) throw new Error(`there is no attempt to ${kind}`)
  return attempt
}

/** How long the attempt is left to the process that asks, in whole seconds, measured from when it was recorded. */
const leftFor = ({ due_at, sent_at }: attempts.Attempt) =>
  due_at && sent_at && Math.round((due_at.getTime() - sent_at.getTime()) / 1000)

describe('A provider that takes longer than a client waits', () => {
  test('leaves the payment processing, and its answer is recorded when it comes', async () => {
    const answer = stall('authorize')
    const headers = { 'idempotency-key': crypto.randomUUID() }

    const shown = await pay({}, headers)
    const waiting = await attemptOf(shown.id, 'authorize')
    await answer()

    expect(shown.status).toBe('processing')
    expect(waiting.state).toBe('sent')
    expect((await till.get(shown.id)).status).toBe('authorization_succeeded')
    expect(slow.sent).toHaveLength(1)
    expect(await till.told(shown.id)).toContain('transaction.authorized')
    // A retry gets the answer that the first one got.
    expect((await pay({}, headers)).status).toBe('processing')
    expect(slow.sent).toHaveLength(1)
  })

  test('is not asked again meanwhile, by the job or by another request', async () => {
    const answer = stall('authorize')

    const { id } = await pay()
    service.moveClock(30_000)
    await service.resolveDue()
    const captured = await till.act(id, 'capture', {})
    const synced = await till.act(id, 'sync')
    await answer()

    expect(captured.statusCode, captured.body).toBe(425)
    expect(synced.json().status).toBe('processing')
    expect(slow.sent.map(({ operation, isReplay }) => [operation, isReplay])).toEqual([['authorize', false]])
  })

  test('may still decline', async () => {
    const answer = stall('authorize')

    const { id } = await pay()
    await answer(DECLINED)

    const { status, error_code } = await till.get(id)
    expect({ status, error_code }).toEqual({
      status: 'authorization_declined',
      error_code: 'insufficient_funds',
    })
  })

  test('leaves a payment unknown if its line breaks, and the job resolves it', async () => {
    const answer = stall('authorize')
    const { meanwhile } = slow
    slow.meanwhile = async (operation) => {
      await meanwhile(operation)
      throw new Error('the line broke')
    }

    const { id } = await pay()
    await answer()
    const { state } = await attemptOf(id, 'authorize')
    service.moveClock(61_000)
    await service.resolveDue()

    expect(state).toBe('unknown')
    expect((await till.get(id)).status).toBe('authorization_succeeded')
  })

  test('leaves a capture pending until it answers', async () => {
    const { id } = await pay()
    const answer = stall('capture')

    const pending = await till.act(
      id,
      'capture',
      { amount: 400 },
      { headers: { prefer: 'resource=transaction-capture' } },
    )
    const before = await till.get(id)
    await answer()

    expect(pending.json().status).toBe('pending')
    expect(before.status).toBe('capture_pending')
    expect((await till.get(id)).captured_amount).toBe(400)
  })

  test('leaves a void pending until it answers', async () => {
    const { id } = await pay()
    const answer = stall('void')

    const pending = await till.act(id, 'void')
    await answer()

    expect(pending.json().status).toBe('authorization_void_pending')
    expect((await till.get(id)).status).toBe('authorization_voided')
  })

  test('leaves an increment without an answer. A retry with the same key gets it', async () => {
    const { id } = await pay()
    const answer = stall('increment')
    const options = { headers: { 'idempotency-key': crypto.randomUUID() } }
    const increment = () => till.act(id, 'authorization/increment', { amount: 500 }, options)

    const [first, second] = [await increment(), await increment()]
    await answer()
    const last = await increment()

    expect([first.statusCode, second.statusCode, last.statusCode]).toEqual([504, 504, 200])
    expect((await till.get(id)).authorized_amount).toBe(1500)
    expect(slow.sent.filter(({ operation }) => operation === 'increment')).toHaveLength(1)
  })

  test('leaves a refund of everything pending until it answers', async () => {
    const { id } = await pay({ intent: 'capture' })
    const answer = stall('refund')

    const refunded = await till.act(id, 'refunds/all', {}, { headers: { 'idempotency-key': id } })
    await answer()

    expect(refunded.statusCode, refunded.body).toBe(201)
    expect(refunded.json().items).toMatchObject([{ status: 'processing' }])
    expect(await till.get(id)).toMatchObject({ refunded_amount: 1000 })
    expect(slow.sent.filter(({ operation }) => operation === 'refund')).toHaveLength(1)
  })

  test('leaves a payout pending until it answers', async () => {
    const answer = stall('payout')

    const shown = await till.payOut({ payment_service_id: serviceId, payment_method: PAYOUT_CARD })
    await answer()

    expect(shown.status).toBe('pending')
    const after = await service.send(`GET /payouts/${shown.id}`)
    expect(after.json().status).toBe('succeeded')
  })
})

describe('The time that a connector asks for', () => {
  test('is how long its provider may take, also beyond what others get', async () => {
    const { timeoutMs } = service.providers
    Object.assign(service.providers, { timeoutMs: 0 })
    slow.meanwhile = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve, undefined)))

    const { status } = await pay()
    Object.assign(service.providers, { timeoutMs })

    expect(status).toBe('authorization_succeeded')
  })

  test.each(['authorize', 'capture'] as const)('is how long an attempt to %s is left alone', async (kind) => {
    const paid = kind === 'capture' ? await pay() : undefined
    const answer = stall(kind)

    const { id } = paid ?? (await pay())
    if (paid) await till.act(id, 'capture', {})
    await expect.poll(() => slow.sent.at(-1)?.operation).toBe(kind)
    const left = leftFor(await attemptOf(id, kind))
    await answer()

    expect(left).toBeGreaterThanOrEqual(PATIENCE[kind] / 1000 + 5)
    expect(left).toBeLessThan(PATIENCE[kind] / 1000 + 20)
  })

  test('is how long a job has an attempt for itself', async () => {
    slow.meanwhile = () => Promise.reject(new Error('the line broke'))
    const { id } = await pay()
    const [gate, asked] = [Promise.withResolvers<undefined>(), Promise.withResolvers<void>()]
    slow.meanwhileAgain = () => {
      asked.resolve()
      return gate.promise
    }
    service.moveClock(61_000)

    const first = service.resolveDue()
    await asked.promise
    service.moveClock(40_000)
    await service.resolveDue()
    const replays = slow.sent.filter(({ isReplay }) => isReplay).length
    gate.resolve(undefined)
    await first

    expect(replays).toBe(1)
    expect((await till.get(id)).status).toBe('authorization_succeeded')
  })
})
