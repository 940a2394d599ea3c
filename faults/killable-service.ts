import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { freePort, type Running, start, waitedMs } from '../lab/processes.ts'
import { type DataFolder, prepareDataFolder } from '../lab/product.ts'

const PROGRAM = fileURLToPath(new URL('../server/src/main.ts', import.meta.url))
/** As in bin/switchyard. Programs start hundreds of processes. */
const CACHE = fileURLToPath(new URL('../node_modules/.cache/switchyard', import.meta.url))
const START_DEADLINE_MS = 120_000
const DEATH_DEADLINE_MS = 60_000

export type KillableService = {
  readonly url: string
  readonly token: string
  /** A second process of the same service needs this folder. */
  readonly folder: DataFolder
  /** Starts the process, and resolves when it is ready. */
  readonly start: (variables?: Variables) => Promise<Start>
  /** Ends the process as a power failure would: it cannot finish anything. */
  readonly kill: () => Promise<void>
  /** Resolves when the process has ended. */
  readonly death: () => Promise<void>
  /** The process that runs now. */
  readonly running: () => Running
}

type Start = {
  readonly tookMs: number
  /** How much of that it waited for a CPU that other processes used. */
  readonly waitedMs: number
}

type Variables = Readonly<Record<string, string>>

type Options = {
  readonly databaseUrl: string
  readonly folder?: DataFolder
  /** Modules that are loaded before the program, to change what surrounds it. */
  readonly preload?: readonly string[]
  readonly env?: Variables
}

/** The real program, on a database that outlives it. It has the same address after each start. */
export async function killableService({
  databaseUrl,
  preload = [],
  env = {},
  ...options
}: Options): Promise<KillableService> {
  const folder = options.folder ?? (await prepareDataFolder())
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  let running: Running | undefined
  const current = () => {
    if (!running) throw new Error('the service was not started yet')
    return running
  }
  const death = async () => {
    const { child, stop, complaint } = current()
    const deadline = performance.now() + DEATH_DEADLINE_MS
    while (child.exitCode === null && child.signalCode === null) {
      if (performance.now() > deadline) throw new Error(`the process does not end: ${complaint()}`)
      await sleep(2)
    }
    await stop()
  }
  return {
    url,
    token: folder.token,
    folder,
    running: current,
    start: async (variables = {}) => {
      const begin = performance.now()
      running = start({
        command: process.execPath,
        args: [...preload.flatMap((file) => ['--import', file]), PROGRAM],
        env: {
          NODE_COMPILE_CACHE: CACHE,
          DATA_DIR: folder.path,
          DATABASE_URL: databaseUrl,
          PORT: String(port),
          LOG_LEVEL: 'error',
          ...env,
          ...variables,
        },
        hasChannel: preload.length > 0,
        isLogKept: true,
      })
      await waitUntilReady(running, url)
      return { tookMs: performance.now() - begin, waitedMs: waitedMs(running.pid) }
    },
    kill: async () => {
      if (!running) return
      running.child.kill('SIGKILL')
      await death()
    },
    death,
  }
}

async function waitUntilReady({ child, complaint }: Running, url: string): Promise<void> {
  const deadline = performance.now() + START_DEADLINE_MS
  while (child.exitCode === null && child.signalCode === null && performance.now() < deadline) {
    const ready = await fetch(`${url}/health/ready`).catch(() => undefined)
    await ready?.body?.cancel()
    if (ready?.ok) return
    await sleep(10)
  }
  throw new Error(`the service did not start: ${complaint()}`)
}
