import { fileURLToPath } from 'node:url'
import { migrate } from '#platform/database/migrate.ts'
import { ascending, percentile } from '../lab/latency.ts'
import { startPostgres } from '../lab/postgres.ts'
import { ask, type Running, startHelper } from '../lab/processes.ts'
import { FAR_PROCESSOR, startProcessor } from '../lab/processor.ts'
import { prepareDataFolder, startService } from '../lab/product.ts'
import { MIGRATIONS } from '../server/src/app.ts'
import type { ArrivalsOrder, ArrivalsResult } from './arrivals.ts'
import { atMost, type Benchmark, type Figure, figuresOf, itself, type Outcome, type Pace } from './figures.ts'
import type { Load, LoadResult } from './load-generator.ts'
import { PAYMENT } from './payment.ts'

const CONNECTIONS = 10
const LIMITS = [
  [50, 12],
  [99, 25],
  [99.9, 60],
] as const
/** Each round has some two thousand payments, so that one in a thousand is not one alone. */
const LONGER = 4
const ROUNDS_MAX = 3
const SLOW_MS = 2_000
const SLOW_SHARE = 0.02

export const halfLoad: Benchmark = {
  name: 'half-load',
  title: 'Paying at half of the load',
  explanation:
    'How long a payment takes where installations are most of the time: at half of the rate at which this machine ends. Payments ' +
    'arrive like shoppers, at random moments that do not depend on the answers (a Poisson process), and each is timed from the ' +
    'moment at which it was due. The processor is another process. In every second round, ' +
    `${SLOW_SHARE * 100} % of its answers take ${SLOW_MS / 1_000} s longer; those payments are left out, and the others should not ` +
    'notice.',
  run,
}

/** Whether some answers are slow now, and how many were. */
type Slowness = { share: number; count: number }

async function run(pace: Pace, progress: (text: string) => void): Promise<Outcome> {
  progress('starting the service, a database and a processor')
  const slowness: Slowness = { share: 0, count: 0 }
  const request = await open(slowness)
  const generator = startHelper(fileURLToPath(import.meta.resolve('./load-generator.ts')))
  const load: Load = { ...request, connections: CONNECTIONS, isKeyed: true, seconds: pace.warmUpSeconds }
  progress('warming up')
  await ask<LoadResult>(generator, load)
  progress('measuring the capacity')
  const { requestsPerSecond } = await ask<LoadResult>(generator, { ...load, seconds: pace.seconds })
  await generator.stop()

  const sender = startHelper(fileURLToPath(import.meta.resolve('./arrivals.ts')))
  const [alone, beside]: [number[][], number[][]] = [[], []]
  const seconds = pace.seconds * LONGER
  const rounds = Math.min(pace.rounds, ROUNDS_MAX)
  for (let round = 1; round <= rounds; round += 1) {
    for (const [share, kept] of [
      [0, alone],
      [SLOW_SHARE, beside],
    ] as const) {
      progress(`round ${round} of ${rounds}: ${share === 0 ? 'all answers quick' : 'some answers slow'}`)
      const order = { ...request, perSecond: requestsPerSecond / 2, seconds, seed: round }
      kept.push(await timesOf(sender, order, Object.assign(slowness, { share, count: 0 })))
    }
  }
  return {
    settings: [
      `${rounds} rounds of ${seconds} s for each, in turn, after ${pace.warmUpSeconds} s of warm-up`,
      `the capacity is the rate with ${CONNECTIONS} connections that each wait for their answers, over ${pace.seconds} s`,
      'every commit reaches the disk (fsync); processor, database and load run on the same machine',
    ],
    figures: [
      ...latencyFigures('', alone),
      ...latencyFigures('beside slow answers: ', beside),
      ...figuresOf([requestsPerSecond], [['capacity', '/s', itself]]),
      ...figuresOf([requestsPerSecond / 2], [['arrivals', '/s', itself]]),
    ],
  }
}

function latencyFigures(prefix: string, rounds: readonly (readonly number[])[]): Figure[] {
  return LIMITS.flatMap(([percent, limit]) =>
    figuresOf(rounds, [[`${prefix}p${percent}`, 'ms', (times) => percentile(times, percent), atMost(limit)]]),
  )
}

/** The slowest ones are those that were made slow. If another one took as long, a slow one is left, and shows. */
async function timesOf(sender: Running, order: ArrivalsOrder, slowness: Slowness): Promise<number[]> {
  const { times, failures } = await ask<ArrivalsResult>(sender, order)
  if (failures > 0) throw new Error(`${failures} payments were not answered as they should be`)
  return ascending(times).slice(0, times.length - slowness.count)
}

async function open(slowness: Slowness) {
  const server = await startPostgres()
  const booksUrl = await server.newDatabase()
  await migrate({ connectionString: booksUrl }, MIGRATIONS)
  const slowMs = () => {
    if (Math.random() >= slowness.share) return 0
    slowness.count += 1
    return SLOW_MS
  }
  const processor = await startProcessor(booksUrl, { slowMs })
  const folder = await prepareDataFolder()
  const { url } = await startService(folder, {
    env: { DATABASE_URL: await server.newDatabase(), PROCESSOR_PORT: String(processor.port) },
    preload: FAR_PROCESSOR,
  })
  return {
    url: `${url}/transactions`,
    headers: { authorization: `Bearer ${folder.token}`, 'content-type': 'application/json' },
    body: JSON.stringify(PAYMENT),
  }
}
