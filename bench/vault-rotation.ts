import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db } from '#platform/database/db.ts'
import { Masked, Vault } from '#vault'
import { type Latency, latencyOf } from '../lab/latency.ts'
import { CHECKOUT, start } from '../lab/processes.ts'
import { type DataFolder, mustDo } from '../lab/product.ts'
import { inBackground } from '../lab/turns.ts'
import { vaultKeySource } from '../server/src/config.ts'
import type { Foundation } from '../server/src/open-foundation.ts'
import { atLeast, type Benchmark, figuresOf, type Outcome, type Pace } from './figures.ts'
import { openParts, openPlace, type Place } from './place.ts'

const CARDS_PER_SECOND_MIN = 500
const READS_PER_SECOND = 20
const QUIET_SECONDS = 10
const SAMPLE = 200
const BATCH = 500
const DEADLINE_MS = 300_000
const ACCOUNT = 'default'

export const vaultRotation: Benchmark = {
  name: 'vault-rotation',
  title: 'Rotating the vault’s keys',
  explanation:
    'How many cards a second `switchyard vault rotate` seals again, as a process of its own on the database of a ' +
    `service that meanwhile answers ${READS_PER_SECOND} \`GET /payment-methods\` a second. The time is that of the whole ` +
    'command, from its start to its end. Beside it, the answer times of these reads, during a rotation and without ' +
    `one. After each rotation, ${SAMPLE} cards from all over the vault are opened and compared with what was stored.`,
  run,
}

type Round = { readonly cardsPerSecond: number; readonly reads: Latency }
type Card = { readonly token: string; readonly number: string }

async function run(pace: Pace, progress: (text: string) => void): Promise<Outcome> {
  progress('starting the service')
  const place = await openPlace()
  const foundation = await openParts(place, { say: progress })
  const { config } = foundation
  const cards = await storeCards(foundation, pace.cards, progress)
  const rounds: Round[] = []
  const quiet: Latency[] = []
  for (let index = 0; index < pace.rounds; index += 1) {
    progress(`round ${index + 1} of ${pace.rounds}: without a rotation`)
    const { reads } = await whileReading(place, () => sleep(QUIET_SECONDS * 1000))
    quiet.push(reads)
    progress(`round ${index + 1} of ${pace.rounds}: rotation`)
    const before = await keysInUse(foundation.db)
    const during = await whileReading(place, () => rotate(place.folder))
    const after = await keysInUse(foundation.db)
    if (after.some((id) => before.includes(id))) throw new Error('a card kept its old key')
    rounds.push({ cardsPerSecond: cards.length / during.seconds, reads: during.reads })
    progress(`round ${index + 1} of ${pace.rounds}: opening ${SAMPLE} cards`)
    // A newly opened vault, so that no old key is in memory.
    await checkSample(
      foundation.db,
      await Vault.open(foundation.db, config.environment, vaultKeySource(config)),
      cards,
    )
  }
  return { settings: settingsOf(pace), figures: describe(rounds, quiet) }
}

function settingsOf(pace: Pace): string[] {
  return [
    `${pace.rounds} rotations of ${pace.cards} cards of one merchant account, each after ${QUIET_SECONDS} s without one`,
    `${READS_PER_SECOND} requests a second, sent on time whether or not answers come back, with a token that the service knows`,
    'every commit reaches the disk (fsync); service, command and database share the machine',
  ]
}

function describe(rounds: readonly Round[], quiet: readonly Latency[]): Outcome['figures'] {
  const latencies = (name: string, reads: readonly Latency[]) =>
    figuresOf(reads, [
      [`${name}: p50`, 'ms', ({ p50 }) => p50],
      [`${name}: p95`, 'ms', ({ p95 }) => p95],
      [`${name}: p99`, 'ms', ({ p99 }) => p99],
    ])
  const during = rounds.map(({ reads }) => reads)
  return [
    ...figuresOf(rounds, [
      ['cards sealed again', '/s', ({ cardsPerSecond }) => cardsPerSecond, atLeast(CARDS_PER_SECOND_MIN)],
    ]),
    ...latencies('reads during a rotation', during),
    ...latencies('reads without a rotation', quiet),
  ]
}

/** Stores cards through the vault's client, many in one commit; then a payment method for each, for lists. */
async function storeCards(
  { db, vault }: Foundation,
  count: number,
  progress: (text: string) => void,
): Promise<Card[]> {
  const cards: Card[] = []
  while (cards.length < count) {
    progress(`storing cards: ${cards.length} of ${count}`)
    await db.transaction().execute(async (tx) => {
      const end = Math.min(cards.length + BATCH, count)
      while (cards.length < end) {
        const number = `411111${String(cards.length).padStart(10, '0')}`
        const token = await vault.store(tx, { merchantAccountId: ACCOUNT }, 'number', new Masked(number))
        cards.push({ token, number })
      }
      await addPaymentMethods(tx, cards.slice(-BATCH))
    })
  }
  return cards
}

async function addPaymentMethods(tx: Db, cards: readonly Card[]): Promise<void> {
  const now = new Date()
  await tx
    .insertInto('payment_methods')
    .values(
      cards.map(({ token, number }) => ({
        id: token,
        merchant_account_id: ACCOUNT,
        method: 'card',
        mode: 'card' as const,
        status: 'succeeded' as const,
        scheme: 'visa' as const,
        label: number.slice(-4),
        expiration_date: '12/30',
        vault_token: token,
        usage_count: 0,
        cit_usage_count: 0,
        created_at: now,
        updated_at: now,
      })) as never,
    )
    .execute()
}

type During = { readonly seconds: number; readonly reads: Latency }

async function whileReading(place: Place, work: () => Promise<unknown>): Promise<During> {
  const exchanges: Promise<number>[] = []
  const read = async () => {
    const begun = performance.now()
    await mustDo(place, 'GET /payment-methods')
    return performance.now() - begun
  }
  const begun = performance.now()
  const timer = setInterval(() => exchanges.push(inBackground(read())), 1000 / READS_PER_SECOND)
  try {
    await work()
  } finally {
    clearInterval(timer)
  }
  const seconds = (performance.now() - begun) / 1000
  return { seconds, reads: latencyOf(await Promise.all(exchanges)) }
}

async function rotate({ path }: DataFolder): Promise<void> {
  const command = start({
    command: join(CHECKOUT, 'bin/switchyard'),
    args: ['vault', 'rotate'],
    env: { DATA_DIR: path },
  })
  const [code] = await once(command.child, 'exit', { signal: AbortSignal.timeout(DEADLINE_MS) })
  await command.stop()
  if (code !== 0) throw new Error(`The rotation failed: ${command.complaint()}`)
}

async function keysInUse(db: Db): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select distinct data_key_id as id from vault.items`.execute(db)
  return rows.map(({ id }) => id)
}

async function checkSample(db: Db, vault: Vault, cards: readonly Card[]): Promise<void> {
  const step = Math.max(1, Math.floor(cards.length / SAMPLE))
  const sample = cards.filter((_card, index) => index % step === 0).slice(0, SAMPLE)
  for (const { token, number } of sample) {
    const access = { merchantAccountId: ACCOUNT, token, purpose: 'bench', onReveal: async () => {} }
    const isSame = await vault.reveal(db, access, async (value) =>
      value.use((bytes) => bytes.toString() === number),
    )
    if (!isSame) throw new Error('a card is not what was stored')
  }
}
