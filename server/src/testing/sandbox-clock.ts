import { expect } from 'vitest'
import { createLogger } from '#platform/observability/log.ts'
import { createMetrics } from '#platform/observability/metrics.ts'
import { Sealer } from '#resources/audit-logs/seal.ts'
import type { JobNeeds } from '#resources/resource.ts'
import { sandbox } from '#sandbox/open.ts'
import { moveClock } from '#sandbox/resources/clock/move.ts'
import type { SandboxClock } from '#sandbox/resources/clock/schemas.ts'
import { listJobs } from '../app.ts'
import type { TestService } from './harness.ts'

/** What jobs get from a test service. */
export function jobNeedsOf(service: TestService): JobNeeds {
  return {
    ...service,
    pool: service.database.pool,
    sealer: new Sealer(service.secrets, null, () => {}),
    logger: createLogger('silent'),
    metrics: createMetrics(),
    environment: 'sandbox',
    instanceId: 'test',
    eventRetentionDays: 30,
    incidentRetentionDays: 365,
    reportPollMinutes: 60,
    reportRetentionDays: 30,
    sessionRetentionDays: 7,
  }
}

/** Moves the clock of the sandbox as a caller and a worker do. */
export async function advance(service: TestService, body: object): Promise<SandboxClock> {
  const begun = await service.send('POST /sandbox/clock/advance', body)
  expect(begun.statusCode, begun.body).toBe(200)
  await moveClock(jobNeedsOf(service), listJobs(sandbox), new AbortController().signal, { firstPauseMs: 0 })
  const clock = await service.send('GET /sandbox/clock')
  return clock.json()
}

/** As if a worker had moved the clock, and made the history that was asked for. */
export async function endSandboxWork({ context: { db, clock } }: TestService): Promise<void> {
  await db.updateTable('sandbox_clock').set({ target: null }).execute()
  await db
    .updateTable('sandbox_fill')
    .set({ status: 'succeeded', ended_at: clock() })
    .where('status', '=', 'waiting')
    .execute()
}
