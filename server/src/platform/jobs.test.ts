import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { failTogether, type Job, startJobs } from './jobs.ts'
import { createMetrics } from './metrics.ts'

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
