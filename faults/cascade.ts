import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { dice, mix, pick, weighed } from '../lab/dice.ts'
import { openDatabase } from '../lab/open-database.ts'
import { unreached } from '../lab/processor.ts'
import { compareBooks, endLeases, settleAll } from './aftermath.ts'
import { type KeyedRequest, repeat } from './keyed-request.ts'
import { type KillableService, killableService } from './killable-service.ts'
import { complaints, type Outcome, type Pace, type Program, type Say } from './program.ts'
import { openAccount, type Provider, startProvider } from './provider.ts'
import { type Fault, startTcpProxy, type TcpProxy } from './tcp-proxy.ts'

/*
 * It was seen to fail for these changes: a lost answer goes on to the next service without a question (`lookUpIfLost` of
 * `lookUpIfLost` of payments/charge.ts answers `not_found`), and `adviceIn` of processing/scheme-rules.ts finds nothing.
 */
const SIZE = { full: { cards: 40, payments: 25, kills: 4 }, short: { cards: 6, payments: 6, kills: 1 } }

/** Most connections work. The service gives up a call after ten seconds. */
const FAULTS: readonly Fault[] = [
  ...Array.from({ length: 9 }, (): Fault => ({ kind: 'none' })),
  { kind: 'latency', ms: 200 },
  { kind: 'refuse' },
  { kind: 'reset' },
  { kind: 'cut', afterBytes: 60 },
  { kind: 'garble' },
  { kind: 'swallow', way: 'back', ms: 12_000 },
]

/** What happens to a payment at the first service. */
type Fate = 'pay' | 'decline' | 'fail' | 'lose' | 'advise'
const FATES = weighed<Fate>({ pay: 4, decline: 3, fail: 1, lose: 1, advise: 2 })

/** Two services and how the first one is told what to do. */
type Pair = {
  readonly name: string
  readonly title: string
  readonly providers: readonly ['simulator'] | readonly ['adyen', 'stripe']
  readonly explanation: string
}

const PAIRS: readonly Pair[] = [
  {
    name: 'cascade',
    title: 'The next service never charges twice',
    providers: ['simulator'],
    explanation: 'two services of the simulated processor, of which the first one',
  },
  {
    name: 'cascade-adyen-stripe',
    title: 'The next service never charges twice, from Adyen to Stripe',
    providers: ['adyen', 'stripe'],
    explanation: 'the stand-ins for Adyen and Stripe, of which that for Adyen',
  },
]

export const cascade: readonly Program[] = PAIRS.map((pair) => ({
  name: pair.name,
  promise: 6,
  title: pair.title,
  explanation:
    `Payments go to ${pair.explanation} approves, declines, fails, loses answers or passes on that the card must not be tried again. The wire breaks connections, ` +
    'those of questions, too, and the process is killed. Each card pays again and again, one payment after the other. In the end each ' +
    'payment is decided, none was approved by both services, and no attempt was made against what the scheme of the card had said.',
  run: (pace, say) => run(pair, pace, say),
}))

type Stage = {
  readonly pair: Pair
  readonly service: KillableService
  readonly database: pg.Client
  readonly seed: number
  readonly cards: number
  readonly payments: number
}

async function run(pair: Pair, { form, seed, newDatabase }: Pace, say: Say): Promise<Outcome> {
  const { cards, payments, kills } = SIZE[form]
  const databaseUrl = await newDatabase()
  const database = await openDatabase(databaseUrl)
  const providers: Provider[] = []
  const wires: TcpProxy[] = []
  for (const name of pair.providers) {
    const provider = await startProvider(name, databaseUrl, { isBrief: true })
    providers.push(provider)
    wires.push(await startTcpProxy({ host: '127.0.0.1', port: provider.port }))
  }
  const [provider, wire] = [providers[0] as Provider, wires[0] as TcpProxy]
  const service = await killableService({ databaseUrl, ...provider.reach(wire.port) })
  await service.start()
  await openServices({ service, database, providers, wires })
  const chance = dice(seed)
  for (const one of wires) one.setFault(() => FAULTS[Math.floor(chance() * FAULTS.length)] as Fault)
  const stage = { pair, service, database, seed, cards, payments }
  const paying = payAll(stage, say)
  await killSometimes(stage, kills, paying)
  const answers = await paying
  say('mending the wires')
  for (const one of wires) one.setFault(() => ({ kind: 'none' }))
  const unsettled = await settleAll(database)
  const books = await booksOf(database, providers)
  const ends = await countEnds(database)
  await service.kill()
  return {
    seed,
    did: { cards, payments: cards * payments, kills, ...brokenOf(wires) },
    acknowledged: answers,
    found: ends,
    broken: [
      ...unsettled,
      ...complaints('was charged by two services', await chargedTwice(database, books)),
      ...complaints('was tried against advice', await againstAdvice(database)),
      ...complaints('is not decided', (await database.query(UNDECIDED)).rows),
      ...(await compareBooks(database, books)),
      ...providers.flatMap(unreached),
      ...((ends['paid by the second service'] ?? 0) > 0 ? [] : ['no payment went on: nothing was shown']),
    ],
  }
}

type Opening = Pick<Stage, 'service' | 'database'> & {
  readonly providers: readonly Provider[]
  readonly wires: readonly TcpProxy[]
}

/** The service of a new sandbox would take payments that are meant for these. */
async function openServices({ service, database, providers, wires }: Opening): Promise<void> {
  await database.query('update payment_services set active = false')
  for (const [index, key] of ['first', 'second'].entries()) {
    const provider = (providers[index] ?? providers[0]) as Provider
    const account = provider.account((wires[index] ?? wires[0])?.port ?? 0)
    const own = { payment_service_definition_id: 'mock-card', fields: [{ key: 'merchant_id', value: key }] }
    await openAccount(service, provider.name === 'simulator' ? own : account, key)
  }
}

async function payAll(stage: Stage, say: Say): Promise<Record<string, number>> {
  const statuses: Record<string, number> = {}
  let done = 0
  const payOn = async (card: number) => {
    for (let turn = 0; turn < stage.payments; turn += 1) {
      const { fate, request } = await paymentOf(stage, card, turn)
      const { status } = await repeat(stage.service, request, { pauseMs: 200 })
      const name = `${fate}: ${status}`
      statuses[name] = (statuses[name] ?? 0) + 1
      done += 1
      if (done % 50 === 0) say(`${done} of ${stage.cards * stage.payments} payments`)
    }
  }
  await Promise.all(Array.from({ length: stage.cards }, (_, card) => payOn(card)))
  return statuses
}

/** Few amounts, so that a card tries the same one again. */
const AMOUNTS = [1_000, 2_000, 3_000]

async function paymentOf({ pair, database, seed }: Stage, card: number, turn: number) {
  const roll = dice(mix(seed, card * 1_000 + turn))
  const fate = pick(FATES, roll())
  const isSimulated = pair.providers[0] === 'simulator'
  if (isSimulated) await arm(database, fate)
  const order = `card-${card}-${turn}${fate === 'advise' ? '-advised' : ''}`
  const request: KeyedRequest = {
    route: '/transactions',
    key: order,
    body: {
      amount: AMOUNTS[Math.floor(roll() * AMOUNTS.length)],
      currency: 'USD',
      country: 'US',
      external_identifier: order,
      payment_method: {
        method: 'card',
        number: numberOf(card),
        expiration_date: '12/40',
        security_code: '123',
      },
      connection_options: isSimulated ? simulatorOptions(fate) : adyenOptions(fate),
    },
  }
  return { fate, request }
}

const LEVERS: Readonly<Partial<Record<Fate, { readonly effect: string; readonly code: string | null }>>> = {
  decline: { effect: 'refuse', code: 'issuer_decline' },
  advise: { effect: 'refuse', code: 'issuer_decline' },
  fail: { effect: 'refuse', code: 'service_error' },
  lose: { effect: 'lose-answer', code: null },
}

let arming: Promise<unknown> = Promise.resolve()

/** The next call at the first service meets this, whichever payment it is of. One connection arms one lever after the other. */
async function arm(database: pg.Client, fate: Fate): Promise<void> {
  const lever = LEVERS[fate]
  if (!lever) return
  arming = arming.then(() => insertLever(database, lever))
  await arming
}

async function insertLever(database: pg.Client, lever: NonNullable<(typeof LEVERS)[Fate]>): Promise<void> {
  await database.query(
    `insert into simulator.levers (id, merchant_id, operation, effect, code, armed_at)
     values ($1, 'first', 'authorize', $2, $3, now())`,
    [randomUUID(), lever.effect, lever.code],
  )
}

function simulatorOptions(fate: Fate): object {
  return fate === 'advise'
    ? { 'mock-card': { merchant_advice_code: { account_number: null, result: '03' } } }
    : {}
}

/** Codes of Adyen's test results. Answers get lost on the wire. */
const RESULTS: Readonly<Partial<Record<Fate, string>>> = { decline: '2', fail: '4', advise: '5' }

function adyenOptions(fate: Fate): object {
  const code = RESULTS[fate]
  return code ? { 'adyen-card': { additionalData: { RequestedTestAcquirerResponseCode: code } } } : {}
}

/** A number of Mastercard for each card, with its check digit. */
function numberOf(card: number): string {
  const digits = `555555${String(card).padStart(9, '0')}`
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 0 ? 2 : 1)
    return total + (value > 9 ? value - 9 : value)
  }, 0)
  return `${digits}${(10 - (sum % 10)) % 10}`
}

/** Spread over the run: after every so many payments that are on record. */
async function killSometimes(
  { service, database, cards, payments }: Stage,
  kills: number,
  paying: Promise<unknown>,
) {
  let isOver = false
  paying.finally(() => (isOver = true)).catch(() => {})
  for (let kill = 1; kill <= kills; kill += 1) {
    const wanted = Math.floor((kill * cards * payments) / (kills + 1))
    while (!isOver && (await countPayments(database)) < wanted) await sleep(100)
    if (isOver) return
    await service.kill()
    await endLeases(database)
    await service.start()
  }
}

async function countPayments(database: pg.Client): Promise<number> {
  return (await database.query('select count(*)::int as count from transactions')).rows[0].count
}

/** Each stand-in brings its books into the same table, in place of what was there. */
async function booksOf(database: pg.Client, providers: readonly Provider[]): Promise<string> {
  const [first, second] = providers
  const table = await (first as Provider).books(database)
  if (!second) return table
  await database.query(`create table books_of_both as select * from ${table}`)
  await database.query(`insert into books_of_both select * from ${await second.books(database)}`)
  return 'books_of_both'
}

async function chargedTwice(database: pg.Client, books: string): Promise<object[]> {
  const { rows } = await database.query(
    `select transaction_id, count(*) from ${books} where operation = 'authorize' and status = 'approved'
     group by transaction_id having count(*) > 1`,
  )
  return rows
}

/**
 * Attempts that were begun after a decline with the advice never to try again was on record: in the same payment, or in a later one of
 * the card with the same amount. An approval in between lifts the advice. A payment looks for advice before it begins its attempt, and a
 * decline is stamped before it is committed: so another payment is blamed only if it began its attempt well after the decline.
 */
async function againstAdvice(database: pg.Client): Promise<object[]> {
  const { rows } = await database.query(`
    select later.external_identifier, tried.id, advice.external_identifier as advised from (
      select t.*, a.id as attempt_id, a.updated_at as known_at from transactions t
      join attempts a on a.transaction_id = t.id
      join transaction_events e on e.transaction_id = t.id and e.context ->> 'attempt_id' = a.id::text
      where t.external_identifier like '%-advised' and a.kind = 'authorize' and a.state = 'declined'
        and a.service_id = (select id from payment_services where display_name = 'first')
    ) advice
    join transactions later on later.payment_method_fingerprint = advice.payment_method_fingerprint
      and later.amount = advice.amount and later.id >= advice.id
    join attempts tried on tried.transaction_id = later.id and tried.kind = 'authorize'
      and tried.id <> advice.attempt_id
      and tried.created_at >= advice.known_at + case when later.id = advice.id then '0'::interval else '3 seconds' end
    where not exists (
      select from attempts ok join transactions p on p.id = ok.transaction_id
      where p.payment_method_fingerprint = advice.payment_method_fingerprint and ok.kind = 'authorize'
        and ok.state = 'approved' and p.id > advice.id and p.id < later.id
    )`)
  return rows
}

const UNDECIDED = `
  select id, external_identifier, status from transactions
  where status not in ('authorization_succeeded', 'authorization_declined', 'authorization_failed')`

async function countEnds(database: pg.Client): Promise<Record<string, number>> {
  const { rows } = await database.query(`
    select status as name, count(*) from transactions group by 1
    union all
    select 'paid by the ' || s.display_name || ' service', count(*) from transactions t
    join payment_services s on s.id = t.payment_service_id where t.authorized_amount > 0 group by 1
    union all
    select 'stopped by the scheme', count(*) from transactions where error_code = 'retry_not_allowed_by_scheme'
    union all
    select 'attempts', count(*) from attempts where kind = 'authorize'
    order by name`)
  return Object.fromEntries(rows.map(({ name, count }) => [name, Number(count)]))
}

function brokenOf(wires: readonly TcpProxy[]): Record<string, number> {
  const sums: Record<string, number> = {}
  for (const wire of wires) {
    for (const [kind, count] of Object.entries(wire.counts())) {
      const name = `connections with ${kind}`
      sums[name] = (sums[name] ?? 0) + count
    }
  }
  return sums
}
