import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestService, type TestService } from '#testing/harness.ts'
import { openTill, type Till } from '#testing/till.ts'
import { PRESETS_MAX } from './routes.ts'

const PRESETS = '/metrics-explorer/authorization/presets'
const FILTERS = { datetime_range: 'P7D/now', method: ['card'] }

let service: TestService
let till: Till
beforeAll(async () => {
  service = await startTestService()
  till = openTill(service)
})
afterAll(() => service.close())

const create = (body: object = {}, account?: string) =>
  service.send(
    `POST ${PRESETS}`,
    { display_name: 'Cards', metric: 'auth_rate', filters: FILTERS, ...body },
    account === undefined ? {} : { account },
  )

describe('a preset', () => {
  test('is created, listed, renamed and deleted, and the audit log tells', async () => {
    const made = await create()
    const preset = made.json()
    const listed = await service.send(`GET ${PRESETS}`)
    const elsewhere = await service.send('GET /metrics-explorer/monitoring/presets')
    const renamed = await service.send(`PUT ${PRESETS}/${preset.id}`, { display_name: 'All cards' })
    const removed = await service.send(`DELETE ${PRESETS}/${preset.id}`)
    const gone = await service.send(`DELETE ${PRESETS}/${preset.id}`)

    expect(made.statusCode).toBe(200)
    expect(preset).toEqual({
      type: 'metrics-explorer.preset',
      id: expect.any(String),
      merchant_account_id: 'default',
      created_at: expect.any(String),
      updated_at: preset.created_at,
      display_name: 'Cards',
      source: 'authorization',
      metric: 'auth_rate',
      filters: FILTERS,
    })
    expect(listed.json()).toEqual([preset])
    expect(elsewhere.json()).toEqual([])
    expect(renamed.json()).toEqual({
      ...preset,
      display_name: 'All cards',
      updated_at: expect.any(String),
    })
    expect(renamed.json().updated_at > preset.updated_at).toBe(true)
    expect([removed.statusCode, removed.body, gone.statusCode]).toEqual([204, '', 404])
    expect(await till.audited(preset.id)).toEqual([
      'created by Test key',
      'updated by Test key',
      'deleted by Test key',
    ])
  })

  test('keeps the NUL character, and leaves out filters that say nothing', async () => {
    const filters = { ...FILTERS, country: ['US', '\0'], currency: null, method: [] }

    const { id, filters: shown } = (await create({ filters })).json()

    expect(shown).toEqual({ datetime_range: 'P7D/now', country: ['US', '\0'] })
    await service.send(`DELETE ${PRESETS}/${id}`)
  })

  test('answers as a missing one to another account, and under another source', async () => {
    await service.send('POST /merchant-accounts', { id: 'other', display_name: 'Other' })
    const { id } = (await create()).json()
    const elsewhere = `/metrics-explorer/monitoring/presets/${id}`

    const answers = [
      await service.send(`PUT ${PRESETS}/${id}`, { display_name: 'x' }, { account: 'other' }),
      await service.send(`DELETE ${PRESETS}/${id}`, undefined, { account: 'other' }),
      await service.send(`PUT ${elsewhere}`, { display_name: 'x' }),
      await service.send(`DELETE ${elsewhere}`),
    ]

    expect(answers.map(({ statusCode }) => statusCode)).toEqual([404, 404, 404, 404])
    expect((await service.send(`GET ${PRESETS}`, undefined, { account: 'other' })).json()).toEqual([])
    expect((await service.send(`GET ${PRESETS}`)).json()).toMatchObject([{ id, display_name: 'Cards' }])
  })

  test(`is refused when there are ${PRESETS_MAX}`, async () => {
    await service.send('POST /merchant-accounts', { id: 'full', display_name: 'Full' })
    await sql`
      insert into metrics_explorer_presets
        (id, merchant_account_id, source, metric, display_name, filters, created_at, updated_at)
      select gen_random_uuid(), 'full', 'monitoring', 'auth_rate', n, '{"datetime_range": "PT1H/now"}', now(), now()
      from generate_series(1, ${PRESETS_MAX}::int) as n
    `.execute(service.context.db)

    const answer = await create({}, 'full')

    expect(answer.statusCode).toBe(400)
    expect(answer.json().message).toContain('delete one first')
  })
})

test.each([
  ['no name', { display_name: '' }, '/display_name', 'value_error.any_str.min_length'],
  ['a long name', { display_name: 'x'.repeat(256) }, '/display_name', 'value_error.any_str.max_length'],
  ['an unknown metric', { metric: 'profit' }, '/metric', 'type_error.enum'],
  ['no range', { filters: {} }, '/filters/datetime_range', 'value_error.missing'],
  [
    'a range of ten years',
    { filters: { datetime_range: 'P10Y/now' } },
    '/filters/datetime_range',
    'value_error.number.not_le',
  ],
  ['an unknown filter', { filters: { ...FILTERS, colour: ['red'] } }, '/filters/colour', 'value_error.extra'],
  ['a bad zone', { filters: { ...FILTERS, timezone: 'Mars' } }, '/filters/timezone', 'value_error.const'],
  [
    'a filter that is no list',
    { filters: { ...FILTERS, country: 'US' } },
    '/filters/country',
    'type_error.array',
  ],
  ['a volume without a currency', { metric: 'volume' }, '/filters/currency', 'value_error.missing'],
])('a preset with %s is refused', async (_what, body, pointer, type) => {
  const answer = await create(body)

  expect(answer.statusCode, answer.body).toBe(400)
  expect(answer.json().details).toMatchObject([{ location: 'body', pointer, type }])
})

test('only the name of a preset can be changed', async () => {
  const { id } = (await create()).json()

  const answer = await service.send(`PUT ${PRESETS}/${id}`, { display_name: 'x', metric: 'volume' })

  expect(answer.statusCode).toBe(400)
  expect(answer.json().details).toMatchObject([{ pointer: '/metric', type: 'value_error.extra' }])
})
