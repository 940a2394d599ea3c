import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type pg from 'pg'
import { dice, mix } from '../lab/dice.ts'
import { openDatabase } from '../lab/open-database.ts'
import { ask } from '../lab/processes.ts'
import { unreached } from '../lab/processor.ts'
import { compareBooks, endLeases } from './aftermath.ts'
import { type KeyedRequest, repeat, sendOnce } from './keyed-request.ts'
import { type KillableService, killableService } from './killable-service.ts'
import {
  begunFor,
  type Counter,
  MONEY_OPERATIONS,
  type MoneyOperation,
  REVIEWS,
  TOKEN_OPERATIONS,
} from './money-operations.ts'
import type { Outcome, Pace, Program, Say } from './program.ts'
import {
  IN_WORDS,
  nameWith,
  openAccount,
  PROVIDERS,
  type Provider,
  type ProviderName,
  startProvider,
  titleWith,
} from './provider.ts'

/*
 * It was seen to fail for each of these changes: a repeated payment begins again (`createTransaction` without `resume`), a
 * repeated refund begins again (`followUp` without `takeUp`), and no job resolves open attempts (`resolveDue` does
 * nothing), and a repeated payout begins again (`createPayout` without `resume`).
 */
/** The service waits for Stripe for a minute, and leaves an attempt to its process for as long. */
const FINISH_MS_MAX = { simulator: 60_000, adyen: 60_000, stripe: 120_000 } as const
const POINTS_MAX = 100
const PAUSE_MS = 200
/** One moment of each group: around the first commits, around the call of the provider, around the last commit. */
const SHORT = {
  simulator: {
    operations: ['authorize', 'refund', 'payout', 'network token', 'payment service token'],
    moments: [
      [1, 2, 3, 4],
      [5, 6],
      [7, 8],
    ],
  },
  standIn: {
    operations: ['authorize'],
    moments: [
      [1, 2, 3, 4, 5, 6],
      [7, 8],
      [9, 10],
    ],
  },
}

/** Operations with a stand-in: those whose payment needs no earlier message of the provider. */
const WITH_STAND_INS = ['authorize', 'capture', 'void', 'refund', 'increment']

export const crashes: readonly Program[] = PROVIDERS.map((provider) => ({
  name: nameWith('crashes', provider),
  promise: 4,
  title: titleWith('What was begun is finished, wherever the process dies', provider),
  explanation:
    `For each operation that moves money${provider === 'simulator' ? ', and for each kind of token' : ''}, with ${IN_WORDS[provider]}, the process dies before and after each of its commits and each of its calls of ` +
    'the provider: at the first such moment, at the second, and so on until the operation gets through. Each time twice: ' +
    'once the caller repeats the request with its key after the restart, once it does not. Then the process is started ' +
    'once more, with its jobs' +
    `${provider === 'adyen' ? ', and Adyen sends its notifications from then on' : ''}. ` +
    `Nothing may be open ${FINISH_MS_MAX[provider] / 1000} seconds later, and the provider must have done each thing once, ` +
    'or not at all where our records say so. No clock is moved.',
  run: (pace, say) => run(provider, pace, say),
}))

/** One death, and what should have been done. */
type Crash = {
  readonly operation: MoneyOperation
  readonly order: string
  readonly request: KeyedRequest
  readonly point: string
  readonly isRepeated: boolean
}

async function run(name: ProviderName, { form, seed, newDatabase }: Pace, say: Say): Promise<Outcome> {
  const databaseUrl = await newDatabase()
  const database = await openDatabase(databaseUrl)
  const provider = await startProvider(name, databaseUrl)
  const { preload, env } = provider.reach(provider.port)
  const killable = await killableService({
    databaseUrl,
    preload: [...preload, fileURLToPath(new URL('crash-points.ts', import.meta.url))],
    // Without its jobs, so that all moments are those of the request.
    env: { ...env, ROLE: 'api' },
  })
  const service = { ...killable, account: provider.account(provider.port), isSlow: provider.isSlow }
  await service.start()
  const deaths =
    form === 'short' ? await someDeaths(service, name, seed) : await allDeaths(service, name, say)
  await service.kill()
  // The short form does not wait for leases to end.
  if (form === 'short') await endLeases(database)
  await service.start({ ROLE: 'all' })
  await provider.notify((await openAccount(service, service.account)).notificationsUrl)
  say(`${deaths.length} deaths; finishing`)
  const begin = performance.now()
  const repeated = deaths.filter(({ isRepeated }) => isRepeated)
  const refusals: string[] = []
  const answers = await Promise.all(repeated.map((crash) => finish(service, crash, refusals)))
  await waitUntilDone(database, FINISH_MS_MAX[name])
  const tookMs = performance.now() - begin
  const books = await provider.books(database)
  const { done, broken } = await examine(database, books, { deaths, answers: new Map(answers) })
  await service.kill()
  return {
    seed,
    did: {
      operations: new Set(deaths.map(({ operation }) => operation)).size,
      deaths: deaths.length,
      ...tally(deaths),
    },
    acknowledged: {
      'requests repeated and answered': answers.length - refusals.length,
      'of them told that it is open': answers.filter(([, answer]) => answer && isOpen(answer)).length,
    },
    found: {
      'done once': done,
      'not done, and on record as such': deaths.length - done,
      'seconds until all was finished': Math.ceil(tookMs / 1000),
    },
    broken: [
      ...refusals,
      ...broken,
      ...(await compareBooks(database, books)),
      ...(tookMs > FINISH_MS_MAX[name] ? [`finishing took ${Math.round(tookMs)} ms`] : []),
      ...(deaths.length === 0 ? ['nothing died: nothing was shown'] : []),
      ...(deaths.some(isAtProvider) ? [] : ['nothing died around a call of the provider: nothing was shown']),
      ...unreached(provider),
    ],
  }
}

/** Every moment of every operation, twice. */
async function allDeaths(service: CrashingService, provider: ProviderName, say: Say): Promise<Crash[]> {
  const deaths: Crash[] = []
  for (const operation of operationsWith(provider)) {
    for (const isRepeated of [false, true]) {
      for (let crashAt = 1; crashAt <= POINTS_MAX; crashAt += 1) {
        say(`${operation.name}, moment ${crashAt}; ${deaths.length} deaths`)
        const death = await die(service, operation, { crashAt, isRepeated })
        if (!death) break
        deaths.push(death)
      }
    }
  }
  return deaths
}

async function someDeaths(service: CrashingService, provider: ProviderName, seed: number): Promise<Crash[]> {
  const deaths: Crash[] = []
  const { operations, moments } = provider === 'simulator' ? SHORT.simulator : SHORT.standIn
  const chosen = operationsWith(provider).filter(({ name }) => operations.includes(name))
  for (const operation of chosen) {
    const chance = dice(mix(seed, deaths.length))
    for (const group of moments) {
      const crashAt = group[Math.floor(chance() * group.length)] ?? 1
      const death = await die(service, operation, { crashAt, isRepeated: chance() < 0.7 })
      if (death) deaths.push(death)
    }
  }
  // What the service writes beside the request may have moved all of them away from the provider.
  for (const operation of chosen) {
    for (let crashAt = 1; crashAt <= POINTS_MAX && !deaths.some(isAtProvider); crashAt += 1) {
      const moment = { crashAt, isRepeated: false }
      if (deaths.some(({ order }) => order === orderOf(operation, moment))) continue
      const death = await die(service, operation, moment)
      if (!death) break
      deaths.push(death)
    }
  }
  return deaths
}

function isAtProvider({ point }: Crash): boolean {
  return point.includes('the provider')
}

function orderOf({ name }: MoneyOperation, { crashAt, isRepeated }: Moment): string {
  return `${name} ${isRepeated ? 'repeated' : 'left'} ${crashAt}`
}

function operationsWith(provider: ProviderName): readonly MoneyOperation[] {
  if (provider !== 'simulator') return MONEY_OPERATIONS.filter(({ name }) => WITH_STAND_INS.includes(name))
  // Reviews last: once there is an anti-fraud service, it is asked about all payments.
  return [...MONEY_OPERATIONS, ...TOKEN_OPERATIONS, ...REVIEWS]
}

type CrashingService = KillableService & Counter & Pick<Provider, 'isSlow'>

type Moment = { readonly crashAt: number; readonly isRepeated: boolean }

/** Undefined when the operation got through before that moment came. */
async function die(
  service: CrashingService,
  operation: MoneyOperation,
  { crashAt, isRepeated }: Moment,
): Promise<Crash | undefined> {
  const order = orderOf(operation, { crashAt, isRepeated })
  const request = await operation.prepare(service, order)
  await ask(service.running(), { crashAt })
  const sent = await sendOnce(service, request)
  if (typeof sent !== 'string') {
    // Adyen ends an increment with a notification, and sends those only when all deaths are over.
    const isThrough = sent.status < 300 || (service.isSlow && sent.status === 504)
    if (!isThrough) throw new Error(`${order} was answered ${sent.status}: ${sent.text}`)
    if (await stopsCounting(service)) return undefined
  }
  await service.death()
  const complaint = service.running().complaint()
  const point = /died (.*)/.exec(complaint)?.[1]
  if (point === undefined) throw new Error(`${order}: the process ended by itself: ${complaint}`)
  await service.start()
  return { operation, order, request, point, isRepeated }
}

/**
 * Whether the process lives. It would go on counting, and die in the next operation. What it writes after its answer, such
 * as the log of requests, may have come to that moment before it was told.
 */
function stopsCounting(service: CrashingService): Promise<boolean> {
  return ask(service.running(), { crashAt: -1 }).then(
    () => true,
    () => false,
  )
}

// biome-ignore lint/suspicious/noExplicitAny: each operation knows its own answer
async function finish(service: KillableService, crash: Crash, refusals: string[]): Promise<[Crash, any]> {
  const answer = await repeat(service, crash.request, { pauseMs: PAUSE_MS }).catch((error: Error) => {
    if (crash.operation.isRefusal?.(error.message)) return { status: 'failed' }
    refusals.push(`${crash.order}, died ${crash.point}: ${error.message}`)
    return undefined
  })
  return [crash, answer]
}

/** Waits until no attempt is open and no payment is undecided. */
async function waitUntilDone(database: pg.Client, finishMsMax: number): Promise<void> {
  const deadline = performance.now() + 2 * finishMsMax
  while (performance.now() < deadline) {
    const { rows } = await database.query(
      `select id from attempts where due_at is not null
       union all select id from transactions where status = 'processing'`,
    )
    if (rows.length === 0) return
    await sleep(100)
  }
}

// biome-ignore lint/suspicious/noExplicitAny: each operation knows its own answer
type Answers = ReadonlyMap<Crash, any>

async function examine(
  database: pg.Client,
  books: string,
  { deaths, answers }: { readonly deaths: readonly Crash[]; readonly answers: Answers },
): Promise<{ readonly done: number; readonly broken: string[] }> {
  const broken: string[] = []
  let done = 0
  for (const crash of deaths) {
    const { operation, order, point } = crash
    const begun = await begunFor(database, order)
    const effects = await operation.countEffects(database, order, books)
    const complain = (what: string) => broken.push(`${order}, died ${point}: ${what}`)
    if (begun.length > 1) complain(`was begun ${begun.length} times`)
    if (begun.some(({ status }) => status === 'processing' || status === 'pending')) complain('still open')
    if (effects > 1) complain(`was done ${effects} times`)
    if (effects > 0) done += 1
    const answer = answers.get(crash)
    // A caller that repeats its request while another process resolves the attempt is rightly told that it is open.
    const isKnown = answer && !(operation.isOpen ?? isOpen)(answer)
    if (isKnown && operation.isDone(answer) !== (effects === 1)) {
      complain(`was done ${effects} times, and the caller was told ${JSON.stringify(answer).slice(0, 300)}`)
    }
  }
  return { done, broken }
}

type Told = { readonly status: string }

/** An answer may be a list of what was done. */
function isOpen(answer: Told & { readonly items?: readonly Told[] }): boolean {
  return (answer.items ?? [answer]).some(({ status }) => /processing|pending/.test(status))
}

function tally(deaths: readonly Crash[]): Record<string, number> {
  const byPoint = Object.groupBy(deaths, ({ point }) => point)
  return Object.fromEntries(Object.entries(byPoint).map(([point, of]) => [`died ${point}`, of?.length ?? 0]))
}
