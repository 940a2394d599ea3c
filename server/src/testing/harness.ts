import { createPrivateKey, generateKeyPairSync, randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance, LightMyRequestResponse } from 'fastify'
import { SignJWT } from 'jose'
import pg from 'pg'
import { pino } from 'pino'
import { inject } from 'vitest'
import type { Connector } from '#connectors/contract/connector.ts'
import { restartIds } from '#domain/ids.ts'
import { type Secrets, secretsFrom } from '#platform/access/secrets.ts'
import { followDatabaseClock } from '#platform/database/database-clock.ts'
import type { Context } from '#platform/database/db.ts'
import { type Connection, type Database, openDatabase } from '#platform/database/open-database.ts'
import { diskStorage } from '#platform/file-storage/disk.ts'
import type { FileStorage } from '#platform/file-storage/storage.ts'
import type { ErrorCode } from '#platform/http/errors.ts'
import { errorsOf, type Operation, successOf } from '#platform/http/operation.ts'
import { complaintsAbout } from '#platform/http/validation.ts'
import type { Mailer } from '#platform/mail/mailer.ts'
import { createLogger } from '#platform/observability/log.ts'
import { createMetrics } from '#platform/observability/metrics.ts'
import type { Tracer } from '#platform/observability/trace.ts'
import { createOutgoing, type Outgoing } from '#platform/outgoing/outgoing.ts'
import { createAfterwards } from '#platform/process/afterwards.ts'
import type { Clock } from '#platform/process/clock.ts'
import { claimInstance } from '#platform/process/instance.ts'
import { resolveDue } from '#processing/attempts/resolve-due.ts'
import type { Engine } from '#processing/engine.ts'
import { type ExchangeLog, openExchangeLog } from '#processing/exchanges/transcribe.ts'
import type { Providers } from '#processing/provider.ts'
import { Scoreboard } from '#processing/scores/board.ts'
import { registryOf } from '#processing/service-accounts/registry.ts'
import { savePair } from '#resources/api-key-pairs/create.ts'
import { describePrivateKey, type PublicKey } from '#resources/api-key-pairs/keys.ts'
import { type ApiLogWriter, openApiLog } from '#resources/api-logs/log.ts'
import type { OidcSettings } from '#resources/auth/oidc/settings.ts'
import { fileUrl } from '#resources/reports/executions/file-url.ts'
import * as roles from '#resources/roles/store.ts'
import { makeFirstGiftCardService, makeFirstService } from '#sandbox/first-start.ts'
import { sandbox } from '#sandbox/open.ts'
import { Vault } from '#vault'
import { buildApp } from '../app.ts'
import { ATTEMPT_KINDS } from '../attempt-kinds.ts'
import { reachProviders } from '../reach-providers.ts'
import { CARDS, searchDatabase, TEMPLATE } from './database-server.ts'
import { OPERATIONS } from './operations.ts'
import { plainAccountUpdater, testAccountUpdater } from './test-account-updater-connector.ts'
import { plainAntiFraud, testAntiFraud } from './test-anti-fraud-connector.ts'
import { TEST_CONNECTORS } from './test-connectors.ts'
import { plainGiftCard, testGiftCard } from './test-gift-card-connector.ts'
import { plainNetworkToken, testNetworkToken } from './test-network-token-connector.ts'
import { plainThreeDS, testThreeDS } from './test-three-ds-connector.ts'

const PUBLIC_URL = 'http://127.0.0.1:3000'
const AFTERWARDS_MS = 2_000

export const ADMINISTRATOR = '01900000-0000-7000-8000-000000000001'
export const PROCESSING = '01900000-0000-7000-8000-000000000002'
export const REPORTING = '01900000-0000-7000-8000-000000000003'

export type TestKey = { readonly id: string; readonly privateKey: string; readonly publicKey: PublicKey }

export type SendOptions = {
  /** Null sends no token. */
  readonly token?: string | null
  readonly account?: string
  readonly address?: string
  readonly headers?: Record<string, string>
}

export type TestService = {
  readonly app: FastifyInstance
  readonly database: Database
  readonly context: Context
  readonly secrets: Secrets
  readonly vault: Vault
  readonly providers: Providers
  readonly engine: Engine
  readonly outgoing: Outgoing
  readonly reportFiles: FileStorage
  readonly apiLog: ApiLogWriter
  readonly admin: TestKey
  readonly send: (route: string, body?: unknown, options?: SendOptions) => Promise<LightMyRequestResponse>
  /** Registers a key with the given roles and accounts, directly in the database. */
  readonly addKey: (grant?: Grant) => Promise<TestKey>
  readonly moveClock: (ms: number) => void
  /** Like the job: resolves every due attempt. */
  readonly resolveDue: (options?: Resolving) => Promise<void>
  /** What the vault reported to the operator. */
  readonly troubles: string[]
  readonly close: () => Promise<void>
}

type Resolving = { readonly engine?: Engine; readonly stopping?: AbortSignal }

type Grant = {
  readonly roleIds?: readonly string[]
  readonly merchantAccountIds?: readonly string[]
  readonly name?: string
}

type Options = {
  readonly environment?: 'sandbox' | 'production'
  /** Whether the clock is the sandbox's, which only the API moves. Otherwise `moveClock` moves it. */
  readonly hasSandboxClock?: boolean
  readonly exchangeRetentionDays?: number
  readonly publicUrl?: string
  /** A host of their own for the pages of buyers. */
  readonly checkoutUrl?: string
  /** A host of its own for frames with scripts of wallets. */
  readonly walletUrl?: string
  /** The identity provider at which users can sign in. */
  readonly oidc?: OidcSettings
  readonly mailer?: Mailer
  /** Hears every line of the log. */
  readonly onLog?: (line: string) => void
  /** Connectors of this test alone, beside those that all tests have. */
  readonly connectors?: readonly Connector[]
  readonly tracer?: Tracer
}

const SETTINGS = {
  instanceId: 'test',
  role: 'all',
  trustProxy: false,
  metricsToken: null,
  isStopping: () => false,
} as const

const TESTER = { id: null, name: 'test' }

/**
 * A whole service on its own database. Below HTTP only the clock is faked. In production it refuses what only
 * sandboxes have, but reaches the same providers.
 */
export async function startTestService(options: Options = {}): Promise<TestService> {
  restartIds()
  const connection = await cloneDatabase()
  const database = openDatabase(connection, { poolSize: 8, onError: () => {} })
  const analytics = openDatabase(connection, { poolSize: 2, onError: () => {} })
  const secrets = secretsFrom(randomBytes(32))
  let offsetMs = 0
  const clock = options.hasSandboxClock ? await sandboxClock(database) : () => new Date(Date.now() + offsetMs)
  const context: Context = { db: database.db, clock, actor: TESTER, requestId: null, mac: secrets.mac }
  await claimInstance(context, 'sandbox', secrets)
  const troubles: string[] = []
  const undeclared = new Set<string>()
  const vault = await openVault(database, troubles)
  const outgoing = createOutgoing({ isHttpAllowed: true, allowCidrs: ['127.0.0.0/8', '::1/128'] })
  const providers = providersOf(database, { clock, secrets, outgoing }, options.connectors)
  await makeFirstService(context, vault, providers)
  await makeFirstGiftCardService(context, vault, providers)
  const addKey = (grant: Grant = {}) => registerKey(context, grant)
  const admin = await addKey()
  const reportFiles = temporaryFiles(secrets)
  const engine: Engine = {
    vault,
    metrics: createMetrics(),
    exchanges: exchangeLog(database, troubles, options),
    scores: new Scoreboard({ db: database.db, onLost: (_count, error) => troubles.push(String(error)) }),
    secrets,
    providers,
    afterwards: createAfterwards((error) => troubles.push(String(error))),
    ...ownOf(options),
  }
  const apiLog = requestLog(database, troubles)
  const app = buildApp({
    ...database,
    ...engine,
    apiLog,
    clock,
    outgoing,
    reportFiles,
    ...settingsOf(options, undeclared),
    analytics: { db: analytics.db, poolSize: 2 },
    onAnswer: refuseUndocumented,
  })
  const adminToken = await lastingToken(admin)
  return {
    app,
    database,
    context,
    secrets,
    vault,
    providers,
    engine,
    outgoing,
    reportFiles,
    apiLog,
    admin,
    addKey,
    send: (route, body, options = {}) => send(app, adminToken, route, { body, ...options }),
    resolveDue: ({ engine: other = engine, stopping } = {}) =>
      resolveDue(context, other, ATTEMPT_KINDS, stopping),
    moveClock: (ms) => {
      offsetMs += ms
    },
    troubles,
    close: async () => {
      await app.close()
      // Some tests ask a provider that never answers.
      await Promise.race([engine.afterwards.done(), sleep(AFTERWARDS_MS, undefined, { ref: false })])
      outgoing.close()
      await Promise.all([engine.exchanges.flush(), engine.scores.flush(), apiLog.flush()])
      await analytics.close()
      await searchAtTheEnd(database, connection)
      await database.close()
      rmSync(reportFiles.spoolFolder, { recursive: true, force: true })
      if (undeclared.size > 0) throw new Error(`errors that no row names: ${[...undeclared].join(', ')}`)
    },
  }
}

function settingsOf({ environment = 'sandbox', oidc, mailer, onLog }: Options, undeclared: Set<string>) {
  const write = (line: string) => {
    refuseCards(line)
    noteUndeclared(line, undeclared)
    onLog?.(line)
  }
  return {
    ...SETTINGS,
    environment,
    sandbox: environment === 'sandbox' ? sandbox : null,
    oidc: oidc ?? null,
    mailer: mailer ?? null,
    logger: pino({ level: 'trace' }, { write }),
  }
}

function openVault({ db }: Database, troubles: string[]): Promise<Vault> {
  const source = { kind: 'given', keys: [randomBytes(32)] } as const
  return Vault.open(db, 'sandbox', source, (text) => troubles.push(text))
}

function exchangeLog({ db }: Database, troubles: string[], options: Options): ExchangeLog {
  const onLost = (_count: number, error: unknown) => void troubles.push(`an exchange was lost: ${error}`)
  return openExchangeLog({ db, retentionDays: options.exchangeRetentionDays ?? 30, onLost })
}

function requestLog({ db }: Database, troubles: string[]): ApiLogWriter {
  const onLost = (_count: number, error: unknown) => void troubles.push(`a request was not logged: ${error}`)
  return openApiLog({ db, retentionDays: 7, onLost })
}

function ownOf({
  publicUrl = PUBLIC_URL,
  checkoutUrl,
  walletUrl,
  tracer,
}: Options): Pick<Engine, 'publicUrl' | 'checkoutUrl' | 'walletUrl' | 'tracer'> {
  return { publicUrl, checkoutUrl: checkoutUrl ?? null, walletUrl: walletUrl ?? null, tracer }
}

/** The first report makes the folder. */
function temporaryFiles(secrets: Secrets): FileStorage {
  return diskStorage({
    folder: join(tmpdir(), `switchyard-test-reports-${randomBytes(8).toString('hex')}`),
    linkTo: (key, link) => fileUrl({ secrets, publicUrl: PUBLIC_URL }, key, link),
  })
}

async function sandboxClock(database: Database): Promise<Clock> {
  const followed = await followDatabaseClock({ ...database, logger: createLogger('silent'), isMovable: true })
  return followed.now
}

type Needs = { readonly clock: Clock; readonly secrets: Secrets; readonly outgoing: Outgoing }

/**
 * The simulated processor, and connectors that do as they are told. They get as long as in production to answer: the machine
 * may be busy. A test whose provider never answers says so (`giving-up.ts`).
 */
function providersOf({ pool }: Database, needs: Needs, own: readonly Connector[] = []): Providers {
  const { connectors, giftCards, antiFraud, threeDSecure, accountUpdaters, networkTokens, ...rest } =
    reachProviders('sandbox', {
      sandbox,
      pool,
      ...needs,
      publicUrl: PUBLIC_URL,
      googlePayRootKeys: [],
      onError: () => {},
    })
  return {
    ...rest,
    connectors: registryOf([...connectors.list, ...TEST_CONNECTORS, ...own]),
    giftCards: registryOf([...giftCards.list, testGiftCard, plainGiftCard]),
    antiFraud: registryOf([...antiFraud.list, testAntiFraud, plainAntiFraud]),
    threeDSecure: registryOf([...threeDSecure.list, testThreeDS, plainThreeDS]),
    accountUpdaters: registryOf([...accountUpdaters.list, testAccountUpdater, plainAccountUpdater]),
    networkTokens: registryOf([...networkTokens.list, testNetworkToken, plainNetworkToken]),
  }
}

/** A new database: the files of the migrated template, copied. To log their pages instead would take longer. */
export async function cloneDatabase(): Promise<Connection> {
  const server = { host: inject('databaseHost'), user: 'switchyard' }
  const database = `test_${randomBytes(8).toString('hex')}`
  const client = new pg.Client({ ...server, database: 'switchyard' })
  await client.connect()
  await client.query(`create database ${database} template ${TEMPLATE} strategy file_copy`)
  await client.end()
  return { ...server, database }
}

/** Ed25519, because making and checking an ES512 token takes milliseconds, and tests make hundreds. */
export async function registerKey(context: Context, grant: Grant = {}): Promise<TestKey> {
  const privateKey = generateKeyPairSync('ed25519')
    .privateKey.export({ type: 'pkcs8', format: 'pem' })
    .toString()
  const publicKey = await describePrivateKey(privateKey)
  const pair = await savePair(context, {
    displayName: grant.name ?? 'Test key',
    active: true,
    publicKey,
    privateKey: null,
    roleIds: grant.roleIds ?? [ADMINISTRATOR],
    merchantAccountIds: grant.merchantAccountIds ?? [],
  })
  return { id: pair.id, privateKey, publicKey }
}

export function signToken(
  key: Pick<TestKey, 'privateKey' | 'publicKey'>,
  claims: Record<string, unknown> = {},
  header: Record<string, unknown> = {},
): Promise<string> {
  const now = Math.floor(Date.now() / 1000)
  const payload = {
    scopes: ['*.read', '*.write'],
    iss: 'test',
    nbf: now,
    exp: now + 3600,
    jti: crypto.randomUUID(),
    ...claims,
  }
  return new SignJWT(payload)
    .setProtectedHeader({
      alg: key.publicKey.signatureAlgorithm,
      kid: key.publicKey.thumbprint,
      typ: 'JWT',
      ...header,
    })
    .sign(createPrivateKey(key.privateKey))
}

/** Tests move the clock by days. */
function lastingToken(key: TestKey): Promise<string> {
  return signToken(key, { exp: Math.floor(Date.now() / 1000) + 400 * 86_400 })
}

/** No log line and no answer of any test may contain a card number of the tests. */
function refuseCards(text: string): void {
  const found = CARDS.find((number) => text.includes(number))
  if (found) throw new Error(`a card number was logged or answered: ${text}`)
}

/**
 * A test may have taken the database away from its service, or hold a lock in it. Then the end of the run searches it. So that a
 * lock does not hold up the test, the search waits for none.
 */
async function searchAtTheEnd({ pool }: Database, { database = '' }: Connection): Promise<void> {
  const client = await pool.connect().catch(() => undefined)
  if (!client) return
  const query = async (text: string) => (await client.query<{ name: string }>(text)).rows
  const found = await query("set lock_timeout = '100ms'")
    .then(() => searchDatabase(database, query))
    .catch(() => undefined)
  client.release()
  if (found !== undefined) throw new Error(found)
}

async function send(
  app: FastifyInstance,
  adminToken: string,
  route: string,
  { body, token = adminToken, account, address, headers = {} }: SendOptions & { readonly body?: unknown },
): Promise<LightMyRequestResponse> {
  const [method = 'GET', url = ''] = route.split(' ')
  const response = await app.inject({
    method: method as 'GET',
    url,
    ...(body !== undefined && { payload: body as object }),
    ...(address !== undefined && { remoteAddress: address }),
    headers: {
      ...(token !== null && { authorization: `Bearer ${token}` }),
      ...(account !== undefined && { 'x-service-merchant-account-id': account }),
      ...headers,
    },
  })
  refuseCards(response.body)
  return response
}

/** Each refusal must be one that the row of its operation names: the API reference shows these and no others. */
function noteUndeclared(line: string, undeclared: Set<string>): void {
  if (!line.includes('"code":')) return
  const { operation, code } = JSON.parse(line) as { operation?: string; code?: ErrorCode }
  const found = OPERATIONS.find(({ id }) => id === operation)
  if (!found || !code) return
  const { common, own } = errorsOf(found)
  if (![...common, ...own].includes(code)) undeclared.add(`${code} of ${found.id}`)
}

/** Compares every answer of every test with its documented schema. */
function refuseUndocumented(operation: Operation, body: unknown): void {
  const schema = operation.responses[successOf(operation)]
  if (!schema || body === undefined) return
  const sent = JSON.parse(JSON.stringify(body))
  const complaints = complaintsAbout('body', schema, sent)
  if (complaints.length > 0) {
    throw new Error(`${operation.id} answers against its own schema: ${JSON.stringify(complaints)}`)
  }
}

export async function roleIdOf(context: Context, slug: string): Promise<string> {
  const role = await roles.findBySlug(context, slug)
  if (!role) throw new Error(`no role ${slug}`)
  return role.id
}
