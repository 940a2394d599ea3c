import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestService, type TestService } from '#testing/harness.ts'
import { browserLimit, purgeOldCounts } from './rate-limit.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.close())

/** A process with its own clock. */
function processAt(clock: { now: number }) {
  return browserLimit({ db: service.context.db, clock: () => new Date(clock.now) }).count
}

async function call(limit: (subject: string) => Promise<void>, subject: string, times: number) {
  const refusals: unknown[] = []
  for (let index = 0; index < times; index += 1) await limit(subject).catch((error) => refusals.push(error))
  return refusals
}

test('fifty calls a minute, over all processes', async () => {
  const clock = { now: Date.now() }
  const [one, other] = [processAt(clock), processAt(clock)]

  expect(await call(one, 'shared', 25)).toEqual([])
  expect(await call(other, 'shared', 25)).toEqual([])
  expect(await call(one, 'shared', 2)).toHaveLength(2)
  expect(await call(other, 'shared', 2)).toHaveLength(2)
  expect(await call(one, 'another', 1)).toEqual([])
})

test('says how long to wait, and allows calls again when the minute is over', async () => {
  const clock = { now: Date.now() }
  const limit = processAt(clock)
  await call(limit, 'waiting', 50)

  clock.now += 40_000
  expect(await call(limit, 'waiting', 1)).toMatchObject([{ headers: { 'retry-after': '20' } }])
  clock.now += 20_000
  expect(await call(limit, 'waiting', 50)).toEqual([])
  expect(await call(limit, 'waiting', 1)).toHaveLength(1)
})

test('deletes only minutes that are over', async () => {
  const { db } = service.context
  const clock = { now: Date.now() + 3_600_000 }
  await call(processAt({ now: clock.now - 60_000 }), 'over', 1)
  await call(processAt(clock), 'still counted', 1)

  await purgeOldCounts({ db, clock: () => new Date(clock.now) })

  const { rows } = await service.database.pool.query('select from rate_limits')
  expect(rows).toHaveLength(1)
})
