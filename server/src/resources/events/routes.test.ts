import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { EVENT_NAMES } from '#domain/event-names.ts'
import { MISSING } from '#testing/answers.ts'
import { signToken, startTestService, type TestService } from '#testing/harness.ts'
import { purgeOldEvents } from './routes.ts'

describe('lists of events', () => {
  const ALL = { account: '*' }

  const PAYMENT_FIELDS = [
    'type',
    'id',
    'external_identifier',
    'payment_service_transaction_id',
    'status',
    'has_gift_card_redemptions',
    'pending_review',
    'amount',
    'authorized_amount',
    'captured_amount',
    'refunded_amount',
    'currency',
    'metadata',
    'created_at',
    'updated_at',
    'payment_method',
    'payment_link_id',
    'error_code',
    'iso_response_code',
    'payment_source',
    'merchant_initiated',
    'is_subsequent_payment',
    'buyer',
  ]

  type Shown = {
    id: string
    name: string
    sequence: number
    merchant_account_id: string | null
    target: { id: string }
  }

  let service: TestService
  beforeAll(async () => {
    service = await startTestService()
    for (const id of ['shop', 'other'])
      await service.send('POST /merchant-accounts', { id, display_name: id })
  })
  afterAll(() => service.close())

  const list = async (query: string, options = {}): Promise<Shown[]> => {
    const response = await service.send(`GET /events?${query}`, undefined, options)
    expect(response.statusCode, response.body).toBe(200)
    return response.json().items
  }
  const addBuyer = async (account = 'default') =>
    (await service.send('POST /buyers', { display_name: 'Ada' }, { account })).json()
  const addKey = async () => (await service.addKey({ name: 'Told' })).id
  const restricted = async () => ({
    token: await signToken(await service.addKey({ merchantAccountIds: ['shop'] })),
  })

  describe('an event', () => {
    test('is shown as webhooks carry it, with the resource as it was', async () => {
      const buyer = await addBuyer()

      const [event] = await list(`target_id=${buyer.id}`)

      expect(event).toEqual({
        type: 'event',
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        name: 'buyer.created',
        created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
        merchant_account_id: 'default',
        instance_id: 'test',
        environment: 'sandbox',
        sequence: expect.any(Number),
        target: buyer,
      })
      expect((await service.send(`GET /events/${event?.id}`)).json()).toEqual(event)
    })

    test('of a payment holds what subscribers need, and less than the API shows', async () => {
      const payment = await service.send('POST /transactions', {
        amount: 1299,
        currency: 'USD',
        country: 'US',
        payment_method: { method: 'card', number: '4111111111111111', expiration_date: '12/40' },
      })

      const [event] = await list(`target_id=${payment.json().id}`)

      expect(event).toMatchObject({
        name: 'transaction.authorized',
        target: { type: 'transaction', amount: 1299 },
      })
      expect(new Set(Object.keys(event?.target ?? {}))).toEqual(new Set(PAYMENT_FIELDS))
    })

    test('has a number that increases with each event of a resource', async () => {
      const buyer = await addBuyer()
      for (const name of ['b', 'c', 'd'])
        await service.send(`PUT /buyers/${buyer.id}`, { display_name: name })

      const numbers = (await list(`target_id=${buyer.id}`)).map(({ sequence }) => sequence)

      expect(numbers).toEqual([...new Set(numbers)].sort((one, other) => other - one))
      expect(numbers).toHaveLength(4)
    })

    test('of another merchant account is not found', async () => {
      const buyer = await addBuyer('other')
      const [event] = await list(`target_id=${buyer.id}`, { account: 'other' })

      const answers = [
        await service.send(`GET /events/${event?.id}`),
        await service.send(`GET /events/${event?.id}`, undefined, await restricted()),
        await service.send(`GET /events/${MISSING}`),
      ]

      expect(answers.map(({ statusCode }) => statusCode)).toEqual([404, 404, 404])
      expect(await list(`target_id=${buyer.id}`)).toEqual([])
      expect(await list(`target_id=${buyer.id}`, { ...(await restricted()), ...ALL })).toEqual([])
    })

    test('of the whole installation is visible to keys that reach all accounts', async () => {
      const key = await addKey()
      const [event] = await list(`target_id=${key}`, ALL)

      const seen = await service.send(`GET /events/${event?.id}`)
      const hidden = await service.send(`GET /events/${event?.id}`, undefined, await restricted())

      expect(event).toMatchObject({ name: 'api-key-pair.created', merchant_account_id: null })
      expect([seen.statusCode, hidden.statusCode]).toEqual([200, 404])
      expect(await list(`target_id=${key}`)).toEqual([])
      expect(await list(`target_id=${key}`, { ...(await restricted()), ...ALL })).toEqual([])
    })
  })

  describe('the list', () => {
    test('shows one account, those that a key reaches, or all with the installation', async () => {
      const [buyers, key] = [
        [await addBuyer(), await addBuyer('shop'), await addBuyer('other')],
        await addKey(),
      ]
      const ids = [...buyers.map(({ id }) => id), key]
      const seenWith = async (options: object, query = 'limit=100') => {
        const targets = (await list(query, options)).map(({ target }) => target.id)
        return ids.map((id) => targets.includes(id))
      }

      expect(await seenWith({})).toEqual([true, false, false, false])
      expect(await seenWith({ account: 'shop' })).toEqual([false, true, false, false])
      expect(await seenWith({ ...(await restricted()), ...ALL })).toEqual([false, true, false, false])
      expect(await seenWith(ALL)).toEqual([true, true, true, true])
      expect(await seenWith(ALL, 'limit=100&name=buyer.created')).toEqual([true, true, true, false])
      expect(await seenWith(ALL, 'limit=100&name=api-key-pair.created')).toEqual([false, false, false, true])
    })

    test.each([{}, ALL])('turns pages in both directions, with a name and without (%j)', async (options) => {
      for (const account of ['default', 'default', 'shop', 'other', 'default']) await addBuyer(account)
      for (const query of ['', '&name=buyer.created']) {
        const whole = (await list(`limit=100${query}`, options)).map(({ id }) => id)
        const first = (await service.send(`GET /events?limit=2${query}`, undefined, options)).json()
        const turn = async (cursor: string) =>
          (await service.send(`GET /events?limit=2${query}&cursor=${cursor}`, undefined, options)).json()

        const second = await turn(first.next_cursor)
        const back = await turn(second.previous_cursor)

        const idsOf = (page: { items: Shown[] }) => page.items.map(({ id }) => id)
        expect([...idsOf(first), ...idsOf(second)]).toEqual(whole.slice(0, 4))
        expect(idsOf(back)).toEqual(idsOf(first))
      }
    })

    test('is limited by time', async () => {
      const buyer = await addBuyer()
      const [created] = (await service.send(`GET /events?target_id=${buyer.id}`)).json().items
      service.moveClock(1_000)
      await service.send(`PUT /buyers/${buyer.id}`, { display_name: 'Later' })
      const at = encodeURIComponent(created.created_at)
      const after = encodeURIComponent(new Date(Date.parse(created.created_at) + 1).toISOString())
      const named = async (query: string) =>
        (await list(`target_id=${buyer.id}&${query}`)).map(({ name }) => name)

      expect(await named(`created_at_lte=${at}`)).toEqual(['buyer.created'])
      expect(await named(`created_at_gte=${after}`)).toEqual(['buyer.updated'])
      expect(await named(`created_at_gte=${at}&created_at_lte=${at}`)).toEqual(['buyer.created'])
      expect(await named('created_at_lte=0001-01-01T00:00:00Z')).toEqual([])
      expect(await list(`name=buyer.updated&created_at_lte=${at}`)).not.toContainEqual(
        expect.objectContaining({ target: expect.objectContaining({ id: buyer.id }) }),
      )
    })

    test('knows every name', async () => {
      for (const name of EVENT_NAMES) {
        const names = (await list(`name=${name}`)).map((event) => event.name)

        expect(names).toEqual(names.map(() => name))
      }
    })

    test.each([
      ['name=buyer', '/name', 'type_error.enum'],
      ['target_id=1', '/target_id', 'type_error.uuid'],
      ['created_at_gte=yesterday', '/created_at_gte', 'type_error.datetime'],
      ['created_at_lte=2026-02-30T25:00:00Z', '/created_at_lte', 'type_error.datetime'],
      ['limit=0', '/limit', 'value_error.number.not_ge'],
      ['limit=101', '/limit', 'value_error.number.not_le'],
      ['cursor=x', '/cursor', 'value_error.str.regex'],
      ['search=x', '/search', 'value_error.extra'],
    ])('refuses %s', async (query, pointer, type) => {
      const response = await service.send(`GET /events?${query}`)

      expect(response.statusCode).toBe(400)
      expect(response.json().details).toMatchObject([{ location: 'query', pointer, type }])
    })
  })
})

describe('purging old events', () => {
  const RUNNING = new AbortController().signal

  let service: TestService
  beforeAll(async () => {
    service = await startTestService()
  })
  afterAll(() => service.close())

  const purge = (stopping = RUNNING) => purgeOldEvents(service.context, { retentionDays: 90, stopping })
  const subscribe = async (): Promise<string> =>
    (await service.send('POST /webhook-subscriptions', { url: 'https://shop.example/hook' })).json().id
  /** An event of this many days ago. Moving the clock that far would outlast the token. */
  const tellOfBuyer = async (daysAgo = 91): Promise<string> => {
    const { id } = (await service.send('POST /buyers', {})).json()
    const { rows } = await sql<{ id: string }>`
    update events set created_at = created_at - ${daysAgo}::int * interval '1 day'
    where target_id = ${id} returning id`.execute(service.context.db)
    return rows[0]?.id ?? ''
  }
  const isKept = async (id: string) => (await service.send(`GET /events/${id}`)).statusCode === 200
  const countIn = async (table: string) => {
    const { rows } = await sql<{ count: string }>`select count(*) from ${sql.table(table)}`.execute(
      service.context.db,
    )
    return Number(rows[0]?.count)
  }

  const countOld = async () => {
    const { rows } = await sql<{ count: string }>`
    select count(*) from events where created_at < now() - interval '90 days'`.execute(service.context.db)
    return Number(rows[0]?.count)
  }

  /** Sets the status of its delivery, with an attempt. */
  async function deliver(id: string, status: 'delivered' | 'parked'): Promise<void> {
    const { db } = service.context
    await sql`
    insert into webhook_attempts (subscription_id, delivery_id, number, outcome, duration_ms, created_at)
    select subscription_id, id, 1, 'refused', 5, created_at from webhook_deliveries where id = ${id}`.execute(
      db,
    )
    await sql`
    update webhook_deliveries set status = ${status}, next_attempt_at = null,
      delivered_at = case when ${status === 'delivered'} then created_at end,
      parked_because = case when ${status === 'parked'} then 'schedule_ended' end
    where id = ${id}`.execute(db)
  }

  test('events are deleted after their retention time', async () => {
    const [old, young] = [await tellOfBuyer(91), await tellOfBuyer(89)]

    await purge()

    expect([await isKept(old), await isKept(young)]).toEqual([false, true])
  })

  test('events that a subscription waits for or could replay are kept until it is deleted', async () => {
    const before = await tellOfBuyer()
    const subscription = await subscribe()
    const [waiting, parked, delivered] = [await tellOfBuyer(), await tellOfBuyer(), await tellOfBuyer()]
    await deliver(parked, 'parked')
    await deliver(delivered, 'delivered')
    const kept = async () => Promise.all([before, waiting, parked, delivered].map(isKept))

    await purge()

    expect(await kept()).toEqual([false, true, true, false])
    expect([await countIn('webhook_deliveries'), await countIn('webhook_attempts')]).toEqual([2, 1])

    await service.send(`DELETE /webhook-subscriptions/${subscription}`)
    await purge()

    expect(await kept()).toEqual([false, false, false, false])
    expect([await countIn('webhook_deliveries'), await countIn('webhook_attempts')]).toEqual([0, 0])
  })

  test('thousands are deleted in batches, past those that are kept, also by two processes at once', async () => {
    await subscribe()
    const kept = await tellOfBuyer()
    await sql`
    insert into events (id, merchant_account_id, name, target_type, target_id, target, created_at)
    select gen_random_uuid(), 'default', 'buyer.created', 'buyer', gen_random_uuid(), '{}',
      ${service.context.clock()}::timestamptz - interval '91 days' + number * interval '1 ms'
    from generate_series(1, 2500) as number`.execute(service.context.db)

    await Promise.all([purge(), purge()])
    await purge()

    expect(await isKept(kept)).toBe(true)
    expect(await countOld()).toBe(1)
  })

  test('a process that stops begins no new batch', async () => {
    const old = await tellOfBuyer()

    await purge(AbortSignal.abort())

    expect(await isKept(old)).toBe(true)
  })
})
