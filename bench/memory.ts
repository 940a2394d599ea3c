import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { ask, residentMegabytes, startHelper } from '../lab/processes.ts'
import { prepareDataFolder, send, startService } from '../lab/product.ts'
import { type Benchmark, figure, type Outcome, type Pace } from './figures.ts'
import type { Load, LoadResult } from './load-generator.ts'

const REQUESTS = 100_000
const REQUESTS_WHEN_QUICK = 10_000
const PARTS = 10
const CONNECTIONS = 10
const GROWTH_MAX = 1.25
const READINGS = 5
const READING_EVERY_MS = 500
const PAYMENT = {
  amount: 1299,
  currency: 'USD',
  payment_method: { method: 'card', number: '4111111111111111', expiration_date: '12/30' },
}

export const memory: Benchmark = {
  name: 'memory',
  title: 'Memory over many requests',
  explanation:
    'The memory of the process after 100,000 requests (one payment for every nine reads of a transaction or a page of ' +
    'transactions), as a share of its memory after the first tenth of them, when all is loaded and compiled. The lowest ' +
    'of several readings counts each time, because garbage comes and goes. Most of it is garbage: the heap grows to a ' +
    'certain size before it is cleaned.',
  run,
}

async function run(pace: Pace, progress: (text: string) => void): Promise<Outcome> {
  const requests = pace.rounds > 2 ? REQUESTS : REQUESTS_WHEN_QUICK
  progress('starting the service')
  const folder = await prepareDataFolder()
  const service = await startService(folder)
  const place = { ...service, token: folder.token }
  const paid = (await (await send(place, 'POST /transactions', PAYMENT)).json()) as { id: string }
  const generator = startHelper(fileURLToPath(import.meta.resolve('./load-generator.ts')))
  const headers = { authorization: `Bearer ${folder.token}`, 'content-type': 'application/json' }
  const base = { headers, connections: CONNECTIONS, seconds: 600 }
  const each = requests / PARTS / 10
  const readings: number[] = []
  for (let part = 1; part <= PARTS; part += 1) {
    progress(`${((part - 1) * requests) / PARTS} of ${requests} requests`)
    const loads: Load[] = [
      { ...base, url: `${service.url}/transactions`, body: JSON.stringify(PAYMENT), amount: each },
      { ...base, url: `${service.url}/transactions/${paid.id}`, amount: each * 6 },
      { ...base, url: `${service.url}/transactions?limit=20`, amount: each * 3 },
    ]
    for (const load of loads) {
      const { failures } = await ask<LoadResult>(generator, load)
      if (failures > 0) throw new Error(`${failures} requests failed`)
    }
    readings.push(await lowestMegabytes(service.pid))
  }
  for (const program of [generator, service]) await program.stop()
  await folder.remove()
  const [first = Number.NaN] = readings
  const last = readings.at(-1) ?? Number.NaN
  return {
    settings: [`${requests} requests in ${PARTS} parts, ${CONNECTIONS} connections`],
    figures: [
      figure(
        {
          name: 'memory at the end, as a share of that after the first tenth',
          unit: '',
          target: { is: 'at most', limit: GROWTH_MAX },
        },
        [last / first],
      ),
      figure({ name: 'memory after the first tenth', unit: 'MB' }, [first]),
      figure({ name: 'memory at the end', unit: 'MB' }, [last]),
      figure({ name: 'memory over all parts', unit: 'MB' }, readings),
    ],
  }
}

/** Measured after a part. During it, memory still grows to what its requests need. */
async function lowestMegabytes(pid: number): Promise<number> {
  const seen: number[] = []
  for (let reading = 0; reading < READINGS; reading += 1) {
    await sleep(READING_EVERY_MS)
    seen.push(residentMegabytes(pid))
  }
  return Math.min(...seen)
}
