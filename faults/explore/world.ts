import type { FastifyInstance, LightMyRequestResponse } from 'fastify'
import type pg from 'pg'
import { expireApprovals } from '#payments/acts/expire.ts'
import { connectionFrom } from '#platform/database/failover-client.ts'
import { openDatabase as openPool } from '#platform/database/open-database.ts'
import { createLogger } from '#platform/observability/log.ts'
import { createMetrics } from '#platform/observability/metrics.ts'
import { type Clock, realTime } from '#platform/process/clock.ts'
import * as attempts from '#processing/attempts/store.ts'
import { reachSimulators } from '#sandbox/reach-simulators.ts'
import { guard } from '#testing/model/guard.ts'
import { openDatabase } from '../../lab/open-database.ts'
import { type DataFolder, prepareDataFolder } from '../../lab/product.ts'
import { buildApp } from '../../server/src/app.ts'
import { ATTEMPT_KINDS } from '../../server/src/attempt-kinds.ts'
import { readConfig } from '../../server/src/config.ts'
import { openFoundation } from '../../server/src/open-foundation.ts'
import { assemble } from '../../server/src/start.ts'
import { MOVING } from './footprint.ts'
import { type Fate, Scheduler } from './scheduler.ts'
import { BOOKS, type Left, noteSealed, type Sealed, stateOf } from './state.ts'

const PUBLIC_URL = 'http://127.0.0.1:3000'

export type Process = {
  readonly app: FastifyInstance
  readonly services: ReturnType<typeof assemble>
  readonly leave: () => void
}

/** Everything that outlives a process: the database, the provider, and who looks on. */
export class World {
  readonly scheduler: Scheduler
  readonly database: pg.Client
  /** Ends leases. A connection of its own, because it may have to wait for a lock. */
  readonly hand: pg.Client
  readonly folder: DataFolder
  readonly #databaseUrl: string
  #fetch: (url: string, init?: RequestInit) => Promise<Response> = () =>
    Promise.reject(new Error('not open yet'))
  #process: Process | undefined
  #standsAt: Date | undefined
  readonly #sealed: Sealed = new Map()
  #slow: { readonly id: string; readonly path: string } | undefined
  /** Answers of the provider come only when the explorer says so. */
  isLate = false

  private constructor(databaseUrl: string, folder: DataFolder, database: pg.Client, hand: pg.Client) {
    this.#databaseUrl = databaseUrl
    this.folder = folder
    this.database = database
    this.hand = hand
    this.scheduler = new Scheduler(database)
  }

  static async open(databaseUrl: string): Promise<World> {
    const [folder, database, hand] = [
      await prepareDataFolder(),
      await openDatabase(databaseUrl),
      await openDatabase(databaseUrl),
    ]
    const world = new World(databaseUrl, folder, database, hand)
    await world.restart()
    await guard((text) => database.query(text).then(({ rows }) => rows))
    const { secrets, clock } = world.process.services
    const { pool } = openPool(connectionFrom(databaseUrl), {
      poolSize: 4,
      onError: () => {},
      purpose: 'provider',
    })
    // So that the simulator looks for what it has to refuse.
    await hand.query(
      `insert into simulator.levers (id, merchant_id, operation, effect, code, armed_at) values (gen_random_uuid(), 'nobody', 'tokenize', 'stall', null, now())`,
    )
    const simulators = reachSimulators({ pool, clock, secrets, publicUrl: PUBLIC_URL, onError: () => {} })
    world.#fetch = simulators.fetch
    return world
  }

  get process(): Process {
    if (!this.#process) throw new Error('no process runs')
    return this.#process
  }

  /** A new process of the service. It knows nothing of the one before. */
  async restart(): Promise<void> {
    this.#process?.leave()
    const config = readConfig({
      DATABASE_URL: this.#databaseUrl,
      DATA_DIR: this.folder.path,
      PORT: '3000',
      ROLE: 'api',
      LOG_LEVEL: 'fatal',
      API_LOG_RETENTION_DAYS: '0',
      EXCHANGE_RETENTION_DAYS: '0',
    })
    const logger = createLogger('fatal', 'explored')
    const foundation = await openFoundation(config, { say: () => {}, logger, isOwner: true })
    Object.assign(foundation.context, { clock: this.#clockLike(foundation.context.clock) })
    const services = assemble(config, foundation, { logger, metrics: createMetrics(), publicUrl: PUBLIC_URL })
    noteSealed(services.secrets, this.#sealed)
    Object.assign(services.providers, { fetch: (url: string, init?: RequestInit) => this.#reach(url, init) })
    const app = buildApp({ ...services, warnings: () => [], isStopping: () => false } as never)
    await app.ready()
    this.#process = {
      app,
      services,
      leave: () => {
        void app.close().catch(() => {})
        void foundation.close().catch(() => {})
        services.outgoing.close()
      },
    }
  }

  /** Time stands still within a schedule, so that the same choices lead to the same statements. */
  standStill(): void {
    this.#standsAt = undefined
    this.#standsAt = this.process.services.clock()
    this.#sealed.clear()
  }

  async transactionId(): Promise<string> {
    const { rows } = await this.hand.query('select pg_current_xact_id()::text as id')
    return rows[0].id
  }

  /** Forgets the payments of earlier schedules. */
  async forget(): Promise<void> {
    await this.hand.query(`truncate ${[...MOVING, ...BOOKS].join(', ')} cascade`)
  }

  /** A card that was declined in an earlier schedule would be asked about more in this one. */
  async forgetDeclines(): Promise<void> {
    await this.hand.query('delete from card_declines')
  }

  /** What the process would leave behind if it died now. */
  leftBehind(left: Omit<Left, 'standsAt'>): Promise<string> {
    return stateOf(this.hand, { ...left, standsAt: this.#standsAt ?? new Date() }, this.#sealed)
  }

  goOn(): void {
    this.#standsAt = undefined
  }

  #clockLike(clock: Clock): Clock {
    return Object.assign(() => this.#standsAt ?? clock(), {
      real: () => this.#standsAt ?? realTime(clock),
      catchUp: clock.catchUp,
      isMoved: clock.isMoved,
    }) as Clock
  }

  close(): void {
    this.#process?.leave()
    this.scheduler.close()
  }

  /** Awaits here: a request begins when it is awaited, and then has the context of its actor. */
  async send(route: string, body?: object, key?: string): Promise<LightMyRequestResponse> {
    const [method = 'GET', url = ''] = route.split(' ')
    return await this.process.app.inject({
      method: method as 'GET',
      url,
      ...(body !== undefined && { payload: body }),
      headers: {
        authorization: `Bearer ${this.folder.token}`,
        ...(key !== undefined && { 'idempotency-key': key }),
      },
    })
  }

  /** As a browser or a provider sends: with an address that is enough. */
  async post(url: string, body: object | string): Promise<LightMyRequestResponse> {
    const isForm = typeof body === 'string'
    return await this.process.app.inject({
      method: 'POST',
      url,
      payload: isForm ? body : JSON.stringify(body),
      headers: { 'content-type': isForm ? 'application/x-www-form-urlencoded' : 'application/json' },
    })
  }

  /** A payment service whose provider answers at once that it is at work, and tells later what came of it. */
  async slowService(): Promise<{ readonly id: string; readonly path: string }> {
    this.#slow ??= await this.#addSlowService()
    return this.#slow
  }

  async #addSlowService() {
    const answer = await this.send('POST /payment-services', {
      display_name: 'Slow',
      payment_service_definition_id: 'mock-card',
      fields: [
        { key: 'merchant_id', value: 'slow' },
        { key: 'asynchronous', value: 'true' },
      ],
      accepted_currencies: ['USD'],
      accepted_countries: ['US'],
    })
    const { id, webhook_url } = answer.json()
    return { id, path: new URL(webhook_url).pathname }
  }

  /** The job that fails payments whose buyer did not approve in time, by a clock that is ahead. */
  expireApprovals(aheadMs: number): Promise<void> {
    const { context, engine } = this.process.services
    const clock = () => new Date(context.clock().getTime() + aheadMs)
    return expireApprovals({ ...context, clock }, engine)
  }

  /** Names a key, so that requests with other keys are known to touch other rows. */
  nameKey(key: string): void {
    const { secrets } = this.process.services
    this.scheduler.keys.set(secrets.mac('idempotency-key', key).toString('base64url'), key)
  }

  storedKey(key: string): string {
    return this.process.services.secrets.mac('idempotency-key', key).toString('base64url')
  }

  /** What the job does, one attempt after the other: those that are due, and those whose lease ends now. */
  async resolveDue(): Promise<void> {
    const { context, engine } = this.process.services
    await this.hand.query(
      `update attempts set due_at = now() - interval '1 minute' where due_at > now() - interval '1 minute'`,
    )
    for (;;) {
      const due = await attempts.takeDue(context, {
        kinds: Object.keys(ATTEMPT_KINDS) as attempts.KindName[],
        limit: 1,
        limitPerService: 1,
        underWay: [],
        leaseMs: 60_000,
      })
      const [attempt] = due
      if (!attempt) return
      const scope = { ...context, merchantAccountId: attempt.merchant_account_id }
      await ATTEMPT_KINDS[attempt.kind](scope, engine, attempt)
    }
  }

  async endLeaseOf(key: string): Promise<void> {
    await this.hand.query(
      `update idempotency_keys set leased_until = now() - interval '1 minute' where status is null and key = $1`,
      [this.storedKey(key)],
    )
  }

  #reach(url: string, init?: RequestInit): Promise<Response> {
    const text = `${init?.method ?? 'GET'} ${new URL(url).pathname.replace(/[0-9a-f-]{36}/g, 'ID')}`
    return this.scheduler.call((fate) => this.#carry(fate, url, init), { text, isLate: this.isLate })
  }

  /** The simulator refuses this call, and says the same when it is repeated. */
  async #decline(url: string, init?: RequestInit): Promise<void> {
    const refusal = REFUSALS[new URL(url).pathname.split('/').at(-1) ?? '']
    if (!refusal) throw new Error(`say how the simulator refuses ${url}`)
    await this.hand.query(
      `insert into simulator.levers (id, merchant_id, operation, effect, code, armed_at, attempt_id, taken_at)
       values (gen_random_uuid(), 'explored', $1, 'refuse', $2, now(), $3, now())
       on conflict (attempt_id) do nothing`,
      [...refusal, JSON.parse(String(init?.body)).attempt_id],
    )
  }

  async #carry(fate: Fate, url: string, init?: RequestInit): Promise<Response> {
    if (fate === 'lost before') throw brokenLine()
    if (fate === 'declined') await this.#decline(url, init)
    const response = await this.#fetch(url, init)
    if (fate === 'lost after') throw brokenLine()
    if (fate === 'contradicted') {
      const entry = (await response.json()) as object
      return Response.json(
        { ...entry, status: 'refused', code: 'issuer_decline' },
        { status: response.status },
      )
    }
    return response
  }
}

/** For which reason the simulator refuses, by the last word of the address. */
const REFUSALS: Readonly<Record<string, readonly [operation: string, code: string]>> = {
  authorizations: ['authorize', 'insufficient_funds'],
  captures: ['capture', 'refused_transaction'],
  voids: ['void', 'issuer_decline'],
  cancels: ['cancel', 'service_decline'],
  refunds: ['refund', 'issuer_decline'],
}

function brokenLine(): TypeError {
  return new TypeError('fetch failed', {
    cause: Object.assign(new Error('ECONNRESET'), { code: 'ECONNRESET' }),
  })
}
