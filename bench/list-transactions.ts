import { randomBytes } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { secretsFrom } from '#platform/access/secrets.ts'
import { joinEmbeddedPostgres } from '#platform/database/embedded-postgres.ts'
import { listTransactions as list } from '#resources/transactions/list.ts'
import { benchContext } from '../lab/context.ts'
import { ask, type Running, startHelper } from '../lab/processes.ts'
import { type DataFolder, prepareDataFolder, type Service, send, startService } from '../lab/product.ts'
import { readConfig } from '../server/src/config.ts'
import { compete, describeContenders, shareOf } from './contest.ts'
import { type Benchmark, figure, type Outcome, type Pace } from './figures.ts'
import type { Floor } from './floor-server.ts'
import { statementsOf } from './statements.ts'

const PAYMENTS = 60
const PAGE = 20
const CONNECTIONS = 10
const POOL_SIZE = readConfig({}).databasePoolSize
const RATIO_MIN = 0.7
const LOOKS_MAX = 200
const ACCOUNT = 'default'
/** Headers that differ with every answer, or belong to the connection. */
const OWN_HEADERS = new Set(['date', 'connection', 'keep-alive', 'content-length', 'transfer-encoding'])
const ADDRESS = { line1: '12 Long Street', city: 'Springfield', postal_code: '12345', country: 'US' }
const PAYMENT = {
  amount: 1299,
  currency: 'USD',
  country: 'US',
  external_identifier: 'order-4711',
  metadata: { channel: 'web', campaign: 'spring' },
  buyer: {
    display_name: 'Anna Berg',
    external_identifier: 'customer-17',
    billing_details: {
      first_name: 'Anna',
      last_name: 'Berg',
      email_address: 'anna@shop.example',
      address: ADDRESS,
    },
  },
  cart_items: [{ name: 'Canvas bag', quantity: 1, unit_amount: 1299, sku: 'C1' }],
  payment_method: {
    method: 'card',
    number: '4111111111111111',
    expiration_date: '12/30',
    security_code: '123',
  },
}

export const listTransactions: Benchmark = {
  name: 'list-transactions',
  title: 'Listing transactions',
  explanation:
    `Requests per second of \`GET /transactions\`, pages of ${PAGE}, as a share of a floor: a bare \`node:http\` server ` +
    'that runs the list’s own prepared query on the same database with as many connections, and sends a copy of the ' +
    'service’s answer. It neither checks a token, nor looks up the payment services that the answer shows, nor turns ' +
    'rows into JSON.',
  run,
}

async function run(pace: Pace, progress: (text: string) => void): Promise<Outcome> {
  progress('starting the service and the floor')
  const folder = await prepareDataFolder()
  const service = await startService(folder)
  const { connection } = await joinEmbeddedPostgres({ dataDir: folder.path, say: () => {} })
  await addPayments(service, folder)
  const floor = await startFloor(service, folder, connection)
  const contenders = [
    { name: 'service', url: service.url, pid: service.pid },
    { name: 'floor', url: floor.url, pid: floor.running.pid },
  ]
  const headers = { authorization: `Bearer ${folder.token}` }
  const request = { path: '/transactions', headers, connections: CONNECTIONS }
  const rounds = await compete(contenders, pace, { request, progress })
  for (const program of [floor.running, service]) await program.stop()
  await folder.remove()
  return {
    settings: [
      `${pace.rounds} rounds of ${pace.seconds} s for each, in turn, after ${pace.warmUpSeconds} s of warm-up`,
      `${CONNECTIONS} connections without pipelining, ${PAYMENTS} payments, an answer of ${floor.bytes} bytes`,
      `${POOL_SIZE} database connections at most`,
    ],
    figures: [
      figure(
        { name: 'share of the floor', unit: '', target: { is: 'at least', limit: RATIO_MIN } },
        shareOf(rounds, 0, 1),
      ),
      ...describeContenders(contenders, rounds),
    ],
  }
}

async function addPayments(service: Service, { token }: DataFolder): Promise<void> {
  for (let index = 0; index < PAYMENTS; index += 1) {
    const response = await send({ ...service, token }, 'POST /transactions', PAYMENT)
    if (response.status !== 201) throw new Error(`A payment cannot be made: ${await response.text()}`)
    await response.body?.cancel()
  }
}

async function startFloor(
  service: Service,
  { token }: DataFolder,
  connection: pg.PoolConfig,
): Promise<{ readonly running: Running; readonly url: string; readonly bytes: number }> {
  const answer = await send({ ...service, token }, 'GET /transactions')
  const body = await answer.text()
  if (JSON.parse(body).items.length !== PAGE) throw new Error('The list has no full page.')
  const order: Floor = {
    connection,
    poolSize: POOL_SIZE,
    statement: await statementOfTheList(service, token, connection),
    headers: Object.fromEntries([...answer.headers].filter(([name]) => !OWN_HEADERS.has(name))),
    body,
  }
  const running = startHelper(fileURLToPath(import.meta.resolve('./floor-server.ts')))
  const { port } = await ask<{ port: number }>(running, order)
  return { running, url: `http://127.0.0.1:${port}`, bytes: Buffer.byteLength(body) }
}

/** Runs the list's own function once and keeps the statement. The database then shows whether the service sends the same. */
async function statementOfTheList(
  service: Service,
  token: string,
  connection: pg.PoolConfig,
): Promise<Floor['statement']> {
  const [statement, ...others] = await statementsOf(connection, (db) =>
    list(benchContext(db), secretsFrom(randomBytes(32)), [ACCOUNT], { limit: PAGE }),
  )
  const client = new pg.Client(connection)
  await client.connect()
  const isSent = await lookForIt(client, service, { token, text: statement?.text ?? '' })
  await client.end()
  if (!statement || others.length > 0 || !isSent) {
    throw new Error('The service does not send the statement that the floor would run.')
  }
  return statement
}

/** The database shows only the last statement of each connection, and the service sends others after it. */
async function lookForIt(
  client: pg.Client,
  service: Service,
  { token, text }: { readonly token: string; readonly text: string },
): Promise<boolean> {
  for (let look = 0; look < LOOKS_MAX; look += 1) {
    const answers = Array.from({ length: CONNECTIONS }, () =>
      send({ ...service, token }, 'GET /transactions'),
    )
    const { rows } = await client.query<{ query: string }>(
      'select query from pg_stat_activity where application_name = $1',
      [`switchyard ${service.pid}`],
    )
    for (const answer of await Promise.all(answers)) await answer.body?.cancel()
    if (rows.some(({ query }) => query !== '' && text.startsWith(query))) return true
  }
  return false
}
