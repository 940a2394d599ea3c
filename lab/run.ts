import { cleanUp } from './processes.ts'
import { say } from './progress.ts'

let wasInterrupted = false

/** Whether the run was told to stop: failures after that need no explanation. */
export function isInterrupted(): boolean {
  return wasInterrupted
}

/** Runs a program, and cleans up everything that it started, however it ends. */
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
    if (!wasInterrupted) say(explain(error))
    process.exitCode = 1
  } finally {
    await cleanUp()
  }
  // Node's own cleanup has been seen to spin for ever on a connection that a program had broken.
  process.exit()
}

/** An option that does not exist needs no stack. */
function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const isUsage = 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS')
  return isUsage ? `${error.message}\n--help lists what there is.` : (error.stack ?? error.message)
}
