import { afterEach, beforeEach, expect, test } from 'vitest'
import { startTestService, type TestService } from '#testing/harness.ts'
import { jobNeedsOf } from '#testing/sandbox-clock.ts'
import { fill } from './fill.ts'
import { planHistory } from './plan.ts'
import { type Send, Shop } from './shop.ts'

const DAY_MS = 86_400_000
const RUNNING = new AbortController().signal

let service: TestService
beforeEach(async () => {
  service = await startTestService({ hasSandboxClock: true })
  // Before its first move, the clock waits for all processes. It has moved already.
  await service.context.db.updateTable('sandbox_clock').set({ offset_ms: '1' }).execute()
})
afterEach(() => service.close())

const send: Send = async (route, body) => {
  const answer = await service.send(route, body)
  return { status: answer.statusCode, body: answer.json() }
}

/** A short history of a shop whose requests go through `sendOne`. */
async function fillWith(sendOne: Send) {
  const start = new Date((Math.floor(service.context.clock().getTime() / DAY_MS) + 1) * DAY_MS)
  const shop = new Shop(sendOne)
  const acts = planHistory({ days: 1, payments: 40, seed: 3, start })
  const filled = await fill(jobNeedsOf(service), [], { acts, start, days: 1, shop }, RUNNING)
  return { shop, filled }
}

test('a request that is refused is counted, and the history goes on', async () => {
  let refused = 0
  const { shop, filled } = await fillWith(async (route, body) => {
    if (route !== 'POST /transactions' || refused === 3) return send(route, body)
    refused += 1
    return { status: 400, body: { message: 'Not today' } }
  })

  expect(filled).toEqual({ isWhole: true, lateJobs: [] })
  expect([...shop.refusals]).toEqual([['POST /transactions: 400 Not today', 3]])
  expect(shop.counts.payments).toBe(37)
  const listed = await service.send('GET /transactions?limit=100')
  expect(listed.json().items).toHaveLength(37)
})

test('a service that refuses everything ends it, and it says what was made', async () => {
  let sent = 0
  const { shop, filled } = await fillWith((route, body) => {
    sent += 1
    return sent > 10 ? Promise.reject(new Error('the service is away')) : send(route, body)
  })

  expect(filled.isWhole).toBe(false)
  expect(shop.refusals.get('the service is away')).toBeGreaterThanOrEqual(20)
  // Up to eight requests were on their way when the shop gave up.
  expect(sent).toBeLessThan(10 + 20 + 8)
  const listed = await service.send('GET /transactions?limit=100')
  expect(listed.json().items).toHaveLength(shop.counts.payments)
})
