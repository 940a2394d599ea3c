import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { CHECKOUT, freePort, type Running, start, temporaryFolder, undoable } from '../../lab/processes.ts'
import { startTcpProxy, type TcpProxy } from '../tcp-proxy.ts'
import { ownerOfFiles, type Programs } from './programs.ts'

const ADDRESS = '127.0.0.1'
const GONE_DEADLINE_MS = 30_000

/** The addresses of one server, which the others have to know before any of them starts. */
export type Site = {
  readonly name: string
  readonly folder: string
  readonly postgresPort: number
  readonly restPort: number
  readonly etcdPort: number
  readonly etcdPeerPort: number
  /** The way of the services to its PostgreSQL. */
  readonly wire: TcpProxy
  /** The way of the standbys to its PostgreSQL. */
  readonly link: TcpProxy
}

/** A machine with an etcd member, Patroni and PostgreSQL. */
export type Node = Site & {
  readonly start: () => void
  /** Ends all its processes at once (`kill -9`), as a machine that crashes. */
  readonly kill: () => Promise<void>
  /** Stops all its processes where they are: its connections stay open, and it says nothing. */
  readonly hang: () => void
  /** The last that its Patroni said. */
  readonly complaint: () => string
}

export async function newSite(name: string): Promise<Site> {
  const { path } = temporaryFolder()
  execFileSync('chown', [ownerOfFiles(), path])
  const postgresPort = await freePort()
  const target = { host: ADDRESS, port: postgresPort }
  return {
    name,
    folder: path,
    postgresPort,
    restPort: await freePort(),
    etcdPort: await freePort(),
    etcdPeerPort: await freePort(),
    wire: await startTcpProxy(target),
    link: await startTcpProxy(target),
  }
}

type Passwords = Readonly<
  Record<'SUPERUSER_PASSWORD' | 'REPLICATION_PASSWORD' | 'REWIND_PASSWORD' | 'REST_PASSWORD', string>
>

/** Everything is in place, and nothing runs yet. */
export function newNode(programs: Programs, site: Site, all: readonly Site[], passwords: Passwords): Node {
  const { name, folder } = site
  const own = {
    NAME: name,
    ADDRESS,
    DATA_DIR: folder,
    ETCD_PORT: site.etcdPort,
    ETCD_PEER_PORT: site.etcdPeerPort,
    ETCD_MEMBERS: all.map((one) => `${one.name}=http://${ADDRESS}:${one.etcdPeerPort}`).join(','),
    ETCD_HOSTS: all.map((one) => `${ADDRESS}:${one.etcdPort}`).join(','),
    REST_PORT: site.restPort,
    POSTGRES_PORT: site.postgresPort,
    REPLICATION_ADDRESS: `${ADDRESS}:${site.link.port}`,
    BIN_DIR: programs.postgres,
    NETWORK: '127.0.0.1/32',
    ...passwords,
  }
  const etcdFile = fillIn('etcd.yaml', folder, own)
  const patroniFile = fillIn('patroni.yaml', folder, own)
  const run = (...given: string[]) => {
    const [command = '', ...args] = [...programs.as, ...given]
    return start({ command, args, cwd: '/', env: { HOME: folder, LC_ALL: 'C.UTF-8' }, isLogKept: true })
  }
  let running: Running[] = []
  const end = async () => {
    const pids = processesOf(running, folder)
    signal(pids, 'SIGKILL')
    for (const deadline = performance.now() + GONE_DEADLINE_MS; pids.some(isThere); await sleep(10)) {
      if (performance.now() > deadline) throw new Error(`the processes of ${name} do not end`)
    }
    for (const { stop } of running) await stop()
    running = []
  }
  // Only the programs' parents are known to the clean-up. PostgreSQL is not a child of Patroni.
  undoable(end)
  return {
    ...site,
    start: () => {
      running = [run(programs.etcd, '--config-file', etcdFile), run(programs.patroni, patroniFile)]
    },
    kill: end,
    hang: () => signal(processesOf(running, folder), 'SIGSTOP'),
    complaint: () => running.at(-1)?.complaint() ?? '',
  }
}

/** Patroni first: it would start PostgreSQL again. */
function processesOf(running: readonly Running[], folder: string): number[] {
  const own = running.map(({ pid }) => pid).reverse()
  const server = serverIn(join(folder, 'postgres'))
  return [...own, ...own.flatMap(below), ...(server === undefined ? [] : [server, ...below(server)])]
}

/** The number in the file may belong to another process by now. */
function serverIn(folder: string): number | undefined {
  const file = join(folder, 'postmaster.pid')
  if (!existsSync(file)) return undefined
  const pid = Number(readFileSync(file, 'utf8').split('\n')[0])
  return pid > 0 && argumentsOf(pid).includes(folder) ? pid : undefined
}

function argumentsOf(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
  } catch {
    return []
  }
}

function below(pid: number): number[] {
  try {
    const listed = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim()
    const children = listed.split(' ').filter(Boolean).map(Number)
    return [...children, ...children.flatMap(below)]
  } catch {
    return []
  }
}

function signal(pids: readonly number[], name: 'SIGKILL' | 'SIGSTOP'): void {
  for (const pid of pids) {
    try {
      process.kill(pid, name)
    } catch {
      // It has already ended.
    }
  }
}

/** A dead process whose parent has not asked for it yet is gone, too. */
function isThere(pid: number): boolean {
  try {
    return !/^\d+ \(.*\) Z/s.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}

type Values = Readonly<Record<string, string | number>>

/** Fills in a file of `deploy/high-availability`, as `envsubst` does for operators: the trial tries what they run. */
export function fillIn(
  name: 'etcd.yaml' | 'patroni.yaml' | 'haproxy.cfg',
  folder: string,
  values: Values,
): string {
  const template = readFileSync(join(CHECKOUT, 'deploy/high-availability', name), 'utf8')
  const text = template.replaceAll(/\$\{([A-Z0-9_]+)\}/g, (_, key: string) => {
    const value = values[key]
    if (value === undefined) throw new Error(`${name} wants a ${key}, which the trial does not give`)
    return String(value)
  })
  const file = join(folder, name)
  writeFileSync(file, text, { mode: 0o644 })
  return file
}
