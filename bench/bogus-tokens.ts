import { fileURLToPath } from 'node:url'
import { ask, type Running, startHelper } from '../lab/processes.ts'
import { prepareDataFolder, startService } from '../lab/product.ts'
import { type Benchmark, type Figure, figure, type Outcome, type Pace } from './figures.ts'
import type { SenderOrder, SenderResult } from './token-sender.ts'

const BOGUS_A_SECOND = 500
const GOOD_A_SECOND = 50
const P99_MAX_MS = 200

export const bogusTokens: Benchmark = {
  name: 'bogus-tokens',
  title: 'Forged tokens',
  explanation:
    `How long good calls take while ${BOGUS_A_SECOND} requests a second bring forged ES512 tokens: they name a key that ` +
    'exists and have a signature of the right form, so that each has to be verified to be refused. As the floor, how long ' +
    'the same calls take without forged tokens. Forged tokens have to be answered 401, or 429 when there were too many ' +
    'of them; good ones 200.',
  run,
}

type Senders = { readonly good: Running; readonly forger: Running; readonly url: string }

async function run(pace: Pace, progress: (text: string) => void): Promise<Outcome> {
  progress('starting the service and forging tokens')
  const folder = await prepareDataFolder()
  const service = await startService(folder)
  const program = fileURLToPath(import.meta.resolve('./token-sender.ts'))
  const senders = {
    good: startHelper(program),
    forger: startHelper(program),
    url: `${service.url}/api-key-pairs`,
  }
  const forged = BOGUS_A_SECOND * (pace.rounds * pace.seconds + pace.warmUpSeconds) + 1
  await ask(senders.good, { sign: 1, key: folder.key } satisfies SenderOrder)
  await ask(senders.forger, { forge: forged, key: folder.key } satisfies SenderOrder)
  progress('warming up')
  await measure(senders, pace.warmUpSeconds, true)
  const disturbed: Round[] = []
  const alone: Round[] = []
  for (let index = 0; index < pace.rounds; index += 1) {
    for (const isDisturbed of index % 2 === 0 ? [true, false] : [false, true]) {
      progress(
        `round ${index + 1} of ${pace.rounds}: ${isDisturbed ? 'beside forged tokens' : 'good calls alone'}`,
      )
      const round = await measure(senders, pace.seconds, isDisturbed)
      if (isDisturbed) disturbed.push(round)
      else alone.push(round)
    }
  }
  for (const running of [senders.good, senders.forger, service]) await running.stop()
  await folder.remove()
  return {
    settings: [
      `${pace.rounds} rounds of ${pace.seconds} s for each, in turn, after ${pace.warmUpSeconds} s of warm-up`,
      `${GOOD_A_SECOND} good calls a second (GET /api-key-pairs with a known token), all sent on time whether or not answers come back`,
    ],
    figures: describe(disturbed, alone),
  }
}

type Round = { readonly good: SenderResult; readonly forged: SenderResult | undefined }

async function measure(
  { good, forger, url }: Senders,
  seconds: number,
  isDisturbed: boolean,
): Promise<Round> {
  const forging = isDisturbed
    ? ask<SenderResult>(forger, orderOf(url, BOGUS_A_SECOND, { seconds, isNew: true, statuses: [401, 429] }))
    : undefined
  const answers = await ask<SenderResult>(
    good,
    orderOf(url, GOOD_A_SECOND, { seconds, isNew: false, statuses: [200] }),
  )
  const forged = await forging
  const failures = answers.failures + (forged?.failures ?? 0)
  if (failures > 0) throw new Error(`${failures} requests were not answered as they should be`)
  return { good: answers, forged }
}

function orderOf(
  url: string,
  perSecond: number,
  {
    seconds,
    ...rest
  }: { readonly seconds: number; readonly isNew: boolean; readonly statuses: readonly number[] },
): SenderOrder {
  return { send: perSecond * seconds, perSecond, url, ...rest }
}

function describe(disturbed: readonly Round[], alone: readonly Round[]): Figure[] {
  const target = { is: 'at most', limit: P99_MAX_MS } as const
  return [
    figure(
      { name: 'beside forged tokens: p99', unit: 'ms', target },
      disturbed.map(({ good }) => good.p99),
    ),
    figure(
      { name: 'beside forged tokens: p50', unit: 'ms' },
      disturbed.map(({ good }) => good.p50),
    ),
    figure(
      { name: 'alone: p99', unit: 'ms' },
      alone.map(({ good }) => good.p99),
    ),
    figure(
      { name: 'alone: p50', unit: 'ms' },
      alone.map(({ good }) => good.p50),
    ),
    figure(
      { name: 'forged token, until it is refused: p50', unit: 'ms' },
      disturbed.map(({ forged }) => forged?.p50 ?? Number.NaN),
    ),
    figure(
      { name: 'forged token, until it is refused: p99', unit: 'ms' },
      disturbed.map(({ forged }) => forged?.p99 ?? Number.NaN),
    ),
  ]
}
