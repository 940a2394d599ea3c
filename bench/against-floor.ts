import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { createLogger } from '#platform/observability/log.ts'
import { createMetrics } from '#platform/observability/metrics.ts'
import { createOutgoing } from '#platform/outgoing/outgoing.ts'
import { createAfterwards } from '#platform/process/afterwards.ts'
import { systemClock } from '#platform/process/clock.ts'
import { ask, startHelper } from '../lab/processes.ts'
import { mustDo } from '../lab/product.ts'
import { inTurns, numbers } from '../lab/turns.ts'
import { buildApp } from '../server/src/app.ts'
import { readConfig } from '../server/src/config.ts'
import { openFoundation } from '../server/src/open-foundation.ts'
import { reachProviders } from '../server/src/reach-providers.ts'
import { reportStorage } from '../server/src/report-storage.ts'
import { compete, describeContenders, type Round, shareOf, turnsOf } from './contest.ts'
import {
  atLeast,
  atMost,
  type Benchmark,
  type Figure,
  figuresOf,
  itself,
  type Outcome,
  type Pace,
} from './figures.ts'
import type { Replay, Step } from './floor.ts'
import { PAYMENT } from './payment.ts'
import { openPlace, type Place } from './place.ts'
import { type Sent, stepsOf } from './recorded-steps.ts'
import { openWalMeter } from './wal-meter.ts'

const PUBLIC_URL = 'http://127.0.0.1:3000'
const CONNECTIONS = 10
const POOL_SIZE = readConfig({}).databasePoolSize
const PAGE = 20
const LISTED = 60

/** A request, the floor for it, and what is promised about its speed. */
type Case = Pick<Benchmark, 'name' | 'title' | 'explanation'> & {
  readonly method: 'GET' | 'POST'
  readonly path: string
  /** What it creates, such as `payment`. */
  readonly thing?: string
  /** The body of each request. */
  readonly bodyOf?: (place: Place) => Promise<object>
  /** What has to be there before. */
  readonly prepare?: (place: Place) => Promise<unknown>
  /** Which of the recorded statements the floor sends. Default: all. */
  readonly isOfFloor?: (text: string) => boolean
  /** The share of the floor. */
  readonly ratioMin: number
  readonly rateMin?: number
  readonly p99MaxMs?: number
  readonly walKilobytesMax?: number
  readonly commitsMax?: number
}

const floorOf = (path: string) =>
  `Requests per second of \`POST ${path}\` with an idempotency key of its own for each, on the simulated ` +
  'processor, whose books are part of the work, as a share of a floor: a bare `node:http` server that sends the very ' +
  'same statements in the same commits, prepared, on the same database with as many connections, and answers with a ' +
  'copy of the service’s answer. It checks nothing and decides nothing. The rates and times are those of one machine ' +
  'that runs the database and the load as well.'

export const createTransaction = benchmark({
  name: 'create-transaction',
  title: 'Paying',
  explanation: floorOf('/transactions'),
  method: 'POST',
  path: '/transactions',
  thing: 'payment',
  bodyOf: async () => PAYMENT,
  ratioMin: 0.8,
  rateMin: 250,
  p99MaxMs: 50,
  walKilobytesMax: 9,
  commitsMax: 4,
})

export const createPayout = benchmark({
  name: 'create-payout',
  title: 'Paying out',
  explanation: floorOf('/payouts'),
  method: 'POST',
  path: '/payouts',
  thing: 'payout',
  ratioMin: 0.5,
  bodyOf: async (place) => {
    const { items } = await mustDo(place, 'GET /payment-services')
    const { security_code: _, ...payment_method } = PAYMENT.payment_method
    const { amount, currency } = PAYMENT
    return { amount, currency, payment_method, payment_service_id: items[0]?.id }
  },
})

const ADDRESS = { line1: '12 Long Street', city: 'Springfield', postal_code: '12345', country: 'US' }
const CONTACT = {
  first_name: 'Anna',
  last_name: 'Berg',
  email_address: 'anna@shop.example',
  address: ADDRESS,
}
const LISTED_PAYMENT = {
  ...PAYMENT,
  external_identifier: 'order-4711',
  metadata: { channel: 'web', campaign: 'spring' },
  buyer: { display_name: 'Anna Berg', external_identifier: 'customer-17', billing_details: CONTACT },
  cart_items: [{ name: 'Canvas bag', quantity: 1, unit_amount: 1299, sku: 'C1' }],
}

export const listTransactions = benchmark({
  name: 'list-transactions',
  title: 'Listing transactions',
  explanation:
    `Requests per second of \`GET /transactions\`, pages of ${PAGE}, as a share of a floor: a bare \`node:http\` server ` +
    'that runs the list’s own prepared query on the same database with as many connections, and sends a copy of the ' +
    'service’s answer. It neither checks a token, nor looks up the payment services that the answer shows, nor turns ' +
    'rows into JSON.',
  method: 'GET',
  path: '/transactions',
  ratioMin: 0.75,
  isOfFloor: (text) => /\bfrom "?transactions"?\b/.test(text),
  prepare: (place) => inTurns(numbers(LISTED), 1, () => mustDo(place, 'POST /transactions', LISTED_PAYMENT)),
})

function benchmark(one: Case): Benchmark {
  const { name, title, explanation } = one
  return { name, title, explanation, run: (pace, progress) => run(one, pace, progress) }
}

async function run(one: Case, pace: Pace, progress: (text: string) => void): Promise<Outcome> {
  const { path, ratioMin, method } = one
  progress('starting the service and the floor')
  const place = await openPlace()
  const body = await one.bodyOf?.(place)
  await one.prepare?.(place)
  const { steps, answer } = await record(place, one, body)
  const floor = startHelper(fileURLToPath(import.meta.resolve('./floor.ts')))
  const order: Replay = { connection: place.connection, poolSize: POOL_SIZE, steps, ...answer }
  const { port } = await ask<{ port: number }>(floor, order)
  const other = pace.beside === undefined || method === 'GET' ? null : await startBeside(pace.beside)
  const contenders = [
    { ...place, name: 'service' },
    { name: 'floor', url: `http://127.0.0.1:${port}`, pid: floor.pid },
    ...(other ? [other.contender] : []),
  ]
  const request = {
    path,
    headers: place.headers,
    connections: CONNECTIONS,
    ...(body && { body: JSON.stringify(body), isKeyed: true }),
  }
  const meter = await openWalMeter(place.connection)
  const rounds = await compete(contenders, pace, { request, progress, meter: meter.read })
  await meter.close()
  const share = shareOf(rounds, 0, 1)
  return {
    settings: [
      turnsOf(pace),
      `${CONNECTIONS} connections without pipelining; ${POOL_SIZE} database connections at most`,
      ...(one.thing === undefined
        ? [`${LISTED} payments, an answer of ${Buffer.byteLength(answer.body)} bytes`]
        : settingsOf(one.thing, steps)),
      ...(other ? [`the other version: ${other.version}`] : []),
    ],
    figures: [
      ...figuresOf(share, [['share of the floor', '', itself, atLeast(ratioMin)]]),
      ...(other
        ? figuresOf(shareOf(rounds, 0, 2), [['as a multiple of the other version', '', itself]])
        : []),
      ...(one.thing === undefined ? [] : describeCreation(one, one.thing, rounds)),
      ...describeContenders(contenders, rounds),
    ],
  }
}

function settingsOf(thing: string, steps: readonly Step[]): string[] {
  const statements = steps.flatMap((step) => step.statements).length
  const transactions = steps.filter((step) => step.isTransaction).length
  return [
    `${statements} statements for a ${thing}, in ${transactions} transactions and ${steps.length - transactions} single statements, the simulator’s own included`,
    'every commit reaches the disk (fsync); the service’s jobs run, and seal the audit entries of both',
  ]
}

/** Another version of the service, on a database of its own, which takes its turn in each round. */
async function startBeside(checkout: string) {
  const place = await openPlace({ checkout })
  const version = execFileSync('git', ['log', '-1', '--format=commit %h of %cs'], {
    cwd: checkout,
    encoding: 'utf8',
  })
  return { contender: { ...place, name: 'other version' }, version: version.trim() }
}

/** The log is that of the database. It grows by what jobs and the simulator write as well. */
function describeCreation(one: Case, thing: string, rounds: readonly Round[][]): Figure[] {
  const limit = (value: number | undefined) => (value === undefined ? undefined : atMost(value))
  const rate = one.rateMin === undefined ? undefined : atLeast(one.rateMin)
  const metered = (what: string, round: Round) => round.metered[what] ?? Number.POSITIVE_INFINITY
  return figuresOf(
    rounds.map(([service]) => service as Round),
    [
      [`${thing}s`, '/s', ({ requestsPerSecond }) => requestsPerSecond, rate],
      [`p99 of a ${thing}`, 'ms', ({ p99 }) => p99, limit(one.p99MaxMs)],
      [
        `WAL of a ${thing}, with the simulator’s books, logs and jobs`,
        'kB',
        (round) => metered('walBytes', round) / 1000,
        limit(one.walKilobytesMax),
      ],
      [
        `commits of a ${thing}, with the simulator’s own and jobs`,
        '',
        (round) => metered('commits', round),
        limit(one.commitsMax),
      ],
    ],
  )
}

/** Sends the request three times to the service's own code in this process, and keeps the statements of the last two. */
async function record(
  { folder, token }: Place,
  { method, path: url, isOfFloor = () => true }: Case,
  payload?: object,
): Promise<{ readonly steps: readonly Step[]; readonly answer: Answer }> {
  // Exchanges are written beside requests, at any time: they must not be among the statements of one.
  const config = readConfig({ DATA_DIR: folder.path, EXCHANGE_RETENTION_DAYS: '0' })
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
    outgoing,
    reportFiles: reportStorage(config, { ...foundation, publicUrl: PUBLIC_URL, clock: systemClock }),
    logger,
    metrics: createMetrics(),
    publicUrl: PUBLIC_URL,
    isStopping: () => false,
  })
  const inject = () =>
    app.inject({
      method,
      url,
      headers: {
        authorization: `Bearer ${token}`,
        ...(payload && { 'idempotency-key': randomUUID() }),
      },
      ...(payload && { payload }),
    })
  try {
    await inject()
    const [first, second] = [await recording(inject), await recording(inject)]
    const [before, after] = [first, second].map(({ sent }) => sent.filter(({ text }) => isOfFloor(text)))
    const steps = stepsOf(before ?? [], after ?? [])
    if (steps.length === 0) throw new Error('The floor would send nothing.')
    return { steps, answer: second.answer }
  } finally {
    await app.close()
    await foundation.close()
  }
}

type Answer = Pick<Replay, 'status' | 'body'>
type Inject = () => Promise<{ readonly statusCode: number; readonly body: string }>

async function recording(inject: Inject): Promise<{ sent: Sent[]; answer: Answer }> {
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
    const { statusCode, body } = await inject()
    if (statusCode >= 300) throw new Error(`It is refused: ${body}`)
    return { sent, answer: { status: statusCode, body } }
  } finally {
    pg.Client.prototype.query = query
  }
}
