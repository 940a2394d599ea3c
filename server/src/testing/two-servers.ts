import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { type Cluster, prepareCluster } from '#platform/database/embedded-postgres-files.ts'
import { guardedFolder, guardProcess } from './guard.ts'
import { removeDataFolder } from './remove-data-folder.ts'

const USER = 'switchyard'
const DATABASE = 'payments'

/** A PostgreSQL of a pair, at an address of its own. */
type TestServer = {
  readonly port: number
  readonly url: string
  /** With these settings instead of those of a test. */
  readonly start: (settings?: Readonly<Record<string, string>>) => Promise<void>
  /** In order: its files are whole afterwards. */
  readonly stop: () => Promise<void>
  /** As a machine that loses its power: no connection is closed in order. */
  readonly kill: () => Promise<void>
  /** Like a machine that hangs: it still accepts connections, but no process of it answers. */
  readonly freeze: (backends: readonly number[]) => () => void
  readonly query: (text: string) => Promise<pg.QueryResult['rows']>
}

export type TwoServers = {
  readonly primary: TestServer
  readonly standby: TestServer
  /** Both addresses, the standby's first. */
  readonly url: string
  readonly close: () => Promise<void>
}

/** A primary, and a standby that has every commit before the client hears of it. */
export async function startTwoServers(): Promise<TwoServers> {
  const folders = [guardedFolder(), guardedFolder()] as const
  const cluster = await prepareCluster(folders[0], () => {})
  const [first = 0, second = 0] = [await freePort(), await freePort()]
  const primary = server(cluster, first)
  await primary.start()
  await query(first, 'postgres', `create database ${DATABASE}`)
  await primary.stop()
  const other = await prepareCluster(folders[1], () => {})
  makeStandby(other, cluster, first)
  const standby = server(other, second)
  await primary.start()
  await standby.start()
  await primary.query("alter system set synchronous_standby_names = '*'")
  await primary.query('select pg_reload_conf()')
  await until(async () =>
    (await primary.query("select from pg_stat_replication where sync_state = 'sync'")).at(0),
  )
  return {
    primary,
    standby,
    url: `postgres://${USER}@127.0.0.1:${second},127.0.0.1:${first}/${DATABASE}`,
    close: async () => {
      await primary.kill()
      await standby.kill()
      folders.forEach(removeDataFolder)
    },
  }
}

function server(cluster: Cluster, port: number): TestServer {
  let child: ChildProcess | undefined
  let forget = () => {}
  return {
    port,
    url: `postgres://${USER}@127.0.0.1:${port}/${DATABASE}`,
    start: async (settings = {}) => {
      child = run(cluster, { port: String(port), ...settings })
      forget = guardProcess(child.pid ?? 0)
      await until(() => query(port, 'postgres', 'select'))
    },
    stop: async () => {
      if (!child) return
      const ended = once(child, 'exit')
      child.kill('SIGINT')
      await ended
      forget()
    },
    kill: async () => {
      if (!child || child.exitCode !== null || child.signalCode !== null) return
      const ended = once(child, 'exit')
      const others = childrenOf(child.pid ?? 0)
      child.kill('SIGKILL')
      await ended
      forget()
      // They notice the death of their parent by themselves. Until then no server can start on the same files.
      await until(async () => others.every((pid) => !existsSync(`/proc/${pid}`)) || undefined)
    },
    freeze: (backends) => {
      const pids = [child?.pid ?? 0, ...backends]
      for (const pid of pids) process.kill(pid, 'SIGSTOP')
      return () => {
        for (const pid of pids) process.kill(pid, 'SIGCONT')
      }
    },
    query: (text) => query(port, DATABASE, text),
  }
}

function run({ folder, binaries, user }: Cluster, settings: Readonly<Record<string, string>>): ChildProcess {
  const all = { listen_addresses: '127.0.0.1', unix_socket_directories: '', fsync: 'off', ...settings }
  const flags = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  return spawn(join(binaries, 'bin/postgres'), ['-D', folder, ...flags], {
    ...user,
    cwd: '/',
    stdio: 'ignore',
    env: { LC_ALL: 'C', PATH: '/usr/bin:/bin' },
  })
}

/** The binaries have no `pg_basebackup`; the files of a server that does not run are as good. */
function makeStandby({ folder, user }: Cluster, primary: Cluster, port: number): void {
  for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true })
  execFileSync('cp', ['-a', `${primary.folder}/.`, folder])
  const conninfo = `host=127.0.0.1 port=${port} user=${USER} application_name=standby`
  appendFileSync(join(folder, 'postgresql.conf'), `\nprimary_conninfo = '${conninfo}'\n`)
  writeFileSync(join(folder, 'standby.signal'), '')
  if (user) execFileSync('chown', [`${user.uid}:${user.gid}`, join(folder, 'standby.signal')])
}

async function query(port: number, database: string, text: string): Promise<pg.QueryResult['rows']> {
  const client = new pg.Client({ host: '127.0.0.1', port, user: USER, database })
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

/** What `look` gives once it neither fails nor finds nothing. */
async function until<Found>(look: () => Promise<Found>): Promise<Found> {
  const deadline = performance.now() + 60_000
  for (;;) {
    const found = await look().catch((error: unknown) => {
      if (performance.now() > deadline) throw error
    })
    if (found !== undefined) return found
    await sleep(20)
  }
}

function childrenOf(pid: number): number[] {
  const listed = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
  return listed.trim().split(' ').map(Number)
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const address = probe.address()
  probe.close()
  await once(probe, 'close')
  if (address === null || typeof address === 'string') throw new Error('there is no free port')
  return address.port
}
