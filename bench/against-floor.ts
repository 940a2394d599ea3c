import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { joinEmbeddedPostgres } from '#platform/database/embedded-postgres.ts'
import { createLogger } from '#platform/observability/log.ts'
import { createMetrics } from '#platform/observability/metrics.ts'
import { createOutgoing } from '#platform/outgoing/outgoing.ts'
import { createAfterwards } from '#platform/process/afterwards.ts'
import { systemClock } from '#platform/process/clock.ts'
import { ask, startHelper } from '../lab/processes.ts'
import { type DataFolder, prepareDataFolder, startService } from '../lab/product.ts'
import { buildApp } from '../server/src/app.ts'
import { readConfig } from '../server/src/config.ts'
import { openFoundation } from '../server/src/open-foundation.ts'
import { reachProviders } from '../server/src/reach-providers.ts'
import { reportStorage } from '../server/src/report-storage.ts'
import { compete, describeContenders, type Round, shareOf } from './contest.ts'
import type { Replay, Step } from './creation-floor.ts'
import { type Benchmark, type Figure, figure, type Outcome, type Pace } from './figures.ts'
import { type Sent, stepsOf } from './recorded-steps.ts'
import { openWalMeter } from './wal-meter.ts'

const PUBLIC_URL = 'http://127.0.0.1:3000'
const CONNECTIONS = 10
const POOL_SIZE = readConfig({}).databasePoolSize

/** A request that creates something, and what is promised about its speed. */
export type Creation = Pick<Benchmark, 'name' | 'title'> & {
  /** What it creates, such as `payment`. */
  readonly thing: string
  readonly path: string
  /** The body of each request. */
  readonly bodyOf: (place: Place) => Promise<object>
  /** The share of the floor. */
  readonly ratioMin: number
  readonly rateMin?: number
  readonly p99MaxMs?: number
  readonly walKilobytesMax?: number
  readonly commitsMax?: number
}

type Place = { readonly url: string; readonly token: string }

export function againstFloor(creation: Creation): Benchmark {
  return {
    name: creation.name,
    title: creation.title,
    explanation:
      `Requests per second of \`POST ${creation.path}\` with an idempotency key of its own for each, on the simulated ` +
      'processor, whose books are part of the work, as a share of a floor: a bare `node:http` server that sends the very ' +
      'same statements in the same commits, prepared, on the same database with as many connections, and answers with a ' +
      'copy of the service’s answer. It checks nothing and decides nothing. The rates and times are those of one machine ' +
      'that runs the database and the load as well.',
    run: (pace, progress) => run(creation, pace, progress),
  }
}

async function run(creation: Creation, pace: Pace, progress: (text: string) => void): Promise<Outcome> {
  const { path, thing, ratioMin, rateMin, p99MaxMs } = creation
  progress('starting the service and the floor')
  const folder = await prepareDataFolder()
  const service = await startService(folder)
  const { connection } = await joinEmbeddedPostgres({ dataDir: folder.path, say: () => {} })
  const body = await creation.bodyOf({ ...service, token: folder.token })
  const { steps, answer } = await record(folder, path, body)
  const floor = startHelper(fileURLToPath(import.meta.resolve('./creation-floor.ts')))
  const order: Replay = { connection, poolSize: POOL_SIZE, steps, body: answer }
  const { port } = await ask<{ port: number }>(floor, order)
  const other = pace.beside === undefined ? null : await startBeside(pace.beside)
  const contenders = [
    { name: 'service', url: service.url, pid: service.pid },
    { name: 'floor', url: `http://127.0.0.1:${port}`, pid: floor.pid },
    ...(other ? [other.contender] : []),
  ]
  const request = {
    path,
    headers: { authorization: `Bearer ${folder.token}`, 'content-type': 'application/json' },
    connections: CONNECTIONS,
    body: JSON.stringify(body),
    isKeyed: true,
  }
  const meter = await openWalMeter(connection)
  const rounds = await compete(contenders, pace, { request, progress, meter: meter.read })
  await meter.close()
  for (const program of [floor, service]) await program.stop()
  await folder.remove()
  await other?.close()
  const own = rounds.map(([first]) => first)
  const statements = steps.flatMap((step) => step.statements).length
  return {
    settings: [
      `${pace.rounds} rounds of ${pace.seconds} s for each, in turn, after ${pace.warmUpSeconds} s of warm-up`,
      `${CONNECTIONS} connections without pipelining; ${POOL_SIZE} database connections at most`,
      `${statements} statements for a ${thing}, in ${steps.filter((step) => step.isTransaction).length} transactions and ${steps.filter((step) => !step.isTransaction).length} single statements, the simulator’s own included`,
      'every commit reaches the disk (fsync); the service’s jobs run, and seal the audit entries of both',
      ...(other ? [`the other version: ${other.version}`] : []),
    ],
    figures: [
      figure(
        { name: 'share of the floor', unit: '', target: { is: 'at least', limit: ratioMin } },
        shareOf(rounds, 0, 1),
      ),
      ...(other
        ? [figure({ name: 'as a multiple of the other version', unit: '' }, shareOf(rounds, 0, 2))]
        : []),
      figure(
        {
          name: `${thing}s`,
          unit: '/s',
          ...(rateMin && { target: { is: 'at least', limit: rateMin } as const }),
        },
        own.map((round) => round?.requestsPerSecond ?? 0),
      ),
      figure(
        {
          name: `p99 of a ${thing}`,
          unit: 'ms',
          ...(p99MaxMs && { target: { is: 'at most', limit: p99MaxMs } as const }),
        },
        own.map((round) => round?.p99 ?? Number.POSITIVE_INFINITY),
      ),
      ...describeLog(creation, own),
      ...describeContenders(contenders, rounds),
    ],
  }
}

/** Another version of the service, on a database of its own, which takes its turn in each round. */
async function startBeside(checkout: string) {
  const folder = await prepareDataFolder()
  const { url, pid, stop } = await startService(folder, { checkout })
  const headers = { authorization: `Bearer ${folder.token}`, 'content-type': 'application/json' }
  const close = async () => {
    await stop()
    await folder.remove()
  }
  const version = execFileSync('git', ['log', '-1', '--format=commit %h of %cs'], {
    cwd: checkout,
    encoding: 'utf8',
  })
  return { contender: { name: 'other version', url, pid, headers }, version: version.trim(), close }
}

/** What one request adds to the log of the database. The log grows by what jobs and the simulator write as well. */
function describeLog(
  { thing, walKilobytesMax, commitsMax }: Creation,
  rounds: readonly (Round | undefined)[],
): Figure[] {
  const each = (what: string) => rounds.map((round) => round?.metered[what] ?? Number.POSITIVE_INFINITY)
  const atMost = (limit: number | undefined) =>
    limit === undefined ? {} : { target: { is: 'at most', limit } as const }
  return [
    figure(
      {
        name: `WAL of a ${thing}, with the simulator’s books, logs and jobs`,
        unit: 'kB',
        ...atMost(walKilobytesMax),
      },
      each('walBytes').map((bytes) => bytes / 1000),
    ),
    figure(
      { name: `commits of a ${thing}, with the simulator’s own and jobs`, unit: '', ...atMost(commitsMax) },
      each('commits'),
    ),
  ]
}

/** Sends the request three times to the service's own code in this process, and keeps the statements of the last two. */
async function record(
  { path: dataDir, token }: DataFolder,
  url: string,
  payload: object,
): Promise<{ steps: Step[]; answer: string }> {
  // Exchanges are written beside requests, at any time: they must not be among the statements of one.
  const config = readConfig({ DATA_DIR: dataDir, EXCHANGE_RETENTION_DAYS: '0' })
  const logger = createLogger('fatal', 'bench')
  const foundation = await openFoundation(config, { say: () => {}, logger, isOwner: false })
  const outgoing = createOutgoing({ isHttpAllowed: true, allowCidrs: config.webhookAllowCidrs })
  const app = buildApp({
    ...foundation,
    ...config,
    clock: systemClock,
    providers: reachProviders('sandbox', {
      outgoing,
      ...foundation,
      clock: systemClock,
      publicUrl: PUBLIC_URL,
      googlePayRootKeys: [],
      onError: () => {},
    }),
    afterwards: createAfterwards(() => {}),
    threeDSecure: null,
    accountUpdater: null,
    tokenService: null,
    outgoing,
    reportFiles: reportStorage(config, { ...foundation, publicUrl: PUBLIC_URL, clock: systemClock }),
    logger,
    metrics: createMetrics(),
    publicUrl: PUBLIC_URL,
    isStopping: () => false,
  })
  const create = () =>
    app.inject({
      method: 'POST',
      url,
      headers: { authorization: `Bearer ${token}`, 'idempotency-key': randomUUID() },
      payload,
    })
  try {
    await create()
    const first = await recording(create)
    const second = await recording(create)
    return { steps: stepsOf(first.sent, second.sent), answer: second.answer }
  } finally {
    await app.close()
    await foundation.close()
  }
}

type Create = () => Promise<{ readonly statusCode: number; readonly body: string }>

async function recording(create: Create): Promise<{ sent: Sent[]; answer: string }> {
  const sent: Sent[] = []
  const { query } = pg.Client.prototype
  // biome-ignore lint/suspicious/noExplicitAny: pg's own signature is a set of overloads
  pg.Client.prototype.query = function record(this: pg.Client, ...args: any[]): any {
    const [first, values] = args
    const given = typeof first === 'string' ? { text: first, values } : first
    if (typeof given?.text === 'string') {
      sent.push({ client: this, at: Date.now(), text: given.text, values: given.values ?? [] })
    }
    return Reflect.apply(query, this, args)
  } as typeof query
  try {
    const { statusCode, body } = await create()
    if (statusCode !== 201) throw new Error(`It cannot be created: ${body}`)
    return { sent, answer: body }
  } finally {
    pg.Client.prototype.query = query
  }
}
