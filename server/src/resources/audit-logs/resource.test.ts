import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createMetrics } from '#platform/observability/metrics.ts'
import { startTestService, type TestService } from '#testing/harness.ts'
import { auditLogJobs } from './resource.ts'
import { Sealer } from './seal.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.close())

test('metrics and log show the head, and metrics show that sealing is refused', async () => {
  const lines: string[] = []
  const metrics = createMetrics()
  const needs = {
    context: service.context,
    sealer: new Sealer(service.secrets, null),
    logger: pino({ level: 'info' }, { write: (line: string) => lines.push(line) }),
    metrics,
  }
  const run = async (name: string, environment = 'production') =>
    auditLogJobs
      .find((job) => job.name === name)
      ?.run({ ...needs, environment }, new AbortController().signal)

  await run('seal-audit-logs')
  await run('tell-audit-head', 'sandbox')
  expect(lines).toEqual([])
  await run('tell-audit-head')
  const before = await metrics.render()
  await service.context.db.deleteFrom('audit_seals').execute()
  await expect(run('seal-audit-logs')).rejects.toThrow('is gone')
  const after = await metrics.render()

  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ head: expect.stringMatching(/^1:[0-9a-f]{64}$/) })
  expect(before).toContain('switchyard_audit_head_position 1\n')
  expect(before).toContain('switchyard_audit_sealing_refused 0\n')
  expect(after).toContain('switchyard_audit_head_position 1\n')
  expect(after).toContain('switchyard_audit_sealing_refused 1\n')
})
