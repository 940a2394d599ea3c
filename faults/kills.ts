import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type pg from 'pg'
import { dice } from '../lab/dice.ts'
import { audit, endLeases, settleAll } from './aftermath.ts'
import { type KillableService, killableService } from './killable-service.ts'
import { openDatabase } from './open-database.ts'
import { startProcessor, unreached } from './processor.ts'
import type { Outcome, Pace, Program } from './program.ts'
import { openTown, type Town } from './town.ts'

/*
 * It was seen to fail for each of these changes: a repeated payment begins again (`createTransaction` without `resume`), a
 * repeated capture or refund begins again (`followUp` without `takeUp`), and no job resolves open attempts
 * (`resolveDue` does nothing).
 */
const SHOPS = 10
/** How many payments are followed by a token: one of the card's scheme, or one of a payment service. */
const TOKEN_CHANCE = 0.3
const KILLS = { full: 200, short: 6 }
/** On a slow machine a short form has fewer kills, so that it ends in time. */
const KILLING_MS_MAX = 20_000
const READY_MS_MAX = { full: 5_000, short: 60_000 }

export const kills: Program = {
  name: 'kills',
  promise: 3,
  title: 'Nothing is lost when the process is killed',
  explanation:
    'Ten shops pay, capture, void, refund, increment, pay out and ask for tokens while the process is killed (`kill -9`) at random moments and ' +
    'started again. Each shop repeats a request with its idempotency key until it is answered. The simulated processor ' +
    'runs in a process that is not killed; it also loses the answer to one step of every tenth payment or payout. Afterwards the ' +
    'program looks up every acknowledged change, and compares our figures with the books of the processor. It ends the ' +
    'leases of dead processes in the database instead of waiting for them. The service has to be ready again within 5 ' +
    'seconds, not counting the time in which it waited for a CPU that other programs used.',
  run,
}

async function run({ isShort, seed, newDatabase }: Pace, say: (text: string) => void): Promise<Outcome> {
  const databaseUrl = await newDatabase()
  const database = await openDatabase(databaseUrl)
  const processor = await startProcessor(databaseUrl)
  const service = await killableService({
    databaseUrl,
    preload: [fileURLToPath(new URL('far-processor.ts', import.meta.url))],
    env: { PROCESSOR_PORT: String(processor.port) },
  })
  await service.start()
  const town = await openTown(service, seed, { tokenChance: TOKEN_CHANCE })
  const shops = Array.from({ length: SHOPS }, (_, index) => town.trade(index))
  const form = isShort ? 'short' : 'full'
  const starts = await killAgainAndAgain(
    { service, database, town },
    { seed, count: KILLS[form], isShort, say },
  ).finally(town.close)
  await Promise.all(shops)
  const unsettled = await settleAll(database)
  const tookMs = starts.map((start) => start.tookMs)
  // The time that it waited for a CPU that other programs used does not count.
  const ownMs = Math.max(...starts.map((start) => start.tookMs - start.waitedMs))
  const broken = [
    ...town.broken,
    ...unsettled,
    ...(await audit(database, town)),
    ...(ownMs > READY_MS_MAX[form] ? [`a start took ${Math.round(ownMs)} ms`] : []),
    ...(town.tokens.told.size === 0 ? ['no shop asked for a token: nothing was shown of them'] : []),
    ...(town.counts().cut === 0 ? ['no kill cut a request: nothing was shown'] : []),
    ...unreached(processor),
  ]
  const { sent, answered, cut } = town.counts()
  const rows = await database.query('select count(*) from transactions')
  const entries = await database.query('select count(*) from simulator.entries')
  await service.kill()
  return {
    seed,
    did: { kills: starts.length, 'requests sent': sent, 'requests cut by a kill': cut },
    acknowledged: {
      requests: answered,
      payments: town.paid.size,
      'sums compared': town.acknowledged.size,
      payouts: town.paidOut.size,
      tokens: town.tokens.told.size,
    },
    found: {
      payments: Number(rows.rows[0].count),
      'operations in the books of the processor': Number(entries.rows[0].count),
      'milliseconds until ready, median': Math.round(median(tookMs)),
      'milliseconds until ready, longest': Math.round(Math.max(...tookMs)),
      'the same without waiting for a CPU': Math.round(ownMs),
    },
    broken,
  }
}

type Place = { readonly service: KillableService; readonly database: pg.Client; readonly town: Town }
type Killing = {
  readonly seed: number
  readonly count: number
  readonly isShort: boolean
  readonly say: (text: string) => void
}

/** Returns how each start went. */
async function killAgainAndAgain({ service, database, town }: Place, killing: Killing) {
  const chance = dice(killing.seed)
  const starts: Awaited<ReturnType<KillableService['start']>>[] = []
  const begin = performance.now()
  const isLate = () => killing.isShort && performance.now() - begin > KILLING_MS_MAX
  while (starts.length < killing.count && !isLate() && town.broken.length === 0) {
    killing.say(`${starts.length} of ${killing.count} kills, ${town.counts().answered} answers`)
    await town.answers(20 + chance() * 60)
    await sleep(chance() * 20)
    await service.kill()
    await endLeases(database)
    starts.push(await service.start())
  }
  return starts
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN
}
