import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { dice } from '../lab/dice.ts'
import { openDatabase } from '../lab/open-database.ts'
import { FAR_PROCESSOR, type Processor, startProcessor, unreached } from '../lab/processor.ts'
import { compareBooks, endLeases, settleAll } from './aftermath.ts'
import { type Answer, type KeyedRequest, repeat, type Sent, sendOnce } from './keyed-request.ts'
import { type KillableService, killableService } from './killable-service.ts'
import { begunFor, MONEY_OPERATIONS, type MoneyOperation } from './money-operations.ts'
import type { Outcome, Pace, Program, Say } from './program.ts'

/*
 * It was seen to fail for this change: a key in use is taken over at once (`takeOver` does not check `leased_until`).
 */
const FORMS = { full: { keys: 200, calls: 50, kills: 20 }, short: { keys: 10, calls: 20, kills: 1 } }
const KILL_AFTER_MS_MAX = 40

export const idempotency: Program = {
  name: 'idempotency',
  promise: 5,
  title: 'One key, one execution',
  explanation:
    'Two processes share a database. For each key, identical calls are sent at once, half of them to each process: ' +
    'authorizations, captures, voids, refunds, increments, payouts and payments with gift cards in turn. One may be carried out; ' +
    'the others get 409, or the first answer byte for byte. Then the key is sent once more to each process, and with ' +
    'another body, which has to be answered 422, or 400 by an operation without a body. For every tenth key one of the ' +
    'processes is killed (`kill -9`) meanwhile, and the other takes over when the lease has ended; the program moves its ' +
    'end forward. At the end both are killed, and every key is sent again.',
  run,
}

/** What became of one key. */
type Case = {
  readonly operation: MoneyOperation
  readonly order: string
  readonly request: KeyedRequest
  /** The answer that every caller must get. */
  readonly told: string
}

type Scene = {
  readonly processor: Processor
  readonly services: readonly [KillableService, KillableService]
  readonly database: pg.Client
  readonly chance: () => number
  readonly tally: Tally
  readonly broken: string[]
}

type Tally = {
  calls: number
  cut: number
  kills: number
  executed: number
  replayed: number
  waiting: number
  refused: number
}

async function run({ form, seed, newDatabase }: Pace, say: Say): Promise<Outcome> {
  const { keys, calls, kills } = FORMS[form]
  const scene = await openScene(await newDatabase(), seed)
  const { services, database, tally, broken, processor } = scene
  const cases: Case[] = []
  for (let index = 0; index < keys && broken.length === 0; index += 1) {
    if (index % 10 === 0) say(`${index} of ${keys} keys`)
    const operation = MONEY_OPERATIONS[index % MONEY_OPERATIONS.length]
    if (!operation) throw new Error('there are operations')
    const isKilled = index % Math.floor(keys / kills) === 5
    cases.push(await tryKey(scene, operation, { order: `order-${index}`, calls, isKilled }))
  }
  say('killing both')
  await Promise.all(services.map((service) => service.kill()))
  await endLeases(database)
  await Promise.all(services.map((service) => service.start()))
  for (const done of cases) await sendAgain(scene, done)
  broken.push(...(await settleAll(database)))
  const executions = await countExecutions(database, cases, broken)
  broken.push(
    ...(await compareBooks(database)),
    ...(tally.replayed === 0 || tally.waiting === 0 ? ['no two calls met: nothing was shown'] : []),
    ...unreached(processor),
  )
  await Promise.all(services.map((service) => service.kill()))
  return {
    seed,
    did: {
      keys: cases.length,
      'identical calls': tally.calls,
      kills: tally.kills + 2,
      'calls cut by a kill': tally.cut,
    },
    acknowledged: {
      executions: tally.executed,
      'byte-identical replays': tally.replayed,
      'told to wait (409)': tally.waiting,
      'refused for another body': tally.refused,
    },
    found: { 'executions at the processor': executions },
    broken,
  }
}

async function openScene(databaseUrl: string, seed: number): Promise<Scene> {
  const processor = await startProcessor(databaseUrl)
  const options = {
    databaseUrl,
    preload: [FAR_PROCESSOR],
    env: { PROCESSOR_PORT: String(processor.port) },
  }
  const first = await killableService(options)
  const second = await killableService({ ...options, folder: first.folder })
  await first.start()
  await second.start()
  const tally = { calls: 0, cut: 0, kills: 0, executed: 0, replayed: 0, waiting: 0, refused: 0 }
  const database = await openDatabase(databaseUrl)
  return { processor, services: [first, second], database, chance: dice(seed), tally, broken: [] }
}

type Trial = { readonly order: string; readonly calls: number; readonly isKilled: boolean }

async function tryKey(
  scene: Scene,
  operation: MoneyOperation,
  { order, calls, isKilled }: Trial,
): Promise<Case> {
  const { services, tally, chance, broken } = scene
  const [first, second] = services
  const request = await operation.prepare(chance() < 0.5 ? first : second, order)
  const all = Promise.all(
    Array.from({ length: calls }, (_, index) => sendOnce(index % 2 === 0 ? first : second, request)),
  )
  const victim = chance() < 0.5 ? first : second
  if (isKilled) {
    await sleep(chance() * KILL_AFTER_MS_MAX)
    await victim.kill()
    tally.kills += 1
  }
  const sent = await all
  tally.calls += sent.length
  const answers = sent.filter((one): one is Answer => typeof one !== 'string')
  tally.cut += sent.length - answers.length
  const done = answers.filter(({ status }) => status < 300)
  tally.executed += done.filter(({ isReplay }) => !isReplay).length
  tally.waiting += answers.filter(({ status }) => status === 409).length
  broken.push(...objections(order, sent, isKilled))
  const survivor = victim === first ? second : first
  const told = done[0]?.text ?? (await takeOver(scene, survivor, request))
  if (isKilled) await victim.start()
  const ended = { operation, order, request, told }
  tally.replayed += done.filter(({ isReplay }) => isReplay).length
  await sendAgain(scene, ended)
  return ended
}

/** What is wrong with the answers to identical calls. */
function objections(order: string, sent: readonly Sent[], isKilled: boolean): string[] {
  const answers = sent.filter((one): one is Answer => typeof one !== 'string')
  const done = answers.filter(({ status }) => status < 300)
  const others = answers.filter(({ status }) => status >= 300 && status !== 409)
  const executed = done.filter(({ isReplay }) => !isReplay).length
  const found: string[] = []
  if (others[0]) found.push(`${order} was answered ${others[0].status}: ${others[0].text}`)
  if (executed > 1) found.push(`${order} was carried out ${executed} times`)
  if (executed === 0 && !isKilled) found.push(`${order} was not carried out`)
  if (new Set(done.map(({ text }) => text)).size > 1) found.push(`${order} was answered in different words`)
  if (answers.length < sent.length && !isKilled)
    found.push(`${order} was cut, although no process was killed`)
  return found
}

/** The process that owned the key may be dead. No other works on it any more, so its lease can be ended. */
async function takeOver(
  { database, tally }: Scene,
  survivor: KillableService,
  request: KeyedRequest,
): Promise<string> {
  await database.query('update idempotency_keys set leased_until = now() where status is null')
  await database.query(`update attempts set due_at = now() where state = 'sent' and due_at > now()`)
  let text = ''
  await repeat(survivor, request, {
    onSent: (sent) => {
      if (typeof sent !== 'string') text = sent.text
    },
  })
  tally.executed += 1
  return text
}

/** Both processes replay the answer to the same request, and refuse another request with the same key. */
async function sendAgain({ services, tally, broken }: Scene, { order, request, told }: Case): Promise<void> {
  for (const service of services) {
    const again = await sendOnce(service, request)
    if (typeof again !== 'string' && again.isReplay && again.text === told) tally.replayed += 1
    else
      broken.push(
        `${order} was told otherwise: ${JSON.stringify(again).slice(0, 500)} instead of ${told.slice(0, 500)}`,
      )
    const other = request.route.endsWith('/refunds/all') ? { reason: 'another' } : { amount: 777 }
    const changed = await sendOnce(service, { ...request, body: { ...request.body, ...other } })
    // An operation that takes no body refuses one before it looks at the key.
    const refusal = request.body === undefined ? 400 : 422
    if (typeof changed !== 'string' && changed.status === refusal) tally.refused += 1
    else broken.push(`${order} with another body was not refused: ${JSON.stringify(changed).slice(0, 500)}`)
  }
}

async function countExecutions(
  database: pg.Client,
  cases: readonly Case[],
  broken: string[],
): Promise<number> {
  let executions = 0
  for (const { operation, order, told } of cases) {
    const effects = await operation.countEffects(database, order)
    const expected = operation.isDone(JSON.parse(told)) ? 1 : 0
    if (effects !== expected)
      broken.push(`${order} (${operation.name}) was done ${effects} times, not ${expected}`)
    const begun = await begunFor(database, order)
    if (begun.length !== 1) broken.push(`${order} was begun ${begun.length} times`)
    executions += effects
  }
  return executions
}
