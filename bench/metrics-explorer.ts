import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { inTransaction } from '#platform/database/db.ts'
import { type Connection, openDatabase } from '#platform/database/open-database.ts'
import * as facts from '#resources/metrics-explorer/facts/store.ts'
import { MODULES } from '#resources/metrics-explorer/schemas.ts'
import { benchContext } from '../lab/context.ts'
import { ask, processorSeconds, startHelper } from '../lab/processes.ts'
import { mustDo } from '../lab/product.ts'
import { fillCopies } from './copied-payments.ts'
import { atLeast, atMost, type Benchmark, figuresOf, itself, type Outcome, type Pace } from './figures.ts'
import { fill } from './list-growth-fill.ts'
import type { Rows } from './list-growth-rows.ts'
import type { Load, LoadResult } from './load-generator.ts'
import { PAYMENT } from './payment.ts'
import { openPlace, type Place, WITHOUT_JOBS } from './place.ts'

const DAY_MS = 24 * 3_600_000
const DAYS = 180
const ROUNDS_MAX = 2
/** Fields of the row, of the 3-D Secure outcome and of the document. */
const RAW_MODULES = ['country', 'authentication_outcome', 'payment_method_card_type', 'metadata'] as const
const STEP = 2_000
const SHARE_MIN = 0.9
/** As many as a browser opens to one server. */
const DASHBOARD_CONNECTIONS = 6
const PAYING_CONNECTIONS = 10
/** Long enough to hold the questions that are asked once a minute, and many that are answered from memory. */
const PAYING_SECONDS = 30

export const metricsExplorer: Benchmark = {
  name: 'metrics-explorer',
  title: 'Metrics explorer',
  explanation:
    'Processor time of a question, that of the service and of the database together: `GET …/modules/…` for each of the 25 modules, ' +
    'and `GET …/totals`, which also counts the period before. First from the payments themselves, for some modules, then from the facts ' +
    'that the job writes. Then payments per second while a dashboard asks for all modules of the last 30 days again and again without a ' +
    'pause, as a share of those without the dashboard.',
  isByRows: true,
  run,
}

type Asking = Place & { readonly client: pg.Client }

async function run(pace: Pace, progress: (text: string) => void): Promise<Outcome> {
  const opened = await openPlace(WITHOUT_JOBS)
  const { connection } = opened
  const startMs = Date.now() - DAYS * DAY_MS
  const rows: Rows = { count: pace.rows, startMs, stepMs: Math.floor((DAYS * DAY_MS) / pace.rows) }
  await fill(connection, rows, {
    add: [fillCopies],
    progress,
    hasBuyers: false,
  })
  const client = new pg.Client(connection)
  await client.connect()
  const place = { ...opened, client }
  const rounds = Math.min(ROUNDS_MAX, pace.rounds)
  const raw = await askAll(place, { names: RAW_MODULES, rounds, progress })
  progress('writing facts')
  const filled = await fillAll(connection)
  await client.query('vacuum analyze payment_facts')
  const sizes = await sizesOf(client)
  const asked = await askAll(place, { names: MODULES, rounds, progress })
  const shares = await payBeside(place, rounds, progress)
  await client.end()
  return {
    settings: [
      `${pace.rows.toLocaleString('en')} payments over ${DAYS} days, 60 % of them in the account that is asked about; those of nine days, twenty times`,
      `${rounds} rounds of each question, each about another range of the same length; one at a time, without parallel workers`,
      `beside the dashboard: ${rounds} rounds of ${PAYING_SECONDS} s with it and without it in turn; ${PAYING_CONNECTIONS} connections that pay, ${DASHBOARD_CONNECTIONS} that ask`,
      'database vacuumed and analyzed, default settings; jobs run elsewhere (`ROLE=api`)',
    ],
    figures: [
      ...describe('from facts', asked, true),
      ...describe('from payments', raw, false),
      ...figuresOf([filled], [['facts written', '/s', itself]]),
      ...figuresOf(
        [sizes],
        [
          ['size of the facts', 'MB', ({ facts }) => facts],
          ['size of the payments and their documents', 'MB', ({ payments }) => payments],
        ],
      ),
      ...describeShares(shares),
    ],
  }
}

/** Processor seconds of each question, by its name and its days, round by round. */
type Times = Map<string, number[]>
const RANGES = [30, DAYS] as const
const LIMITS: Readonly<Record<number, number>> = { 30: 1, [DAYS]: 5 }

async function askAll(
  place: Asking,
  how: {
    readonly names: readonly string[]
    readonly rounds: number
    readonly progress: (text: string) => void
  },
): Promise<Times> {
  const times: Times = new Map()
  for (let round = 0; round <= how.rounds; round += 1) {
    how.progress(`asking: ${round === 0 ? 'warming up' : `round ${round} of ${how.rounds}`}`)
    for (const days of RANGES) {
      for (const name of ['totals', ...how.names.map((module) => `modules/${module}`)]) {
        const spent = await processorTimeOf(place, () => askOne(place, name, days))
        const key = `${days} ${name}`
        if (round > 0) times.set(key, [...(times.get(key) ?? []), spent])
      }
    }
  }
  return times
}

/** Another moment each time, so that no answer is kept from before. */
async function askOne(place: Place, name: string, days: number): Promise<void> {
  const range = `P${days}D/${new Date().toISOString()}`
  const path = `/metrics-explorer/authorization/metrics/auth_rate/${name}?datetime_range=${range}`
  await mustDo(place, `GET ${path}`)
}

async function processorTimeOf({ pid, client }: Asking, work: () => Promise<void>): Promise<number> {
  const [before, ownBefore] = [await backendTimes(client), processorSeconds(pid)]
  await work()
  const [after, ownAfter] = [await backendTimes(client), processorSeconds(pid)]
  const spent = [...after].map(([pid, seconds]) => seconds - (before.get(pid) ?? 0))
  return spent.reduce((sum, seconds) => sum + seconds, ownAfter - ownBefore)
}

/** Of the connections for questions. */
async function backendTimes(client: pg.Client): Promise<Map<number, number>> {
  const { rows } = await client.query<{ pid: number }>(
    `select pid from pg_stat_activity where application_name like 'switchyard analytics %'`,
  )
  return new Map(rows.map(({ pid }) => [pid, processorSeconds(pid)]))
}

/** Does what the job does, without its pauses. Returns payments per second. */
async function fillAll(connection: Connection): Promise<number> {
  const { db, close } = openDatabase(connection, { poolSize: 1, onError: () => {} })
  const context = benchContext(db)
  const before = context.clock()
  const begun = performance.now()
  let steps = 0
  for (const { merchantAccountId } of await facts.behind(context, before)) {
    let state = 'more'
    while (state === 'more') {
      state = await inTransaction(context, (tx) =>
        facts.fillNext(tx, merchantAccountId, { before, limit: STEP }),
      )
      steps += 1
    }
  }
  const seconds = (performance.now() - begun) / 1000
  await close()
  if (steps === 0) throw new Error('there were no payments to write facts of')
  const { rows } = await countFacts(connection)
  return rows / seconds
}

async function countFacts(connection: Connection): Promise<{ rows: number }> {
  const client = new pg.Client(connection)
  await client.connect()
  const found = await client.query<{ rows: number }>('select count(*)::int as rows from payment_facts')
  await client.end()
  return found.rows[0] ?? { rows: 0 }
}

async function sizesOf(client: pg.Client): Promise<{ facts: number; payments: number }> {
  const { rows } = await client.query<{ facts: number; payments: number }>(`
    select pg_total_relation_size('payment_facts') / 1e6 as facts,
      (pg_table_size('transactions') + pg_table_size('transaction_documents')) / 1e6 as payments`)
  return { facts: Number(rows[0]?.facts), payments: Number(rows[0]?.payments) }
}

type Share = { readonly without: LoadResult; readonly beside: LoadResult; readonly asked: number }

async function payBeside(
  place: Asking,
  rounds: number,
  progress: (text: string) => void,
): Promise<readonly Share[]> {
  const generator = startHelper(fileURLToPath(import.meta.resolve('./load-generator.ts')))
  const load: Load = {
    url: `${place.url}/transactions`,
    headers: place.headers,
    body: JSON.stringify(PAYMENT),
    isKeyed: true,
    connections: PAYING_CONNECTIONS,
    seconds: PAYING_SECONDS,
  }
  const pay = async () => {
    const result = await ask<LoadResult>(generator, load)
    if (result.failures > 0) throw new Error(`${result.failures} payments failed`)
    return result
  }
  const shares: Share[] = []
  for (let round = 0; round <= rounds; round += 1) {
    progress(`paying beside a dashboard: ${round === 0 ? 'warming up' : `round ${round} of ${rounds}`}`)
    const alone = round % 2 === 0 ? await pay() : undefined
    const dashboard = openDashboard(place)
    const beside = await pay()
    const asked = (await dashboard.close()) / PAYING_SECONDS
    const without = alone ?? (await pay())
    if (round > 0) shares.push({ without, beside, asked })
  }
  await generator.stop()
  return shares
}

/** Asks without pause until it is closed. Returns how many answers it got. */
function openDashboard(place: Place) {
  const paths = ['totals', ...MODULES.map((module) => `modules/${module}`)].map(
    (name) => `GET /metrics-explorer/authorization/metrics/auth_rate/${name}?datetime_range=P30D/now`,
  )
  let isOpen = true
  let answers = 0
  const look = async (first: number) => {
    for (let at = first; isOpen; at += 1) {
      await mustDo(place, paths[at % paths.length] ?? '')
      answers += 1
    }
  }
  const looking = Array.from({ length: DASHBOARD_CONNECTIONS }, (_none, at) => look(at * 4))
  return {
    close: async () => {
      isOpen = false
      await Promise.all(looking)
      return answers
    },
  }
}

function describe(where: string, times: Times, isTarget: boolean) {
  return RANGES.flatMap((days) => {
    const modules = [...times].filter(([key]) => key.startsWith(`${days} modules/`))
    const slowest = modules.toSorted(([, a], [, b]) => middle(b) - middle(a))[0] ?? ['', []]
    const target = isTarget ? atMost(LIMITS[days] ?? 0) : undefined
    const name = slowest[0].replace(`${days} modules/`, '')
    const totals = times.get(`${days} totals`) ?? []
    const all = modules.map(([, seconds]) => middle(seconds))
    return [
      ...figuresOf(slowest[1], [
        [`${days} days ${where}: the slowest module (${name})`, 's', itself, target],
      ]),
      ...figuresOf(all, [[`${days} days ${where}: all modules`, 's', itself]]),
      ...figuresOf(totals, [
        [`${days} days ${where}: totals, with the ${days} days before`, 's', itself, target],
      ]),
    ]
  })
}

function middle(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}

function describeShares(shares: readonly Share[]) {
  return figuresOf(shares, [
    [
      'share of payments beside a dashboard',
      '',
      ({ without, beside }) => beside.requestsPerSecond / without.requestsPerSecond,
      atLeast(SHARE_MIN),
    ],
    ['payments without it', '/s', ({ without }) => without.requestsPerSecond],
    ['p99 of a payment without it', 'ms', ({ without }) => without.p99],
    ['p99 of a payment beside it', 'ms', ({ beside }) => beside.p99],
    ['answers to the dashboard', '/s', ({ asked }) => asked],
  ])
}
