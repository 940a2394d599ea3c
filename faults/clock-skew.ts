import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type pg from 'pg'
import { CARD } from '../lab/card.ts'
import { openReceiver } from '../lab/listen.ts'
import { openDatabase } from '../lab/open-database.ts'
import { ask } from '../lab/processes.ts'
import { FAR_PROCESSOR, startProcessor, unreached } from '../lab/processor.ts'
import { inTurns, isSoon, numbers } from '../lab/turns.ts'
import { compareBooks } from './aftermath.ts'
import { repeat } from './keyed-request.ts'
import { type KillableService, killableService } from './killable-service.ts'
import { complaints, type Outcome, type Pace, type Program, type Say } from './program.ts'

/*
 * It was seen to fail for each of these changes: the clock of a process is that of its machine (`systemClock` in
 * start.ts), and the clock is measured once, at the start, as a distance from the machine's (`Date.now()` in
 * database-clock.ts).
 */
const PAYMENTS = { full: 1_200, short: 45 }
const AT_ONCE = 30
/** How much longer an order takes to the processor than a question about it. */
const SLOW_MS = 1_500
const RECEIVER_MS = 500
const AHEAD_MS = 20_000
const BEHIND_MS = -90_000
/** Where the third clock is put, half-way through. */
const JUMP_MS = 300_000
const PATIENCE_MS = 60_000

export const clockSkew: Program = {
  name: 'clock-skew',
  promise: 16,
  title: 'Clocks may differ',
  explanation:
    'Three processes share a database. The clock of one is 20 seconds ahead, that of another 90 seconds behind, and the ' +
    'third is put forward by 5 minutes half-way through. Each payment is sent to two of them at once, under one ' +
    'idempotency key. The processor is slow: a question about a payment would arrive before the payment itself, and make ' +
    'the processor refuse it. The receiver of webhooks is slow as well. Every payment has to succeed, once, and every ' +
    'event has to arrive once. Each process whose clock is wrong has to say so at `/health/ready`.',
  run,
}

async function run({ form, seed, newDatabase }: Pace, say: Say): Promise<Outcome> {
  const payments = PAYMENTS[form]
  const databaseUrl = await newDatabase()
  const database = await openDatabase(databaseUrl)
  const processor = await startProcessor(databaseUrl, { slowMs: SLOW_MS })
  const receiver = await openSlowReceiver()
  const services = await startServices(databaseUrl, processor.port)
  const [third] = services
  await repeat(third, { route: '/webhook-subscriptions', body: { url: receiver.url }, key: 'subscription' })
  const paid = await payAll(services, payments, say)
  const missing = await waitForEvents(database, receiver.taken)
  const warned = await countWarnings(services)
  const told = await database.query('select id from webhook_deliveries')
  const twice = [...receiver.taken].filter(([, times]) => times > 1)
  const made = await database.query('select count(*) from transactions')
  for (const service of services) await service.kill()
  return {
    seed,
    did: {
      processes: services.length,
      payments,
      'requests, two to a payment': payments * 2,
      'jumps of a clock': 1,
    },
    acknowledged: { 'payments that succeeded': paid.succeeded },
    found: {
      payments: Number(made.rows[0].count),
      events: told.rows.length,
      'events that arrived': receiver.taken.size,
      'events that arrived more than once': twice.length,
      'processes that warned of their clock': warned,
    },
    broken: [
      ...paid.broken,
      ...complaints('a payment was made twice', await madeTwice(database)),
      ...(await compareBooks(database)),
      ...complaints('an event did not arrive', missing),
      ...complaints('an event arrived more than once', twice),
      ...(warned === services.length
        ? []
        : [`${warned} of ${services.length} processes warned of their clock`]),
      ...unreached(processor),
    ],
  }
}

type Three = readonly [KillableService, KillableService, KillableService]

async function startServices(databaseUrl: string, processorPort: number): Promise<Three> {
  const preload = [fileURLToPath(new URL('shift-clock.ts', import.meta.url)), FAR_PROCESSOR]
  const service = (shiftMs: number, first?: KillableService) =>
    killableService({
      databaseUrl,
      preload,
      env: { PROCESSOR_PORT: String(processorPort), CLOCK_SHIFT_MS: String(shiftMs) },
      ...(first && { folder: first.folder }),
    })
  const first = await service(0)
  const three = [first, await service(AHEAD_MS, first), await service(BEHIND_MS, first)] as const
  // One after the other: the first one makes what all of them find.
  for (const one of three) await one.start()
  return three
}

async function payAll(services: Three, count: number, say: Say) {
  const [third, ...others] = services
  const broken: string[] = []
  let succeeded = 0
  await inTurns(numbers(count), AT_ONCE, async (order) => {
    if (order === Math.floor(count / 2)) await ask(third.running(), { shiftMs: JUMP_MS })
    if (order % 50 === 0) say(`${order} of ${count} payments`)
    const name = `order-${order}`
    const money = { amount: 1_000 + order, currency: 'USD', intent: 'capture' }
    const body = { ...money, payment_method: CARD, external_identifier: name }
    const two = [third, ...others].filter((_, index) => index !== order % services.length)
    try {
      const request = { route: '/transactions', key: name, body }
      const answers = await Promise.all(two.map((service) => repeat(service, request, { pauseMs: 300 })))
      const isPaid = answers.every(({ status }) => status === 'capture_succeeded')
      const isOne = new Set(answers.map(({ id }) => id)).size === 1
      if (isPaid && isOne) succeeded += 1
      else broken.push(`${name} was answered ${JSON.stringify(answers.map(tell))}`)
    } catch (error) {
      broken.push(`${name}: ${error}`)
    }
  })
  return { succeeded, broken: broken.slice(0, 20) }
}

// biome-ignore lint/suspicious/noExplicitAny: what a payment says is shown as it is
function tell({ id, status, error_code }: any): object {
  return { id, status, error_code }
}

/** Returns the events that did not arrive. */
async function waitForEvents(
  database: pg.Client,
  taken: ReadonlyMap<string, number>,
): Promise<readonly object[]> {
  let missing: readonly object[] = []
  const haveArrived = async () => {
    const { rows } = await database.query('select id from webhook_deliveries')
    missing = rows.filter(({ id }) => !taken.has(id))
    const open = await database.query(`select from webhook_deliveries where status = 'waiting'`)
    return missing.length === 0 && open.rows.length === 0
  }
  await isSoon(haveArrived, { withinMs: PATIENCE_MS, everyMs: 100 })
  return missing
}

async function madeTwice(database: pg.Client): Promise<readonly object[]> {
  const { rows } = await database.query(
    `select external_identifier, count(*) from transactions group by 1 having count(*) > 1`,
  )
  return rows
}

type Health = { readonly warnings?: readonly string[] }

async function countWarnings(services: readonly KillableService[]): Promise<number> {
  const answers = await Promise.all(services.map(({ url }) => fetch(`${url}/health/ready`)))
  const bodies = await Promise.all(answers.map((answer) => answer.json() as Promise<Health>))
  return answers.filter(({ ok }, index) => ok && (bodies[index]?.warnings ?? []).length > 0).length
}

/** A merchant's server that takes everything, and its time. */
async function openSlowReceiver() {
  const taken = new Map<string, number>()
  const url = await openReceiver(async ({ response, body }) => {
    const { id } = JSON.parse(body)
    taken.set(id, (taken.get(id) ?? 0) + 1)
    await sleep(RECEIVER_MS)
    response.end('ok')
  })
  return { url: `${url}/webhooks`, taken }
}
