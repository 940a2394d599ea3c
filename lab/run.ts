import { cleanUp } from './processes.ts'
import { say } from './progress.ts'

let wasInterrupted = false

/** Whether the run was told to stop: what fails then needs no explanation. */
export function isInterrupted(): boolean {
  return wasInterrupted
}

/** Runs a program from start to end. However it ends, nothing that it started stays behind. */
export async function runProgram(main: () => Promise<number>): Promise<void> {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      wasInterrupted = true
      void cleanUp().finally(() => process.exit(1))
    })
  }
  try {
    process.exitCode = await main()
  } catch (error) {
    if (!wasInterrupted) say(error instanceof Error ? (error.stack ?? error.message) : String(error))
    process.exitCode = 1
  } finally {
    await cleanUp()
  }
}
