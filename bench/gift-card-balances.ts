import { fileURLToPath } from 'node:url'
import { type Benchmark, figure, type Outcome, type Pace } from './figures.ts'
import type { Load, LoadResult } from './load-generator.ts'
import { ask, startHelper } from './processes.ts'
import { prepareDataFolder, startService } from './product.ts'

const CARDS = 10
const RATIO_MAX = 2

export const giftCardBalances: Benchmark = {
  name: 'gift-card-balances',
  title: 'Looking up gift cards',
  explanation:
    'How long `POST /gift-cards/balances` takes for ten cards, as a share of what it takes for one, on the simulated ' +
    'provider. The provider is asked about all of them at the same time; what grows is our own work, as both run on ' +
    'one machine.',
  run,
}

async function run(pace: Pace, progress: (text: string) => void): Promise<Outcome> {
  progress('starting the service')
  const folder = await prepareDataFolder()
  const service = await startService(folder)
  const generator = startHelper(fileURLToPath(import.meta.resolve('./load-generator.ts')))
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
  const rounds: { readonly one: number; readonly ten: number }[] = []
  for (let round = 1; round <= pace.rounds; round += 1) {
    progress(`round ${round} of ${pace.rounds}`)
    const [one, ten] = [await measure(1, pace.seconds), await measure(CARDS, pace.seconds)]
    if (one.failures + ten.failures > 0) throw new Error('a look-up failed')
    rounds.push({ one: one.p50, ten: ten.p50 })
  }
  for (const program of [generator, service]) await program.stop()
  await folder.remove()
  return {
    settings: [`${pace.rounds} rounds of ${pace.seconds} s for each; one request at a time`],
    figures: [
      figure(
        {
          name: 'ten cards, as a share of one (median times)',
          unit: '',
          target: { is: 'at most', limit: RATIO_MAX },
        },
        rounds.map(({ one, ten }) => ten / one),
      ),
      figure(
        { name: 'one card', unit: 'ms' },
        rounds.map(({ one }) => one),
      ),
      figure(
        { name: 'ten cards', unit: 'ms' },
        rounds.map(({ ten }) => ten),
      ),
    ],
  }
}

function cardOf(index: number) {
  return { number: `412345554123456${String(1000 + index)}`, pin: '01000' }
}
