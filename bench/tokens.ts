import { fileURLToPath } from 'node:url'
import { ask, type Running, residentMegabytes, startHelper } from '../lab/processes.ts'
import { turnsOf } from './contest.ts'
import { atMost, type Benchmark, figuresOf, type Outcome, type Pace } from './figures.ts'
import type { Lag, LagOrder } from './lag-probe.ts'
import { openPlace, type Place } from './place.ts'
import type { SenderOrder, SenderResult } from './token-sender.ts'

const NEW_A_SECOND = 100
const LAG_P99_MAX_MS = 20
const BOGUS_A_SECOND = 500
const GOOD_A_SECOND = 50
const P99_MAX_MS = 200

export const uncachedES512: Benchmark = {
  name: 'uncached-es512',
  title: 'New ES512 tokens',
  explanation:
    `How long the service’s event loop is held up while ${NEW_A_SECOND} requests a second each bring an ES512 token that ` +
    'it has not seen, and, as the floor, while the same requests bring one that it has. The delay is measured inside ' +
    'the service by a timer of 1 ms (`perf_hooks.monitorEventLoopDelay`), less that 1 ms; each tick counts once, ' +
    'however long it was. Tokens are signed beforehand, in another process.',
  run: runUncached,
}

export const bogusTokens: Benchmark = {
  name: 'bogus-tokens',
  title: 'Forged tokens',
  explanation:
    `How long good calls take while ${BOGUS_A_SECOND} requests a second bring forged ES512 tokens: they name a key that ` +
    'exists and have a signature of the right form, so that each has to be verified to be refused. As the floor, how long ' +
    'the same calls take without forged tokens. Forged tokens have to be answered 401, or 429 when there were too many ' +
    'of them; good ones 200.',
  run: runBogus,
}

async function runUncached(pace: Pace, progress: (text: string) => void): Promise<Outcome> {
  progress('starting the service and signing tokens')
  const place = await openPlace({ preload: fileURLToPath(import.meta.resolve('./lag-probe.ts')) })
  const tokens = NEW_A_SECOND * (pace.rounds * pace.seconds + pace.warmUpSeconds) + 1
  const sender = await openSender({ sign: tokens, key: place.folder.key })
  const measure = async (seconds: number, isNew: boolean) => {
    await ask<Lag>(place, { lag: 'reset' } satisfies LagOrder)
    const answers = await sendTo(place, sender, { perSecond: NEW_A_SECOND, seconds, isNew, statuses: [200] })
    const lag = await ask<Lag>(place, { lag: 'read' } satisfies LagOrder)
    return { ...lag, answers, megabytes: residentMegabytes(place.pid) }
  }
  progress('warming up')
  await measure(pace.warmUpSeconds, false)
  const [fresh, known] = await takeTurns(pace, progress, measure)
  const table = (name: string, isTarget: boolean) =>
    figuresOf(isTarget ? fresh : known, [
      [`${name}: loop delay p99`, 'ms', ({ p99 }) => p99, isTarget ? atMost(LAG_P99_MAX_MS) : undefined],
      [`${name}: loop delay p50`, 'ms', ({ p50 }) => p50],
      [`${name}: longest loop delay`, 'ms', ({ max }) => max],
      [`${name}: answer p50`, 'ms', ({ answers }) => answers.p50],
      [`${name}: answer p95`, 'ms', ({ answers }) => answers.p95],
      [`${name}: answer p99`, 'ms', ({ answers }) => answers.p99],
      [`${name}: memory`, 'MB', ({ megabytes }) => megabytes],
    ])
  return {
    settings: [
      turnsOf(pace),
      `${NEW_A_SECOND} requests a second (GET /api-key-pairs), sent on time whether or not answers come back`,
    ],
    figures: [...table('new tokens', true), ...table('a known token', false)],
  }
}

async function runBogus(pace: Pace, progress: (text: string) => void): Promise<Outcome> {
  progress('starting the service and forging tokens')
  const place = await openPlace()
  const forgeries = BOGUS_A_SECOND * (pace.rounds * pace.seconds + pace.warmUpSeconds) + 1
  const good = await openSender({ sign: 1, key: place.folder.key })
  const forger = await openSender({ forge: forgeries, key: place.folder.key })
  const measure = async (seconds: number, isDisturbed: boolean) => {
    const bogus = { perSecond: BOGUS_A_SECOND, seconds, isNew: true, statuses: [401, 429] }
    const sound = { perSecond: GOOD_A_SECOND, seconds, isNew: false, statuses: [200] }
    const [answers, forged] = await Promise.all([
      sendTo(place, good, sound),
      isDisturbed ? sendTo(place, forger, bogus) : undefined,
    ])
    return { ...answers, forged }
  }
  const [disturbed, alone] = await takeTurns(pace, progress, measure)
  return {
    settings: [
      turnsOf(pace),
      `${GOOD_A_SECOND} good calls a second (GET /api-key-pairs with a known token), all sent on time whether or not answers come back`,
    ],
    figures: [
      ...figuresOf(disturbed, [
        ['beside forged tokens: p99', 'ms', ({ p99 }) => p99, atMost(P99_MAX_MS)],
        ['beside forged tokens: p50', 'ms', ({ p50 }) => p50],
      ]),
      ...figuresOf(alone, [
        ['alone: p99', 'ms', ({ p99 }) => p99],
        ['alone: p50', 'ms', ({ p50 }) => p50],
      ]),
      ...figuresOf(disturbed, [
        ['forged token, until it is refused: p50', 'ms', ({ forged }) => forged?.p50 ?? Number.NaN],
        ['forged token, until it is refused: p99', 'ms', ({ forged }) => forged?.p99 ?? Number.NaN],
      ]),
    ],
  }
}

async function openSender(order: SenderOrder): Promise<Running> {
  const sender = startHelper(fileURLToPath(import.meta.resolve('./token-sender.ts')))
  await ask(sender, order)
  return sender
}

type How = {
  readonly perSecond: number
  readonly seconds: number
  readonly isNew: boolean
  readonly statuses: readonly number[]
}

async function sendTo({ url }: Place, sender: Running, { seconds, ...how }: How): Promise<SenderResult> {
  const order = { send: how.perSecond * seconds, url: `${url}/api-key-pairs`, ...how } satisfies SenderOrder
  const answers = await ask<SenderResult>(sender, order)
  if (answers.failures > 0)
    throw new Error(`${answers.failures} requests were not answered as they should be`)
  return answers
}

type Measure<Round> = (seconds: number, isHard: boolean) => Promise<Round>

/** The hard rounds and the others, which take turns. Another one begins each time. */
async function takeTurns<Round>(
  { rounds, seconds, warmUpSeconds }: Pace,
  progress: (text: string) => void,
  measure: Measure<Round>,
): Promise<readonly [hard: readonly Round[], easy: readonly Round[]]> {
  const [hard, easy]: [Round[], Round[]] = [[], []]
  progress('warming up')
  await measure(warmUpSeconds, true)
  for (let index = 0; index < rounds; index += 1) {
    for (const isHard of index % 2 === 0 ? [true, false] : [false, true]) {
      progress(`round ${index + 1} of ${rounds}: ${isHard ? 'new or forged tokens' : 'a known token'}`)
      const round = await measure(seconds, isHard)
      if (isHard) hard.push(round)
      else easy.push(round)
    }
  }
  return [hard, easy]
}
