import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type pg from 'pg'
import { migrate } from '#platform/database/migrate.ts'
import { openDatabase } from '../lab/open-database.ts'
import { startPostgres } from '../lab/postgres.ts'
import {
  ask,
  processorSeconds,
  type Running,
  startHelper,
  temporaryFolder,
  undoable,
} from '../lab/processes.ts'
import { FAR_PROCESSOR, startProcessor } from '../lab/processor.ts'
import { type DataFolder, mustDo, prepareDataFolder, type Service, startService } from '../lab/product.ts'
import { MIGRATIONS } from '../server/src/app.ts'
import { COSTS } from './capacity-plan.ts'
import { serverSeconds } from './database-processes.ts'
import { atMost, type Benchmark, type Figure, figure, figuresOf, type Outcome, type Pace } from './figures.ts'
import type { Load, LoadResult } from './load-generator.ts'
import { PAYMENT } from './payment.ts'
import { openWalMeter } from './wal-meter.ts'
import { PART_NAMES, partsOf } from './where-time-goes.ts'

const PAYMENTS = { full: 3_000, quick: 200 }
const CONNECTIONS = 10
/** Under a profiler. */
const PROFILE_ROUNDS = 2
const SUM_MS = 3.5
/** An idle connection tells its counts after ten seconds. */
const COUNTS_MS = 11_000

export const paymentCost: Benchmark = {
  name: 'payment-cost',
  title: 'What a payment costs',
  explanation:
    'The price of a payment: processor time of service and database together, its parts, log, flushes and disk of one ' +
    '`POST /transactions`, with the processor and its books in another process and ' +
    'another database. Unlike rates, they hardly depend on what else the machine does, so they say how large an installation has ' +
    'to be: `npm run capacity` does the arithmetic ([scale](guide/scale.md)). Disk counts tables and indexes as they are, not ' +
    'vacuumed. The stored answer goes after three days.',
  run,
}

async function run(pace: Pace, progress: (text: string) => void): Promise<Outcome> {
  progress('starting the service, two databases and a processor')
  const place = await open()
  const payments = PAYMENTS[pace.rounds > 2 ? 'full' : 'quick']
  const headers = { authorization: `Bearer ${place.folder.token}`, 'content-type': 'application/json' }
  const base = { headers, connections: CONNECTIONS, seconds: 600, amount: payments }
  const pay = {
    ...base,
    url: `${place.service.url}/transactions`,
    body: JSON.stringify(PAYMENT),
    isKeyed: true,
  }
  const paid = await mustDo({ ...place.service, ...place.folder }, 'POST /transactions', PAYMENT)
  const read = { ...base, url: `${place.service.url}/transactions/${paid.id}` }
  progress('warming up')
  await spend(place, pay)
  await spend(place, read)
  await sleep(COUNTS_MS)
  const before = await countsOf(place.database)
  const payRounds: Spent[] = []
  const readRounds: Spent[] = []
  for (let round = 1; round <= pace.rounds; round += 1) {
    progress(`round ${round} of ${pace.rounds}`)
    payRounds.push(await spend(place, pay))
    readRounds.push(await spend(place, read))
  }
  progress('waiting for the counts')
  await sleep(COUNTS_MS)
  const after = await countsOf(place.database)
  const parts = await profile(place, pay, progress)
  const each = (key: keyof Counts) => (after[key] - before[key]) / (payments * pace.rounds)
  return {
    settings: [
      `${pace.rounds} rounds of ${payments} payments and as many reads of one, ${CONNECTIONS} connections`,
      'one process with its jobs; every commit reaches the disk (fsync); no webhook subscription',
    ],
    figures: [
      ...spentFigures(payRounds, readRounds),
      ...parts,
      ...figuresOf(
        [each],
        [
          [COSTS.flushes, '', (of) => of('flushes')],
          [COSTS.keptKb, 'kB', (of) => of('keptBytes') / 1_000],
          [COSTS.answerKb, 'kB', (of) => of('answerBytes') / 1_000],
        ],
      ),
    ],
  }
}

function spentFigures(payments: readonly Spent[], reads: readonly Spent[]): Figure[] {
  return [
    ...figuresOf(payments, [
      [
        'a payment: processor time of service and database',
        'ms',
        (of) => of.serviceMs + of.databaseMs,
        atMost(SUM_MS),
      ],
      [COSTS.serviceMs, 'ms', ({ serviceMs }) => serviceMs],
      [COSTS.databaseMs, 'ms', ({ databaseMs }) => databaseMs],
      [COSTS.walKb, 'kB', ({ walBytes }) => walBytes / 1_000],
      [COSTS.commits, '', ({ commits }) => commits],
    ]),
    ...figuresOf(reads, [
      [COSTS.readServiceMs, 'ms', ({ serviceMs }) => serviceMs],
      [COSTS.readDatabaseMs, 'ms', ({ databaseMs }) => databaseMs],
    ]),
  ]
}

/** The parts of what the service does for a payment, by another start of it under a profiler. */
async function profile(
  place: Place,
  pay: Load,
  progress: (text: string) => void,
): Promise<readonly Figure[]> {
  await place.service.stop()
  const folder = temporaryFolder()
  const service = await place.start({ NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${folder.path}` })
  const load = { ...pay, url: `${service.url}/transactions` }
  progress('profiling')
  await ask<LoadResult>(place.generator, load)
  const from = Number(process.hrtime.bigint() / 1_000n)
  for (let round = 0; round < PROFILE_ROUNDS; round += 1) await ask<LoadResult>(place.generator, load)
  const to = Number(process.hrtime.bigint() / 1_000n)
  await service.stop()
  const parts = partsOf(folder.path, from, to)
  await folder.remove()
  return PART_NAMES.map((name) =>
    figure({ name: `service: ${name}`, unit: '%' }, [(parts.get(name) ?? 0) * 100]),
  )
}

type Place = {
  readonly start: (env: Readonly<Record<string, string>>) => Promise<Service>
  readonly service: Service
  readonly folder: DataFolder
  readonly database: pg.Client
  readonly generator: Running
  readonly meter: Awaited<ReturnType<typeof openWalMeter>>
}

async function open(): Promise<Place> {
  const [server, books] = [await startPostgres(), await startPostgres()]
  const booksUrl = await books.newDatabase()
  await migrate({ connectionString: booksUrl }, MIGRATIONS)
  const processor = await startProcessor(booksUrl)
  const databaseUrl = await server.newDatabase()
  const folder = await prepareDataFolder()
  const start = (env: Readonly<Record<string, string>>) =>
    startService(folder, {
      env: { DATABASE_URL: databaseUrl, PROCESSOR_PORT: String(processor.port), ...env },
      preload: FAR_PROCESSOR,
    })
  const service = await start({})
  const generator = startHelper(fileURLToPath(import.meta.resolve('./load-generator.ts')))
  const meter = await openWalMeter({ connectionString: databaseUrl })
  undoable(meter.close)
  return { start, service, folder, database: await openDatabase(databaseUrl), generator, meter }
}

/** What one request of a load cost. */
type Spent = {
  readonly serviceMs: number
  readonly databaseMs: number
  readonly walBytes: number
  readonly commits: number
}

async function spend({ service, database, generator, meter }: Place, load: Load): Promise<Spent> {
  const look = async () => ({
    service: processorSeconds(service.pid),
    database: serverSeconds(await postmasterOf(database)),
    written: await meter.read(),
  })
  const before = await look()
  const { failures } = await ask<LoadResult>(generator, load)
  if (failures > 0) throw new Error(`${failures} requests failed`)
  const after = await look()
  const requests = load.amount ?? 1
  return {
    serviceMs: ((after.service - before.service) * 1_000) / requests,
    databaseMs: ((after.database - before.database) * 1_000) / requests,
    walBytes: (after.written.walBytes - before.written.walBytes) / requests,
    commits: (after.written.commits - before.written.commits) / requests,
  }
}

type Counts = {
  readonly flushes: number
  readonly keptBytes: number
  readonly answerBytes: number
}

async function countsOf(database: pg.Client): Promise<Counts> {
  const { rows } = await database.query(`
    select
      (select sum(fsyncs) from pg_stat_io where object = 'wal') as flushes,
      pg_database_size(current_database()) as bytes,
      pg_total_relation_size('idempotency_keys') as answers`)
  const { flushes, bytes, answers } = rows[0]
  return {
    flushes: Number(flushes),
    keptBytes: Number(bytes) - Number(answers),
    answerBytes: Number(answers),
  }
}

/** The first line of the file is the number of the process. */
async function postmasterOf(database: pg.Client): Promise<number> {
  const { rows } = await database.query("select split_part(pg_read_file('postmaster.pid'), E'\\n', 1) as pid")
  return Number(rows[0].pid)
}
