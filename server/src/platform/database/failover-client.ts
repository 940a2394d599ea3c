import pg from 'pg'
import { urlsOf } from './addresses.ts'
import { errorCode, READ_ONLY } from './database-errors.ts'

/** A server that answers within this time is alive. */
export const PROBE_MS = 2_000
/** How long the other servers have to answer once one is known to be writable. */
const OTHERS_MS = 300

type Host = { readonly host: string; readonly port: number }

/** A connection from which is read. */
type Reader = Host & { readonly end: () => void }

/** What names one server: everything of a connection but who is asked. */
type Login = pg.ClientConfig

/**
 * The addresses of one database, of which one server at a time takes writes. The driver knows a single address, so this
 * finds the writable server, as `target_session_attrs=read-write` of libpq does.
 */
export class Hosts {
  readonly #all: readonly Host[]
  readonly #isForReading: boolean
  #current: Host | undefined
  #search: Promise<Host> | undefined
  /** The highest timeline that a writable server had. Each promotion begins a new one. */
  #timeline = 0
  /** Of the servers that are read from: which cluster it is, the one that was chosen last, and who reads there. */
  #cluster: string | undefined
  #chosen: Host | undefined
  readonly #readers = new Set<Reader>()

  /** `isForReading`: a standby is wanted, so that the writable server has less to do. */
  constructor(all: readonly Host[], isForReading = false) {
    this.#all = all
    this.#isForReading = isForReading
  }

  /** The wanted server: the one that was found last, until it is given up. */
  find(login: Login): Promise<Host> {
    if (this.#current) return Promise.resolve(this.#current)
    this.#search ??= (this.#isForReading ? this.#askForStandby(login) : this.#ask(login)).finally(() => {
      this.#search = undefined
    })
    return this.#search
  }

  /** A connection to the server broke, or it takes no writes any more: all are asked before the next connection. */
  giveUp({ host, port }: Host): void {
    if (this.#current?.host === host && this.#current.port === port) this.#current = undefined
  }

  /** Tells a reader when another server takes the place of its own: how far behind they are is known of one server alone. */
  watch(reader: Reader): void {
    if (this.#isForReading) this.#readers.add(reader)
  }

  forget(reader: Reader): void {
    this.#readers.delete(reader)
  }

  /** Ends all reading, so that a server is looked for again. */
  leave(): void {
    this.#cluster = undefined
    this.#chosen = undefined
    this.#current = undefined
    for (const reader of this.#readers) reader.end()
  }

  /** The standby that was chosen before, if it answers; otherwise the one that has replayed most. */
  async #askForStandby(login: Login): Promise<Host> {
    const chosen = this.#chosen
    const { host, cluster } = await (chosen
      ? standbyAt(login, chosen, this.#cluster).catch(() => this.#furthestStandby(login))
      : this.#furthestStandby(login))
    this.#cluster ??= cluster
    this.#chosen = host
    this.#current = host
    for (const reader of this.#readers) {
      if (reader.host !== host.host || reader.port !== host.port) reader.end()
    }
    return host
  }

  async #furthestStandby(login: Login): Promise<Standby> {
    const found = await this.#answersOf((host) => standbyAt(login, host, this.#cluster))
    return found.reduce((best, one) => (one.position > best.position ? one : best))
  }

  async #ask(login: Login): Promise<Host> {
    const found = await this.#answersOf(async (host) => ({
      host,
      timeline: await writableTimeline(login, host),
    }))
    const [newest] = found.sort((a, b) => b.timeline - a.timeline)
    // A former primary that comes back would accept writes, and lose them.
    if (!newest || newest.timeline < this.#timeline) throw readOnly('the writable server was replaced before')
    this.#timeline = newest.timeline
    this.#current = newest.host
    return newest.host
  }

  /** Of the servers that answer in time: the first one, and those that are hardly slower. Without any, their errors say why. */
  async #answersOf<Answer>(ask: (host: Host) => Promise<Answer>): Promise<Answer[]> {
    const answers = this.#all.map(ask)
    await Promise.any(answers).catch(({ errors }: AggregateError) => {
      const each = this.#all.map(({ host, port }, at) => `${host}:${port}: ${reasonOf(errors[at])}`)
      throw new AggregateError(errors, `no server of the database can be used (${each.join('; ')})`)
    })
    const known = await Promise.all(answers.map((answer) => within(OTHERS_MS, answer)))
    return known.filter((one) => one !== undefined)
  }
}

function reasonOf(error: unknown): string {
  const { message, cause } = error instanceof Error ? error : new Error(String(error))
  return cause instanceof Error ? `${message}: ${cause.message}` : message
}

/** Whether a server answers at all. A slow statement does not keep it from this; a machine without power does. */
export async function isAlive(login: Login, host: Host): Promise<boolean> {
  const client = probe(login, host)
  try {
    await client.connect()
    await client.query('select 1')
    return true
  } catch {
    return false
  } finally {
    client.connection.stream.destroy()
  }
}

type Standby = { readonly host: Host; readonly cluster: string | undefined; readonly position: bigint }

/** Fails if the server takes writes, or is of another cluster than that one. */
function standbyAt(login: Login, host: Host, cluster: string | undefined): Promise<Standby> {
  return askServer(login, host, async (client, isReadOnly) => {
    if (!isReadOnly) throw away(`${host.host}:${host.port} is no standby`)
    const { rows } = await client.query<{ id: string; position: string | null }>(CLUSTER)
    const [found] = rows
    if (cluster !== undefined && found?.id !== cluster)
      throw away(`${host.host}:${host.port} is of another cluster`)
    return { host, cluster: found?.id, position: BigInt(found?.position ?? 0) }
  })
}

const CLUSTER = `select system_identifier::text as id, pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0')::text as position
  from pg_control_system()`

/** As if the server had ended the connection. */
function away(message: string): Error {
  return Object.assign(new Error(message), { code: 'ECONNRESET' })
}

/** Fails if the server takes no writes. */
function writableTimeline(login: Login, host: Host): Promise<number> {
  return askServer(login, host, (client, isReadOnly) => {
    if (isReadOnly) throw readOnly(`${host.host}:${host.port} is read-only`)
    return timelineOf(client)
  })
}

async function askServer<Answer>(
  login: Login,
  host: Host,
  ask: (client: pg.Client, isReadOnly: boolean) => Promise<Answer>,
): Promise<Answer> {
  const client = probe(login, host)
  const isReadOnly = watchReadOnly(client)
  try {
    await client.connect()
    return await ask(client, isReadOnly())
  } catch (error) {
    // The driver gives no code to a time that has run out.
    throw errorCode(error)
      ? error
      : Object.assign(new Error('no answer', { cause: error }), { code: 'ETIMEDOUT' })
  } finally {
    client.connection.stream.destroy()
  }
}

/** The timeline is the first part of the name of a log file. Databases that only speak like PostgreSQL have none. */
async function timelineOf(client: pg.Client): Promise<number> {
  const name = 'select pg_walfile_name(pg_current_wal_lsn()) as name'
  const { rows } = await client.query<{ name: string }>(name).catch(() => ({ rows: [] }))
  return Number.parseInt(rows[0]?.name.slice(0, 8) ?? '0', 16)
}

function probe(login: Login, { host, port }: Host): pg.Client & Inner {
  const client = new pg.Client({ ...login, connectionTimeoutMillis: PROBE_MS, query_timeout: PROBE_MS })
  client.on('error', () => {})
  return Object.assign(client, { host, port }) as pg.Client & Inner
}

/** The driver's connection, which it does not show. */
type Inner = {
  readonly connection: NodeJS.EventEmitter & {
    readonly stream: { readonly destroy: (error?: Error) => void }
  }
}

/** To be called before the client connects: the server tells while it connects whether it takes writes. */
function watchReadOnly(client: pg.Client): () => boolean {
  const settings = new Map<string, string>()
  const { connection } = client as pg.Client & Inner
  connection.on('parameterStatus', ({ parameterName, parameterValue }: Setting) =>
    settings.set(parameterName, parameterValue),
  )
  return () => READ_ONLY_SETTINGS.some((name) => settings.get(name) === 'on')
}

type Setting = { readonly parameterName: string; readonly parameterValue: string }
const READ_ONLY_SETTINGS = ['in_hot_standby', 'default_transaction_read_only']

function readOnly(message: string): Error {
  return Object.assign(new Error(message), { code: READ_ONLY })
}

async function within<Value>(ms: number, answer: Promise<Value>): Promise<Value | undefined> {
  const timer = Promise.withResolvers<undefined>()
  const timeout = setTimeout(() => timer.resolve(undefined), ms)
  try {
    return await Promise.race([answer.catch(() => undefined), timer.promise])
  } finally {
    clearTimeout(timeout)
  }
}

/** From the URL of a database with one or several addresses. */
export function connectionFrom(
  url: string,
  isForReading = false,
): { connectionString: string; hosts?: Hosts } {
  const [first = url, ...others] = urlsOf(url)
  if (others.length === 0) return { connectionString: url }
  const hosts = [first, ...others].map((one) => {
    const { host, port } = new pg.Client({ connectionString: one })
    return { host, port }
  })
  return { connectionString: first, hosts: new Hosts(hosts, isForReading) }
}

type Config = pg.ClientConfig & {
  /** The addresses of the database, if it has several. */
  readonly hosts?: Hosts
  /** Whether a server that takes no writes will do. */
  readonly mayBeReadOnly?: boolean
}

/**
 * Connects to the server that takes writes. A standby is refused, also behind a proxy: what it says may be old, and a
 * request that reads there cannot be carried out.
 */
export class FailoverClient extends pg.Client {
  readonly #config: Config

  constructor(config: Config = {}) {
    super(config)
    this.#config = config
    // The server can end a connection in the same message that opens it, before the caller can listen. Without a listener
    // the process would end.
    this.on('error', () => this.giveUpHost())
  }

  // biome-ignore lint/suspicious/noExplicitAny: pg's own signature is a set of overloads
  override connect(...args: any[]): any {
    const connected = this.#connect()
    const [callback] = args
    if (!callback) return connected
    connected.then(() => callback(null, this), callback)
  }

  async #connect(): Promise<this> {
    const { hosts, mayBeReadOnly } = this.#config
    if (hosts) {
      Object.assign(this, await hosts.find(this.#config))
      this.#followHost(hosts)
    }
    const isReadOnly = watchReadOnly(this)
    try {
      await super.connect()
    } catch (error) {
      this.giveUpHost()
      throw error
    }
    if (mayBeReadOnly || !isReadOnly()) return this
    this.giveUpHost()
    await this.end()
    throw readOnly('the database server takes no writes')
  }

  #followHost(hosts: Hosts): void {
    const { host, port } = this
    const reader = { host, port, end: () => this.#destroy(away('another server is read from')) }
    hosts.watch(reader)
    this.once('end', () => hosts.forget(reader))
  }

  /** The next connection looks for the writable server again. */
  giveUpHost(): void {
    this.#config.hosts?.giveUp({ host: this.host, port: this.port })
  }

  /** A server that has become read-only stays so. Its connections must not go back to the pool. */
  protected dropIfReadOnly(error: unknown): void {
    if (errorCode(error) !== READ_ONLY || this.#config.mayBeReadOnly) return
    this.giveUpHost()
    this.#destroy(readOnly('the database server takes no writes'))
  }

  #destroy(error: Error): void {
    const { stream } = (this as pg.Client & Inner).connection
    stream.destroy(error)
  }
}
