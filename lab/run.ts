import { cleanUp } from './processes.ts'
import { progress, say } from './progress.ts'

let wasInterrupted = false

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

/** One of several parts of a program. If it fails, its processes end, and the other parts still run. */
export async function runAlone<Result>(
  name: string,
  work: (say: (text: string) => void) => Promise<Result>,
  failed: (reason: string) => Result,
): Promise<Result> {
  try {
    return await work((text) => progress(`${name}: ${text}`))
  } catch (error) {
    // After an interruption nothing needs an explanation.
    if (wasInterrupted) throw error
    const reason = error instanceof Error ? (error.stack ?? error.message) : String(error)
    say(`${name}: ${reason}`)
    return failed(reason.split('\n')[0] ?? '')
  } finally {
    progress('')
    if (!wasInterrupted) await cleanUp().catch((error: unknown) => say(`${name}: ${error}`))
  }
}

/** An option that does not exist needs no stack. */
function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const isUsage = 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS')
  return isUsage ? `${error.message}\n--help lists what there is.` : (error.stack ?? error.message)
}
