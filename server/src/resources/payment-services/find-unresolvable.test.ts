import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Connector } from '#connectors/contract/connector.ts'
import { createMetrics } from '#platform/observability/metrics.ts'
import { signToken, startTestService, type TestService } from '#testing/harness.ts'
import { KEYS_LIVE_MS, openReplayer } from '#testing/test-replayer.ts'
import { openTill, type Till } from '#testing/till.ts'
import { attemptJobs } from '../../attempt-kinds.ts'
import { findUnresolvableAttempts } from './find-unresolvable.ts'

const HOUR = 3_600_000
const LOST = () => Promise.reject(new Error('the line broke'))

const replayer = openReplayer()
/** Its provider tells by itself, and cannot be asked. */
const teller = openReplayer('test-silent')
const { sync: _sync, ...functions } = teller.connector
const silent: Connector = {
  ...functions,
  manifest: { ...functions.manifest, recovery: { by: 'notification' } },
}

let service: TestService
let till: Till
let token: string
beforeAll(async () => {
  service = await startTestService({ connectors: [replayer.connector, silent] })
  till = openTill(service)
  // These tests move the clock by days.
  token = await signToken(service.admin, { exp: Math.floor(Date.now() / 1000) + 400 * 86_400 })
})
beforeEach(() => {
  for (const provider of [replayer, teller]) provider.meanwhile = LOST
  replayer.meanwhileAgain = LOST
})
afterAll(() => service.close())

async function payAt(definitionId: string) {
  const made = await service.send(
    'POST /payment-services',
    {
      display_name: 'Shop',
      payment_service_definition_id: definitionId,
      fields: [],
      accepted_currencies: ['USD'],
      accepted_countries: ['US'],
    },
    { token },
  )
  return till.pay({ payment_service_id: made.json().id }, { token })
}

/** Moves the clock, then lets the job ask about the attempts that are due. */
async function wait(ms: number) {
  service.moveClock(ms)
  await service.resolveDue()
}

const found = async () => {
  const { forgotten, untold } = await findUnresolvableAttempts(service.context, service.providers)
  return {
    forgotten: forgotten.count,
    untold: untold.count,
    of: (forgotten.oldest ?? untold.oldest)?.transaction_id,
  }
}

async function rendered() {
  const metrics = createMetrics()
  const job = attemptJobs.find(({ name }) => name === 'count-unresolvable-attempts')
  await job?.run({ context: service.context, engine: service.engine, metrics }, new AbortController().signal)
  return (await metrics.render()).split('\n').filter((line) => line.startsWith('switchyard_attempts'))
}

const correct = (id: string) =>
  service.send(`PUT /transactions/${id}`, { status: 'authorization_failed' }, { token })

test('counts a payment that its provider may have forgotten, until it is corrected', async () => {
  const { id } = await payAt('test-replayer')
  for (const ms of [HOUR, HOUR, HOUR]) await wait(ms)
  const before = await found()

  await wait(KEYS_LIVE_MS)
  const after = await found()
  const metric = await rendered()
  const corrected = await correct(id)

  expect(before).toEqual({ forgotten: 0, untold: 0, of: undefined })
  expect(after).toEqual({ forgotten: 1, untold: 0, of: id })
  expect(metric).toEqual([
    'switchyard_attempts_unresolvable{because="forgotten"} 1',
    'switchyard_attempts_unresolvable{because="untold"} 0',
  ])
  expect(corrected.statusCode, corrected.body).toBe(200)
  expect(await found()).toEqual({ forgotten: 0, untold: 0, of: undefined })
})

test('counts a payment whose provider cannot be asked, and has not told the outcome for a day', async () => {
  const { id } = await payAt('test-silent')
  for (const ms of [HOUR, HOUR, HOUR]) await wait(ms)
  const before = await found()

  await wait(21 * HOUR)
  const after = await found()
  const corrected = await correct(id)

  expect(before).toEqual({ forgotten: 0, untold: 0, of: undefined })
  expect(after).toEqual({ forgotten: 0, untold: 1, of: id })
  expect(corrected.statusCode, corrected.body).toBe(200)
  expect(await found()).toEqual({ forgotten: 0, untold: 0, of: undefined })
})

test('does not count a payment that the provider can be asked about', async () => {
  const { id } = await till.pay(
    { connection_options: { 'mock-card': { fault: { on: 'authorize', kind: 'lose-answer' } } } },
    { token },
  )
  service.moveClock(48 * HOUR)

  expect(await found()).toEqual({ forgotten: 0, untold: 0, of: undefined })
  expect(id).toBeDefined()
})
