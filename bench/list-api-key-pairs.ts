import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { secretsFrom } from '#platform/access/secrets.ts'
import { joinEmbeddedPostgres } from '#platform/database/embedded-postgres.ts'
import { systemClock } from '#platform/process/clock.ts'
import * as apiKeyPairs from '#resources/api-key-pairs/store.ts'
import { ask, type Running, startHelper } from '../lab/processes.ts'
import { type DataFolder, prepareDataFolder, type Service, send, startService } from '../lab/product.ts'
import { readConfig } from '../server/src/config.ts'
import { type Contender, compete, describeContenders, type Round, shareOf } from './contest.ts'
import { type Benchmark, type Figure, figure, type Outcome, type Pace } from './figures.ts'
import type { Floor } from './floor-server.ts'
import { statementsOf } from './statements.ts'

const KEYS = 30
const PAGE = 20
const CONNECTIONS = 10
const POOL_SIZE = readConfig({}).databasePoolSize
const RATIO_MIN = 0.75
const TRIALS = 20
/** Headers that differ with every answer, or belong to the connection. */
const OWN_HEADERS = new Set(['date', 'connection', 'keep-alive', 'content-length', 'transfer-encoding'])

export const listApiKeyPairs: Benchmark = {
  name: 'list-api-key-pairs',
  title: 'Listing API key pairs',
  explanation:
    'Requests per second of `GET /api-key-pairs` with a token that the service has seen before, as a share of a floor: ' +
    'a bare `node:http` server that runs the same prepared query on the same database with as many connections, and ' +
    'sends a copy of the service’s answer. The service runs twice, with request logging as it is by default and ' +
    'without; the target is for the default.',
  run,
}

async function run(pace: Pace, progress: (text: string) => void): Promise<Outcome> {
  progress('starting the service twice and the floor')
  const folder = await prepareDataFolder()
  const main = await startService(folder)
  const { connection } = await joinEmbeddedPostgres({ dataDir: folder.path, say: () => {} })
  await addKeys(main, folder)
  const quiet = await startService(folder, {
    env: {
      LOG_LEVEL: 'warn',
      // This is the embedded database under a `DATABASE_URL`, so its vault key is in the file of the embedded one.
      VAULT_KEY: readFileSync(join(folder.path, 'vault.key'), 'utf8').trim(),
      DATABASE_URL: `postgres://switchyard@localhost/switchyard?host=${connection.host}`,
    },
  })
  const floor = await startFloor(main, folder, connection)
  const contenders: Contender[] = [
    { name: 'service', url: main.url, pid: main.pid },
    { name: 'service without request log', url: quiet.url, pid: quiet.pid },
    { name: 'floor', url: floor.url, pid: floor.running.pid },
  ]
  const headers = { authorization: `Bearer ${folder.token}` }
  const request = { path: '/api-key-pairs', headers, connections: CONNECTIONS }
  const rounds = await compete(contenders, pace, { request, progress })
  for (const program of [floor.running, quiet, main]) await program.stop()
  await folder.remove()
  return {
    settings: [
      `${pace.rounds} rounds of ${pace.seconds} s for each, in turn, after ${pace.warmUpSeconds} s of warm-up`,
      `${CONNECTIONS} connections without pipelining, ${KEYS + 1} keys, pages of ${PAGE}`,
      `${POOL_SIZE} database connections at most; request log (LOG_LEVEL=info) written to /dev/null`,
    ],
    figures: describe(contenders, rounds),
  }
}

function describe(contenders: readonly Contender[], rounds: readonly Round[][]): Figure[] {
  const floor = contenders.length - 1
  const target = { is: 'at least', limit: RATIO_MIN } as const
  return [
    figure({ name: 'share of the floor', unit: '', target }, shareOf(rounds, 0, floor)),
    figure({ name: 'share of the floor, without request log', unit: '' }, shareOf(rounds, 1, floor)),
    ...describeContenders(contenders, rounds),
  ]
}

async function addKeys(service: Service, { token }: DataFolder): Promise<void> {
  const place = { ...service, token }
  const answer = await send(place, 'GET /roles')
  const { items: all } = (await answer.json()) as { items: { id: string; assignable_to: string[] }[] }
  const items = all.filter((role) => role.assignable_to.includes('api-key-pair'))
  for (let index = 0; index < KEYS; index += 1) {
    const response = await send(place, 'POST /api-key-pairs', {
      display_name: `Key ${index + 1}`,
      role_ids: [items[index % items.length]?.id],
    })
    if (response.status !== 201) throw new Error(`A key cannot be added: ${await response.text()}`)
    await response.body?.cancel()
  }
}

async function startFloor(
  service: Service,
  { token }: DataFolder,
  connection: pg.PoolConfig,
): Promise<{ readonly running: Running; readonly url: string }> {
  const answer = await send({ ...service, token }, 'GET /api-key-pairs')
  const headers = Object.fromEntries([...answer.headers].filter(([name]) => !OWN_HEADERS.has(name)))
  const order: Floor = {
    connection,
    poolSize: POOL_SIZE,
    statement: await statementOfTheList(connection, { ...service, token }),
    headers,
    body: await answer.text(),
  }
  const running = startHelper(fileURLToPath(import.meta.resolve('./floor-server.ts')))
  const { port } = await ask<{ port: number }>(running, order)
  return { running, url: `http://127.0.0.1:${port}` }
}

/** Runs the store's own list once and keeps the statement. The database then shows whether the service sends the same. */
async function statementOfTheList(
  connection: pg.PoolConfig,
  service: Service & { readonly token: string },
): Promise<Floor['statement']> {
  const [statement] = await statementsOf(connection, (db) => {
    const context = {
      db,
      clock: systemClock,
      actor: { id: null, name: 'bench' },
      requestId: null,
      mac: secretsFrom(Buffer.alloc(32)).mac,
    }
    return apiKeyPairs.list(context, secretsFrom(randomBytes(32)), 'all', { limit: PAGE })
  })
  const client = new pg.Client(connection)
  await client.connect()
  let isSent = false
  // The database shows the last statement of each connection, and a job may have used this one in between.
  for (let trial = 0; trial < TRIALS && !isSent; trial += 1) {
    await (await send(service, 'GET /api-key-pairs')).text()
    const { rows } = await client.query<{ query: string }>(
      'select query from pg_stat_activity where application_name = $1',
      [`switchyard ${service.pid}`],
    )
    isSent = rows.some(({ query }) => query !== '' && statement?.text.startsWith(query))
  }
  await client.end()
  if (!statement || !isSent)
    throw new Error('The service does not send the statement that the floor would run.')
  return statement
}
