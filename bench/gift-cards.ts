import { randomBytes, randomUUID } from 'node:crypto'
import type { Link } from '#connectors/contract/connector.ts'
import type { PresentedCard } from '#connectors/contract/gift-card.ts'
import { issueOrder, redeemOrder } from '#connectors/contract/gift-card-samples.ts'
import { testLink } from '#connectors/contract/samples.ts'
import { secret } from '#connectors/contract/secret.ts'
import { switchyardGiftCard } from '#connectors/switchyard-gift-card/connector.ts'
import { createIssuer, ISSUER_URL } from '#issuer/issuer.ts'
import { verifyLedger } from '#issuer/verify.ts'
import { secretsFrom } from '#platform/access/secrets.ts'
import { type Database, openDatabase } from '#platform/database/open-database.ts'
import { systemClock } from '#platform/process/clock.ts'
import { type Latency, latencyOf } from '../lab/latency.ts'
import { readConfig } from '../server/src/config.ts'
import { turnsOf } from './contest.ts'
import { atLeast, type Benchmark, figuresOf, type Outcome, type Pace } from './figures.ts'
import { openPlace } from './place.ts'

const RATE_MIN = 100
const CALLERS = 10
const AMOUNT = 7
const OPENING = 90_000_000
const CURRENCY = 'USD'
const PUBLIC_URL = 'http://127.0.0.1:3000'

export const giftCards: Benchmark = {
  name: 'gift-cards',
  title: 'Redeeming from one gift card',
  explanation:
    'Redemptions per second from one and the same card of our own issuer, through its connector: from one process, and ' +
    'from two offices of the issuer that share the database and nothing else, as two processes would. Each is a row of ' +
    'the ledger and a commit of its own, one after the other, because all of them want the same balance. After each ' +
    'round the card must have exactly what it had before less what was approved, and the whole ledger must add up.',
  run,
}

type Office = { readonly link: Link; readonly database: Database }
type Round = { readonly rate: number; readonly latency: Latency }

async function run(pace: Pace, progress: (text: string) => void): Promise<Outcome> {
  progress('starting the service, for its database')
  const { connection } = await openPlace()
  const poolSize = readConfig({}).databasePoolSize
  const secrets = secretsFrom(randomBytes(32))
  const fields = { program: 'bench', program_key: randomUUID() }
  const offices = [1, 2].map((): Office => {
    const database = openDatabase(connection, { poolSize, onError: () => {} })
    const { fetch } = createIssuer({
      pool: database.pool,
      clock: systemClock,
      secrets,
      publicUrl: PUBLIC_URL,
    })
    return { database, link: testLink({ fetch, fields }) }
  })
  const alone = offices.slice(0, 1)
  const card = await buyCard(alone)
  progress('warming up')
  await measure(offices, card, pace.warmUpSeconds)
  const rounds: { readonly one: Round; readonly two: Round }[] = []
  for (let index = 0; index < pace.rounds; index += 1) {
    progress(`round ${index + 1} of ${pace.rounds}`)
    rounds.push({
      one: await measure(alone, card, pace.seconds),
      two: await measure(offices, card, pace.seconds),
    })
  }
  for (const { database } of offices) await database.close()
  return { settings: settingsOf(pace, poolSize), figures: describe(rounds) }
}

function settingsOf(pace: Pace, poolSize: number): string[] {
  return [
    turnsOf(pace),
    `${CALLERS} callers, who share the offices; ${poolSize} database connections at most for each office`,
    'every commit reaches the disk (fsync); the service runs beside it, with its jobs and without requests',
  ]
}

function describe(rounds: readonly { readonly one: Round; readonly two: Round }[]): Outcome['figures'] {
  return (['one', 'two'] as const).flatMap((name) => {
    const office = name === 'one' ? 'one office' : 'two offices'
    return figuresOf(rounds, [
      [`${office}: redemptions`, '/s', (round) => round[name].rate, atLeast(RATE_MIN)],
      [`${office}: p50`, 'ms', (round) => round[name].latency.p50],
      [`${office}: p99`, 'ms', (round) => round[name].latency.p99],
    ])
  })
}

/** A new card, issued like a merchant's and read from its page like a buyer's. */
async function buyCard([office]: readonly Office[]): Promise<PresentedCard> {
  if (!office) throw new Error('there is no office')
  const order = issueOrder({ amount: OPENING, currency: CURRENCY })
  const issued = await switchyardGiftCard.issue?.(order, office.link)
  if (issued?.outcome !== 'approved') throw new Error('A card cannot be issued.')
  const url = issued.url.replace(`${PUBLIC_URL}/gift-cards/`, ISSUER_URL)
  const shown = await (await office.link.fetch(url, { method: 'POST' })).json()
  const { card } = shown as { card: { number: string; pin: string } }
  return { number: secret(card.number), pin: secret(card.pin) }
}

async function measure(offices: readonly Office[], card: PresentedCard, seconds: number): Promise<Round> {
  const before = await balanceOf(offices, card)
  const times: number[] = []
  const begun = performance.now()
  const end = begun + seconds * 1000
  const work = async (caller: number) => {
    const office = offices[caller % offices.length]
    while (office && performance.now() < end) {
      const asked = performance.now()
      const order = redeemOrder(card, { amount: AMOUNT, currency: CURRENCY })
      const { outcome } = await switchyardGiftCard.redeem(order, office.link)
      if (outcome !== 'approved') throw new Error(`A redemption was ${outcome}.`)
      times.push(performance.now() - asked)
    }
  }
  await Promise.all(Array.from({ length: CALLERS }, (_none, caller) => work(caller)))
  const rate = times.length / ((performance.now() - begun) / 1000)
  const lost = before - times.length * AMOUNT - (await balanceOf(offices, card))
  if (lost !== 0) throw new Error(`The card is ${lost} away from what was redeemed.`)
  for (const { database } of offices.slice(0, 1)) {
    const [finding] = await verifyLedger(database.pool)
    if (finding !== undefined) throw new Error(finding)
  }
  return { rate, latency: latencyOf(times) }
}

async function balanceOf([office]: readonly Office[], card: PresentedCard): Promise<number> {
  const answer = office && (await switchyardGiftCard.balance({ card }, office.link))
  if (answer?.outcome !== 'known') throw new Error('The balance cannot be read.')
  return answer.balance
}
