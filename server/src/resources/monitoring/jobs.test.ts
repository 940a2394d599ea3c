import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestService, type TestService } from '#testing/harness.ts'
import { type Monitor, openMonitor } from '#testing/monitor.ts'
import { advance } from '#testing/sandbox-clock.ts'
import { openTill, type Till } from '#testing/till.ts'

const DECLINED = 200_011

let service: TestService
let monitor: Monitor
let till: Till
beforeAll(async () => {
  service = await startTestService({ hasSandboxClock: true })
  monitor = openMonitor(service)
  till = openTill(service)
})
afterAll(() => service.close())

test('a clock that is moved takes the samples on its way, and opens and closes incidents at their time', async () => {
  const policy = { incident_policy: { params: { create_after_n: 3, close_after_n: 2 } } }
  const { id } = await monitor.add({ datetime_range: 'PT10M/now' }, policy)
  await till.pay({ amount: DECLINED })
  const start = service.context.clock().getTime()

  await advance(service, { by: 'PT4M' })
  const [open] = await monitor.incidentsOf(id)
  for (let n = 0; n < 3; n += 1) await till.pay()
  await advance(service, { by: 'P3D' })
  const [closed, ...others] = await monitor.incidentsOf(id)
  const samples = await monitor.samplesOf(id)

  const minutes = (Date.parse(open.created_at) - start) / 60_000
  expect(open.closed_at).toBeNull()
  expect(minutes).toBeGreaterThan(2)
  expect(minutes).toBeLessThan(3.5)
  expect(Date.parse(closed.closed_at) - Date.parse(open.created_at)).toBeLessThan(5 * 60_000)
  expect(others).toEqual([])
  // Four minutes, then those in which the last payments count, and the minute at the end.
  expect(samples.length).toBeGreaterThan(12)
  expect(samples.length).toBeLessThan(20)
  expect(samples.at(-1)).toMatchObject({ value: null, healthy: null })
})
