import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { createMetrics } from '../observability/metrics.ts'
import { failTogether, type Job, startJobs } from './jobs.ts'

const start = (...jobs: Job<null>[]) =>
  startJobs(jobs, null, { logger: pino({ level: 'silent' }), metrics: createMetrics() })

test('a job that runs when the process stops is told so, and waited for', async () => {
  const begun = Promise.withResolvers<void>()
  const done: string[] = []
  const jobs = start({
    name: 'long',
    everyMs: 1,
    run: async (_services, stopping) => {
      begun.resolve()
      while (!stopping.aborted) await sleep(1)
      done.push('ended early')
    },
  })
  await begun.promise

  await jobs.stop()

  expect(done).toEqual(['ended early'])
})

test('the last work before the process ends is done completely', async () => {
  const runs: boolean[] = []
  const jobs = start({
    name: 'last',
    everyMs: 60_000,
    isRunAtStop: true,
    run: async (_services, { aborted }) => {
      runs.push(aborted)
    },
  })

  await jobs.stop()

  expect(runs).toEqual([false])
})

test('one failure is thrown as it is, several together', () => {
  const [first, second] = [new Error('first'), new Error('second')]

  expect(() => failTogether([])).not.toThrow()
  expect(() => failTogether([first])).toThrow(first)
  expect(() => failTogether([first, second])).toThrow(
    expect.objectContaining({ message: '2 things failed', errors: [first, second] }),
  )
})

test('while the database is away, jobs back off, and the log tells it once with the first of them', async () => {
  const lines: { readonly level: number; readonly msg: string }[] = []
  const logger = pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) })
  const counts = { away: 0, broken: 0 }
  const enough = Promise.withResolvers<void>()
  const fail = (name: keyof typeof counts, error: Error): Job<null> => ({
    name,
    everyMs: 1,
    run: async () => {
      counts[name] += 1
      if (counts.broken >= 40 && counts.away >= 3) enough.resolve()
      throw error
    },
  })
  const away = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
  const jobs = startJobs([fail('away', away), fail('broken', new Error('a defect'))], null, {
    logger,
    metrics: createMetrics(),
  })
  await enough.promise
  await jobs.stop()

  const told = (text: string) => lines.filter(({ msg }) => msg.startsWith(text))
  expect(told('a job failed: the database is away')).toHaveLength(1)
  expect(told('a job failed; it will be retried')).toHaveLength(counts.broken)
  expect(counts.away).toBeLessThan(counts.broken / 2)
})
