import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createdAt } from '#domain/ids.ts'
import type { Job } from '#platform/process/jobs.ts'
import type { JobNeeds } from '#resources/resource.ts'
import { disagreements } from '#testing/books.ts'
import { waitingOnly } from '#testing/giving-up.ts'
import { startTestService, type TestService } from '#testing/harness.ts'
import { type Receiver, startReceiver } from '#testing/receiver.ts'
import { advance, jobNeedsOf } from '#testing/sandbox-clock.ts'
import { openTill, type Till } from '#testing/till.ts'
import { moveClock, Timetable } from './move.ts'
import type { SandboxClock } from './schemas.ts'

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000

let service: TestService
let till: Till

beforeAll(async () => {
  service = await startTestService({ hasSandboxClock: true })
  till = openTill(service)
})
afterAll(() => service.close())

type Told = { readonly name: string; readonly created_at: Date }

async function toldAbout(...ids: readonly string[]): Promise<Told[]> {
  const { rows } = await sql<Told>`
    select name, created_at from events where target_id = any(${ids}::uuid[]) order by id
  `.execute(service.context.db)
  return rows
}

function faultOn(on: string, kind: string): object {
  return { connection_options: { 'mock-card': { fault: { on, kind } } } }
}

async function openAttempts(): Promise<string[]> {
  const { rows } = await sql<{ state: string }>`select state from attempts where due_at is not null`.execute(
    service.context.db,
  )
  return rows.map(({ state }) => state)
}

describe('what falls due on the way', () => {
  test('is done in order of time, at its time', async () => {
    const held = await till.pay()
    const link = (
      await service.send('POST /payment-links', { amount: 1000, currency: 'USD', country: 'US' })
    ).json()
    const start = service.context.clock().getTime()

    await advance(service, { by: 'P10D' })

    expect(await till.get(held.id)).toMatchObject({
      status: 'authorization_voided',
      error_code: 'expired_authorization',
    })
    expect((await service.send(`GET /payment-links/${link.id}`)).json()).toMatchObject({ status: 'expired' })
    const told = await toldAbout(link.id, held.id)
    const days = told.map(({ name, created_at }) => [
      name,
      Math.round(Math.abs(created_at.getTime() - start) / DAY_MS),
    ])
    expect(days).toEqual([
      ['transaction.authorized', 0],
      ['payment-link.created', 0],
      ['payment-link.updated', 1],
      ['transaction.voided', 7],
    ])
    expect(await disagreements(service.database.pool)).toEqual([])
  })

  test('includes outcomes that are unknown', async () => {
    const payment = await till.pay(faultOn('authorize', 'lose-answer'))
    expect(payment).toMatchObject({ status: 'processing' })

    await advance(service, { by: 'P2D' })

    expect((await till.get(payment.id)).status).not.toBe('processing')
  })

  test('includes voids that the provider refused, once a day', async () => {
    const { id } = await till.pay({ amount: 510_001 })

    await advance(service, { by: 'P10DT1H' })

    const told = await toldAbout(id)
    const refused = told
      .filter(({ name }) => name === 'transaction.void-failed')
      .map(({ created_at }) => created_at)
    const days = refused.map((at) => Math.floor((at.getTime() - createdAt(id).getTime()) / DAY_MS))
    expect(days).toEqual([7, 8, 9, 10])
    // Otherwise it ends once its hold has lapsed, of which the processor's books say nothing.
    await till.act(id, 'capture', {})
  })

  test('does not include what comes later', async () => {
    const held = await till.pay()

    await advance(service, { by: 'P6D' })

    expect(await till.get(held.id)).toMatchObject({ status: 'authorization_succeeded' })
  })
})

describe('webhooks', () => {
  let receiver: Receiver
  beforeAll(async () => {
    receiver = await startReceiver()
  })
  afterAll(() => receiver.close())

  test('to an address that is down for a day arrive once it is up, with signatures of real time', async () => {
    const { clock } = service.context
    const made = await service.send('POST /webhook-subscriptions', { url: receiver.url })
    expect(made.statusCode, made.body).toBe(201)
    const downUntil = clock().getTime() + DAY_MS
    receiver.answer((response) => {
      response.statusCode = clock().getTime() < downUntil ? 503 : 200
      response.end()
    })
    const payment = await till.pay()

    await advance(service, { by: 'P3D' })

    const tries = receiver.received.filter(({ event }) => event.target.id === payment.id)
    expect(tries.length).toBeGreaterThan(6)
    const { rows } = await sql<{ status: string }>`
      select status from webhook_deliveries where id = ${tries[0]?.event.id}
    `.execute(service.context.db)
    expect(rows).toEqual([{ status: 'delivered' }])
    for (const { headers } of tries) {
      expect(Math.abs(Number(headers['webhook-timestamp']) * 1000 - Date.now())).toBeLessThan(60_000)
    }
    await service.send(`DELETE /webhook-subscriptions/${made.json().id}`)
  })

  test('to an address that never answers are parked, and do not hold up the clock', async () => {
    const made = await service.send('POST /webhook-subscriptions', { url: 'http://127.0.0.1:9/dead' })
    const payment = await till.pay()

    const after = await advance(service, { by: 'P14D' })

    expect(after).toMatchObject({ status: 'ready' })
    const { rows } = await sql<{ status: string; parked_because: string }>`
      select status, parked_because from webhook_deliveries as delivery join events on events.id = delivery.id
      where events.target_id = ${payment.id} and subscription_id = ${made.json().id}
    `.execute(service.context.db)
    expect(rows[0]).toEqual({ status: 'parked', parked_because: 'schedule_ended' })
    await service.send(`DELETE /webhook-subscriptions/${made.json().id}`)
  })
})

describe('real time', () => {
  test('counts for tokens, and for the 72 hours of idempotency keys', async () => {
    const headers = { 'idempotency-key': crypto.randomUUID() }
    const first = await service.send('POST /buyers', { display_name: 'Once' }, { headers })

    await advance(service, { by: 'P4D' })

    const again = await service.send('POST /buyers', { display_name: 'Once' }, { headers })
    expect(again.json()).toEqual(first.json())
    expect(again.headers['idempotent-replayed']).toBe('true')
  })

  test('counts for a payment that is on its way while the clock jumps', async () => {
    const paying = waitingOnly(service, 2_000, () => till.pay(faultOn('authorize', 'stall')))
    await expect.poll(openAttempts, { interval: 20 }).toEqual(['sent'])

    await sql`update sandbox_clock set offset_ms = offset_ms + ${DAY_MS}`.execute(service.context.db)
    await service.context.clock.catchUp?.()
    await service.resolveDue()

    expect(await openAttempts()).toEqual(['sent'])
    expect(await paying).toMatchObject({ status: 'processing' })
    await advance(service, { by: 'PT2H' })
    expect(await openAttempts()).toEqual([])
  })
})

test('payments that run while the clock moves stay correct, and their ids are in order', async () => {
  const ids: string[] = []
  let isMoving = true
  const shop = async () => {
    while (isMoving) ids.push((await till.pay()).id)
  }
  const paying = shop()
  const before = service.context.clock()

  await advance(service, { by: 'P2D' })
  isMoving = false
  await paying

  expect(ids.length).toBeGreaterThan(3)
  expect(ids.toSorted((one, other) => (one < other ? -1 : 1))).toEqual(ids)
  expect(createdAt(ids.at(-1) ?? '').getTime() - before.getTime()).toBeGreaterThan(2 * DAY_MS)
  for (const id of ids) expect(await till.get(id)).toMatchObject({ status: 'authorization_succeeded' })
  expect(await disagreements(service.database.pool)).toEqual([])
})

test('another process follows at its next request', async () => {
  const after = await advance(service, { by: 'P1D' })
  const { followDatabaseClock } = await import('#platform/database/database-clock.ts')
  const { createLogger } = await import('#platform/observability/log.ts')
  const logger = createLogger('silent')
  const other = await followDatabaseClock({ ...service.database, logger, isMovable: true, everyMs: 60_000 })
  expect(other.now().getTime()).toBeGreaterThanOrEqual(Date.parse(after.now))

  await sql`update sandbox_clock set offset_ms = offset_ms + ${DAY_MS}`.execute(service.context.db)
  await other.now.catchUp?.()

  expect(other.now().getTime()).toBeGreaterThan(Date.parse(after.now) + DAY_MS)
  await service.context.clock.catchUp?.()
})

describe('a job', () => {
  const needs = () => jobNeedsOf(service)
  const signal = new AbortController().signal

  /** With little patience. Answers which jobs were late. */
  async function moveWith(by: string, job: Partial<Job<JobNeeds>>): Promise<SandboxClock['late_jobs']> {
    const begun = await service.send('POST /sandbox/clock/advance', { by })
    expect(begun.json()).toMatchObject({ status: 'advancing', late_jobs: [] })
    const whole = { name: 'test', everyMs: 1, run: async () => {}, ...job }
    const pace = { firstPauseMs: 0, stopMs: 200, waitMs: 500, turnMs: 200, endMs: 20 }
    await moveClock(needs(), [whole], signal, pace)
    const clock = (await service.send('GET /sandbox/clock')).json()
    expect(clock).toMatchObject({ status: 'ready', target: null })
    expect(Date.parse(clock.now)).toBeGreaterThanOrEqual(Date.parse(begun.json().target))
    return clock.late_jobs
  }

  test('that is due every hour runs every hour, at its time', async () => {
    const at: number[] = []
    let next = service.context.clock().getTime() + 3_600_000
    const start = next

    await moveWith('P1D', {
      nextDueAt: async () => new Date(next),
      run: async () => {
        const now = service.context.clock().getTime()
        if (now < next) return
        at.push(now)
        next += 3_600_000
      },
    })

    expect(at.length).toBeGreaterThanOrEqual(24)
    for (const [hour, time] of at.entries()) {
      expect(Math.abs(time - (start + hour * 3_600_000))).toBeLessThan(MINUTE_MS)
    }
  })

  test('that fails does not stop the clock', async () => {
    const due = new Date(service.context.clock().getTime() + MINUTE_MS)
    let runs = 0

    const late = await moveWith('PT1H', {
      nextDueAt: async () => (runs > 1 ? null : due),
      run: async () => {
        runs += 1
        throw new Error('broken')
      },
    })

    expect(runs).toBeGreaterThan(1)
    expect(late).toEqual([{ job: 'test', reason: 'failed', due_at: expect.any(String) }])
  })

  test('that fails once and then does its work is not late', async () => {
    let runs = 0

    const late = await moveWith('PT1H', {
      nextDueAt: async () => (runs === 1 ? service.context.clock() : null),
      run: async () => {
        runs += 1
        if (runs === 1) throw new Error('broken')
      },
    })

    expect(runs).toBeGreaterThan(1)
    expect(late).toEqual([])
  })

  test('that cannot say when it is due does not stop the clock', async () => {
    const late = await moveWith('PT1H', { nextDueAt: () => Promise.reject(new Error('broken')) })

    expect(late).toMatchObject([{ job: 'test', reason: 'failed' }])
  })

  test('that never ends is left behind, and the clock says so', async () => {
    let runs = 0
    const due = new Date(service.context.clock().getTime() + MINUTE_MS)

    const late = await moveWith('PT1H', {
      nextDueAt: async () => due,
      run: () => {
        runs += 1
        return service.context.clock() < due ? Promise.resolve() : new Promise<void>(() => {})
      },
    })

    expect(runs).toBe(2)
    expect(late).toMatchObject([{ job: 'test', reason: 'slow' }])
    expect(Date.parse(late[0]?.due_at ?? '')).toBeGreaterThanOrEqual(due.getTime())
  })

  test('that needs longer is asked to end between two steps', async () => {
    let wasAsked = false

    const late = await moveWith('PT1H', {
      nextDueAt: async () => service.context.clock(),
      run: (_needs, stopping) =>
        new Promise((resolve) => {
          stopping.addEventListener('abort', () => {
            wasAsked = true
            resolve()
          })
        }),
    })

    expect(wasAsked).toBe(true)
    expect(late).toMatchObject([{ job: 'test', reason: 'slow' }])
  })

  test('that waits for others stays due, and the clock says so', async () => {
    const due = new Date(service.context.clock().getTime() + MINUTE_MS)

    const late = await moveWith('PT1H', { nextDueAt: async () => due })

    expect(late).toEqual([{ job: 'test', reason: 'waiting', due_at: due.toISOString() }])
  })

  test('stops the clock in the middle when its process stops, and the next worker continues', async () => {
    const stopping = new AbortController()
    const at = [1, 2, 3].map((hours) => new Date(service.context.clock().getTime() + hours * 3_600_000))
    const reached: Date[] = []
    const job: Job<JobNeeds> = {
      name: 'test',
      everyMs: 1,
      nextDueAt: async () => at[reached.length] ?? null,
      run: async () => {
        const next = at[reached.length]
        if (!next || service.context.clock() < next) return
        reached.push(next)
        if (reached.length === 2) stopping.abort()
      },
    }
    await service.send('POST /sandbox/clock/advance', { by: 'PT6H' })

    await moveClock(needs(), [job], stopping.signal, { firstPauseMs: 0 })
    const halfway = (await service.send('GET /sandbox/clock')).json()
    await moveClock(needs(), [job], signal, { firstPauseMs: 0 })

    expect(halfway).toMatchObject({ status: 'advancing' })
    expect(Date.parse(halfway.now)).toBeLessThan(at[2]?.getTime() ?? 0)
    expect(reached).toEqual(at)
    expect((await service.send('GET /sandbox/clock')).json()).toMatchObject({ status: 'ready' })
  })

  test('of two workers, one moves the clock', async () => {
    let running = 0
    let most = 0
    let left = 3
    const job: Job<JobNeeds> = {
      name: 'test',
      everyMs: 1,
      nextDueAt: async () => (left > 0 ? service.context.clock() : null),
      run: async () => {
        running += 1
        most = Math.max(most, running)
        await sleep(100)
        running -= 1
        left -= 1
      },
    }
    await service.send('POST /sandbox/clock/advance', { by: 'PT1H' })

    await Promise.all([1, 2].map(() => moveClock(needs(), [job], signal, { firstPauseMs: 0 })))

    expect(most).toBe(1)
  })
})

describe('the timetable', () => {
  const now = new Date('2026-11-16T00:00:00Z')
  const inTwoYears = new Date('2028-11-15T00:00:00Z')

  function stopsOf(due: (at: Date) => Date | null, target = inTwoYears): Date[] {
    const timetable = new Timetable<string>(now, target)
    const stops: Date[] = []
    let at = now
    for (;;) {
      const dueAt = due(at)
      const stop = timetable.next(new Map(dueAt ? [['job', dueAt]] : []), at)
      if (!stop) return stops
      at = stop.at
      stops.push(at)
      timetable.note('job', at)
    }
  }
  const every = (ms: number) => (at: Date) => new Date((Math.floor(at.getTime() / ms) + 1) * ms)
  const inDays = (days: number) => new Date(now.getTime() + days * DAY_MS)

  test('has a bounded number of stops for a job that is always due', () => {
    expect(stopsOf((at) => at).length).toBeLessThan(1_200)
    expect(stopsOf((at) => at, inDays(1)).length).toBeLessThan(125)
  })

  test('gives a daily job all of its stops', () => {
    const stops = stopsOf(every(DAY_MS))

    expect(stops.length).toBe(730)
    for (const stop of stops) expect(stop.getTime() % DAY_MS).toBe(0)
  })

  test('gives an hourly job all of its stops in a month', () => {
    const stops = stopsOf(every(60 * MINUTE_MS), inDays(30))

    expect(stops.length).toBe(720)
    for (const stop of stops) expect(stop.getTime() % (60 * MINUTE_MS)).toBe(0)
  })

  test('has stops close together again for a job that was quiet after a busy time', () => {
    const busyUntil = inDays(1)
    const again = inDays(100)
    const stops = stopsOf((at) => {
      if (at < busyUntil) return at
      return at < again ? again : new Date(at.getTime() + 1)
    })

    const first = stops.findIndex((stop) => stop >= again)
    expect(stops[first]).toEqual(again)
    expect(stops[first + 1]).toEqual(new Date(again.getTime() + MINUTE_MS))
  })

  test('keeps a stop that a job no longer tells of, because others had a stop before', () => {
    const timetable = new Timetable<string>(now, inTwoYears)
    timetable.note('expiry', now)
    const soon = new Date(now.getTime() + 10_000)
    const other = new Date(now.getTime() + 30_000)

    const first = timetable.next(
      new Map([
        ['expiry', soon],
        ['other', other],
      ]),
      now,
    )
    timetable.note('other', other)
    const second = timetable.next(new Map(), other)

    expect(first).toEqual({ at: other, jobs: ['other'] })
    expect(second).toEqual({ at: new Date(now.getTime() + MINUTE_MS), jobs: ['expiry'] })
  })

  test('puts the earliest job first', () => {
    const due = new Map([
      ['late', new Date('2026-11-20T00:00:00Z')],
      ['early', new Date('2026-11-18T00:00:00Z')],
      ['past', new Date('2026-11-10T00:00:00Z')],
    ])

    expect(new Timetable<string>(now, inTwoYears).next(due, now)).toEqual({ at: now, jobs: ['past'] })
    due.delete('past')
    expect(new Timetable<string>(now, inTwoYears).next(due, now)).toMatchObject({ jobs: ['early'] })
  })
})
