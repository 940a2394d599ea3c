import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { passesLuhn } from '#domain/card.ts'
import { inTransaction } from '#platform/database/db.ts'
import { startTestService, type TestService } from '#testing/harness.ts'
import { type Monitor, openMonitor } from '#testing/monitor.ts'
import { CARD, openTill, type Till } from '#testing/till.ts'
import { closeIncident } from '../incidents/change.ts'
import * as incidents from '../incidents/store.ts'
import * as metrics from '../metrics/store.ts'
import { takeDueSamples } from './take.ts'

const DECLINED = 200_011
const PENDING = 600_002
const SECRET = 'a-secret-of-the-processor'

let service: TestService
let monitor: Monitor
let till: Till
beforeAll(async () => {
  service = await startTestService()
  monitor = openMonitor(service)
  till = openTill(service)
})
afterEach(() => monitor.removeAll())
afterAll(() => service.close())

let bins = 0

/** Cards with a BIN that no other test uses, so that payments of other tests do not count. */
function ownCards() {
  bins += 1
  const bin = `4${String(bins).padStart(5, '0')}`
  const start = `${bin}000000000`
  const digit = [...'0123456789'].find((last) => passesLuhn(start + last)) ?? ''
  const payment_method = { ...CARD, number: start + digit }
  return {
    filters: { payment_method_bin: [bin] },
    pay: (body: object = {}) => till.pay({ payment_method, ...body }),
    decline: () => till.pay({ payment_method, amount: DECLINED }),
  }
}

/** As if they had ended a while ago: the database's clock counts microseconds, and ours only milliseconds. */
const endLeases = () =>
  sql`update monitoring_metrics set leased_until = now() - interval '1 second'`.execute(service.context.db)

const values = async (id: string) => (await monitor.samplesOf(id)).map(({ value }) => value)
const health = async (id: string) => (await monitor.samplesOf(id)).map(({ healthy }) => healthy)
const n = (create_after_n: number, close_after_n: number) => ({
  incident_policy: { params: { create_after_n, close_after_n } },
})

describe('a sample', () => {
  test('is the share of decided payments that were authorized, at a full minute', async () => {
    const { filters, pay, decline } = ownCards()
    const { id } = await monitor.add(filters)
    await pay()
    await pay({ intent: 'capture' })
    const voided = await pay()
    await till.act(voided.id, 'void')
    await decline()
    await pay({ amount: PENDING })

    await monitor.sample()

    const now = service.context.clock()
    expect(await monitor.samplesOf(id)).toEqual([
      {
        timestamp: `${now.toISOString().slice(0, 16)}:00.000Z`,
        value: 0.75,
        healthy: true,
        incident_related: false,
      },
    ])
  })

  test('counts what the filters choose', async () => {
    const { filters, pay, decline } = ownCards()
    const own = await till.addService({ merchant_id: 'own' })
    const count = async (more: object) => (await monitor.add({ ...filters, ...more })).id
    const all = await count({})
    const card = await count({ method: ['card'], payment_method_scheme: ['visa'] })
    const other = await count({ payment_method_scheme: ['mastercard', null] })
    const service_ = await count({ payment_service_id: [own.id] })
    const without = await monitor.add({ method: [null] })
    await pay()
    await decline()

    await monitor.sample()

    expect(await values(all)).toEqual([0.5])
    expect(await values(card)).toEqual([0.5])
    expect(await values(other)).toEqual([null])
    expect(await values(service_)).toEqual([null])
    expect(await values(without.id)).toEqual([null])
    await service.send(`DELETE /payment-services/${own.id}`)
  })

  test('has no value and no health without payments, or with none that is decided', async () => {
    const { filters, pay } = ownCards()
    const { id } = await monitor.add(filters)

    await monitor.sample()
    await pay({ amount: PENDING })
    await monitor.sample()

    expect(await monitor.samplesOf(id)).toMatchObject([
      { value: null, healthy: null, incident_related: false },
      { value: null, healthy: null, incident_related: false },
    ])
  })

  test('has a value and no health without thresholds', async () => {
    const { filters, decline } = ownCards()
    const { id } = await monitor.add(filters, { alerting_policy: null })
    await decline()

    await monitor.sample()

    expect(await monitor.samplesOf(id)).toMatchObject([{ value: 0, healthy: null }])
  })

  test('stays as it was taken when a payment is decided later', async () => {
    const later = await till.addService({ merchant_id: 'later', webhook_secret: SECRET })
    const payment_service_id = later.id
    const { filters, pay } = ownCards()
    const { id } = await monitor.add(filters)
    const waiting = await pay({ amount: PENDING, payment_service_id })
    await pay()
    await monitor.sample()

    const { payment_service_transaction_id } = waiting
    await till.notify(later, { event: 'authorization.declined', payment_service_transaction_id }, SECRET)
    await monitor.sample()

    expect(await values(id)).toEqual([1, 0.5])
    await service.send(`DELETE /payment-services/${later.id}`)
  })

  test('of a payment leaves the period after its minutes', async () => {
    const { filters, pay } = ownCards()
    const { id } = await monitor.add(filters)
    await pay()
    await monitor.sample()

    monitor.nextMinute(5)
    await takeDueSamples(service.context)

    expect(await values(id)).toEqual([1, null])
  })
})

describe('each minute', () => {
  test('is sampled once, however many processes look', async () => {
    const { filters, pay } = ownCards()
    const made = await Promise.all(
      ['PT5M/now', 'PT6M/now', 'PT7M/now'].map((datetime_range) =>
        monitor.add({ ...filters, datetime_range }),
      ),
    )
    await pay()
    monitor.nextMinute()

    await Promise.all(Array.from({ length: 6 }, () => takeDueSamples(service.context)))
    await takeDueSamples(service.context)

    const rows = await sql<{ metric_id: string; run_length: number }>`
      select metric_id, run_length from monitoring_samples join monitoring_metrics on id = metric_id
    `.execute(service.context.db)
    expect(rows.rows.map(({ metric_id }) => metric_id).toSorted()).toEqual(
      made.map(({ id }) => id).toSorted(),
    )
    expect(rows.rows.map(({ run_length }) => run_length)).toEqual([1, 1, 1])
  })

  test('that was missed stays without a sample: only the present one is taken', async () => {
    const { filters, pay } = ownCards()
    const { id } = await monitor.add(filters)
    await pay()
    await monitor.sample()
    const before = (await monitor.samplesOf(id))[0].timestamp

    monitor.nextMinute(4)
    await takeDueSamples(service.context)

    const [, after, ...more] = await monitor.samplesOf(id)
    expect(Date.parse(after.timestamp) - Date.parse(before)).toBe(4 * 60_000)
    expect(more).toEqual([])
  })

  test('is sampled by another process if the first one dies', async () => {
    const { filters } = ownCards()
    const { id } = await monitor.add(filters)
    monitor.nextMinute()
    await metrics.takeDue(service.context, 100)

    // A lease is about real time, however far the clock of a sandbox is moved.
    const { clock } = service.context
    const ahead = Object.assign(() => new Date(clock().getTime() + 40_000), { real: clock })
    const moved = { ...service.context, clock: ahead }
    await takeDueSamples(moved)
    const during = await monitor.samplesOf(id)
    await endLeases()
    await takeDueSamples(moved)

    expect(during).toEqual([])
    expect(await monitor.samplesOf(id)).toHaveLength(1)
  })

  test('is not sampled twice by a process that was only slow', async () => {
    const { filters } = ownCards()
    const { id } = await monitor.add(filters)
    monitor.nextMinute()
    const [slow] = await metrics.takeDue(service.context, 100)
    await endLeases()
    await takeDueSamples(service.context)

    const { leased_until } = await service.context.db
      .selectFrom('monitoring_metrics')
      .select('leased_until')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()

    expect(slow?.leased_until).toBeInstanceOf(Date)
    expect(leased_until).toBeNull()
    expect(await monitor.samplesOf(id)).toHaveLength(1)
  })

  test.each(['P0WT5M/now', 'P0Y0M0DT0H05M00S/hour_end', 'PT300S/now'])(
    'is sampled over a period that is written as %s',
    async (datetime_range) => {
      const { filters, pay } = ownCards()
      const { id } = await monitor.add({ ...filters, datetime_range })
      await pay()

      await monitor.sample()

      expect(await monitor.samplesOf(id)).toHaveLength(1)
      expect(await metrics.nextDueAt(service.context)).toBeInstanceOf(Date)
    },
  )

  test('has its sample if that of another metric fails', async () => {
    const broken = await monitor.add(ownCards().filters)
    const { id } = await monitor.add(ownCards().filters)
    await sql`update monitoring_metrics set datetime_range = 'PT0M/now' where id = ${broken.id}`.execute(
      service.context.db,
    )
    monitor.nextMinute()

    await expect(takeDueSamples(service.context)).rejects.toThrow('has no period')

    expect(await monitor.samplesOf(id)).toHaveLength(1)
    expect(await monitor.samplesOf(broken.id)).toEqual([])
  })
})

describe('an incident', () => {
  test('is opened and closed by samples in a row, with an event for each', async () => {
    const subscription = await service.send('POST /webhook-subscriptions', {
      url: 'https://hooks.example.com/x',
      events: ['monitoring.*'],
    })
    const { filters, pay, decline } = ownCards()
    const metric = await monitor.add(filters, n(2, 2))
    await decline()
    await monitor.sample()
    const early = await monitor.incidentsOf(metric.id)
    await monitor.sample()
    const [open, ...others] = await monitor.incidentsOf(metric.id)
    await pay()
    await pay()
    await monitor.sample()
    const [still] = await monitor.incidentsOf(metric.id)
    await monitor.sample()
    await monitor.sample()
    const [closed] = await monitor.incidentsOf(metric.id)

    expect(early).toEqual([])
    expect(others).toEqual([])
    expect(open).toEqual({
      type: 'monitoring.incident',
      id: expect.any(String),
      metric_id: metric.id,
      merchant_account_id: 'default',
      display_name: metric.display_name,
      spec: metric.spec,
      alerting_policy: metric.alerting_policy,
      incident_policy: metric.incident_policy,
      notes: null,
      created_at: expect.any(String),
      updated_at: open.created_at,
      closed_at: null,
    })
    expect(still).toEqual(open)
    expect(closed).toEqual({ ...open, closed_at: expect.any(String), updated_at: closed.closed_at })
    expect(await health(metric.id)).toEqual([false, false, true, true, true])
    expect((await monitor.samplesOf(metric.id)).map(({ incident_related }) => incident_related)).toEqual([
      false,
      true,
      true,
      true,
      false,
    ])
    const events = (await service.send(`GET /events?target_id=${open.id}`)).json().items
    expect(events).toMatchObject([
      { name: 'monitoring.incident.closed', target: closed },
      { name: 'monitoring.incident.created', target: open },
    ])
    const sent = await service.send(`GET /webhook-subscriptions/${subscription.json().id}/deliveries`)
    expect(sent.json().items.map(({ event_name }: never) => event_name)).toEqual([
      'monitoring.incident.closed',
      'monitoring.incident.created',
    ])
  })

  test('is neither brought nearer nor further away by samples without a value', async () => {
    const { filters, decline } = ownCards()
    const { id } = await monitor.add(filters, n(2, 1))
    await decline()
    await monitor.sample()
    monitor.nextMinute(6)
    await takeDueSamples(service.context)
    const between = await monitor.incidentsOf(id)
    await decline()
    await monitor.sample()

    expect(await values(id)).toEqual([0, null, 0])
    expect(between).toEqual([])
    expect(await monitor.incidentsOf(id)).toHaveLength(1)
  })

  test('is written with its sample and its event, or not at all', async () => {
    const { filters, decline } = ownCards()
    const { id } = await monitor.add(filters)
    await decline()
    const { db } = service.context
    await sql`
      create function refuse_events() returns trigger language plpgsql as $$ begin raise 'no room'; end $$
    `.execute(db)
    await sql`create trigger refuse before insert on events execute function refuse_events()`.execute(db)

    monitor.nextMinute()
    await expect(takeDueSamples(service.context)).rejects.toThrow('no room')
    const samples = await monitor.samplesOf(id)
    const incidents = await monitor.incidentsOf(id)
    await sql`drop trigger refuse on events`.execute(db)
    await endLeases()
    await takeDueSamples(service.context)

    expect([samples, incidents]).toEqual([[], []])
    expect(await health(id)).toEqual([false])
    expect(await monitor.incidentsOf(id)).toHaveLength(1)
  })

  test('is closed when its metric is deleted, and stays', async () => {
    const { filters, decline } = ownCards()
    const { id } = await monitor.add(filters)
    await decline()
    await monitor.sample()
    const [open] = await monitor.incidentsOf(id)

    await service.send(`DELETE /monitoring/metrics/${id}`)

    const kept = (await service.send(`GET /monitoring/incidents/${open.id}`)).json()
    expect(kept).toEqual({
      ...open,
      metric_id: null,
      closed_at: expect.any(String),
      updated_at: kept.closed_at,
    })
    expect((await service.send(`GET /monitoring/metrics/${id}/incidents`)).statusCode).toBe(404)
    expect(await till.told(open.id)).toEqual(['monitoring.incident.created', 'monitoring.incident.closed'])
    const rows = await sql`select from monitoring_samples where metric_id = ${id}`.execute(service.context.db)
    expect(rows.rows).toEqual([])
  })

  test.each([
    ['thresholds', { alerting_policy: null }],
    ['numbers', { incident_policy: null }],
  ])('is closed when its metric loses its %s', async (_what, change) => {
    const { filters, decline } = ownCards()
    const { id, display_name, alerting_policy, incident_policy } = await monitor.add(filters)
    await decline()
    await monitor.sample()

    const same = { display_name, alerting_policy, incident_policy }
    await service.send(`PUT /monitoring/metrics/${id}`, same)
    const [open] = await monitor.incidentsOf(id)
    await service.send(`PUT /monitoring/metrics/${id}`, { ...same, ...change })
    const [closed] = await monitor.incidentsOf(id)

    expect(open.closed_at).toBeNull()
    expect(closed.closed_at).not.toBeNull()
  })

  test('needs a new run of samples after new thresholds, and an open one stays open', async () => {
    const { filters, decline, pay } = ownCards()
    const { id } = await monitor.add(filters, n(2, 1))
    const change = (alert_lt: number) =>
      service.send(`PUT /monitoring/metrics/${id}`, {
        display_name: 'Watch',
        alerting_policy: { params: { alert_lt } },
        ...n(2, 1),
      })
    await decline()
    await monitor.sample()
    await change(0.6)
    await monitor.sample()
    const none = await monitor.incidentsOf(id)
    await monitor.sample()
    const [open] = await monitor.incidentsOf(id)
    await pay()
    await change(0.4)
    const [still] = await monitor.incidentsOf(id)
    await monitor.sample()
    const [closed] = await monitor.incidentsOf(id)

    expect(none).toEqual([])
    expect(open.alerting_policy.params.alert_lt).toBe(0.6)
    expect(still).toEqual(open)
    expect(closed.closed_at).not.toBeNull()
  })

  test('is closed by a process whose clock is behind that of the one that opened it', async () => {
    const { id } = await monitor.add(ownCards().filters)
    const incidentId = await monitor.openIncident(id)
    const opened = await incidents.find({ ...service.context, merchantAccountId: 'default' }, incidentId)
    const behind = () => new Date((opened?.created_at.getTime() ?? 0) - 1_000)

    await inTransaction({ ...service.context, merchantAccountId: 'default', clock: behind }, async (tx) => {
      const open = await incidents.lockOpen(tx, id)
      if (open) await closeIncident(tx, open)
    })

    const [closed] = await monitor.incidentsOf(id)
    expect(closed.closed_at).toBe(opened?.created_at.toISOString())
  })

  test('is the only open one of its metric: the database refuses a second', async () => {
    const { filters, decline } = ownCards()
    const { id } = await monitor.add(filters)
    await decline()
    await monitor.sample()
    const [open] = await monitor.incidentsOf(id)

    const second = sql`
      insert into monitoring_incidents
      select (jsonb_populate_record(incident, jsonb_build_object('id', gen_random_uuid()))).*
      from monitoring_incidents as incident where id = ${open.id}
    `
    const orphan = sql`update monitoring_incidents set metric_id = null where id = ${open.id}`

    await expect(second.execute(service.context.db)).rejects.toThrow('monitoring_incidents_one_open')
    await expect(orphan.execute(service.context.db)).rejects.toThrow('check constraint')
  })
})

describe('a clock that is moved', () => {
  test('does not stop for an account without payments', async () => {
    await service.send('POST /merchant-accounts', { id: 'quiet', display_name: 'Quiet' })
    await monitor.add({}, {}, { account: 'quiet' })

    expect(await metrics.nextDueAt(service.context)).toBeNull()
  })

  test.each([
    ['PT5M/now', 5],
    ['PT30M/now', 30],
    ['PT60M/hour_end', 60],
    ['PT60M/hour_start', 120],
  ])('stops at the next minute while payments are in the period: %s', async (datetime_range, minutes) => {
    await till.pay()
    const { id } = await monitor.add({ datetime_range })
    const now = service.context.clock().getTime()
    const at = async (ms: number) => {
      const due = new Date(now + ms)
      await sql`update monitoring_metrics set due_at = ${due} where id = ${id}`.execute(service.context.db)
      return (await metrics.nextDueAt(service.context))?.getTime() === due.getTime()
    }

    expect(await at(60_000)).toBe(true)
    expect(await at((minutes - 1) * 60_000)).toBe(true)
    expect(await at((minutes + 1) * 60_000)).toBe(false)
  })
})
