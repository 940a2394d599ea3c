import { fileURLToPath } from 'node:url'
import { ask, residentMegabytes, startHelper } from '../lab/processes.ts'
import { mustDo } from '../lab/product.ts'
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
import type { Load, LoadResult } from './load-generator.ts'
import { PAYMENT } from './payment.ts'
import { openPlace } from './place.ts'

const MINUTES = 10
const MINUTES_WHEN_QUICK = 1
const CONNECTIONS = 10
const RATE_MIN = 250
const P99_MAX_MS = 100
const READS_MIN = 1_000
const GROWTH_MAX = 1.25

export const tenMinutes: Benchmark = {
  name: 'ten-minutes',
  title: 'Ten minutes of payments, and reading them',
  explanation:
    `\`POST /transactions\` without a pause for ${MINUTES} minutes, each with an idempotency key of its own; every minute is ` +
    'a round. Then `GET /transactions/{id}`. An answer other than 2xx ends the benchmark. There is no floor: `create-transaction` ' +
    'and `list-transactions` have one. Database and load run on the same machine.',
  run,
}

type Minute = LoadResult & { readonly megabytes: number }

async function run(pace: Pace, progress: (text: string) => void): Promise<Outcome> {
  const minutes = pace.rounds > 2 ? MINUTES : MINUTES_WHEN_QUICK
  progress('starting the service')
  const place = await openPlace()
  const paid = await mustDo(place, 'POST /transactions', PAYMENT)
  const generator = startHelper(fileURLToPath(import.meta.resolve('./load-generator.ts')))
  const base = { headers: place.headers, connections: CONNECTIONS }
  const measure = async (load: Load): Promise<Minute> => {
    const result = await ask<LoadResult>(generator, load)
    if (result.failures > 0) throw new Error(`${result.failures} requests failed`)
    return { ...result, megabytes: residentMegabytes(place.pid) }
  }
  const paying = { ...base, url: `${place.url}/transactions`, body: JSON.stringify(PAYMENT), isKeyed: true }
  const reading = { ...base, url: `${place.url}/transactions/${paid.id}` }
  progress('warming up')
  for (const load of [paying, reading]) await measure({ ...load, seconds: pace.warmUpSeconds })
  const payments: Minute[] = []
  const reads: Minute[] = []
  while (payments.length < minutes) {
    progress(`minute ${payments.length + 1} of ${minutes}`)
    payments.push(await measure({ ...paying, seconds: 60 }))
  }
  while (reads.length < pace.rounds) {
    progress(`reading, round ${reads.length + 1} of ${pace.rounds}`)
    reads.push(await measure({ ...reading, seconds: pace.seconds }))
  }
  return {
    settings: [
      `${minutes} minutes of payments, then ${pace.rounds} rounds of ${pace.seconds} s of reads, after ${pace.warmUpSeconds} s of warm-up of each`,
      `${CONNECTIONS} connections without pipelining, every commit reaches the disk (fsync)`,
    ],
    figures: describe(payments, reads),
  }
}

function describe(payments: readonly Minute[], reads: readonly Minute[]): Figure[] {
  const rate = ({ requestsPerSecond }: Minute) => requestsPerSecond
  const memory = payments.map(({ megabytes }) => megabytes)
  const growth = (memory.at(-1) ?? Number.NaN) / (memory[0] ?? Number.NaN)
  return [
    ...figuresOf(payments, [
      ['payments', '/s', rate, atLeast(RATE_MIN)],
      ['p99 of a payment', 'ms', ({ p99 }) => p99, atMost(P99_MAX_MS)],
      ['memory, minute by minute', 'MB', ({ megabytes }) => megabytes],
    ]),
    ...figuresOf(
      [growth],
      [['memory of the last minute, as a share of the first', '', itself, atMost(GROWTH_MAX)]],
    ),
    ...figuresOf(reads, [
      ['reads', '/s', rate, atLeast(READS_MIN)],
      ['p99 of a read', 'ms', ({ p99 }) => p99],
    ]),
  ]
}
