import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Readings } from '#platform/observability/readings.ts'
import type { JobNeeds } from '#resources/resource.ts'
import { startTestService, type TestService } from '#testing/harness.ts'
import { startReceiver } from '#testing/receiver.ts'
import { openTill } from '#testing/till.ts'
import { listReadings } from './app.ts'

const READINGS = listReadings(null)

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.close())

const needs = () =>
  ({
    ...service,
    ...service.database,
    eventRetentionDays: 90,
    incidentRetentionDays: 365,
    sessionRetentionDays: 7,
  }) as unknown as JobNeeds
const open = () => new Readings(READINGS, needs())

describe('what metrics show of the database', () => {
  test('is every reading, also of an installation where nothing has happened', async () => {
    const shown = await open().metrics()

    for (const { name, gauges } of READINGS) {
      expect(shown).toMatch(new RegExp(`^switchyard_reading_age_seconds\\{reading="${name}"\\} 0`, 'm'))
      for (const gauge of gauges) expect(shown).toContain(`# TYPE ${gauge.name} gauge`)
    }
    expect(shown).toMatch(/^switchyard_attempts_due 0$/m)
    expect(shown).toMatch(/^switchyard_job_overdue_seconds\{job_name="resolve-attempts"\} 0$/m)
    expect(shown).toMatch(/^switchyard_webhook_deliveries_waiting 0$/m)
    expect(shown).toMatch(/^switchyard_vault_retired_keys 0$/m)
    // No page was checked yet, and a zero would say that the check is new.
    expect(shown).not.toMatch(/^switchyard_page_check_age_seconds \d/m)
  })

  test('counts open attempts and waiting deliveries, and how late they are', async () => {
    const receiver = await startReceiver()
    await service.send('POST /webhook-subscriptions', { url: receiver.url, events: ['transaction.*'] })
    const fault = { on: 'authorize', kind: 'lose-answer' }
    await openTill(service).pay({ connection_options: { 'mock-card': { fault } } })
    await openTill(service).pay()
    service.moveClock(600_000)

    const shown = await open().metrics()

    service.moveClock(-600_000)
    await receiver.close()
    expect(shown).toMatch(/^switchyard_attempts_open\{act="authorize",state="unknown"\} 1$/m)
    expect(shown).toMatch(/^switchyard_attempts_oldest_seconds\{act="authorize",state="unknown"\} 60\d/m)
    expect(shown).toMatch(/^switchyard_attempts_due 1$/m)
    expect(shown).toMatch(/^switchyard_webhook_deliveries_waiting [1-9]$/m)
    expect(shown).toMatch(/^switchyard_webhook_overdue_seconds 60\d/m)
    expect(shown).toMatch(/^switchyard_job_overdue_seconds\{job_name="deliver-webhooks"\} (599|60\d)/m)
    expect(shown).toMatch(/^switchyard_audit_unsealed_seconds 60\d/m)
  })

  test('stays as it was while the database is away, and is read once for many scrapes', async () => {
    let reads = 0
    let isAway = false
    const counting = READINGS.map((reading) => ({
      ...reading,
      read: (needs: JobNeeds) => {
        reads += 1
        return isAway ? Promise.reject(new Error('away')) : reading.read(needs)
      },
    }))
    const readings = new Readings(counting, needs())
    await Promise.all([readings.metrics(), readings.metrics(), readings.metrics()])
    await readings.metrics()
    expect(reads).toBe(READINGS.length)

    const hasty = new Readings(counting, needs(), 0)
    await hasty.metrics()
    isAway = true
    const shown = await hasty.metrics()

    expect(reads).toBe(3 * READINGS.length)
    expect(shown).toMatch(/^switchyard_vault_retired_keys 0$/m)
    expect(await new Readings(counting, needs()).metrics()).not.toMatch(/^switchyard_vault_retired_keys \d/m)
  })
})
