import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { MISSING } from '#testing/answers.ts'
import { startTestService, type TestService } from '#testing/harness.ts'

// biome-ignore lint/suspicious/noExplicitAny: answers are checked field by field
type Json = any

/** Without a worker, so that queued deliveries stay. */
let service: TestService
let id: string
beforeAll(async () => {
  service = await startTestService()
  await service.send('POST /merchant-accounts', { id: 'other-shop', display_name: 'Other shop' })
})
beforeEach(async () => {
  service.moveClock(60_000)
  id = (await service.send('POST /webhook-subscriptions', { url: 'http://127.0.0.1:9/' })).json().id
})
afterAll(() => service.close())

const now = () => service.context.clock().toISOString()
const makeBuyers = async (count: number, account = 'default') => {
  for (let index = 0; index < count; index += 1) {
    service.moveClock(1)
    await service.send('POST /buyers', {}, { account })
  }
}
const replay = (body: object, subscription = id) =>
  service.send(`POST /webhook-subscriptions/${subscription}/replay`, body)
const list = async (query = ''): Promise<Json> =>
  (await service.send(`GET /webhook-subscriptions/${id}/deliveries${query}`)).json()
const lastAudited = () =>
  service.context.db
    .selectFrom('audit_logs')
    .select(['action', 'resource_name', 'actor_name'])
    .where('resource_id', '=', id)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .executeTakeFirst()
const setAll = async (status: 'delivered' | 'parked') => {
  await service.context.db
    .updateTable('webhook_deliveries')
    .set({
      status,
      next_attempt_at: null,
      failures: 7,
      delivered_at: status === 'delivered' ? new Date() : null,
      parked_because: status === 'parked' ? 'schedule_ended' : null,
    })
    .where('subscription_id', '=', id)
    .execute()
}

describe('the list of deliveries', () => {
  test('is newest first, and can be turned both ways', async () => {
    await makeBuyers(5)

    const all = (await list()).items
    const first = await list('?limit=2')
    const second = await list(`?limit=2&cursor=${first.next_cursor}`)
    const third = await list(`?limit=2&cursor=${second.next_cursor}`)
    const back = await list(`?limit=2&cursor=${third.previous_cursor}`)

    expect(all).toHaveLength(5)
    expect(all.map((item: Json) => item.id)).toEqual(
      all.map((item: Json) => item.id).toSorted((a: string, b: string) => (a < b ? 1 : -1)),
    )
    expect([...first.items, ...second.items, ...third.items]).toEqual(all)
    expect(third.next_cursor).toBeNull()
    expect(back.items).toEqual(second.items)
  })

  test('can be limited to a status', async () => {
    await makeBuyers(2)
    await setAll('parked')
    await makeBuyers(1)

    expect((await list('?status=parked')).items).toHaveLength(2)
    expect((await list('?status=waiting')).items).toHaveLength(1)
    expect((await list('?status=delivered')).items).toEqual([])
  })

  test('can be limited to some events', async () => {
    await makeBuyers(3)
    const [newest, , oldest] = (await list()).items

    const found = (await list(`?event_id=${newest.id}&event_id=${oldest.id}&event_id=${id}`)).items

    expect(found).toEqual([newest, oldest])
  })

  test('refuses an unknown status and a cursor of another list', async () => {
    await makeBuyers(2)
    const { next_cursor } = await list('?limit=1')
    const other = (await service.send('POST /webhook-subscriptions', { url: 'http://127.0.0.1:9/' })).json()
      .id

    const wrongStatus = await service.send(`GET /webhook-subscriptions/${id}/deliveries?status=lost`)
    const foreign = await service.send(`GET /webhook-subscriptions/${other}/deliveries?cursor=${next_cursor}`)

    expect([wrongStatus.statusCode, foreign.statusCode]).toEqual([400, 400])
  })

  test('of an unknown subscription, or one of another account, is not found', async () => {
    for (const [subscription, account] of [
      [MISSING, 'default'],
      [id, 'other-shop'],
    ]) {
      for (const route of ['', `/${MISSING}`, `/${MISSING}/attempts`]) {
        const path = `GET /webhook-subscriptions/${subscription}/deliveries${route}`
        const { statusCode } = await service.send(path, undefined, { account: account ?? '' })
        expect(statusCode, path).toBe(404)
      }
    }
  })
})

describe('replaying many', () => {
  test('sends all events since a time again, except waiting ones', async () => {
    await makeBuyers(2)
    await setAll('delivered')
    const since = now()
    await makeBuyers(2)
    await setAll('delivered')
    await makeBuyers(1)

    const { count } = (await replay({ since })).json()

    expect(count).toBe(2)
    expect(await lastAudited()).toEqual({
      action: 'updated',
      resource_name: 'replay of 2',
      actor_name: 'Test key',
    })
    expect((await list('?status=waiting')).items).toHaveLength(3)
    expect((await list('?status=delivered')).items).toHaveLength(2)
  })

  test('ends before a time, if one is given', async () => {
    const since = now()
    await makeBuyers(1)
    service.moveClock(1_000)
    const until = now()
    await makeBuyers(1)
    await setAll('delivered')

    expect((await replay({ since, until })).json().count).toBe(1)
  })

  test('takes a leap second, which RFC 3339 has and JavaScript does not', async () => {
    const response = await replay({ since: '2016-12-31T23:59:60Z', until: '2017-01-01T00:00:01Z' })

    expect(response.statusCode, response.body).toBe(200)
  })

  test('sends only parked deliveries, from the beginning of the schedule', async () => {
    await makeBuyers(2)
    await setAll('parked')
    await makeBuyers(1)

    const first = (await replay({ status: 'parked' })).json()
    const second = (await replay({ status: 'parked' })).json()

    expect([first.count, second.count]).toEqual([2, 0])
    const rows = await service.context.db
      .selectFrom('webhook_deliveries')
      .select(['failures', 'status', 'parked_because'])
      .where('subscription_id', '=', id)
      .execute()
    expect(new Set(rows.map((row) => JSON.stringify(row)))).toEqual(
      new Set([JSON.stringify({ failures: 0, status: 'waiting', parked_because: null })]),
    )
  })

  test('leaves out other accounts, other subscriptions and test events', async () => {
    const since = now()
    const other = (await service.send('POST /webhook-subscriptions', { url: 'http://127.0.0.1:9/' })).json()
      .id
    await service.send(`POST /webhook-subscriptions/${other}/test`)
    await makeBuyers(1, 'other-shop')
    await makeBuyers(1)
    await setAll('delivered')

    expect((await replay({ since })).json().count).toBe(1)
    const rows = await service.context.db
      .selectFrom('webhook_deliveries')
      .select('status')
      .where('subscription_id', '=', other)
      .execute()
    expect(rows.map(({ status }) => status)).toEqual(['waiting', 'waiting'])
  })

  test('for all accounts includes them all', async () => {
    const everything = (
      await service.send(
        'POST /webhook-subscriptions',
        { url: 'http://127.0.0.1:9/', active: false },
        { account: '*' },
      )
    ).json().id
    service.moveClock(1_000)
    const since = now()
    await makeBuyers(1, 'other-shop')
    await makeBuyers(1)
    await service.send(`PUT /webhook-subscriptions/${everything}`, { active: true })

    expect((await replay({ since }, everything)).json().count).toBe(2)
  })

  test('says where to continue if there are more than ten thousand', async () => {
    const since = now()
    await service.database.pool.query(
      `insert into events (id, merchant_account_id, name, target_type, target_id, target, created_at)
       select gen_random_uuid(), 'default', 'buyer.created', 'buyer', gen_random_uuid(), '{}', $1::timestamptz + n * interval '1 ms'
       from generate_series(1, 10005) n`,
      [since],
    )

    const first = (await replay({ since })).json()
    const second = (await replay({ since: first.next_since })).json()

    expect(first.count).toBe(10_000)
    // The event at that millisecond is already waiting.
    expect(second).toMatchObject({ count: 5, next_since: null })
  })

  test.each<[object, string]>([
    [{}, '/since value_error.missing'],
    [{ until: '2026-11-15T00:00:00Z' }, '/since value_error.missing'],
    [{ since: 'yesterday' }, '/since type_error.datetime'],
    [{ since: '2026-11-15T00:00:00Z', until: '2026-11-14T00:00:00Z' }, '/until value_error.conflict'],
    [{ status: 'delivered' }, '/status type_error.enum'],
    [{ since: '2026-11-15T00:00:00Z', force: true }, '/force value_error.extra'],
  ])('refuses %j', async (body, expected) => {
    const response = await replay(body)

    expect(response.statusCode).toBe(400)
    expect(response.json().details.map(({ pointer, type }: Json) => `${pointer} ${type}`)).toEqual([expected])
  })

  test('is the same answer for the same idempotency key, and queues once', async () => {
    await makeBuyers(1)
    await setAll('parked')
    const headers = { 'idempotency-key': crypto.randomUUID() }
    const send = () =>
      service.send(`POST /webhook-subscriptions/${id}/replay`, { status: 'parked' }, { headers })

    const [first, second] = [await send(), await send()]

    expect(first.json().count).toBe(1)
    expect(second.body).toBe(first.body)
  })
})

describe('replaying one', () => {
  const replayOne = (delivery: string) =>
    service.send(`POST /webhook-subscriptions/${id}/deliveries/${delivery}/replay`)

  test('sends an event again, or for the first time if the subscription was not active', async () => {
    await service.send(`PUT /webhook-subscriptions/${id}`, { active: false })
    await makeBuyers(1)
    const [event] = (await service.send('GET /events?limit=1')).json().items
    const inactive = await replayOne(event.id)
    await service.send(`PUT /webhook-subscriptions/${id}`, { active: true })

    const replayed = await replayOne(event.id)

    expect(inactive.statusCode).toBe(400)
    expect((await list()).items).toHaveLength(1)
    expect(replayed.json()).toMatchObject({ id: event.id, status: 'waiting', attempts: 0 })
    expect(await lastAudited()).toMatchObject({ action: 'updated', resource_name: 'replay of 1' })
  })

  test('does not find events of other accounts, test events of others, and unknown ids', async () => {
    await makeBuyers(1, 'other-shop')
    const [foreign] = (await service.send('GET /events?limit=1', undefined, { account: 'other-shop' })).json()
      .items
    const other = (await service.send('POST /webhook-subscriptions', { url: 'http://127.0.0.1:9/' })).json()
      .id
    const test = (await service.send(`POST /webhook-subscriptions/${other}/test`)).json()

    for (const event of [foreign.id, test.id, MISSING]) expect((await replayOne(event)).statusCode).toBe(404)
    expect((await list()).items).toEqual([])
  })
})

test('a test event is refused for a subscription that is not active', async () => {
  await service.send(`PUT /webhook-subscriptions/${id}`, { active: false })

  const response = await service.send(`POST /webhook-subscriptions/${id}/test`)

  expect(response.statusCode).toBe(400)
  expect(response.json().message).toContain('active')
})
