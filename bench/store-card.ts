import { randomUUID } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import type pg from 'pg'
import { secretsFrom } from '#platform/access/secrets.ts'
import { joinEmbeddedPostgres } from '#platform/database/embedded-postgres.ts'
import { UNKEYED } from '#platform/idempotency/once.ts'
import { systemClock } from '#platform/process/clock.ts'
import { storeCard as store } from '#resources/payment-methods/create.ts'
import type { PaymentMethod } from '#resources/payment-methods/schemas.ts'
import { Vault } from '#vault'
import { ask, type Running, startHelper } from '../lab/processes.ts'
import { type DataFolder, prepareDataFolder, type Service, send, startService } from '../lab/product.ts'
import { readConfig } from '../server/src/config.ts'
import { vaultKeySource } from '../server/src/vault-key-source.ts'
import { compete, describeContenders, shareOf } from './contest.ts'
import { type Benchmark, figure, type Outcome, type Pace } from './figures.ts'
import { type Statement, statementsOf } from './statements.ts'
import type { Fresh, Insert, StoreCardFloor } from './store-card-floor.ts'

const CONNECTIONS = 10
const POOL_SIZE = readConfig({}).databasePoolSize
const RATIO_MIN = 0.5
const ACCOUNT = 'default'
const ENVIRONMENT = 'sandbox'
const CARD = {
  method: 'card',
  number: '4111111111111111',
  expiration_date: '12/30',
  security_code: '123',
} as const
const TABLES = ['vault.items', '"payment_methods"', '"audit_logs"']
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
/** Headers that differ with every answer, or belong to the connection. */
const OWN_HEADERS = new Set(['date', 'connection', 'keep-alive', 'content-length', 'transfer-encoding'])

export const storeCard: Benchmark = {
  name: 'store-card',
  title: 'Storing a card',
  explanation:
    'Requests per second of `POST /payment-methods` with a token that the service has seen before and no idempotency ' +
    'key, as a share of a floor: a bare `node:http` server that parses the body, takes the fingerprint (HMAC-SHA-256), ' +
    'seals the number (AES-256-GCM, additional data of the same length), runs the service’s own three inserts (vault, ' +
    'payment method, audit) in one transaction, prepared, on the same database with as many connections, and sends a ' +
    'copy of the service’s answer. It checks nothing: no token, no schema, no BIN table.',
  run,
}

async function run(pace: Pace, progress: (text: string) => void): Promise<Outcome> {
  progress('starting the service and the floor')
  const folder = await prepareDataFolder()
  const service = await startService(folder)
  const { connection } = await joinEmbeddedPostgres({ dataDir: folder.path, say: () => {} })
  const floor = await startFloor(service, folder, connection)
  const contenders = [
    { name: 'service', url: service.url, pid: service.pid },
    { name: 'floor', url: floor.url, pid: floor.running.pid },
  ]
  const request = {
    path: '/payment-methods',
    headers: { authorization: `Bearer ${folder.token}`, 'content-type': 'application/json' },
    connections: CONNECTIONS,
    body: JSON.stringify(CARD),
  }
  const rounds = await compete(contenders, pace, { request, progress })
  for (const program of [floor.running, service]) await program.stop()
  await folder.remove()
  const target = { is: 'at least', limit: RATIO_MIN } as const
  return {
    settings: [
      `${pace.rounds} rounds of ${pace.seconds} s for each, in turn, after ${pace.warmUpSeconds} s of warm-up`,
      `${CONNECTIONS} connections without pipelining; ${POOL_SIZE} database connections at most`,
      'every commit reaches the disk (fsync); the service’s jobs run, and seal the audit entries of both',
    ],
    figures: [
      figure({ name: 'share of the floor', unit: '', target }, shareOf(rounds, 0, 1)),
      ...describeContenders(contenders, rounds),
    ],
  }
}

async function startFloor(
  service: Service,
  folder: DataFolder,
  connection: pg.PoolConfig,
): Promise<{ readonly running: Running; readonly url: string }> {
  // The first card of an account also makes its data key, so a later card is recorded.
  const answer = await send({ ...service, token: folder.token }, 'POST /payment-methods', CARD)
  if (answer.status !== 201) throw new Error(`A card cannot be stored: ${await answer.text()}`)
  const headers = Object.fromEntries([...answer.headers].filter(([name]) => !OWN_HEADERS.has(name)))
  const order: StoreCardFloor = {
    ...(await statementsOfStoring(folder, connection)),
    connection,
    poolSize: POOL_SIZE,
    headers,
    body: await answer.text(),
  }
  const running = startHelper(fileURLToPath(import.meta.resolve('./store-card-floor.ts')))
  const { port } = await ask<{ port: number }>(running, order)
  return { running, url: `http://127.0.0.1:${port}` }
}

/** Stores a card with the service's own code, and keeps its statements. */
async function statementsOfStoring(
  { path }: DataFolder,
  connection: pg.PoolConfig,
): Promise<Pick<StoreCardFloor, 'inserts' | 'belongsTo' | 'tokenAt'>> {
  let method: PaymentMethod | undefined
  const statements = await statementsOf(connection, async (db) => {
    const source = vaultKeySource(readConfig({ DATA_DIR: path }))
    const vault = await Vault.open(db, ENVIRONMENT, source)
    const actor = { kind: 'api-key-pair', id: randomUUID(), name: 'Bench', thumbprint: '' } as const
    const { mac } = secretsFrom(Buffer.alloc(32))
    const scope = { db, clock: systemClock, actor, requestId: randomUUID(), mac, merchantAccountId: ACCOUNT }
    const owner = { buyer: undefined, externalIdentifier: null }
    const stored = await store(scope, UNKEYED, { vault, tokenService: null }, { body: CARD, owner })
    method = stored.answer
  })
  const [items, methods, entries, ...others] = TABLES.flatMap((table) =>
    statements.filter(({ text }) => text.includes(`insert into ${table} `)),
  )
  if (!method || !items || !methods || !entries || others.length > 0) {
    throw new Error('The service does not store a card by three inserts.')
  }
  const isToken = (value: unknown) =>
    typeof value === 'string' && UUID.test(value) && methods.values.includes(value)
  const token = items.values.find(isToken)
  const dataKeyId = items.values.find((value) => UUID.test(String(value)) && value !== token)
  const names = new Map<unknown, Fresh>([
    [method.id, 'id'],
    [entries.values[0], 'entryId'],
    [token, 'token'],
    [method.fingerprint, 'fingerprint'],
  ])
  return {
    inserts: [items, methods, entries].map((statement) => withFresh(statement, names)),
    belongsTo: ['item', ENVIRONMENT, ACCOUNT, String(token), String(dataKeyId), 'number'],
    tokenAt: 3,
  }
}

function withFresh(statement: Statement, names: ReadonlyMap<unknown, Fresh>): Insert {
  const fresh = statement.values.map((value) => {
    if (value instanceof Date) return 'now'
    return Buffer.isBuffer(value) ? 'sealed' : (names.get(value) ?? null)
  })
  return { ...statement, fresh }
}
