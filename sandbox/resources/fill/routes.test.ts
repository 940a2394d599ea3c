import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { signToken, startTestService, type TestService } from '#testing/harness.ts'
import { endSandboxWork, jobNeedsOf } from '#testing/sandbox-clock.ts'
import { listJobs } from '../../../server/src/app.ts'
import { sandbox } from '../../open.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService({ hasSandboxClock: true })
  // Before its first move, the clock waits for all processes. It has moved already.
  await service.context.db.updateTable('sandbox_clock').set({ offset_ms: '1' }).execute()
})
afterAll(() => service.close())
beforeEach(() => endSandboxWork(service))

const job = listJobs(sandbox).find(({ name }) => name === 'fill-sandbox')
const run = async (stopping = new AbortController().signal) => job?.run(jobNeedsOf(service), stopping)
const look = async () => (await service.send('GET /sandbox/fill')).json()
const keys = async () => {
  const { items } = (await service.send('GET /api-key-pairs?limit=100')).json()
  return items.map(({ display_name }: { display_name: string }) => display_name)
}

test('makes what was asked for, through the API, and leaves no key behind', async () => {
  expect(await look()).toMatchObject({ status: 'idle', payments: null, begun_at: null })
  const begun = await service.send('POST /sandbox/fill', { days: 1, payments: 20 })
  expect(begun.statusCode, begun.body).toBe(200)
  expect(begun.json()).toMatchObject({ status: 'waiting', days: 1, payments: 20, seed: 1, ended_at: null })

  await run()

  const made = await look()
  expect(made).toMatchObject({
    status: 'succeeded',
    failure: null,
    merchant_account_id: 'default',
    refusals: [],
  })
  expect(made.made.payments).toBe(20)
  expect((await service.send('GET /transactions?limit=100')).json().items).toHaveLength(20)
  expect(await keys()).not.toContain('Sandbox history')
  const { now, real_time } = (await service.send('GET /sandbox/clock')).json()
  expect(now > real_time).toBe(true)
})

test('goes one at a time, and not while the clock moves', async () => {
  await service.send('POST /sandbox/fill', { days: 1, payments: 1 })
  const second = await service.send('POST /sandbox/fill', { days: 1, payments: 1 })
  const moved = await service.send('POST /sandbox/clock/advance', { by: 'P1D' })
  for (const refused of [second, moved]) {
    expect(refused.statusCode).toBe(409)
    expect(refused.json().details[0].message).toMatch(/^a history is being made: wait/)
  }
  expect((await service.send('GET /sandbox/clock')).json().status).toBe('ready')

  await endSandboxWork(service)
  await service.send('POST /sandbox/clock/advance', { by: 'P1D' })
  const during = await service.send('POST /sandbox/fill', { days: 1, payments: 1 })
  expect(during.statusCode).toBe(409)
  expect(await look()).toMatchObject({ status: 'succeeded' })
})

test('is over when its process is stopped, or has died', async () => {
  await service.send('POST /sandbox/fill', { days: 2, payments: 5 })
  const stopping = new AbortController()
  stopping.abort()
  await run(stopping.signal)
  expect(await look()).toMatchObject({ status: 'failed', failure: 'interrupted' })

  await service.send('POST /sandbox/fill', { days: 2, payments: 5 })
  const dead = await service.addKey({ name: 'Sandbox history' })
  await service.context.db
    .updateTable('sandbox_fill')
    .set({
      status: 'filling',
      api_key_pair_id: dead.id,
      leased_by: crypto.randomUUID(),
      leased_until: new Date(0),
    })
    .execute()
  await run()
  expect(await look()).toMatchObject({ status: 'failed', failure: 'interrupted' })
  expect(await keys()).not.toContain('Sandbox history')
})

test.each([
  [{ days: 0 }, '/days'],
  [{ payments: 100_001 }, '/payments'],
  [{ seed: 0 }, '/seed'],
])('refuses %j', async (body, pointer) => {
  const refused = await service.send('POST /sandbox/fill', body)

  expect(refused.statusCode).toBe(400)
  expect(refused.json().details[0].pointer).toBe(pointer)
})

test('is refused to keys of single merchant accounts, whose time is that of all', async () => {
  const token = await signToken(await service.addKey({ merchantAccountIds: ['default'] }))

  const refused = await service.send('POST /sandbox/fill', {}, { token })

  expect(refused.statusCode).toBe(403)
  expect(await look()).not.toMatchObject({ status: 'waiting' })
})

test('does not exist in production', async () => {
  const production = await startTestService({ environment: 'production' })

  expect((await production.send('POST /sandbox/fill', {})).statusCode).toBe(404)
  expect((await production.send('GET /sandbox/fill')).statusCode).toBe(404)
  await production.close()
})
