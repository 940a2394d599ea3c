import cluster from 'node:cluster'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Logger } from '#platform/observability/log.ts'
import { ProcessGroup } from '#platform/process/process-group.ts'
import type { ChildTask } from './group-child.ts'

/** The parent of a group, for tests of what it does when processes end. Prints what became of the group. */
const [, , scenario, file = ''] = process.argv
const ends: string[] = []
const logger = { error: ({ how }: { how: string }) => void ends.push(how) }
const group = new ProcessGroup({
  program: fileURLToPath(new URL('./group-child.ts', import.meta.url)),
  logger: logger as unknown as Logger,
  answer: async () => '',
})
const place = (name: string, task: ChildTask) => ({ name, task })

if (scenario === 'dies-while-others-start') {
  await group.start([
    place('one', { readyAfterMs: 0, diesOnce: file }),
    place('two', { readyAfterMs: 1_000 }),
  ])
  await until(() => group.running === 2)
}
if (scenario === 'no-room') {
  await group.start([place('one', { readyAfterMs: 0 })])
  const { execPath } = process
  process.execPath = '/nowhere/node'
  for (const worker of Object.values(cluster.workers ?? {})) worker?.process.kill('SIGKILL')
  await until(() => ends.length >= 3)
  process.execPath = execPath
  await until(() => group.running === 1)
}
process.stdout.write(JSON.stringify({ running: group.running, restarts: group.restarts, ends }))
await group.stop()

async function until(isSo: () => boolean): Promise<void> {
  const deadline = performance.now() + 20_000
  while (!isSo() && performance.now() < deadline) await sleep(20)
}
