import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { MISSING } from '#testing/answers.ts'
import { signToken, startTestService, type TestService } from '#testing/harness.ts'
import { type Monitor, openMonitor } from '#testing/monitor.ts'
import { openTill } from '#testing/till.ts'

let service: TestService
let monitor: Monitor
let metric: { readonly id: string }
beforeAll(async () => {
  service = await startTestService()
  monitor = openMonitor(service)
  metric = await monitor.add()
})
afterAll(() => service.close())

const open = async () => {
  const id = await monitor.openIncident(metric.id)
  return (await service.send(`GET /monitoring/incidents/${id}`)).json()
}

const list = async (query = '', path = '/monitoring/incidents') =>
  (await service.send(`GET ${path}${query}`)).json()
const idsIn = ({ items }: { items: { id: string }[] }) => items.map(({ id }) => id)

describe('incidents', () => {
  test('are listed newest first, for the account and for the metric, in pages', async () => {
    const ids: string[] = []
    for (let n = 0; n < 3; n += 1) ids.unshift((await open()).id)

    const all = await list()
    const first = await list('?limit=2')
    const second = await list(`?limit=2&cursor=${encodeURIComponent(first.next_cursor)}`)
    const ofMetric = await list('', `/monitoring/metrics/${metric.id}/incidents`)

    expect(idsIn(all)).toEqual(ids)
    expect([...idsIn(first), ...idsIn(second)]).toEqual(ids)
    expect(ofMetric.items).toEqual(all.items)
    expect([all.limit, second.next_cursor]).toEqual([20, null])
    expect(all.items.map(({ closed_at }: { closed_at: string | null }) => closed_at === null)).toEqual([
      true,
      false,
      false,
    ])
  })

  test('are chosen by the time of their opening', async () => {
    const { id, created_at } = await open()
    const from = created_at
    const to = new Date(Date.parse(from) + 1).toISOString()

    for (const path of ['/monitoring/incidents', `/monitoring/metrics/${metric.id}/incidents`]) {
      expect(idsIn(await list(`?timestamp_interval=${from}/${to}`, path))).toEqual([id])
      expect(idsIn(await list(`?timestamp_interval=${to}/P1D`, path))).toEqual([])
      expect(idsIn(await list('?timestamp_interval=PT1H/hour_end', path))).toContain(id)
    }
  })

  test('take notes, and only notes', async () => {
    const { id } = await open()
    const write = (body: object) => service.send(`PUT /monitoring/incidents/${id}`, body)

    const noted = await write({ notes: 'The processor had an outage.' })
    const cleared = await write({ notes: null })
    const refused = await Promise.all([
      write({}),
      write({ notes: '' }),
      write({ notes: 'x'.repeat(1_001) }),
      write({ notes: 7 }),
      write({ notes: 'x', closed_at: null }),
    ])

    expect(noted.json()).toMatchObject({ id, notes: 'The processor had an outage.', closed_at: null })
    expect(cleared.json()).toMatchObject({ id, notes: null })
    expect(refused.map((answer) => answer.json().details[0])).toMatchObject([
      { pointer: '/notes', type: 'value_error.missing' },
      { pointer: '/notes', type: 'value_error.any_str.min_length' },
      { pointer: '/notes', type: 'value_error.any_str.max_length' },
      { pointer: '/notes', type: 'type_error.string' },
      { pointer: '/closed_at', type: 'value_error.extra' },
    ])
    expect(await openTill(service).audited(id)).toEqual(['updated by Test key', 'updated by Test key'])
  })

  test('of another account are as missing', async () => {
    const { id } = await open()
    await service.send('POST /merchant-accounts', { id: 'other-shop', display_name: 'Other shop' })
    const token = await signToken(await service.addKey({ merchantAccountIds: ['other-shop'] }))
    const ask = (route: string, body?: object) => service.send(route, body, { token })

    for (const foreign of [id, MISSING]) {
      expect((await ask(`GET /monitoring/incidents/${foreign}`)).statusCode).toBe(404)
      expect((await ask(`PUT /monitoring/incidents/${foreign}`, { notes: 'x' })).statusCode).toBe(404)
    }
    expect((await ask(`GET /monitoring/metrics/${metric.id}/incidents`)).statusCode).toBe(404)
    expect((await ask('GET /monitoring/incidents')).json().items).toEqual([])
  })

  test.each([
    'timestamp_interval=PT1H',
    'timestamp_interval=yesterday/now',
    'timestamp_interval=now/now',
    'timestamp_interval=2026-11-16T00:00:00Z/2026-11-15T00:00:00Z',
    'timestamp_interval=2026-02-30T00:00:00Z/now',
  ])('are not listed for %s', async (query) => {
    for (const path of ['/monitoring/incidents', `/monitoring/metrics/${metric.id}/incidents`]) {
      const refused = await service.send(`GET ${path}?${query}`)

      expect(refused.json().details).toMatchObject([
        { location: 'query', pointer: '/timestamp_interval', type: 'value_error.str.regex' },
      ])
    }
  })
})
