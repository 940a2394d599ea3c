import { fileURLToPath } from 'node:url'
import { ask, type Running, startHelper } from '../lab/processes.ts'
import { prepareDataFolder, startService } from '../lab/product.ts'
import { type Benchmark, type Figure, figure, type Outcome, type Pace } from './figures.ts'
import type { Load, LoadResult } from './load-generator.ts'

const CARDS = 10
const RATIO_MAX = 2
const DISTANCE_MS = 20

export const giftCardBalances: Benchmark = {
  name: 'gift-card-balances',
  title: 'Looking up gift cards',
  explanation:
    'How long `POST /gift-cards/balances` takes for ten cards, as a share of what it takes for one, which shows whether ' +
    `the provider is asked about all of them at the same time: with a provider that takes ${DISTANCE_MS} ms, as one at the other end ` +
    'of a line does. With the simulated provider in our own process, which answers at once, nothing is waited for and ' +
    'what grows is the work, the provider’s included; that is shown beside it.',
  run,
}

const DISTANT = fileURLToPath(import.meta.resolve('./distant-provider.ts'))
type Round = { readonly one: number; readonly ten: number }

async function run(pace: Pace, progress: (text: string) => void): Promise<Outcome> {
  const generator = startHelper(fileURLToPath(import.meta.resolve('./load-generator.ts')))
  const distant = await lookUp(generator, pace, {
    progress,
    preload: DISTANT,
    env: { PROVIDER_DISTANCE_MS: String(DISTANCE_MS) },
  })
  const near = await lookUp(generator, pace, { progress })
  await generator.stop()
  return {
    settings: [`${pace.rounds} rounds of ${pace.seconds} s for each; one request at a time`],
    figures: [
      ...describe(`a provider that takes ${DISTANCE_MS} ms`, distant, { is: 'at most', limit: RATIO_MAX }),
      ...describe('a provider in our own process', near),
    ],
  }
}

function describe(provider: string, rounds: readonly Round[], target?: Figure['target']): Figure[] {
  return [
    figure(
      { name: `${provider}: ten cards, as a share of one`, unit: '', ...(target && { target }) },
      rounds.map(({ one, ten }) => ten / one),
    ),
    figure(
      { name: `${provider}: one card`, unit: 'ms' },
      rounds.map(({ one }) => one),
    ),
    figure(
      { name: `${provider}: ten cards`, unit: 'ms' },
      rounds.map(({ ten }) => ten),
    ),
  ]
}

type How = {
  readonly progress: (text: string) => void
  readonly preload?: string
  readonly env?: Record<string, string>
}

async function lookUp(generator: Running, pace: Pace, { progress, ...settings }: How): Promise<Round[]> {
  progress('starting the service')
  const folder = await prepareDataFolder()
  const service = await startService(folder, settings)
  const measure = (cards: number, seconds: number) => {
    const load: Load = {
      url: `${service.url}/gift-cards/balances`,
      headers: { authorization: `Bearer ${folder.token}`, 'content-type': 'application/json' },
      connections: 1,
      seconds,
      body: JSON.stringify({ items: Array.from({ length: cards }, (_, index) => cardOf(index)) }),
    }
    return ask<LoadResult>(generator, load)
  }
  await measure(CARDS, pace.warmUpSeconds)
  const rounds: Round[] = []
  for (let round = 1; round <= pace.rounds; round += 1) {
    progress(`round ${round} of ${pace.rounds}`)
    const [one, ten] = [await measure(1, pace.seconds), await measure(CARDS, pace.seconds)]
    if (one.failures + ten.failures > 0) throw new Error('a look-up failed')
    rounds.push({ one: one.p50, ten: ten.p50 })
  }
  await service.stop()
  await folder.remove()
  return rounds
}

function cardOf(index: number) {
  return { number: `412345554123456${String(1000 + index)}`, pin: '01000' }
}
