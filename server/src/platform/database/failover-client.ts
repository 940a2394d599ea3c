import pg from 'pg'
import { errorCode, READ_ONLY } from './database-errors.ts'
import { away, type Hosts, readOnly, watchReadOnly } from './database-hosts.ts'

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
    const { stream } = (this as unknown as Inner).connection
    stream.destroy(error)
  }
}

type Inner = { readonly connection: { readonly stream: { readonly destroy: (error: Error) => void } } }
