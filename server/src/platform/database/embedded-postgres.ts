import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, existsSync, openSync, readFileSync, renameSync, statSync } from 'node:fs'
import { totalmem } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { type Cluster, locateCluster, prepareCluster } from './embedded-postgres-files.ts'
import type { Connection } from './open-database.ts'

const DATABASE = 'switchyard'
const USER = 'switchyard'
/**
 * Held by the one process that owns the folder. It ends with that process's connection, however the process
 * dies.
 */
const OWNER_LOCK = 7_317_001
const START_DEADLINE_MS = 30_000
const STOP_DEADLINE_MS = 10_000
const RESTART_PAUSE_MS = 500
const LOG_BYTES_MAX = 10 * 1024 * 1024
/** The database's cache: an eighth of the machine's memory, within these limits. */
const CACHE_MB_MIN = 128
const CACHE_MB_MAX = 1_024

export type EmbeddedPostgres = { readonly connection: Connection; readonly stop: () => Promise<void> }

type Options = {
  readonly dataDir: string
  /** Tells the operator what takes time. */
  readonly say: (text: string) => void
  readonly onTrouble?: (text: string) => void
  /** Replaces settings of the server, where its data need not outlive it. */
  readonly settings?: Readonly<Record<string, string>>
}

/** Another process already runs on the same data folder. */
class FolderInUseError extends Error {
  constructor(dataDir: string, owner: string) {
    super(
      `The data folder ${dataDir} is in use by another Switchyard${owner}. ` +
        'Stop that one first, or set DATA_DIR to another folder.',
    )
    this.name = 'FolderInUseError'
  }
}

/** Starts PostgreSQL as the owner of the folder. Stops a server that a killed owner left running. */
export async function ownEmbeddedPostgres(options: Options): Promise<EmbeddedPostgres> {
  const cluster = await prepareCluster(options.dataDir, options.say)
  const server = new Supervisor(cluster, options)
  await server.start()
  return { connection: connectionTo(cluster), stop: () => server.stop() }
}

/** For short commands: uses the running server, or starts one for as long as the command needs it. */
export async function joinEmbeddedPostgres(options: Options): Promise<EmbeddedPostgres> {
  const cluster = locateCluster(options.dataDir)
  const client = cluster && (await tryConnect(cluster, DATABASE))
  if (!client) return ownEmbeddedPostgres(options)
  await client.end()
  return { connection: connectionTo(cluster), stop: async () => {} }
}

/** For a process whose parent runs the server. It never starts one itself. */
export function reachEmbeddedPostgres(dataDir: string): EmbeddedPostgres {
  const cluster = locateCluster(dataDir)
  if (!cluster) throw new Error(`There is no database in the data folder ${dataDir}.`)
  return { connection: connectionTo(cluster), stop: async () => {} }
}

function connectionTo(cluster: Cluster): Connection {
  return { host: cluster.socketDir, user: USER, database: DATABASE }
}

class Supervisor {
  readonly #cluster: Cluster
  readonly #options: Options
  #child: ChildProcess | undefined
  #lock: pg.Client | undefined
  #stopping = false
  #logStart = 0

  constructor(cluster: Cluster, options: Options) {
    this.#cluster = cluster
    this.#options = options
  }

  async start(): Promise<void> {
    await this.#stopAbandonedServer()
    setAsideLargeLog(this.#cluster.logFile)
    this.#logStart = statSync(this.#cluster.logFile, { throwIfNoEntry: false })?.size ?? 0
    const child = spawnServer(this.#cluster, this.#options.settings)
    this.#child = child
    try {
      const client = await this.#waitUntilReady(child)
      await this.#takeOwnership(client)
    } catch (error) {
      await endServer(child)
      throw error
    }
    child.once('exit', () => void this.#restartAfterCrash())
  }

  async stop(): Promise<void> {
    this.#stopping = true
    await this.#lock?.end().catch(() => {})
    if (this.#child) await endServer(this.#child)
  }

  async #stopAbandonedServer(): Promise<void> {
    const client = await tryConnect(this.#cluster, 'postgres')
    if (!client) return
    const isAbandoned = await tryLock(client)
    const owner = isAbandoned ? '' : await describeOwner(client)
    await client.end()
    if (!isAbandoned) throw new FolderInUseError(this.#options.dataDir, owner)

    this.#options.say('A database server was left running by a process that was killed; stopping it …')
    const pid = serverPid(this.#cluster)
    if (pid !== undefined) await endProcess(pid)
  }

  async #waitUntilReady(child: ChildProcess): Promise<pg.Client> {
    const deadline = performance.now() + START_DEADLINE_MS
    while (performance.now() < deadline) {
      const client = await tryConnect(this.#cluster, 'postgres')
      if (client) return client
      if (child.exitCode !== null || child.signalCode !== null) throw this.#startFailure()
      await sleep(15)
    }
    throw this.#startFailure()
  }

  #startFailure(): Error {
    const written = readFileSync(this.#cluster.logFile).subarray(this.#logStart).toString()
    const log = written.trim().split('\n').slice(-8).join('\n')
    if (/lock file .* already exists/.test(log)) {
      return new FolderInUseError(this.#options.dataDir, ` (database process ${serverPid(this.#cluster)})`)
    }
    return new Error(`The embedded database did not start. The end of ${this.#cluster.logFile}:\n${log}`)
  }

  async #takeOwnership(client: pg.Client): Promise<void> {
    if (!(await tryLock(client)))
      throw new FolderInUseError(this.#options.dataDir, await describeOwner(client))
    client.on('error', () => {})
    this.#lock = client
    const found = await client.query('select 1 from pg_database where datname = $1', [DATABASE])
    if (found.rowCount === 0) await client.query(`create database ${DATABASE}`)
  }

  async #restartAfterCrash(): Promise<void> {
    while (!this.#stopping) {
      this.#options.onTrouble?.('the embedded database stopped unexpectedly; starting it again')
      await this.#lock?.end().catch(() => {})
      await sleep(RESTART_PAUSE_MS)
      try {
        await this.start()
        // A stop during the start has ended only the previous server.
        return this.#stopping ? await this.stop() : undefined
      } catch (error) {
        this.#options.onTrouble?.(error instanceof Error ? error.message : String(error))
      }
    }
  }
}

function spawnServer(cluster: Cluster, others: Options['settings'] = {}): ChildProcess {
  const log = openSync(cluster.logFile, 'a', 0o600)
  const settings = {
    listen_addresses: '',
    unix_socket_directories: cluster.socketDir,
    unix_socket_permissions: '0700',
    max_connections: '200',
    // PostgreSQL takes this memory page by page, as needed.
    shared_buffers: `${cacheMegabytes()}MB`,
    fsync: 'on',
    synchronous_commit: 'on',
    timezone: 'UTC',
    log_timezone: 'UTC',
    log_min_messages: 'warning',
    // The parser's message about a failed statement could repeat values from it.
    log_min_error_statement: 'panic',
    log_statement: 'none',
    log_parameter_max_length: '0',
    log_parameter_max_length_on_error: '0',
    ...others,
  }
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const child = spawn(join(cluster.binaries, 'bin/postgres'), ['-D', cluster.folder, ...flags], {
    ...cluster.user,
    cwd: '/',
    // Its own process group: Ctrl-C must reach us first, so that open requests can finish.
    detached: true,
    stdio: ['ignore', log, log],
    env: { LC_ALL: 'C', PATH: '/usr/bin:/bin' },
  })
  closeSync(log)
  child.on('error', () => {})
  child.unref()
  return child
}

/** A container may have less memory than its machine. */
function cacheMegabytes(): number {
  const bytes = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY)
  return Math.min(Math.max(Math.floor(bytes / 8 / 1024 / 1024), CACHE_MB_MIN), CACHE_MB_MAX)
}

/** Keeps one former log, so that a database that complains for years does not fill the disk. */
function setAsideLargeLog(file: string): void {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0
  if (size > LOG_BYTES_MAX) renameSync(file, `${file}.1`)
}

async function endServer(child: ChildProcess): Promise<void> {
  if (child.pid !== undefined && child.exitCode === null && child.signalCode === null)
    await endProcess(child.pid)
}

/**
 * SIGINT asks PostgreSQL for a fast shutdown: it disconnects clients, and everything committed is on disk.
 */
export async function endProcess(pid: number): Promise<void> {
  for (const name of ['SIGINT', 'SIGQUIT'] as const) {
    const deadline = performance.now() + STOP_DEADLINE_MS
    signal(pid, name)
    while (performance.now() < deadline) {
      if (!isRunning(pid)) return
      await sleep(15)
    }
  }
  throw new Error(`The database process ${pid} does not stop. End it by hand and start again.`)
}

/**
 * In a container whose first process does not reap orphans, an ended process stays in the table as a zombie.
 */
function isRunning(pid: number): boolean {
  if (!signal(pid, 0)) return false
  try {
    return !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    // It ended between the two checks, or this system has no such file.
    return signal(pid, 0)
  }
}

function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, name)
  } catch {
    return false
  }
}

async function tryConnect(cluster: Cluster, database: string): Promise<pg.Client | undefined> {
  if (!existsSync(join(cluster.socketDir, '.s.PGSQL.5432'))) return undefined
  const client = new pg.Client({
    host: cluster.socketDir,
    user: USER,
    database,
    application_name: `switchyard ${process.pid}`,
    connectionTimeoutMillis: 5_000,
  })
  client.on('error', () => {})
  try {
    await client.connect()
    return client
  } catch {
    return undefined
  }
}

async function tryLock(client: pg.Client): Promise<boolean> {
  const answer = await client.query('select pg_try_advisory_lock($1) as taken', [OWNER_LOCK])
  return answer.rows[0]?.taken === true
}

async function describeOwner(client: pg.Client): Promise<string> {
  const answer = await client.query(
    `select application_name from pg_locks join pg_stat_activity using (pid)
     where locktype = 'advisory' and objid = $1 and granted`,
    [OWNER_LOCK],
  )
  const pid = /^switchyard (\d+)$/.exec(answer.rows[0]?.application_name ?? '')?.[1]
  return pid ? ` (process ${pid})` : ''
}

function serverPid(cluster: Cluster): number | undefined {
  const file = join(cluster.folder, 'postmaster.pid')
  if (!existsSync(file)) return undefined
  return Number(readFileSync(file, 'utf8').split('\n')[0]) || undefined
}
