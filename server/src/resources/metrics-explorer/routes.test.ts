import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { countDecided } from '#payments/store/count-decided.ts'
import { startTestService, type TestService } from '#testing/harness.ts'
import { CARD, openTill, type Till } from '#testing/till.ts'
import { Answers } from './answers.ts'
import { DIMENSIONS, dimensionOf } from './dimensions.ts'
import { FILTER_NAMES, METRICS, MODULES, SOURCES } from './schemas.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const NUL = '\0'
const MASTERCARD = { ...CARD, number: '5200828282828210' }
const DECLINED = 200_011

let service: TestService
let till: Till
// The busier the process, the longer it pauses between answers: on a busy machine, some questions would wait for too long.
const busyness = vi.spyOn(performance, 'eventLoopUtilization')
beforeAll(async () => {
  busyness.mockReturnValue({ idle: 1, active: 0, utilization: 0 })
  service = await startTestService()
  till = openTill(service)
})
afterAll(() => {
  busyness.mockRestore()
  return service.close()
})

type Query = Record<string, string | readonly string[]>

function ask(path: string, query: Query = {}, account?: string) {
  const pairs = Object.entries({ datetime_range: 'P1D/now', ...query }).flatMap(([name, value]) =>
    [value].flat().map((item): [string, string] => [name, item]),
  )
  const url = `GET /metrics-explorer/${path}?${new URLSearchParams(pairs)}`
  return service.send(url, undefined, account === undefined ? {} : { account })
}

async function read(path: string, query?: Query, account?: string) {
  const response = await ask(path, query, account)
  expect(response.statusCode, response.body).toBe(200)
  return response.json()
}

/** The values of a module by their keys. */
async function byKey(metric: string, module: string, query?: Query, account?: string) {
  const entries = await read(`authorization/metrics/${metric}/modules/${module}`, query, account)
  return Object.fromEntries(entries.map(({ key, value }: { key: string; value: number }) => [key, value]))
}

async function addAccount(id: string): Promise<void> {
  await service.send('POST /merchant-accounts', { id, display_name: id })
  await till.addService({}, { account: id })
}

describe('totals', () => {
  beforeAll(async () => {
    await addAccount('totals')
    const options = { account: 'totals' }
    await till.pay({ amount: 100 }, options)
    await till.pay({ amount: DECLINED }, options)
    service.moveClock(15 * MINUTE_MS)
    await till.pay({ amount: 300 }, options)
    await till.pay({ amount: 50, currency: 'EUR' }, options)
    service.moveClock(5 * MINUTE_MS)
  })

  const totals = (metric: string, query?: Query) =>
    read(`authorization/metrics/${metric}/totals`, { datetime_range: 'PT15M/now', ...query }, 'totals')

  test.each([
    ['transactions', {}, 2, 2, 0],
    ['transactions', { currency: 'USD' }, 1, 2, -50],
    ['transactions', { authorized: 'true' }, 2, 1, 100],
    ['volume', { currency: 'USD' }, 300, DECLINED + 100, -99.85],
    ['volume', { currency: 'EUR' }, 50, 0, null],
    ['auth_rate', {}, 1, 0.5, 0.5],
    ['auth_rate', { currency: 'GBP' }, null, null, null],
  ])('of %s with %o are those of this period and of the one before', async (metric, query, ...expected) => {
    const { summary } = await totals(metric, query)

    expect([summary.current.value, summary.previous.value, summary.delta]).toEqual(expected)
  })

  test('have a value for each hour, and name the first', async () => {
    const { type, series } = await totals('transactions', { datetime_range: 'PT2H/hour_end' })
    const end = Math.ceil(service.context.clock().getTime() / HOUR_MS) * HOUR_MS

    expect(type).toBe('metrics-explorer.total')
    expect(series.current.first_interval).toBe(new Date(end - 2 * HOUR_MS).toISOString())
    expect(series.previous.first_interval).toBe(new Date(end - 4 * HOUR_MS).toISOString())
    expect(series.current.values).toHaveLength(2)
    const all = [...series.previous.values, ...series.current.values]
    expect(all.reduce((sum: number, value: number) => sum + value, 0)).toBe(4)
  })

  test('have null for an hour without payments only where it is a rate', async () => {
    const rate = await totals('auth_rate', { datetime_range: '2020-01-01T00:00:00Z/PT1H' })
    const count = await totals('transactions', { datetime_range: '2020-01-01T00:00:00Z/PT1H' })

    expect(rate.series.current.values).toEqual([null])
    expect(count.series.current.values).toEqual([0])
  })

  test('leave the period before out on request', async () => {
    const { series, summary } = await totals('transactions', { exclude_previous: 'true' })

    expect(summary).toEqual({ current: { value: 2 }, previous: null, delta: null })
    expect(series.previous).toBeNull()
  })

  test('have the days of a time zone', async () => {
    const range = '2026-03-27T23:00:00Z/2026-03-31T22:00:00Z'
    const { series } = await totals('transactions', { datetime_range: range, timezone: 'Europe/Berlin' })

    expect(series.current).toEqual({ first_interval: '2026-03-27T23:00:00.000Z', values: [0, 0, 0, 0] })
    expect(series.previous.first_interval).toBe('2026-03-23T23:00:00.000Z')
  })
})

describe('modules', () => {
  beforeAll(async () => {
    await addAccount('modules')
    const options = { account: 'modules' }
    await till.pay({ amount: 100, metadata: { channel: 'web', shop: 'a "b"' } }, options)
    await till.pay({ amount: 200, country: 'NL', metadata: { channel: 'web' } }, options)
    await till.pay({ amount: 400, currency: 'EUR', payment_method: MASTERCARD }, options)
    await till.pay({ amount: DECLINED, country: null }, options)
    const proven = { three_d_secure_data: PROOF }
    await till.pay({ amount: 800, ...proven }, options)
  })

  const PROOF = {
    cavv: 'AJkBAycVKQAAAAJZQFF3dAAAAAA=',
    eci: '05',
    version: '2.2.0',
    directory_response: 'Y',
    authentication_response: 'Y',
    directory_transaction_id: 'c4e59ceb-a382-4d6a-bc87-385d591fa09d',
  }
  const count = (module: string, query?: Query) => byKey('transactions', module, query, 'modules')

  test.each([
    ['authentication_outcome', { [NUL]: 4, authenticated: 1 }],
    ['authorized', { true: 4, false: 1 }],
    ['country', { US: 3, NL: 1, [NUL]: 1 }],
    ['currency', { USD: 4, EUR: 1 }],
    ['error_code', { [NUL]: 4, insufficient_funds: 1 }],
    ['instrument_type', { pan: 5 }],
    ['is_subsequent_payment', { false: 5 }],
    ['liability_shifted', { [NUL]: 4, true: 1 }],
    ['merchant_initiated', { false: 5 }],
    ['metadata', { [NUL]: 3, '{"channel":"web"}': 2, '{"shop":"a \\"b\\""}': 1 }],
    ['method', { card: 5 }],
    ['payment_method_bin', { 41111111: 4, 52008282: 1 }],
    ['payment_method_scheme', { visa: 4, mastercard: 1 }],
    ['payment_source', { ecommerce: 5 }],
    ['raw_response_code', { '00': 4, [DECLINED]: 1 }],
    ['rule_route_transaction', { [NUL]: 5 }],
    ['rule_skip_3ds', { [NUL]: 5 }],
    ['rule_variant_id', { [NUL]: 5 }],
    ['three_d_secure_auth_resp', { [NUL]: 4, Y: 1 }],
    ['three_d_secure_eci', { [NUL]: 4, '05': 1 }],
  ])('count by %s', async (module, expected) => {
    expect(await count(module)).toEqual(expected)
  })

  test('are a bare list, the largest first, with names for people', async () => {
    const currencies = await read('authorization/metrics/transactions/modules/currency', {}, 'modules')
    const countries = await read('authorization/metrics/transactions/modules/country', {}, 'modules')
    const pairs = await read('authorization/metrics/transactions/modules/metadata', {}, 'modules')

    expect(currencies).toEqual([
      { type: 'metrics-explorer.module', key: 'USD', display_name: 'US Dollar', value: 4, metadata: null },
      { type: 'metrics-explorer.module', key: 'EUR', display_name: 'Euro', value: 1, metadata: null },
    ])
    expect(countries).toContainEqual(expect.objectContaining({ key: NUL, display_name: 'None' }))
    expect(pairs[1]).toMatchObject({ display_name: 'channel: web', metadata: { channel: 'web' } })
  })

  test('name payment services', async () => {
    const [service] = await read('authorization/metrics/transactions/modules/payment_service', {}, 'modules')

    expect(service).toMatchObject({
      display_name: 'Till',
      value: 5,
      metadata: { payment_service_definition_id: 'mock-card', method: 'card' },
    })
    expect(await count('currency', { payment_service_id: service.key.toUpperCase() })).toEqual({
      USD: 4,
      EUR: 1,
    })
  })

  test('add amounts up, and take rates', async () => {
    const volume = await byKey('volume', 'payment_method_scheme', { currency: 'USD' }, 'modules')
    const rate = await byKey('auth_rate', 'payment_method_scheme', {}, 'modules')

    expect(volume).toEqual({ visa: 1100 + DECLINED })
    expect(rate).toEqual({ visa: 0.75, mastercard: 1 })
  })

  test('of authentications count only payments with 3-D Secure', async () => {
    const path = 'authentication/metrics/transactions/modules/authentication_outcome'
    const outcomes = await read(path, {}, 'modules')
    const rate = await read('authentication/metrics/auth_rate/totals', {}, 'modules')

    expect(outcomes).toMatchObject([{ key: 'authenticated', value: 1 }])
    expect(rate.summary.current.value).toBe(1)
  })

  test('of monitoring agree with its samples', async () => {
    const to = service.context.clock()
    const range = `${new Date(to.getTime() - HOUR_MS).toISOString()}/${to.toISOString()}`
    const scope = { ...service.context, merchantAccountId: 'modules' }
    const choices = {
      method: ['card'],
      payment_method_bin: ['411111'],
      payment_method_scheme: null,
      payment_service_id: null,
    }
    const [sample] = await countDecided(scope, { from: new Date(to.getTime() - HOUR_MS), to }, [choices])
    if (!sample) throw new Error('nothing was counted')

    const query = { datetime_range: range, method: 'card', payment_method_bin: '411111' }
    const count = await read('monitoring/metrics/transactions/totals', query, 'modules')
    const rate = await read('monitoring/metrics/auth_rate/totals', query, 'modules')

    expect(count.summary.current.value).toBe(sample.decided)
    expect(rate.summary.current.value).toBe(sample.authorized / sample.decided)
  })

  test.each([
    [{ country: ['US', 'NL'] }, 4],
    [{ country: ['NL', NUL] }, 2],
    [{ country: NUL }, 1],
    [{ authorized: 'false' }, 1],
    [{ authorized: ['true', 'false'] }, 5],
    [{ payment_method_bin: '411111' }, 4],
    [{ payment_method_bin: ['411111', '52008282'] }, 5],
    [{ metadata: '{"channel":"web"}' }, 2],
    [{ metadata: '{"channel":"web","shop":"a \\"b\\""}' }, 1],
    [{ metadata: ['{"channel":"web"}', NUL] }, 5],
    [{ error_code: 'insufficient_funds', raw_response_code: String(DECLINED) }, 1],
    [{ three_d_secure_eci: '05', liability_shifted: 'true' }, 1],
    [{ rule_variant_id: 'x' }, 0],
    [{ rule_variant_id: NUL }, 5],
    [{ payment_method_scheme: "visa' or true --" }, 0],
  ])('count only payments with %o', async (query, expected) => {
    const total = await read('authorization/metrics/transactions/totals', query, 'modules')

    expect(total.summary.current.value).toBe(expected)
  })

  test('do not count payments that are not decided yet', async () => {
    await till.pay({ amount: 600_002 }, { account: 'modules' })
    service.moveClock(MINUTE_MS)

    expect(await count('currency')).toEqual({ USD: 4, EUR: 1 })
  })

  test('show nothing of another merchant account', async () => {
    await addAccount('empty')

    expect(await byKey('transactions', 'currency', {}, 'empty')).toEqual({})
  })

  test('are there for every source and metric, and every field can be filtered by its own keys', async () => {
    for (const source of SOURCES) {
      for (const metric of METRICS) {
        for (const name of ['totals', 'modules/metadata', 'modules/payment_service']) {
          await read(`${source}/metrics/${metric}/${name}`, { currency: 'USD' }, 'modules')
        }
      }
    }
    for (const module of MODULES) {
      const name = dimensionOf(module)
      const entries = await read(`authorization/metrics/transactions/modules/${module}`, {}, 'modules')
      for (const { key, value } of entries) {
        const { summary } = await read(
          'authorization/metrics/transactions/totals',
          { [name]: key },
          'modules',
        )
        expect(summary.current.value, `${name} ${key}`).toBe(value)
      }
    }
    expect(Object.keys(DIMENSIONS)).toEqual(FILTER_NAMES)
  })
})

describe('answers', () => {
  test('are kept for a minute', async () => {
    await addAccount('minute')
    const count = () => byKey('transactions', 'currency', {}, 'minute')
    // A second into a minute, away from its boundary.
    service.moveClock(MINUTE_MS - (service.context.clock().getTime() % MINUTE_MS) + 1_000)
    const first = await count()
    await till.pay({}, { account: 'minute' })
    const kept = await count()
    service.moveClock(MINUTE_MS)

    expect([first, kept, await count()]).toEqual([{}, {}, { USD: 1 }])
  })

  test('wait for each other, and are refused when too many wait', async () => {
    const asked = Array.from({ length: 60 }, (_, minutes) =>
      ask('authorization/metrics/transactions/totals', { datetime_range: `PT${minutes + 1}M/now` }, 'totals'),
    )

    const statuses = (await Promise.all(asked)).map(({ statusCode }) => statusCode)

    expect(statuses.filter((status) => status === 200)).toHaveLength(50)
    expect(statuses.filter((status) => status === 429)).toHaveLength(10)
  })

  test('that take long hold up no payment', async () => {
    const accounts = ['totals', 'modules', 'minute']
    let isAnswered = false
    let asked: Promise<unknown> = Promise.resolve()

    await service.context.db.transaction().execute(async (tx) => {
      await sql`lock table payment_fact_progress in access exclusive mode`.execute(tx)
      const questions = accounts.map((account) => read('monitoring/metrics/transactions/totals', {}, account))
      asked = Promise.all(questions).then(() => {
        isAnswered = true
      })
      for (const account of accounts) await till.pay({}, { account })
      expect(isAnswered).toBe(false)
    })
    await asked

    expect(isAnswered).toBe(true)
  })

  test('that take too long are refused with what to do', async () => {
    const scope = { ...service.context, merchantAccountId: 'default' }
    const slow = new Answers(1).find(scope, 'slow', async () => {
      await service.context.db.connection().execute(async (db) => {
        await sql`set statement_timeout = '10ms'`.execute(db)
        await sql`select pg_sleep(1)`.execute(db).finally(() => sql`reset statement_timeout`.execute(db))
      })
    })

    await expect(slow).rejects.toMatchObject({ status: 400, details: [{ pointer: '/datetime_range' }] })
  })
})

describe('a question is refused', () => {
  test.each([
    ['without a range', { datetime_range: '' }, '/datetime_range', 'value_error.str.regex'],
    ['about ten years', { datetime_range: 'P10Y/now' }, '/datetime_range', 'value_error.number.not_le'],
    ['with a duration alone', { datetime_range: 'PT60M' }, '/datetime_range', 'value_error.str.regex'],
    [
      'whose end is before its start',
      { datetime_range: '2026-11-02T00:00:00Z/2026-11-01T00:00:00Z' },
      '/datetime_range',
      'value_error.str.regex',
    ],
    [
      'with an unknown word',
      { datetime_range: 'PT1H/yesterday' },
      '/datetime_range',
      'value_error.str.regex',
    ],
    ['with a bad zone', { timezone: 'Europe/Atlantis' }, '/timezone', 'value_error.const'],
    ['with an offset as zone', { timezone: '+01:00' }, '/timezone', 'value_error.const'],
    ['with an unknown filter', { colour: 'red' }, '/colour', 'value_error.extra'],
    ['with a country that is none', { country: 'Germany' }, '/country/0', 'value_error.str.regex'],
    ['with a flag that is none', { authorized: 'yes' }, '/authorized/0', 'value_error.str.regex'],
    [
      'with an id that is none',
      { payment_service_id: 'x' },
      '/payment_service_id/0',
      'value_error.str.regex',
    ],
    [
      'with a BIN of five digits',
      { payment_method_bin: '41111' },
      '/payment_method_bin/0',
      'value_error.str.regex',
    ],
    ['with metadata that is no JSON', { metadata: 'web' }, '/metadata/0', 'value_error.jsondecode'],
    ['with metadata that is no text', { metadata: '{"a":1}' }, '/metadata/0', 'value_error.jsondecode'],
    ['with a NUL inside of JSON', { metadata: '{"a":"\\u0000"}' }, '/metadata/0', 'value_error.jsondecode'],
    ['with a NUL inside of a value', { method: 'a\0' }, '/method/0', 'value_error.str.regex'],
    ['with a NUL as zone', { timezone: NUL }, '/timezone', 'value_error.str.regex'],
    [
      'with too many values',
      { method: Array.from({ length: 101 }, (_, n) => `m${n}`) },
      '/method',
      'value_error.list.max_items',
    ],
  ])('%s', async (_what, query, pointer, type) => {
    const response = await ask('authorization/metrics/transactions/totals', query as Query)

    expect(response.statusCode, response.body).toBe(400)
    expect(response.json().details).toMatchObject([{ location: 'query', pointer, type }])
  })

  test.each([
    ['no currency', {}, 'value_error.missing'],
    ['two currencies', { currency: ['USD', 'EUR'] }, 'value_error.conflict'],
    ['a currency that is null', { currency: NUL }, 'value_error.conflict'],
  ])('about a volume with %s', async (_what, query, type) => {
    const response = await ask('authorization/metrics/volume/modules/country', query as Query)

    expect(response.statusCode).toBe(400)
    expect(response.json().details).toMatchObject([{ location: 'query', pointer: '/currency', type }])
  })

  test.each([
    ['source', 'sales/metrics/volume/totals'],
    ['metric', 'authorization/metrics/profit/totals'],
    ['module', 'authorization/metrics/transactions/modules/colour'],
  ])('with an unknown %s', async (name, path) => {
    const response = await ask(path)

    expect(response.statusCode).toBe(400)
    expect(response.json().details).toMatchObject([
      {
        location: 'path',
        pointer: `/${name}`,
        type: 'type_error.enum',
        message: expect.stringMatching(/^must be one of /),
      },
    ])
  })
})
