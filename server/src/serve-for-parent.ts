import { once } from 'node:events'
import { Siblings, taskFromParent, tellFailure, tellReady } from '#platform/process/siblings.ts'
import { admitPackages } from './admit-packages.ts'
import { explanationOf, terminalOf } from './cli/terminal.ts'
import { readConfig } from './config.ts'
import type { Task } from './start-workers.ts'

/** Runs one of the processes of a service. What is to be told to people, the parent says. */
export async function serveForParent(): Promise<void> {
  const told = new AbortController()
  const stop = () => told.abort(new Error('Stopped while starting.'))
  process.on('SIGTERM', stop)
  // Ctrl-C reaches all processes of a terminal. The parent decides who stops when.
  process.on('SIGINT', () => {})

  try {
    const { name, ...task } = await taskFromParent<Task>(stop)
    const config = { ...readConfig(terminalOf(process).env), ...task }
    await admitPackages(config)
    // Loaded only after the packages: the API that it puts together describes the options of all connectors.
    const { run } = await import('./start.ts')
    const service = await run(config, { say: () => {}, signal: told.signal, siblings: new Siblings(name) })
    tellReady()
    if (!told.signal.aborted) await once(told.signal, 'abort')
    await service.stop()
    process.exit(0)
  } catch (error) {
    await tellFailure(explanationOf(error))
    process.exit(1)
  }
}
