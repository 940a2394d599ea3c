import { fileURLToPath } from 'node:url'
import { ask, type Running, residentMegabytes, startHelper } from '../lab/processes.ts'
import { prepareDataFolder, type Service, startService } from '../lab/product.ts'
import { type Benchmark, type Figure, figure, type Outcome, type Pace } from './figures.ts'
import type { Lag, LagOrder } from './lag-probe.ts'
import type { SenderOrder, SenderResult } from './token-sender.ts'

const PER_SECOND = 100
const LAG_P99_MAX_MS = 20

export const uncachedES512: Benchmark = {
  name: 'uncached-es512',
  title: 'New ES512 tokens',
  explanation:
    `How long the service’s event loop is held up while ${PER_SECOND} requests a second each bring an ES512 token that ` +
    'it has not seen, and, as the floor, while the same requests bring one that it has. The delay is measured inside ' +
    'the service by a timer of 1 ms (`perf_hooks.monitorEventLoopDelay`), less that 1 ms; each tick counts once, ' +
    'however long it was. Tokens are signed beforehand, in another process.',
  run,
}

type Round = Lag & { readonly answers: SenderResult; readonly megabytes: number }

async function run(pace: Pace, progress: (text: string) => void): Promise<Outcome> {
  progress('starting the service and signing tokens')
  const folder = await prepareDataFolder()
  const service = await startService(folder, {
    preload: fileURLToPath(import.meta.resolve('./lag-probe.ts')),
  })
  const sender = startHelper(fileURLToPath(import.meta.resolve('./token-sender.ts')))
  const tokens = PER_SECOND * (pace.rounds * pace.seconds + pace.warmUpSeconds) + 1
  await ask(sender, { sign: tokens, key: folder.key } satisfies SenderOrder)
  const parties = { service, sender }
  progress('warming up')
  await measure(parties, pace.warmUpSeconds, true)
  await measure(parties, pace.warmUpSeconds, false)
  const fresh: Round[] = []
  const known: Round[] = []
  for (let index = 0; index < pace.rounds; index += 1) {
    for (const isNew of index % 2 === 0 ? [true, false] : [false, true]) {
      progress(`round ${index + 1} of ${pace.rounds}: ${isNew ? 'new tokens' : 'a known token'}`)
      const round = await measure(parties, pace.seconds, isNew)
      if (isNew) fresh.push(round)
      else known.push(round)
    }
  }
  for (const program of [sender, service]) await program.stop()
  await folder.remove()
  return {
    settings: [
      `${pace.rounds} rounds of ${pace.seconds} s for each, in turn, after ${pace.warmUpSeconds} s of warm-up`,
      `${PER_SECOND} requests a second (GET /api-key-pairs), sent on time whether or not answers come back`,
    ],
    figures: [...describe('new tokens', fresh, true), ...describe('a known token', known, false)],
  }
}

type Parties = { readonly service: Service; readonly sender: Running }

async function measure({ service, sender }: Parties, seconds: number, isNew: boolean): Promise<Round> {
  const url = `${service.url}/api-key-pairs`
  await ask<Lag>(service, { lag: 'reset' } satisfies LagOrder)
  const order: SenderOrder = {
    send: PER_SECOND * seconds,
    perSecond: PER_SECOND,
    url,
    isNew,
    statuses: [200],
  }
  const answers = await ask<SenderResult>(sender, order)
  const lag = await ask<Lag>(service, { lag: 'read' } satisfies LagOrder)
  if (answers.failures > 0) throw new Error(`${answers.failures} requests failed`)
  return { ...lag, answers, megabytes: residentMegabytes(service.pid) }
}

const MEASURES: readonly (readonly [name: string, unit: string, read: (round: Round) => number])[] = [
  ['loop delay p50', 'ms', (round) => round.p50],
  ['longest loop delay', 'ms', (round) => round.max],
  ['answer p50', 'ms', ({ answers }) => answers.p50],
  ['answer p95', 'ms', ({ answers }) => answers.p95],
  ['answer p99', 'ms', ({ answers }) => answers.p99],
  ['memory', 'MB', (round) => round.megabytes],
]

function describe(tokens: string, rounds: readonly Round[], isTarget: boolean): Figure[] {
  const target = { is: 'at most', limit: LAG_P99_MAX_MS } as const
  const delays = rounds.map(({ p99 }) => p99)
  return [
    figure({ name: `${tokens}: loop delay p99`, unit: 'ms', ...(isTarget && { target }) }, delays),
    ...MEASURES.map(([name, unit, read]) => figure({ name: `${tokens}: ${name}`, unit }, rounds.map(read))),
  ]
}
