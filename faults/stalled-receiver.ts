import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { latencyOf } from '../lab/latency.ts'
import { openDatabase } from '../lab/open-database.ts'
import { mustDo } from '../lab/product.ts'
import { inTurns, isSoon, numbers } from '../lab/turns.ts'
import { repeat } from './keyed-request.ts'
import { type KillableService, killableService } from './killable-service.ts'
import { GONE, later, type MoodyReceiver, openMoody, REFUSE, STALL, TAKE } from './moody-receiver.ts'
import type { Form, Outcome, Pace, Program, Say } from './program.ts'

/*
 * It was seen to fail for each of these changes: one subscription may take all lanes (`WIDTH` and `FRESH` of lanes.ts),
 * `Retry-After` is ignored (`nextAttemptAt`), the schedule has a step less, and 410 does not make a subscription inactive
 * (no `deactivate` in deliver.ts).
 */
const HEALTHY = 99
/** So many events wait for the stalled subscription that it could use all lanes. */
const BACKLOG = { full: 1_000, short: 250 }
const EVENTS = { full: 120, short: 8 }
const EVENTS_A_SECOND = 2
const P95_MS_MAX = { full: 2_000, short: 60_000 }
/** A process has 50 deliveries to one subscription at once; a timed-out one stays open a little longer at the receiver. */
const STALLED_AT_ONCE_MAX = 60
const SENDERS = 8
const PATIENCE_MS = 30_000

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
/** As docs/guide/webhooks.md says, each up to 20 % sooner or later. */
const SCHEDULE = [
  ...[5 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR],
  ...[DAY, DAY, DAY, DAY],
]
const JITTER = 0.2
const SLACK_MS = 2_000

export const stalledReceiver: Program = {
  name: 'stalled-receiver',
  promise: 8,
  title: 'One bad endpoint harms no other',
  explanation:
    'One hundred subscriptions get every event, and one of them never answers; that one has a long queue waiting before ' +
    'the others come. How long the others wait from an event to its arrival is measured, and how many deliveries the ' +
    'stalled one held up at once. Before that, on the same process: a receiver that always fails is sent an event by the ' +
    'whole schedule, then the delivery is parked and sent again on demand; one asks for time by `Retry-After`, in seconds ' +
    'and as a date; one answers 410. The program does not wait for days: it makes later attempts due at once in the database.',
  run,
}

type Place = { readonly api: KillableService; readonly database: pg.Client; readonly receiver: MoodyReceiver }

async function run({ form, seed, newDatabase }: Pace, say: Say): Promise<Outcome> {
  const databaseUrl = await newDatabase()
  const api = await killableService({ databaseUrl })
  await api.start()
  const place = { api, database: await openDatabase(databaseUrl), receiver: await openMoody() }
  say('following the schedule')
  const schedule = await followSchedule(place)
  const stalled = await stall(place, form, say)
  await api.kill()
  return {
    seed,
    did: {
      subscriptions: HEALTHY + 1,
      'events while one was stalled': EVENTS[form],
      'events in the queue of the stalled one before': BACKLOG[form],
      'attempts by the schedule': schedule.attempts,
    },
    acknowledged: { 'deliveries expected at the others': HEALTHY * EVENTS[form] },
    found: {
      'deliveries at the others': stalled.lags.length,
      'milliseconds from event to arrival, median': Math.round(latencyOf(stalled.lags).p50),
      'milliseconds from event to arrival, 95 %': Math.round(latencyOf(stalled.lags).p95),
      'deliveries that the stalled one held up at once': stalled.openMax,
    },
    broken: [...schedule.broken, ...judge(stalled, form)],
  }
}

type Delivery = {
  readonly status: string
  readonly failures: number
  readonly attempts: number
  readonly parked_because: string | null
  readonly next_attempt_at: Date | null
  readonly updated_at: Date
}

async function followSchedule(
  place: Place,
): Promise<{ readonly attempts: number; readonly broken: string[] }> {
  const { api, receiver } = place
  const subscribe = (path: string) =>
    repeat(api, { route: '/webhook-subscriptions', body: { url: receiver.url(path) }, key: path })
  const [failing, patient, gone] = [
    await subscribe('/failing'),
    await subscribe('/patient'),
    await subscribe('/gone'),
  ]
  receiver.answer('/failing', REFUSE)
  receiver.answer(
    '/patient',
    later(() => '7200'),
  )
  receiver.answer('/gone', GONE)
  await repeat(api, { route: '/buyers', body: {}, key: 'first' })
  const broken = [
    ...(await failAlways(place, failing.id)),
    ...(await askForTime(place, patient.id)),
    ...(await goAway(place, gone.id)),
  ]
  const attempts = receiver.arrivals.length
  for (const { id } of [failing, patient, gone]) {
    await mustDo(api, `DELETE /webhook-subscriptions/${id}`)
  }
  return { attempts, broken }
}

async function failAlways(place: Place, id: string): Promise<string[]> {
  const { api, receiver } = place
  const broken: string[] = []
  for (const [index, delay] of SCHEDULE.entries()) {
    const delivery = await after(place, id, ({ failures }) => failures > index)
    const waits = waitOf(delivery)
    if (delivery.failures <= index) return [`after ${index} failures it is ${JSON.stringify(delivery)}`]
    // If no attempt is due any more, this is NaN.
    if (!(Math.abs(waits - delay) <= delay * JITTER + SLACK_MS))
      broken.push(`after failure ${index + 1} it waits ${waits} ms rather than ${delay} ms`)
    await makeDue(place, id)
  }
  const last = await after(place, id, ({ failures }) => failures > SCHEDULE.length)
  const hasEnded = last.status === 'parked' && last.parked_because === 'schedule_ended'
  if (!hasEnded || last.failures !== SCHEDULE.length + 1)
    broken.push(`at the end of the schedule it is ${JSON.stringify(last)}`)
  receiver.answer('/failing', TAKE)
  const body = { status: 'parked' }
  await repeat(api, { route: `/webhook-subscriptions/${id}/replay`, body, key: 'replay' })
  const again = await after(place, id, ({ status }) => status === 'delivered')
  if (again.status !== 'delivered') broken.push(`sent again on demand it is ${JSON.stringify(again)}`)
  return broken
}

async function askForTime(place: Place, id: string): Promise<string[]> {
  const { receiver } = place
  const broken: string[] = []
  const expectWait = (delivery: Delivery, ms: number) => {
    const waits = waitOf(delivery)
    if (!(Math.abs(waits - ms) <= SLACK_MS)) broken.push(`asked for ${ms} ms, it gets ${waits} ms`)
  }
  expectWait(await after(place, id, ({ failures }) => failures === 1), 2 * HOUR)
  receiver.answer(
    '/patient',
    later(() => new Date(Date.now() + 3 * HOUR).toUTCString()),
  )
  await makeDue(place, id)
  expectWait(await after(place, id, ({ failures }) => failures === 2), 3 * HOUR)
  receiver.answer('/patient', TAKE)
  await makeDue(place, id)
  const last = await after(place, id, ({ status }) => status === 'delivered')
  if (last.status !== 'delivered') broken.push(`after the time it asked for it is ${JSON.stringify(last)}`)
  return broken
}

async function goAway(place: Place, id: string): Promise<string[]> {
  const { api, database, receiver } = place
  const parked = await after(place, id, ({ status }) => status === 'parked')
  const isActive = async () =>
    (await database.query('select active from webhook_subscriptions where id = $1', [id])).rows[0]?.active
  await isSoon(async () => !(await isActive()), { withinMs: PATIENCE_MS })
  await repeat(api, { route: '/buyers', body: {}, key: 'after 410' })
  const told = await database.query('select id from webhook_deliveries where subscription_id = $1', [id])
  const heard = receiver.arrivals.filter(({ path }) => path === '/gone').length
  const isRight =
    parked.parked_because === 'subscription_inactive' &&
    !(await isActive()) &&
    told.rows.length === 1 &&
    heard === 1
  return isRight
    ? []
    : [`after 410: ${JSON.stringify(parked)}, ${told.rows.length} deliveries, ${heard} heard`]
}

function waitOf({ next_attempt_at, updated_at }: Delivery): number {
  return next_attempt_at === null ? Number.NaN : next_attempt_at.getTime() - updated_at.getTime()
}

/** The delivery of a subscription's first event, once it is as wanted or the time is over. */
async function after(
  { database }: Place,
  id: string,
  isSo: (delivery: Delivery) => boolean,
): Promise<Delivery> {
  for (const deadline = performance.now() + PATIENCE_MS; ; await sleep(20)) {
    const { rows } = await database.query<Delivery>(
      `select status, failures, attempts, parked_because, next_attempt_at, updated_at
       from webhook_deliveries where subscription_id = $1 order by id limit 1`,
      [id],
    )
    const [found] = rows
    if (found && (isSo(found) || performance.now() > deadline)) return found
    if (performance.now() > deadline) throw new Error(`nothing was sent to ${id}`)
  }
}

async function makeDue({ database }: Place, id: string): Promise<void> {
  await database.query(
    `update webhook_deliveries set next_attempt_at = now() where subscription_id = $1 and status = 'waiting'`,
    [id],
  )
}

type Stalled = { readonly lags: readonly number[]; readonly openMax: number }

async function stall({ api, database, receiver }: Place, form: Form, say: Say): Promise<Stalled> {
  const subscribe = (path: string) =>
    repeat(api, { route: '/webhook-subscriptions', body: { url: receiver.url(path) }, key: path })
  receiver.answer('/stalled', STALL)
  await subscribe('/stalled')
  say('a queue grows')
  await inTurns(numbers(BACKLOG[form]), SENDERS, (number) =>
    repeat(api, { route: '/buyers', body: {}, key: `backlog ${number}` }),
  )
  await inTurns(numbers(HEALTHY), SENDERS, (number) => subscribe(`/healthy/${number}`))
  const buyers = new Set<string>()
  const start = performance.now()
  for (let number = 0; number < EVENTS[form]; number += 1) {
    say(`${number} of ${EVENTS[form]} events`)
    await sleep(Math.max(0, start + (number * 1_000) / EVENTS_A_SECOND - performance.now()))
    buyers.add((await repeat(api, { route: '/buyers', body: {}, key: `event ${number}` })).id)
  }
  const arrived = () => receiver.arrivals.filter(({ path }) => path.startsWith('/healthy'))
  await isSoon(() => arrived().length >= HEALTHY * EVENTS[form], { withinMs: PATIENCE_MS, everyMs: 50 })
  const { rows } = await database.query<{ id: string; created_at: Date; target_id: string }>(
    `select id, created_at, target_id from events where name = 'buyer.created'`,
  )
  const times = new Map(
    rows
      .filter(({ target_id }) => buyers.has(target_id))
      .map(({ id, created_at }) => [id, created_at.getTime()]),
  )
  const firsts = new Map(arrived().map(({ path, id, at }) => [`${path} ${id}`, at - (times.get(id) ?? 0)]))
  return { lags: [...firsts.values()], openMax: receiver.openMax('/stalled') }
}

function judge({ lags, openMax }: Stalled, form: Form): string[] {
  const { p95 } = latencyOf(lags)
  const missing = HEALTHY * EVENTS[form] - lags.length
  return [
    ...(missing > 0 ? [`${missing} events did not arrive at the others`] : []),
    ...(p95 > P95_MS_MAX[form] ? [`the others waited ${Math.round(p95)} ms (95 %)`] : []),
    ...(openMax > STALLED_AT_ONCE_MAX ? [`the stalled one held up ${openMax} deliveries at once`] : []),
    ...(openMax === 0 ? ['nothing was stalled: nothing was shown'] : []),
  ]
}
