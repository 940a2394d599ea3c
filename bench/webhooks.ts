import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { ask, processorSeconds, type Running, startHelper } from '../lab/processes.ts'
import { prepareDataFolder, type Service, send, startService } from '../lab/product.ts'
import { type Benchmark, figure, type Outcome, type Pace } from './figures.ts'
import type { LoadResult } from './load-generator.ts'
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

type Shop = {
  readonly service: Service
  readonly token: string
  readonly receiver: Running
  readonly address: string
}
type Drain = { readonly rate: number; readonly processorMs: number }

async function run(pace: Pace, progress: (text: string) => void): Promise<Outcome> {
  progress('starting the service and a receiver')
  const folder = await prepareDataFolder()
  const service = await startService(folder)
  const receiver = startHelper(fileURLToPath(import.meta.resolve('./webhook-receiver.ts')))
  const { port } = await ask<{ port: number }>(receiver, 'listen')
  const shop: Shop = { service, token: folder.token, receiver, address: `http://127.0.0.1:${port}` }
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
  for (const program of [service, receiver]) await program.stop()
  await folder.remove()
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
    figure(
      { name: 'event to arrival: p50', unit: 'ms', target: { is: 'at most', limit: MEDIAN_MAX_MS } },
      steadily.map(({ p50 }) => p50),
    ),
    figure(
      { name: 'event to arrival: p99', unit: 'ms', target: { is: 'at most', limit: P99_MAX_MS } },
      steadily.map(({ p99 }) => p99),
    ),
    figure(
      { name: 'deliveries to one subscription', unit: '/s', target: { is: 'at least', limit: RATE_MIN } },
      drains.map(({ rate }) => rate),
    ),
    figure(
      { name: 'processor time of a delivery, in the service', unit: 'ms' },
      drains.map(({ processorMs }) => processorMs),
    ),
    figure(
      {
        name: 'beside a stalled receiver, event to arrival: p95',
        unit: 'ms',
        target: { is: 'at most', limit: P95_MAX_MS },
      },
      besides.map(({ p95 }) => p95),
    ),
    figure(
      { name: 'beside a stalled receiver, event to arrival: p50', unit: 'ms' },
      besides.map(({ p50 }) => p50),
    ),
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
  const { service, token } = shop
  const place = { url: service.url, token }
  await send(place, `PUT /webhook-subscriptions/${id}`, { active: false })
  const since = new Date().toISOString()
  await createMany(shop)
  await send(place, `PUT /webhook-subscriptions/${id}`, { active: true })
  const before = processorSeconds(service.pid)
  const replayed = await send(place, `POST /webhook-subscriptions/${id}/replay`, { since })
  const { count } = (await replayed.json()) as { count: number }
  if (count !== BACKLOG) throw new Error(`${count} of ${BACKLOG} events were replayed`)
  const { seconds } = await arrivals(shop, count)
  return { rate: count / seconds, processorMs: ((processorSeconds(service.pid) - before) * 1000) / count }
}

async function createMany({ service, token }: Shop): Promise<void> {
  const generator = startHelper(fileURLToPath(import.meta.resolve('./load-generator.ts')))
  const { failures } = await ask<LoadResult>(generator, {
    url: `${service.url}/buyers`,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
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

async function subscribe({ service, token, address }: Shop, path: string): Promise<string> {
  const made = await send({ url: service.url, token }, 'POST /webhook-subscriptions', { url: address + path })
  if (made.status !== 201) throw new Error(`a subscription was answered ${made.status}`)
  return ((await made.json()) as { id: string }).id
}

async function createBuyer({ service, token }: Shop): Promise<void> {
  const made = await send({ url: service.url, token }, 'POST /buyers', { display_name: 'Anna' })
  await made.body?.cancel()
  if (made.status !== 201) throw new Error(`a buyer was answered ${made.status}`)
}
