import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startTestService, type TestService } from '#testing/harness.ts'
import { openTill, type Till } from '#testing/till.ts'

/** Without a worker, so that deliveries stay as they are written. */
let service: TestService
let till: Till
beforeAll(async () => {
  service = await startTestService()
  till = openTill(service)
  await service.send('POST /merchant-accounts', { id: 'other-shop', display_name: 'Other shop' })
})
beforeEach(() => service.moveClock(60_000))
afterAll(() => service.close())

const subscribe = async (events: string[] | null, account = 'default'): Promise<string> => {
  const made = await service.send(
    'POST /webhook-subscriptions',
    { url: 'http://127.0.0.1:9/', events },
    { account },
  )
  expect(made.statusCode, made.body).toBe(201)
  return made.json().id
}
const update = (id: string, body: object) => service.send(`PUT /webhook-subscriptions/${id}`, body)
const deliveriesTo = async (id: string): Promise<{ id: string; event_name: string; status: string }[]> =>
  (await service.send(`GET /webhook-subscriptions/${id}/deliveries?limit=100`)).json().items.toReversed()
const namesSentTo = async (id: string) => (await deliveriesTo(id)).map(({ event_name }) => event_name)
const replay = (id: string, body: object) => service.send(`POST /webhook-subscriptions/${id}/replay`, body)
const park = (id: string) =>
  service.database.pool.query(
    `update webhook_deliveries set status = 'parked', parked_because = 'schedule_ended', next_attempt_at = null
     where subscription_id = $1`,
    [id],
  )

/** Causes a transaction.captured, then a buyer.created and a buyer.updated. */
const cause = async (account = 'default') => {
  if (account === 'default') await till.pay({ intent: 'capture' })
  const { id } = (await service.send('POST /buyers', {}, { account })).json()
  await service.send(`PUT /buyers/${id}`, { display_name: 'Anna' }, { account })
}

describe('an event is delivered', () => {
  test.each<[string, string[] | null, string[]]>([
    ['no choice', null, ['transaction.captured', 'buyer.created', 'buyer.updated']],
    ['its name', ['buyer.updated'], ['buyer.updated']],
    ['its group', ['buyer.*'], ['buyer.created', 'buyer.updated']],
    [
      'a name and a group that overlap',
      ['buyer.created', 'buyer.*', 'transaction.captured'],
      ['transaction.captured', 'buyer.created', 'buyer.updated'],
    ],
    ['other events only', ['refund.*', 'transaction.failed'], []],
    ['another group', ['payment-method.*'], []],
  ])('to a subscription with %s', async (_what, events, expected) => {
    const id = await subscribe(events)

    await cause()

    const sent = await namesSentTo(id)
    expect(sent.filter((name) => !name.startsWith('capture.'))).toEqual(expected)
  })

  test('to a subscription for all accounts, by the same choice', async () => {
    const id = await subscribe(['buyer.created'], '*')

    await cause()
    await cause('other-shop')

    expect(await namesSentTo(id)).toEqual(['buyer.created', 'buyer.created'])
  })

  test('by the choice at the time when it happens', async () => {
    const id = await subscribe(['buyer.created'])
    await cause()
    await update(id, { events: ['buyer.updated'] })
    await cause()
    await update(id, { events: null, active: true })
    await service.send('POST /buyers', {})

    expect(await namesSentTo(id)).toEqual(['buyer.created', 'buyer.updated', 'buyer.created'])
  })

  test('as a test, whatever the choice', async () => {
    const id = await subscribe(['buyer.created'])

    const sent = await service.send(`POST /webhook-subscriptions/${id}/test`)

    expect(sent.statusCode).toBe(201)
    expect(await namesSentTo(id)).toEqual(['webhook-subscription.test'])
  })
})

describe('a replay', () => {
  test('since a time leaves out what the subscription does not want', async () => {
    const since = service.context.clock().toISOString()
    await cause()
    const id = await subscribe(['buyer.*'])

    const { count } = (await replay(id, { since })).json()

    expect(count).toBe(2)
    expect(await namesSentTo(id)).toEqual(['buyer.created', 'buyer.updated'])
  })

  test('of parked deliveries leaves out what it does not want any more', async () => {
    const id = await subscribe(['buyer.*'])
    await cause()
    await park(id)
    await update(id, { events: ['buyer.updated'] })

    const { count } = (await replay(id, { status: 'parked' })).json()

    expect(count).toBe(1)
    expect((await deliveriesTo(id)).map(({ event_name, status }) => `${event_name} ${status}`)).toEqual([
      'buyer.created parked',
      'buyer.updated waiting',
    ])
  })

  test('of one event sends again what it has sent, and finds no other that it does not want', async () => {
    const id = await subscribe(['buyer.created'])
    await cause()
    await park(id)
    await update(id, { events: ['transaction.*'] })
    const [own] = await deliveriesTo(id)
    const list = await service.send('GET /events?name=buyer.updated&limit=1')
    const replayOne = (delivery: string | undefined) =>
      service.send(`POST /webhook-subscriptions/${id}/deliveries/${delivery}/replay`)

    expect((await replayOne(own?.id)).json()).toMatchObject({ status: 'waiting' })
    expect((await replayOne(list.json().items[0].id)).statusCode).toBe(404)
  })
})

test.each([
  ['no names', "'{}'"],
  ['a null among the names', "'{buyer.created,null}'"],
  ['more than 100', "array_fill('buyer.created'::text, '{101}')"],
])('the database refuses a list with %s', async (_what, events) => {
  const id = await subscribe(null)

  const write = service.database.pool.query(
    `update webhook_subscriptions set events = ${events} where id = $1`,
    [id],
  )

  await expect(write).rejects.toThrow('webhook_subscriptions_events_check')
})
