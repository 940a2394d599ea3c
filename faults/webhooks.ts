import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { dice, mix, pick, type Weights } from '../lab/dice.ts'
import { latencyOf } from '../lab/latency.ts'
import { openDatabase } from '../lab/open-database.ts'
import { inBackground, inTurns, isSoon, numbers } from '../lab/turns.ts'
import { repeat } from './keyed-request.ts'
import { type KillableService, killableService } from './killable-service.ts'
import { complaints, type Form, type Outcome, type Pace, type Program, type Say } from './program.ts'
import { openShaky, type ShakyReceiver } from './shaky-receiver.ts'
import { type Fault, startTcpProxy } from './tcp-proxy.ts'

/*
 * It was seen to fail for each of these changes: a delivery counts as made when it is claimed (`claim` sets `delivered`),
 * results are not recorded (no `recorder.add`), and the signature does not cover the time (`sign.ts`).
 */
const EVENTS = { full: 10_000, short: 150 }
const KILLS = { full: 20, short: 2 }
const WORKERS = { full: 2, short: 1 }
const SENDERS = 8
const EVENTS_A_SECOND = { full: 100, short: 150 }
const DUPLICATES_MAX = 0.01
const MEDIAN_MS_MAX = { full: 1_000, short: 60_000 }
/** Faults of connections to the receiver. None hits a request that the receiver has accepted. */
const WIRE: Weights<Fault> = [
  [{ kind: 'none' }, 93],
  [{ kind: 'latency', ms: 100 }, 3],
  [{ kind: 'refuse' }, 3],
  [{ kind: 'swallow', way: 'there' }, 1],
]
const PATIENCE_MS = { full: 600_000, short: 90_000 }
/** Later than any lease: such a delivery waits for its schedule, and no worker is sending it. */
const HURRY = `update webhook_deliveries set next_attempt_at = now()
  where status = 'waiting' and next_attempt_at > now() + interval '31 seconds'`

export const webhooks: Program = {
  name: 'webhooks',
  promise: 7,
  title: 'Every event arrives',
  explanation:
    'Buyers are created over HTTP while a receiver fails three times out of ten (a 500, a connection that is reset, an ' +
    'answer that is cut off or garbled, now and then none at all), connections to it are refused, slow or half open, and ' +
    'the processes that deliver are killed (`kill -9`) at random moments. In a second phase the ' +
    'receiver is healthy, and what waits for its schedule is due at once: the clock is moved in the database. Then the ' +
    'ids that the receiver took are compared with the events in the log. Each request is verified twice: by the package ' +
    '`standardwebhooks` and by plain `node:crypto`. A duplicate is an event that the receiver took more than once.',
  run,
}

async function run({ form, seed, newDatabase }: Pace, say: Say): Promise<Outcome> {
  const databaseUrl = await newDatabase()
  const database = await openDatabase(databaseUrl)
  const api = await killableService({ databaseUrl, env: { ROLE: 'api' } })
  await api.start()
  const workers = await startWorkers(api, databaseUrl, WORKERS[form])
  const receiver = await openShaky(seed)
  const wire = await startTcpProxy({ host: '127.0.0.1', port: receiver.port })
  const chance = dice(mix(seed, 1))
  wire.setFault(() => pick(WIRE, chance()))
  const { secret } = await repeat(api, {
    route: '/webhook-subscriptions',
    body: { url: `http://127.0.0.1:${wire.port}/webhooks` },
    key: 'subscription',
  })
  receiver.expectSecret(secret)

  const start = performance.now()
  const acknowledged: string[] = []
  const shop = { acknowledged, isOpen: true }
  const creating = inBackground(createBuyers(api, form, shop))
  const killed = await killWorkers({ workers, receiver, database, shop }, { form, seed, say })
  await creating
  receiver.recover()
  wire.setFault(() => ({ kind: 'none' }))
  wire.afflict({ kind: 'none' })
  await waitForAll(database, form, say)
  const seconds = (performance.now() - start) / 1000
  for (const process of [api, ...workers]) await process.kill()

  const { rows } = await database.query(
    `select id, target_id, created_at from events where name = 'buyer.created'`,
  )
  const lags = rows.flatMap(
    ({ id, created_at }) => receiver.firstSeen.get(id)?.map((at) => at - +created_at) ?? [],
  )
  const { none: _, ...faults } = wire.counts()
  const troubled = Object.values(faults).reduce((sum, count) => sum + count, 0)
  return {
    seed,
    did: {
      events: rows.length,
      'workers killed': killed,
      'failures of the receiver': receiver.failures(),
      'connections refused, slow or half open': troubled,
    },
    acknowledged: { 'buyers created': acknowledged.length },
    found: {
      'events taken by the receiver': receiver.taken.size,
      'taken more than once': duplicatesIn(receiver).length,
      'signatures verified, in each scheme': receiver.verified(),
      'milliseconds from event to first attempt, median': Math.round(latencyOf(lags).p50),
      'milliseconds from event to first attempt, 95 %': Math.round(latencyOf(lags).p95),
      'deliveries taken in a second, over all': Math.round(receiver.taken.size / seconds),
    },
    broken: [
      ...judge(receiver, rows, acknowledged),
      ...judgePace(receiver, rows.length, lags, form),
      ...(troubled === 0 ? ['nothing was wrong with any connection'] : []),
    ],
  }
}

async function startWorkers(
  { folder }: KillableService,
  databaseUrl: string,
  count: number,
): Promise<KillableService[]> {
  const workers: KillableService[] = []
  while (workers.length < count) {
    const worker = await killableService({ databaseUrl, folder, env: { ROLE: 'worker' } })
    await worker.start()
    workers.push(worker)
  }
  return workers
}

type Shop = { readonly acknowledged: string[]; isOpen: boolean }

/** Creates buyers at an even pace. Fails if the service does not answer. */
async function createBuyers(api: KillableService, form: Form, shop: Shop): Promise<void> {
  const start = performance.now()
  try {
    await inTurns(numbers(EVENTS[form]), SENDERS, async (number) => {
      if (!shop.isOpen) return
      await sleep(Math.max(0, start + (number * 1000) / EVENTS_A_SECOND[form] - performance.now()))
      const body = { external_identifier: `buyer-${number}` }
      const buyer = await repeat(api, { route: '/buyers', body, key: `buyer-${number}` })
      shop.acknowledged.push(buyer.id)
    })
  } catch (error) {
    shop.isOpen = false
    throw error
  }
}

type Place = {
  readonly workers: readonly KillableService[]
  readonly receiver: ShakyReceiver
  readonly database: pg.Client
  readonly shop: Shop
}

async function killWorkers(
  { workers, receiver, database, shop }: Place,
  { form, seed, say }: { readonly form: Form; readonly seed: number; readonly say: Say },
): Promise<number> {
  const chance = dice(seed)
  let kill = 0
  for (; kill < KILLS[form] && shop.isOpen; kill += 1) {
    const goal = ((kill + 0.5 + chance() / 2) * EVENTS[form]) / (KILLS[form] + 1)
    const isEnough = () => receiver.taken.size >= goal || !shop.isOpen
    await isSoon(isEnough, { withinMs: 60_000, everyMs: 5 })
    say(`${kill} of ${KILLS[form]} kills, ${receiver.taken.size} of ${EVENTS[form]} events taken`)
    const worker = workers[Math.floor(chance() * workers.length)]
    await worker?.kill()
    // The only worker is dead, so its leases can be ended at once.
    if (workers.length === 1)
      await database.query(`update webhook_deliveries set next_attempt_at = now() where status = 'waiting'`)
    await worker?.start()
  }
  return kill
}

async function waitForAll(database: pg.Client, form: Form, say: Say): Promise<void> {
  const haveArrived = async () => {
    await database.query(HURRY)
    const { rows } = await database.query(
      `select count(*) from webhook_deliveries where status <> 'delivered'`,
    )
    say(`${rows[0].count} events have not arrived yet`)
    return rows[0].count === '0'
  }
  await isSoon(haveArrived, { withinMs: PATIENCE_MS[form], everyMs: 500 })
}

type EventRow = { readonly id: string; readonly target_id: string }

function judge(
  receiver: ShakyReceiver,
  rows: readonly EventRow[],
  acknowledged: readonly string[],
): string[] {
  const known = new Set(rows.map(({ id }) => id))
  const told = new Set(rows.map(({ target_id }) => target_id))
  return [
    ...complaints(
      'a buyer was acknowledged and has no event',
      acknowledged.filter((id) => !told.has(id)),
    ),
    ...complaints(
      'an event did not arrive',
      rows.filter(({ id }) => !receiver.taken.has(id)),
    ),
    ...complaints(
      'an event arrived that is not in the log',
      [...receiver.taken.keys()].filter((id) => !known.has(id)),
    ),
    ...complaints('a request did not verify', receiver.refused),
  ]
}

function judgePace(receiver: ShakyReceiver, events: number, lags: readonly number[], form: Form): string[] {
  const duplicates = duplicatesIn(receiver).length
  const { p50: median } = latencyOf(lags)
  // A share of so few events means little.
  const allowed = Math.max(form === 'short' ? 20 : 0, events * DUPLICATES_MAX)
  return [
    ...(duplicates > allowed ? [`${duplicates} of ${events} events were taken more than once`] : []),
    ...(median > MEDIAN_MS_MAX[form] ? [`half of the events waited ${Math.round(median)} ms or more`] : []),
    ...(receiver.failures() === 0 ? ['the receiver never failed: nothing was shown'] : []),
  ]
}

function duplicatesIn({ taken }: ShakyReceiver): string[] {
  return [...taken].filter(([, times]) => times > 1).map(([id]) => id)
}
