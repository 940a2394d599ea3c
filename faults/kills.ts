import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { dice } from '../lab/dice.ts'
import { openDatabase } from '../lab/open-database.ts'
import { unreached } from '../lab/processor.ts'
import { audit, endLeases, settleAll } from './aftermath.ts'
import { type KillableService, killableService } from './killable-service.ts'
import type { Form, Outcome, Pace, Program, Say } from './program.ts'
import {
  IN_WORDS,
  nameWith,
  openAccount,
  PROVIDERS,
  type ProviderName,
  startProvider,
  titleWith,
} from './provider.ts'
import { openTown, type Town } from './town.ts'

/*
 * It was seen to fail for each of these changes: a repeated payment begins again (`createTransaction` without `resume`), a
 * repeated capture or refund begins again (`followUp` without `takeUp`), and no job resolves open attempts
 * (`resolveDue` does nothing).
 */
const SHOPS = 10
/** How many payments are followed by a token: one of the card's scheme, or one of a payment service. */
const TOKEN_CHANCE = 0.3
const KILLS = {
  full: { simulator: 200, adyen: 100, stripe: 100 },
  short: { simulator: 6, adyen: 3, stripe: 3 },
} as const
/** On a slow machine a short form has fewer kills, so that it ends in time. */
const KILLING_MS_MAX = 20_000
const READY_MS_MAX = { full: 5_000, short: 60_000 }

const OF_PROVIDER: Readonly<Record<ProviderName, string>> = {
  simulator: 'it also loses the answer to one step of every tenth payment or payout',
  adyen:
    'captures, voids, refunds and increments end with a notification, which it repeats until the service takes it',
  stripe: 'it also sends notifications, and those of a dead process up to three times',
}

export const kills: readonly Program[] = PROVIDERS.map((provider) => ({
  name: nameWith('kills', provider),
  promise: 3,
  title: titleWith('Nothing is lost when the process is killed', provider),
  explanation:
    `Ten shops pay, capture, void, refund${provider === 'simulator' ? ', increment, pay out and ask for tokens' : ' and increment'} while the process is killed (\`kill -9\`) at random moments and ` +
    'started again. Each shop repeats a request with its idempotency key until it is answered. ' +
    `${IN_WORDS[provider].replace('the', 'The')} runs in a process that is not killed; ${OF_PROVIDER[provider]}. Afterwards the ` +
    'program looks up every acknowledged change, and compares our figures with the books of the provider. It ends the ' +
    'leases of dead processes in the database instead of waiting for them. The service has to be ready again within 5 ' +
    'seconds, not counting the time in which it waited for a CPU that other programs used.',
  run: (pace, say) => run(provider, pace, say),
}))

async function run(name: ProviderName, { form, seed, newDatabase }: Pace, say: Say): Promise<Outcome> {
  const databaseUrl = await newDatabase()
  const database = await openDatabase(databaseUrl)
  const provider = await startProvider(name, databaseUrl)
  const service = await killableService({ databaseUrl, ...provider.reach(provider.port) })
  await service.start()
  const account = provider.account(provider.port)
  const { notificationsUrl } = await openAccount(service, account)
  const hear = () => provider.notify(notificationsUrl)
  await hear()
  const tokenChance = provider.can.tokens ? TOKEN_CHANCE : 0
  const town = await openTown(service, seed, { tokenChance, provider, account })
  const shops = Array.from({ length: SHOPS }, (_, index) => town.trade(index))
  const starts = await killAgainAndAgain(
    { service, database, town, hear },
    { seed, count: KILLS[form][name], form, say },
  ).finally(town.close)
  await Promise.all(shops)
  await hear()
  const unsettled = await settleAll(database)
  const books = await provider.books(database)
  const tookMs = starts.map((start) => start.tookMs)
  // The time that it waited for a CPU that other programs used does not count.
  const ownMs = Math.max(...starts.map((start) => start.tookMs - start.waitedMs))
  const broken = [
    ...town.broken,
    ...unsettled,
    ...(await audit(database, town, books)),
    ...(ownMs > READY_MS_MAX[form] ? [`a start took ${Math.round(ownMs)} ms`] : []),
    ...(provider.can.tokens && town.tokens.told.size === 0
      ? ['no shop asked for a token: nothing was shown of them']
      : []),
    ...(town.counts().cut === 0 ? ['no kill cut a request: nothing was shown'] : []),
    ...unreached(provider),
  ]
  const { sent, answered, cut } = town.counts()
  const rows = await database.query('select count(*) from transactions')
  const entries = await database.query(`select count(*) from ${books}`)
  await service.kill()
  return {
    seed,
    did: { kills: starts.length, 'requests sent': sent, 'requests cut by a kill': cut },
    acknowledged: {
      requests: answered,
      payments: town.paid.size,
      'sums compared': town.acknowledged.size,
      ...(provider.can.payouts && { payouts: town.paidOut.size }),
      ...(provider.can.tokens && { tokens: town.tokens.told.size }),
    },
    found: {
      payments: Number(rows.rows[0].count),
      'operations in the books of the provider': Number(entries.rows[0].count),
      'milliseconds until ready, median': Math.round(median(tookMs)),
      'milliseconds until ready, longest': Math.round(Math.max(...tookMs)),
      'the same without waiting for a CPU': Math.round(ownMs),
    },
    broken,
  }
}

type Place = {
  readonly service: KillableService
  readonly database: pg.Client
  readonly town: Town
  /** Lets the provider send what the dead process did not take, instead of waiting until it tries again. */
  readonly hear: () => Promise<void>
}
type Killing = {
  readonly seed: number
  readonly count: number
  readonly form: Form
  readonly say: Say
}

/** Returns how each start went. */
async function killAgainAndAgain({ service, database, town, hear }: Place, killing: Killing) {
  const chance = dice(killing.seed)
  const starts: Awaited<ReturnType<KillableService['start']>>[] = []
  const begin = performance.now()
  const isLate = () => killing.form === 'short' && performance.now() - begin > KILLING_MS_MAX
  while (starts.length < killing.count && !isLate() && town.broken.length === 0) {
    killing.say(`${starts.length} of ${killing.count} kills, ${town.counts().answered} answers`)
    await town.answers(20 + chance() * 60)
    await sleep(chance() * 20)
    await service.kill()
    await endLeases(database)
    starts.push(await service.start())
    await hear()
  }
  return starts
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN
}
