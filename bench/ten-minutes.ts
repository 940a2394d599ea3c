import { fileURLToPath } from 'node:url'
import { ask, residentMegabytes, startHelper } from '../lab/processes.ts'
import { prepareDataFolder, send, startService } from '../lab/product.ts'
import { type Benchmark, type Figure, figure, type Outcome, type Pace } from './figures.ts'
import type { Load, LoadResult } from './load-generator.ts'
import { PAYMENT } from './payment.ts'

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
  const folder = await prepareDataFolder()
  const service = await startService(folder)
  const place = { ...service, token: folder.token }
  const paid = (await (await send(place, 'POST /transactions', PAYMENT)).json()) as { id: string }
  const generator = startHelper(fileURLToPath(import.meta.resolve('./load-generator.ts')))
  const headers = { authorization: `Bearer ${folder.token}`, 'content-type': 'application/json' }
  const base = { headers, connections: CONNECTIONS }
  const measure = async (load: Load): Promise<Minute> => {
    const result = await ask<LoadResult>(generator, load)
    if (result.failures > 0) throw new Error(`${result.failures} requests failed`)
    return { ...result, megabytes: residentMegabytes(service.pid) }
  }
  const paying = { ...base, url: `${service.url}/transactions`, body: JSON.stringify(PAYMENT), isKeyed: true }
  const reading = { ...base, url: `${service.url}/transactions/${paid.id}` }
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
  for (const program of [generator, service]) await program.stop()
  await folder.remove()
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
  const p99 = (minute: Minute) => minute.p99
  const most = { is: 'at most', limit: P99_MAX_MS } as const
  const memory = payments.map(({ megabytes }) => megabytes)
  return [
    figure({ name: 'payments', unit: '/s', target: { is: 'at least', limit: RATE_MIN } }, payments.map(rate)),
    figure({ name: 'p99 of a payment', unit: 'ms', target: most }, payments.map(p99)),
    figure({ name: 'memory, minute by minute', unit: 'MB' }, memory),
    figure(
      {
        name: 'memory of the last minute, as a share of the first',
        unit: '',
        target: { is: 'at most', limit: GROWTH_MAX },
      },
      [(memory.at(-1) ?? Number.NaN) / (memory[0] ?? Number.NaN)],
    ),
    figure({ name: 'reads', unit: '/s', target: { is: 'at least', limit: READS_MIN } }, reads.map(rate)),
    figure({ name: 'p99 of a read', unit: 'ms' }, reads.map(p99)),
  ]
}
