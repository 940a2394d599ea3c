import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { freePort, start, temporaryFolder } from '../../lab/processes.ts'
import { fillIn, type Node, newNode, newSite } from './node.ts'
import type { Programs } from './programs.ts'

const NAMES = ['db-1', 'db-2', 'db-3']
const DATABASE = 'payments'
const USER = 'switchyard'
const DEADLINE_MS = 120_000
const LOOK_MS = 100
const LOOK_DEADLINE_MS = 3_000

type Member = {
  readonly name: string
  readonly role: string
  readonly state: string
  readonly timeline?: number
  readonly lag?: number | string
}

/** Three PostgreSQL servers of which Patroni makes one the primary. */
export type Cluster = {
  readonly nodes: readonly Node[]
  /** For `DATABASE_URL`: all addresses of the cluster, or that of a proxy in front of it. */
  readonly url: (kind: 'direct' | 'proxy') => Promise<string>
  /** For looking on. It leads to the server that is primary now. */
  readonly urlOfPrimary: () => Promise<string>
  readonly primary: () => Promise<Node>
  readonly standby: () => Promise<Node>
  /** Resolves when all three run, and a standby has each commit before the client hears of it. */
  readonly whole: () => Promise<void>
  /** Resolves when another server is primary. */
  readonly promotedBeside: (former: Node) => Promise<void>
  /** As an operator does before work on the primary's machine. */
  readonly switchOver: () => Promise<void>
  /** Commits no longer wait for a standby. */
  readonly replicateLater: () => Promise<void>
}

export async function startCluster(programs: Programs): Promise<Cluster> {
  const passwords = {
    SUPERUSER_PASSWORD: newPassword(),
    REPLICATION_PASSWORD: newPassword(),
    REWIND_PASSWORD: newPassword(),
    REST_PASSWORD: newPassword(),
  }
  const sites = await Promise.all(NAMES.map(newSite))
  const nodes = sites.map((site) => newNode(programs, site, sites, passwords))
  for (const node of nodes) node.start()
  let isSynchronous = true
  const members = () => readMembers(nodes)
  const named = async (isIt: (member: Member) => boolean) => {
    const found = (await members()).find(isIt)
    return nodes.find(({ name }) => name === found?.name)
  }
  const until = (what: string, isSo: () => Promise<boolean>) => waitUntil(nodes, what, isSo)
  const whole = () =>
    until('three servers that follow each other', async () => isWhole(await members(), isSynchronous))
  await whole()
  const password = newPassword()
  const primary = async () => required(await named(isLeader), 'primary')
  await createDatabase((await primary()).postgresPort, passwords.SUPERUSER_PASSWORD, password)
  const login = `postgresql://${USER}:${password}@`
  return {
    nodes,
    whole,
    primary,
    standby: async () => required(await named(({ role }) => role === 'sync_standby'), 'synchronous standby'),
    promotedBeside: (former) =>
      until(`a primary other than ${former.name}`, async () => {
        const found = await named(isLeader)
        return found !== undefined && found !== former
      }),
    switchOver: async () => {
      const { name, restPort } = await primary()
      const stranger = await send(restPort, 'POST /switchover', { leader: name })
      if (stranger.status !== 401) throw new Error(`Patroni takes orders of strangers: ${stranger.status}`)
      await order({ restPort, ...passwords }, 'POST /switchover', { leader: name })
    },
    replicateLater: async () => {
      isSynchronous = false
      const { restPort } = await primary()
      await order({ restPort, ...passwords }, 'PATCH /config', { synchronous_mode: false })
      await until('asynchronous replication', async () =>
        (await members()).every(({ role }) => role !== 'sync_standby'),
      )
    },
    urlOfPrimary: async () => `${login}127.0.0.1:${(await primary()).postgresPort}/${DATABASE}`,
    url: async (kind) => {
      const ways =
        kind === 'direct'
          ? nodes.map(({ wire }) => `127.0.0.1:${wire.port}`)
          : [`127.0.0.1:${await startHaproxy(programs, nodes)}`]
      return `${login}${ways.join(',')}/${DATABASE}`
    },
  }
}

async function startHaproxy({ haproxy }: Programs, nodes: readonly Node[]): Promise<number> {
  const port = await freePort()
  const servers = nodes.flatMap(({ name, wire, restPort }) => {
    const key = name.toUpperCase().replace('-', '_')
    return [
      [`${key}_ADDRESS`, `127.0.0.1:${wire.port}`],
      [`${key}_REST_PORT`, restPort],
    ]
  })
  const { path } = temporaryFolder()
  const values = { PROXY_ADDRESS: `127.0.0.1:${port}`, ...Object.fromEntries(servers) }
  const file = fillIn('haproxy.cfg', path, values)
  start({ command: haproxy, args: ['-db', '-f', file], cwd: '/', isLogKept: true })
  return port
}

async function createDatabase(port: number, superuserPassword: string, password: string): Promise<void> {
  const client = new pg.Client({
    host: '127.0.0.1',
    port,
    user: 'postgres',
    password: superuserPassword,
    database: 'postgres',
  })
  await client.connect()
  await client.query(`create role ${USER} login password '${password}'`)
  await client.query(`create database ${DATABASE} owner ${USER}`)
  await client.end()
}

type Ordered = { readonly restPort: number; readonly REST_PASSWORD: string }

function send(restPort: number, route: string, body: object, headers: Record<string, string> = {}) {
  const [method = '', path = ''] = route.split(' ')
  return fetch(`http://127.0.0.1:${restPort}${path}`, { method, headers, body: JSON.stringify(body) })
}

async function order({ restPort, REST_PASSWORD }: Ordered, route: string, body: object): Promise<void> {
  const authorization = `Basic ${Buffer.from(`patroni:${REST_PASSWORD}`).toString('base64')}`
  const answer = await send(restPort, route, body, { authorization })
  if (!answer.ok) throw new Error(`Patroni refuses ${route}: ${await answer.text()}`)
}

/** As the first server that answers sees them. */
async function readMembers(nodes: readonly Node[]): Promise<readonly Member[]> {
  const answers = nodes.map(async ({ restPort }) => {
    const signal = AbortSignal.timeout(LOOK_DEADLINE_MS)
    const answer = await fetch(`http://127.0.0.1:${restPort}/cluster`, { signal })
    return ((await answer.json()) as { readonly members: readonly Member[] }).members
  })
  return Promise.any(answers).catch(() => [])
}

function isLeader({ role, state }: Member): boolean {
  return role === 'leader' && state === 'running'
}

function isWhole(members: readonly Member[], isSynchronous: boolean): boolean {
  const leader = members.find(isLeader)
  const others = members.filter((one) => one !== leader)
  const isFollowing = ({ state, timeline, lag }: Member) =>
    ['running', 'streaming'].includes(state) && timeline === leader?.timeline && typeof lag === 'number'
  return (
    leader !== undefined &&
    others.length === NAMES.length - 1 &&
    others.every(isFollowing) &&
    (!isSynchronous || others.some(({ role }) => role === 'sync_standby'))
  )
}

async function waitUntil(nodes: readonly Node[], what: string, isSo: () => Promise<boolean>): Promise<void> {
  for (const deadline = performance.now() + DEADLINE_MS; !(await isSo()); await sleep(LOOK_MS)) {
    if (performance.now() < deadline) continue
    const said = nodes.map(({ name, complaint }) => `${name}: ${complaint().slice(-800)}`)
    throw new Error(`${what}: not after ${DEADLINE_MS / 1_000} s\n${said.join('\n')}`)
  }
}

function required<Value>(value: Value | undefined, what: string): Value {
  if (value === undefined) throw new Error(`the cluster has no ${what}`)
  return value
}

function newPassword(): string {
  return randomBytes(16).toString('hex')
}
