import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestService, type TestService } from '#testing/harness.ts'
import { ReportDesk } from '#testing/report-desk.ts'
import { reportHealth } from './health.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.close())

test('counts services, troubles and lines without a payment', async () => {
  expect(await reportHealth(service.context)).toEqual({
    services: 1,
    failing: 0,
    refused: 0,
    abandoned: 0,
    unmatched: 0,
    ageSeconds: null,
  })
  const desk = await ReportDesk.open(service)
  desk.publish({ lines: [{ reference: 'unheard-of', amount: 1 }] })
  desk.publish({ lines: [], trailer: { count: 7 } })
  await desk.ingest()
  desk.isAway = true
  await expect(desk.ingest()).rejects.toThrow()

  const health = await reportHealth(service.context)

  expect(health).toMatchObject({ services: 1, failing: 1, refused: 1, unmatched: 1 })
  expect(health.ageSeconds).toBeGreaterThanOrEqual(0)
})
