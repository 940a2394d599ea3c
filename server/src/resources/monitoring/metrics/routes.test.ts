import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { violatedUnique } from '#platform/database/database-errors.ts'
import { MISSING } from '#testing/answers.ts'
import { REPORTING, roleIdOf, signToken, startTestService, type TestService } from '#testing/harness.ts'
import { type Monitor, openMonitor, watching } from '#testing/monitor.ts'
import { openTill } from '#testing/till.ts'
import { METRICS_MAX } from './routes.ts'

const LIST = 'GET /monitoring/metrics?samples_timestamp_interval=PT1H/now'
const OTHER = { account: 'other-shop' }

let service: TestService
let monitor: Monitor
beforeAll(async () => {
  service = await startTestService()
  monitor = openMonitor(service)
  await service.send('POST /merchant-accounts', { id: 'other-shop', display_name: 'Other shop' })
})
afterEach(() => monitor.removeAll())
afterAll(() => service.close())

const change = (id: string, body: object) => service.send(`PUT /monitoring/metrics/${id}`, body)
const NO_FILTERS = {
  method: null,
  payment_method_bin: null,
  payment_method_scheme: null,
  payment_service_id: null,
}
const policies = (alert_lt: number | string) => ({
  display_name: 'Watch',
  alerting_policy: { params: { alert_lt } },
  incident_policy: null,
})

describe('a metric', () => {
  test('is created, read, changed and deleted, and the audit log tells', async () => {
    const made = await monitor.add({ datetime_range: 'PT60M/hour_start', method: ['card', null] })
    const read = (await service.send(`GET /monitoring/metrics/${made.id}`)).json()
    const changed = await change(made.id, {
      display_name: 'Cards',
      alerting_policy: { params: { alert_gt: '0.99', alert_lt: '.4' } },
      incident_policy: null,
    })
    const removed = await service.send(`DELETE /monitoring/metrics/${made.id}`)
    const gone = await service.send(`DELETE /monitoring/metrics/${made.id}`)

    expect(made).toEqual({
      type: 'monitoring.metric',
      id: expect.any(String),
      merchant_account_id: 'default',
      display_name: 'Watch',
      spec: {
        model: 'auth_rate',
        params: { filters: { ...NO_FILTERS, datetime_range: 'PT60M/hour_start', method: ['card', null] } },
      },
      alerting_policy: { strategy: 'threshold', params: { alert_gt: null, alert_lt: 0.5 } },
      alerting_policy_updated_at: made.created_at,
      incident_policy: { strategy: 'debouncing', params: { create_after_n: 1, close_after_n: 1 } },
      incident_policy_updated_at: made.created_at,
      created_at: expect.any(String),
      creator_id: service.admin.id,
      creator_type: 'private_key',
      creator_display_name: 'Test key',
      updated_at: made.created_at,
      samples_view: null,
    })
    expect(read).toEqual(made)
    expect(changed.json()).toEqual({
      ...made,
      display_name: 'Cards',
      alerting_policy: { strategy: 'threshold', params: { alert_gt: 0.99, alert_lt: 0.4 } },
      incident_policy: null,
      alerting_policy_updated_at: expect.any(String),
      incident_policy_updated_at: expect.any(String),
      updated_at: expect.any(String),
    })
    expect(changed.json().alerting_policy_updated_at > made.created_at).toBe(true)
    expect([removed.statusCode, removed.body, gone.statusCode]).toEqual([200, '', 404])
    expect(await openTill(service).audited(made.id)).toEqual([
      'created by Test key',
      'updated by Test key',
      'deleted by Test key',
    ])
  })

  test('needs no policies, and says when each was changed', async () => {
    const made = await monitor.add({}, { alerting_policy: null, incident_policy: null })
    const { incident_policy } = watching()
    const changed = await change(made.id, { display_name: 'Watch', alerting_policy: null, incident_policy })

    expect(made).toMatchObject({
      alerting_policy: null,
      alerting_policy_updated_at: null,
      incident_policy: null,
      incident_policy_updated_at: null,
    })
    expect(changed.json()).toMatchObject({
      alerting_policy_updated_at: null,
      incident_policy_updated_at: expect.any(String),
    })
  })

  test('watches payment services of its account', async () => {
    const { id } = (await service.send('GET /payment-services')).json().items[0]

    const made = await monitor.add({ payment_service_id: [null, id.toUpperCase()] })

    expect(made.spec.params.filters.payment_service_id).toEqual([id, null])
  })
})

describe('the same metric again', () => {
  const again = (twin: { id: string }) => ({
    code: 'duplicate_record',
    resource_id: twin.id,
    details: [{ pointer: '/spec', type: 'value_error.duplicate' }],
  })

  test('is refused, however it is written', async () => {
    const filters = { datetime_range: 'PT60M/now', method: ['card', 'paypal'] }
    const twin = await monitor.add(filters)

    const other = {
      datetime_range: 'PT1H/now',
      method: ['paypal', 'card', 'paypal'],
      payment_method_bin: null,
    }
    const refused = await monitor.create(
      watching(other, {
        display_name: 'Other',
        incident_policy: null,
        alerting_policy: { params: { alert_lt: '0.50' } },
      }),
    )

    expect(refused.statusCode).toBe(409)
    expect(refused.json()).toMatchObject(again(twin))
  })

  test.each([
    ['period', { datetime_range: 'PT6M/now' }, {}],
    ['end', { datetime_range: 'PT5M/hour_start' }, {}],
    ['filter', { method: [null] }, {}],
    ['threshold', {}, { alerting_policy: { params: { alert_gt: 0.5 } } }],
    ['absence of thresholds', {}, { alerting_policy: null }],
  ])('is another one with another %s', async (_what, filters, settings) => {
    await monitor.add()

    const other = await monitor.create(watching(filters, settings))

    expect(other.statusCode, other.body).toBe(201)
  })

  test('is created once by two requests at once', async () => {
    const answers = await Promise.all([monitor.create(), monitor.create(), monitor.create()])

    const made = answers.find(({ statusCode }) => statusCode === 201)?.json()
    expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([201, 409, 409])
    for (const answer of answers.filter(({ statusCode }) => statusCode === 409)) {
      expect(answer.json()).toMatchObject(again(made))
    }
  })

  test('is not made by a change, nor by two at once', async () => {
    const one = await monitor.add({}, policies(0.1))
    const two = await monitor.add({}, policies(0.2))

    const refused = await change(two.id, policies('0.10'))
    const both = await Promise.all([change(one.id, policies(0.3)), change(two.id, policies(0.3))])

    expect(refused.json()).toMatchObject(again(one))
    expect(both.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 409])
  })

  test('is refused by the database, too', async () => {
    const { id } = await monitor.add()
    const twin = sql`
      insert into monitoring_metrics
      select (jsonb_populate_record(metric, jsonb_build_object('id', gen_random_uuid()))).*
      from monitoring_metrics as metric where id = ${id}
    `

    const refused = await twin.execute(service.context.db).catch((error) => error)

    expect(violatedUnique(refused)).toBe('monitoring_metrics_watch_once')
  })

  test('may be watched by another merchant account', async () => {
    await monitor.add()

    const other = await monitor.create(watching(), OTHER)

    expect(other.statusCode).toBe(201)
    await monitor.removeAll(OTHER)
  })
})

describe('an account', () => {
  test(`has at most ${METRICS_MAX} metrics, also if several are created at once`, async () => {
    const orders = Array.from({ length: METRICS_MAX + 2 }, (_, n) =>
      monitor.create(watching({ datetime_range: `PT${10 + n}M/now` })),
    )

    const answers = await Promise.all(orders)

    const refused = answers.filter(({ statusCode }) => statusCode !== 201)
    expect(refused.map(({ statusCode }) => statusCode)).toEqual([400, 400])
    expect(refused[0]?.json().message).toContain('delete one first')
  })
})

const PERIOD = '/spec/params/filters/datetime_range'
const filter = (name: string) => `/spec/params/filters/${name}`
const threshold = (params: object) => ({ alerting_policy: { params } })
const counts = (create_after_n: unknown, close_after_n: unknown) => ({
  incident_policy: { params: { create_after_n, close_after_n } },
})

describe('a request is refused', () => {
  test.each([
    ['PT4M/now', 'value_error.str.regex'],
    ['PT61M/now', 'value_error.str.regex'],
    ['PT0M/now', 'value_error.str.regex'],
    ['PT330S/now', 'value_error.str.regex'],
    ['P1D/now', 'value_error.str.regex'],
    ['P1M/now', 'value_error.str.regex'],
    ['PT60M', 'value_error.str.regex'],
    ['PT60M/', 'value_error.str.regex'],
    ['PT60M/day_start', 'value_error.str.regex'],
    ['hour_start/now', 'value_error.str.regex'],
    ['now/PT60M', 'value_error.str.regex'],
    ['PT60M/2026-11-15T10:00:00Z', 'value_error.str.regex'],
    ['', 'value_error.str.regex'],
    ['x'.repeat(101), 'value_error.any_str.max_length'],
    [60, 'type_error.string'],
    [null, 'type_error.string'],
  ])('for the period %s', async (datetime_range, type) => {
    await expectRefusal(watching({ datetime_range }), { pointer: PERIOD, type })
  })

  test.each([
    ['an unknown model', { spec: { ...watching().spec, model: 'volume' } }, '/spec/model', 'type_error.enum'],
    ['no spec', { spec: undefined }, '/spec', 'value_error.missing'],
    ['no period', { spec: { params: { filters: {} } } }, PERIOD, 'value_error.missing'],
    ['no name', { display_name: '' }, '/display_name', 'value_error.any_str.min_length'],
    ['a long name', { display_name: 'x'.repeat(201) }, '/display_name', 'value_error.any_str.max_length'],
    ['no alerting policy', { alerting_policy: undefined }, '/alerting_policy', 'value_error.missing'],
    ['no incident policy', { incident_policy: undefined }, '/incident_policy', 'value_error.missing'],
  ])('for %s', async (_what, settings, pointer, type) => {
    await expectRefusal(watching({}, settings), { pointer, type })
  })

  test.each([
    ['an unknown method', { method: ['cheque'] }, filter('method/0'), 'type_error.enum'],
    ['an empty list', { method: [] }, filter('method'), 'value_error.list.min_items'],
    ['no list', { method: 'card' }, filter('method'), 'type_error.array'],
    [
      'a short BIN',
      { payment_method_bin: ['41111'] },
      filter('payment_method_bin/0'),
      'value_error.any_str.min_length',
    ],
    [
      'a BIN of letters',
      { payment_method_bin: [null, 'abcdef'] },
      filter('payment_method_bin/1'),
      'value_error.str.regex',
    ],
    [
      'an unknown scheme',
      { payment_method_scheme: ['girocard'] },
      filter('payment_method_scheme/0'),
      'type_error.enum',
    ],
    [
      'a service that is no id',
      { payment_service_id: ['7'] },
      filter('payment_service_id/0'),
      'type_error.uuid',
    ],
    [
      'an unknown service',
      { payment_service_id: [null, MISSING] },
      filter('payment_service_id/1'),
      'value_error.not_found',
    ],
    ['an unknown filter', { country: ['US'] }, filter('country'), 'value_error.extra'],
  ])('for %s', async (_what, filters, pointer, type) => {
    await expectRefusal(watching(filters), { pointer, type })
  })

  test.each([
    ['a threshold above 1', threshold({ alert_lt: 85 }), 'alert_lt', 'value_error.number.not_le'],
    ['a threshold below 0', threshold({ alert_gt: -0.1 }), 'alert_gt', 'value_error.number.not_ge'],
    ['the same as text', threshold({ alert_lt: '85' }), 'alert_lt', 'value_error.number.not_le'],
    ['a negative text', threshold({ alert_gt: '-0.1' }), 'alert_gt', 'value_error.number.not_ge'],
    ['text that is no number', threshold({ alert_lt: 'low' }), 'alert_lt', 'value_error.str.regex'],
    ['an empty text', threshold({ alert_lt: '' }), 'alert_lt', 'value_error.str.regex'],
    ['a threshold that is no number', threshold({ alert_lt: true }), 'alert_lt', 'type_error.integer'],
    [
      'thresholds that every rate meets',
      threshold({ alert_gt: 0.4, alert_lt: 0.6 }),
      'alert_lt',
      'value_error.conflict',
    ],
  ])('for %s', async (_what, settings, name, type) => {
    await expectRefusal(watching({}, settings), { pointer: `/alerting_policy/params/${name}`, type })
    await expectRefusedChange(settings, { pointer: `/alerting_policy/params/${name}`, type })
  })

  test.each([
    [threshold({}), '/alerting_policy/params', 'value_error.missing'],
    [threshold({ alert_gt: null, alert_lt: null }), '/alerting_policy/params', 'value_error.missing'],
    [
      { alerting_policy: { strategy: 'anomaly', params: { alert_lt: 0.5 } } },
      '/alerting_policy/strategy',
      'type_error.enum',
    ],
    [counts(0, 1), '/incident_policy/params/create_after_n', 'value_error.number.not_ge'],
    [counts(11, 1), '/incident_policy/params/create_after_n', 'value_error.number.not_le'],
    [counts(1, 0), '/incident_policy/params/close_after_n', 'value_error.number.not_ge'],
    [counts(1, 11), '/incident_policy/params/close_after_n', 'value_error.number.not_le'],
    [counts(1.5, 1), '/incident_policy/params/create_after_n', 'type_error.integer'],
    [counts(1, undefined), '/incident_policy/params/close_after_n', 'value_error.missing'],
  ])('for the policy %j', async (settings, pointer, type) => {
    await expectRefusal(watching({}, settings), { pointer, type })
    await expectRefusedChange(settings, { pointer, type })
  })

  test('for a payment service of another account, or a deleted one', async () => {
    const till = openTill(service)
    const foreign = await till.addService({}, OTHER)
    const deleted = await till.addService({})
    await service.send(`DELETE /payment-services/${deleted.id}`)

    for (const { id } of [foreign, deleted]) {
      await expectRefusal(watching({ payment_service_id: [id] }), {
        pointer: filter('payment_service_id/0'),
        type: 'value_error.not_found',
      })
    }
  })

  async function expectRefusal(body: object, { pointer, type }: { pointer: string; type: string }) {
    const refused = await monitor.create(body)

    expect(refused.statusCode, refused.body).toBe(400)
    expect(refused.json().details).toEqual([{ location: 'body', pointer, type, message: expect.any(String) }])
    expect((await service.send(LIST)).json().items).toHaveLength(0)
  }

  async function expectRefusedChange(settings: object, detail: object) {
    const made = await monitor.add()
    const { spec: _spec, ...changes } = watching({}, settings)

    const refused = await change(made.id, changes)
    const after = (await service.send(`GET /monitoring/metrics/${made.id}`)).json()

    expect(refused.json().details).toMatchObject([detail])
    expect(after).toEqual(made)
  }

  test('for a change of what is watched', async () => {
    const made = await monitor.add()

    const refused = await change(made.id, watching())

    expect(refused.json().details).toMatchObject([{ pointer: '/spec', type: 'value_error.extra' }])
  })
})

describe('the list', () => {
  test('has five metrics on a page, newest first, and at most ten', async () => {
    for (let n = 0; n < 6; n += 1) await monitor.add({ datetime_range: `PT${10 + n}M/now` })

    const first = (await service.send(LIST)).json()
    const second = (await service.send(`${LIST}&cursor=${first.next_cursor}`)).json()
    const all = (await service.send(`${LIST}&limit=10`)).json()
    const tooMany = await service.send(`${LIST}&limit=11`)

    const periods = all.items.map(({ spec }: never) => spec['params']['filters']['datetime_range'])
    expect(periods).toEqual(['PT15M/now', 'PT14M/now', 'PT13M/now', 'PT12M/now', 'PT11M/now', 'PT10M/now'])
    expect([first.items.length, first.limit, second.items.length]).toEqual([5, 5, 1])
    expect([...first.items, ...second.items]).toEqual(all.items)
    expect(tooMany.json().details).toMatchObject([{ pointer: '/limit' }])
  })

  test('finds a part of the name, in upper or lower case', async () => {
    const { id } = await monitor.add({}, { display_name: 'Visa 100%_sure' })
    await monitor.add({ method: ['card'] }, { display_name: 'Other' })

    const searched = async (text: string) =>
      (await service.send(`${LIST}&search=${encodeURIComponent(text)}`)).json().items

    expect((await searched('0%_SURE')).map(({ id }: { id: string }) => id)).toEqual([id])
    expect(await searched('%')).toHaveLength(1)
    expect(await searched('nothing')).toEqual([])
    expect(await searched('')).toHaveLength(2)
  })

  test.each([
    ['', 'value_error.missing'],
    ['samples_timestamp_interval=', 'value_error.any_str.min_length'],
    ['samples_timestamp_interval=PT1H', 'value_error.str.regex'],
    ['samples_timestamp_interval=now/now', 'value_error.str.regex'],
    ['samples_timestamp_interval=now/PT1H/now', 'value_error.str.regex'],
    ['samples_timestamp_interval=2026-11-16T00:00:00Z/2026-11-15T00:00:00Z', 'value_error.str.regex'],
    [
      'samples_timestamp_interval=2026-11-15T00:00:00+01:00/2026-11-16T00:00:00+01:00',
      'value_error.str.regex',
    ],
    ['samples_timestamp_interval=P4D/now', 'value_error.number.not_le'],
    ['samples_timestamp_interval=P10Y/now', 'value_error.number.not_le'],
  ])('refuses "%s"', async (query, type) => {
    const refused = await service.send(`GET /monitoring/metrics?${query}`)

    expect(refused.json().details).toMatchObject([
      { location: 'query', pointer: '/samples_timestamp_interval', type },
    ])
  })

  test('of one metric reaches back further', async () => {
    const { id } = await monitor.add()
    const read = (interval: string) =>
      service.send(`GET /monitoring/metrics/${id}?samples_timestamp_interval=${interval}`)

    const asked = await Promise.all(Array.from({ length: 25 }, () => read('P31D/now')))

    expect(asked.filter(({ statusCode }) => statusCode === 200)).toHaveLength(20)
    expect(asked.filter(({ statusCode }) => statusCode === 429)).toHaveLength(5)
    expect((await read('P31D/now')).json().samples_view).toEqual([])
    expect((await read('P32D/now')).json().details).toMatchObject([{ type: 'value_error.number.not_le' }])
    expect((await read('yesterday')).statusCode).toBe(400)
  })
})

test('the role of reports reads, that of system managers changes', async () => {
  const tokenOf = async (roleId: string) => signToken(await service.addKey({ roleIds: [roleId] }))
  const reporting = await tokenOf(REPORTING)
  const manager = await tokenOf(await roleIdOf(service.context, 'system-manager'))

  const read = await service.send(LIST, undefined, { token: reporting })
  const refused = await monitor.create(watching(), { token: reporting })
  const made = await monitor.create(watching(), { token: manager })

  expect([read.statusCode, refused.statusCode, made.statusCode]).toEqual([200, 403, 201])
})
