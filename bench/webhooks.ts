import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { STORED_CARD } from '../lab/card.ts'
import { ask, processorSeconds, type Running, startHelper } from '../lab/processes.ts'
import { mustDo } from '../lab/product.ts'
import { compete, describeContenders, shareOf, turnsOf } from './contest.ts'
import { atLeast, atMost, type Benchmark, figuresOf, itself, type Outcome, type Pace } from './figures.ts'
import type { LoadResult } from './load-generator.ts'
import { openPlace, type Place, WITHOUT_JOBS } from './place.ts'
import { type Arrivals, STALLED_PATH } from './webhook-receiver.ts'

const EVENTS_A_SECOND = 50
const MEDIAN_MAX_MS = 250
const P99_MAX_MS = 1_000
const BACKLOG = 2_000
const RATE_MIN = 200
const SUBSCRIPTIONS = 100
const EVENTS_A_SECOND_TO_ALL = 2
const P95_MAX_MS = 2_000
const CONNECTIONS = 10
const PATIENCE_MS = 120_000

export const webhooks: Benchmark = {
  name: 'webhooks',
  title: 'Delivering webhooks',
  explanation:
    'The time from an event to its arrival at a receiver that accepts everything at once: at 50 events a second (buyers ' +
    'that are created), and beside a receiver that never answers, which is one of a hundred subscriptions to all events. ' +
    'And how many deliveries a second one process makes when 2,000 events wait to be replayed to one subscription. The ' +
    'service serves the API and delivers in one process.',
  run,
}

type Shop = { readonly place: Place; readonly receiver: Running; readonly address: string }
type Drain = { readonly rate: number; readonly processorMs: number }

async function run(pace: Pace, progress: (text: string) => void): Promise<Outcome> {
  progress('starting the service and a receiver')
  const place = await openPlace()
  const receiver = startHelper(fileURLToPath(import.meta.resolve('./webhook-receiver.ts')))
  const { port } = await ask<{ port: number }>(receiver, 'listen')
  const shop: Shop = { place, receiver, address: `http://127.0.0.1:${port}` }
  const id = await subscribe(shop, '/')
  await steady(shop, EVENTS_A_SECOND, { seconds: pace.warmUpSeconds, width: 1 })
  const steadily: Arrivals[] = []
  const drains: Drain[] = []
  const besides: Arrivals[] = []
  for (let index = 0; index < pace.rounds; index += 1) {
    progress(`round ${index + 1} of ${pace.rounds}: ${EVENTS_A_SECOND} events a second`)
    steadily.push(await steady(shop, EVENTS_A_SECOND, { seconds: pace.seconds, width: 1 }))
  }
  for (let index = 0; index < pace.rounds; index += 1) {
    progress(`round ${index + 1} of ${pace.rounds}: ${BACKLOG} events that wait`)
    drains.push(await drain(shop, id))
  }
  progress(`subscribing ${SUBSCRIPTIONS} times`)
  for (let number = 1; number < SUBSCRIPTIONS - 1; number += 1) await subscribe(shop, `/${number}`)
  await subscribe(shop, STALLED_PATH)
  for (let index = 0; index < pace.rounds; index += 1) {
    progress(`round ${index + 1} of ${pace.rounds}: one of ${SUBSCRIPTIONS} stalls`)
    const how = { seconds: pace.seconds, width: SUBSCRIPTIONS - 1 }
    besides.push(await steady(shop, EVENTS_A_SECOND_TO_ALL, how))
  }
  return { settings: settingsOf(pace), figures: describe(steadily, drains, besides) }
}

function settingsOf(pace: Pace): string[] {
  return [
    `${pace.rounds} rounds of ${pace.seconds} s, after ${pace.warmUpSeconds} s of warm-up`,
    `with a stalled receiver: ${EVENTS_A_SECOND_TO_ALL} events a second to ${SUBSCRIPTIONS} subscriptions`,
    'every commit reaches the disk (fsync); receiver and database run on the same machine',
  ]
}

function describe(
  steadily: readonly Arrivals[],
  drains: readonly Drain[],
  besides: readonly Arrivals[],
): Outcome['figures'] {
  return [
    ...figuresOf(steadily, [
      ['event to arrival: p50', 'ms', ({ p50 }) => p50, atMost(MEDIAN_MAX_MS)],
      ['event to arrival: p99', 'ms', ({ p99 }) => p99, atMost(P99_MAX_MS)],
    ]),
    ...figuresOf(drains, [
      ['deliveries to one subscription', '/s', ({ rate }) => rate, atLeast(RATE_MIN)],
      ['processor time of a delivery, in the service', 'ms', ({ processorMs }) => processorMs],
    ]),
    ...figuresOf(besides, [
      ['beside a stalled receiver, event to arrival: p95', 'ms', ({ p95 }) => p95, atMost(P95_MAX_MS)],
      ['beside a stalled receiver, event to arrival: p50', 'ms', ({ p50 }) => p50],
    ]),
  ]
}

/** Creates buyers at an even pace and waits until all events have arrived. */
async function steady(
  shop: Shop,
  eventsASecond: number,
  { seconds, width }: { readonly seconds: number; readonly width: number },
): Promise<Arrivals> {
  const count = Math.round(eventsASecond * seconds)
  const start = performance.now()
  const sent: Promise<unknown>[] = []
  for (let number = 0; number < count; number += 1) {
    await sleep(Math.max(0, start + (number * 1000) / eventsASecond - performance.now()))
    sent.push(createBuyer(shop))
  }
  await Promise.all(sent)
  return arrivals(shop, count * width)
}

async function drain(shop: Shop, id: string): Promise<Drain> {
  const { place } = shop
  await mustDo(place, `PUT /webhook-subscriptions/${id}`, { active: false })
  const since = new Date().toISOString()
  await createMany(shop)
  await mustDo(place, `PUT /webhook-subscriptions/${id}`, { active: true })
  const before = processorSeconds(place.pid)
  const { count } = await mustDo(place, `POST /webhook-subscriptions/${id}/replay`, { since })
  if (count !== BACKLOG) throw new Error(`${count} of ${BACKLOG} events were replayed`)
  const { seconds } = await arrivals(shop, count)
  return { rate: count / seconds, processorMs: ((processorSeconds(place.pid) - before) * 1000) / count }
}

async function createMany({ place }: Shop): Promise<void> {
  const generator = startHelper(fileURLToPath(import.meta.resolve('./load-generator.ts')))
  const { failures } = await ask<LoadResult>(generator, {
    url: `${place.url}/buyers`,
    headers: place.headers,
    connections: CONNECTIONS,
    body: '{"display_name":"Anna"}',
    seconds: 600,
    amount: BACKLOG,
  })
  await generator.stop()
  if (failures > 0) throw new Error(`${failures} requests failed`)
}

async function arrivals({ receiver }: Shop, expected: number): Promise<Arrivals> {
  const deadline = performance.now() + PATIENCE_MS
  for (;;) {
    const { count } = await ask<{ count: number }>(receiver, 'count')
    if (count >= expected) return ask<Arrivals>(receiver, 'read')
    if (performance.now() > deadline) throw new Error(`${count} of ${expected} events arrived`)
    await sleep(100)
  }
}

async function subscribe({ place, address }: Shop, path: string): Promise<string> {
  return (await mustDo(place, 'POST /webhook-subscriptions', { url: address + path })).id
}

async function createBuyer({ place }: Shop): Promise<void> {
  await mustDo(place, 'POST /buyers', { display_name: 'Anna' })
}

const FEW_SUBSCRIPTIONS = 10
const SHARE_MIN = 0.8
const PAYMENT = {
  amount: 1299,
  currency: 'USD',
  payment_method: { ...STORED_CARD, expiration_date: '12/30' },
}

export const webhookCost: Benchmark = {
  name: 'webhook-cost',
  title: 'Paying with ten subscriptions',
  explanation:
    'Payments per second with ten webhook subscriptions, as a share of those without any. Both processes serve the API ' +
    'alone (`ROLE=api`), as if workers ran elsewhere. So the figure shows what subscriptions add to each payment: ten rows ' +
    'in its last commit. The cost of sending is another figure, the processor time of a delivery.',
  run: pay,
}

async function pay(pace: Pace, progress: (text: string) => void): Promise<Outcome> {
  progress('starting two services')
  const [bare, subscribed] = [await openPlace(WITHOUT_JOBS), await openPlace(WITHOUT_JOBS)]
  for (let number = 0; number < FEW_SUBSCRIPTIONS; number += 1)
    await mustDo(subscribed, 'POST /webhook-subscriptions', { url: `http://127.0.0.1:9/${number}` })
  const contenders = [
    { ...bare, name: 'no subscription' },
    { ...subscribed, name: `${FEW_SUBSCRIPTIONS} subscriptions` },
  ]
  const body = JSON.stringify(PAYMENT)
  const request = { path: '/transactions', headers: {}, connections: CONNECTIONS, body, isKeyed: true }
  const rounds = await compete(contenders, pace, { request, progress })
  return {
    settings: [
      turnsOf(pace),
      `${CONNECTIONS} connections without pipelining; every commit reaches the disk (fsync)`,
    ],
    figures: [
      ...figuresOf(shareOf(rounds, 1, 0), [
        ['share of payments without subscriptions', '', itself, atLeast(SHARE_MIN)],
      ]),
      ...describeContenders(contenders, rounds),
    ],
  }
}
