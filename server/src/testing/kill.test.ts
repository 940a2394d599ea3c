import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { disagreements } from './books.ts'
import { urlOf } from './command-line.ts'
import { cloneDatabase } from './harness.ts'
import { type KillableService, killableService } from './killable-service.ts'

/*
 * Kills the real program at random moments while shops pay, capture, void, refund and increment, and compares what it
 * says with the books of the simulated processor. Each shop repeats a request with its idempotency key until it is
 * answered, as clients do. Some answers of the processor are lost besides.
 *
 * It was seen red for each of these changes: a repeated payment begins anew (`createTransaction` without `resume`), a
 * repeated capture or refund begins anew (`followUp` without `takeUp`), and nobody asks what became of attempts
 * (`resolveDue` does nothing).
 */
const KILLS = 6
const KILLING_MS = 25_000
const PATIENCE_MS = 60_000
const SHOPS = 10
const CARD = { method: 'card', number: '4111111111111111', expiration_date: '12/40', security_code: '123' }

// biome-ignore lint/suspicious/noExplicitAny: answers are compared with the database, field by field
type Json = any
type Totals = { authorized: number; captured: number; refunded: number; voided: boolean }

test('nothing acknowledged is lost and nothing is done twice, however often the process is killed', async () => {
  const connection = await cloneDatabase()
  const database = new pg.Client(connection)
  await database.connect()
  onTestFinished(() => database.end())
  const service = await killableService(urlOf(connection))
  onTestFinished(() => service.kill())
  await service.start()
  const town = await openTown(service)

  const shops = Array.from({ length: SHOPS }, (_, index) => town.trade(`shop-${index}`))
  const start = performance.now()
  // On a slow machine there are fewer, so that it ends in time.
  for (let kill = 0; kill < KILLS && performance.now() - start < KILLING_MS; kill += 1) {
    await town.answers(20 + Math.random() * 60)
    await sleep(Math.random() * 20)
    await service.kill()
    await endLeases(database)
    await service.start()
  }
  town.close()
  await Promise.all(shops)
  await settleAll(database)

  expect(await disagreements(database)).toEqual([])
  expect(await duplicates(database)).toEqual([])
  expect(await forgotten(database, town)).toEqual([])
  expect(town.cut()).toBeGreaterThan(0)
}, 120_000)

type Town = {
  readonly trade: (shop: string) => Promise<void>
  readonly close: () => void
  /** Ends when that many more requests were answered. */
  readonly answers: (count: number) => Promise<void>
  /** How many requests a kill left without an answer. */
  readonly cut: () => number
  /** The payment that each key was told of. */
  readonly paid: ReadonlyMap<string, string>
  /** What was acknowledged of each payment, where that is certain. */
  readonly acknowledged: ReadonlyMap<string, Totals>
}

async function openTown(service: KillableService): Promise<Town> {
  const paid = new Map<string, string>()
  const acknowledged = new Map<string, Totals>()
  let isOpen = true
  let cut = 0
  let answered = 0
  const ask = async (route: string, body: object | undefined, key: string) => {
    const answer = await repeat(service, { route, body, key }, () => {
      cut += 1
    })
    answered += 1
    return answer
  }
  const made = await ask('/payment-services', SERVICE, 'service')

  /** One payment from beginning to end. What is not certain is not counted as acknowledged. */
  async function sell(order: string, amount: number): Promise<void> {
    const [intent, ...steps] = STORIES[Math.floor(Math.random() * STORIES.length)] ?? ['authorize']
    const body = {
      amount,
      currency: 'USD',
      intent,
      payment_method: CARD,
      payment_service_id: made.id,
      external_identifier: order,
      ...troubleWith(steps),
    }
    const payment = await ask('/transactions', body, order)
    paid.set(order, payment.id)
    let now: Json = payment
    let refunded = 0
    for (const step of steps) {
      if (!isPossible(step, now)) break
      const answer = await ask(`/transactions/${payment.id}/${step}`, BODIES[step], `${order} ${step}`)
      if (step !== 'refunds') now = answer.transaction ?? answer
      else if (answer.status === 'processing') now = answer
      else refunded += answer.status === 'succeeded' ? answer.amount : 0
    }
    expect((await ask('/transactions', body, order)).id).toBe(payment.id)
    if (/processing|pending/.test(now.status)) return
    acknowledged.set(payment.id, {
      authorized: now.authorized_amount,
      captured: now.captured_amount,
      refunded,
      voided: now.status === 'authorization_voided',
    })
  }

  return {
    paid,
    acknowledged,
    cut: () => cut,
    answers: async (count) => {
      for (const goal = answered + count; answered < goal; ) await sleep(2)
    },
    close: () => {
      isOpen = false
    },
    trade: async (shop) => {
      for (let order = 0; isOpen; order += 1) await sell(`${shop}-${order}`, 1_000 + order)
    },
  }
}

const SERVICE = {
  display_name: 'Simulator',
  payment_service_definition_id: 'mock-card',
  fields: [
    { key: 'merchant_id', value: 'shop' },
    { key: 'extended', value: 'true' },
  ],
  accepted_currencies: ['USD'],
  accepted_countries: ['US'],
}

const STORIES = [
  ['authorize', 'capture', 'refunds'],
  ['authorize', 'void'],
  ['authorize', 'authorization/increment', 'capture'],
  ['capture', 'refunds'],
] as const
const BODIES: Readonly<Record<string, object | undefined>> = {
  capture: { amount: 900 },
  refunds: { amount: 300 },
  'authorization/increment': { amount: 500 },
}

/** A step that failed leaves others without ground, and so does one of which nobody knows yet. */
function isPossible(step: string, { status, captured_amount }: Json): boolean {
  return step === 'refunds' ? captured_amount > 0 : status === 'authorization_succeeded'
}

/** The answer to one step of every tenth payment is lost. */
function troubleWith(steps: readonly string[]): object {
  if (Math.random() > 0.1) return {}
  const possible = ['authorize', ...steps.flatMap((step) => FAULTY[step] ?? [])]
  const on = possible[Math.floor(Math.random() * possible.length)]
  return { connection_options: { 'mock-card': { fault: { on, kind: 'lose-answer' } } } }
}

const FAULTY: Readonly<Record<string, string>> = {
  capture: 'capture',
  void: 'void',
  refunds: 'refund',
  'authorization/increment': 'increment',
}

type Request = { readonly route: string; readonly body: object | undefined; readonly key: string }

/** As clients do: the same request with the same key, until there is an answer. */
async function repeat(
  { url, token }: KillableService,
  { route, body, key }: Request,
  onCut: () => void,
): Promise<Json> {
  const start = performance.now()
  for (;;) {
    const answer = await fetch(url + route, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'idempotency-key': key,
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    })
      .then(async (response) => ({ status: response.status, body: await response.text() }))
      .catch(onCut)
    if (answer && answer.status < 300) return JSON.parse(answer.body)
    // Its first sender is thought to be alive, or what came before is not known yet.
    const isPassing = !answer || [409, 425, 503, 504].includes(answer.status)
    if (!isPassing || performance.now() - start > PATIENCE_MS) {
      throw new Error(`${route} was answered ${answer?.status}: ${answer?.body}`)
    }
    await sleep(30)
  }
}

/** Whoever held a lease is dead. To wait for its end would take minutes and show nothing more. */
async function endLeases(database: pg.Client): Promise<void> {
  for (;;) {
    const { rows } = await database.query(
      `select from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid() and application_name like 'switchyard%'`,
    )
    if (rows.length === 0) break
    await sleep(5)
  }
  await hurry(database)
}

async function hurry(database: pg.Client): Promise<void> {
  await database.query(`update idempotency_keys set leased_until = now() where status is null`)
  await database.query(`update transaction_attempts set due_at = now() where due_at > now()`)
}

/** The job finds out what is open. Its own schedule is in minutes. */
async function settleAll(database: pg.Client): Promise<void> {
  for (let tries = 0; tries < 100; tries += 1) {
    const { rows } = await database.query(
      'select id, state from transaction_attempts where due_at is not null',
    )
    if (rows.length === 0) return
    // What the job has taken is not taken from it.
    await database.query(
      `update transaction_attempts set due_at = now() where due_at > now() + interval '40 seconds'`,
    )
    await sleep(200)
  }
  throw new Error('some attempts were never found out')
}

/** Keys with two payments, changes that were told twice, cards that were forgotten in the vault. */
async function duplicates(database: pg.Client): Promise<object[]> {
  const found = [
    await database.query(
      `select external_identifier, count(*) from transactions group by external_identifier having count(*) > 1`,
    ),
    await database.query(`select target_id, name, count(*) from events group by 1, 2 having count(*) > 1`),
    await database.query(
      `select transaction_id, count(*) from refunds where status = 'succeeded' group by 1 having count(*) > 1`,
    ),
    await database.query('select transaction_id from transaction_cards'),
  ]
  return found.flatMap(({ rows }) => rows)
}

/** What was acknowledged and is not, or is otherwise, in the database. */
async function forgotten(database: pg.Client, { paid, acknowledged }: Town): Promise<object[]> {
  const { rows } = await database.query('select * from transactions')
  const byId = new Map(rows.map((row) => [row.id, row]))
  const unknown = [...paid].filter(([order, id]) => byId.get(id)?.external_identifier !== order)
  const wrong = [...acknowledged].flatMap(([id, expected]) => {
    const row = byId.get(id)
    const actual = {
      authorized: row?.authorized_amount,
      captured: row?.captured_amount,
      refunded: row?.refunded_amount,
      voided: row?.status === 'authorization_voided',
    }
    return JSON.stringify(actual) === JSON.stringify(expected) ? [] : [{ id, expected, actual }]
  })
  const strangers = rows.filter(({ external_identifier }) => !paid.has(external_identifier))
  return [...unknown, ...wrong, ...strangers]
}
