import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { EVENT_NAMES } from '#domain/event-names.ts'
import { MISSING } from '#testing/answers.ts'
import { type SendOptions, signToken, startTestService, type TestService } from '#testing/harness.ts'
import { endRotations } from './rotate-secret.ts'
import { eventComplaints } from './routes.ts'

describe('subscriptions', () => {
  const URL = 'http://127.0.0.1:9/hooks'
  const CLIENT = { client_id: 'shop', client_secret: 'hush-hush', token_url: 'http://127.0.0.1:9/token' }

  let service: TestService
  let limited: string
  beforeAll(async () => {
    service = await startTestService()
    await service.send('POST /merchant-accounts', { id: 'other-shop', display_name: 'Other shop' })
    limited = await signToken(await service.addKey({ merchantAccountIds: ['default', 'other-shop'] }))
  })
  afterAll(() => service.close())

  const create = (body: object = { url: URL }, options: SendOptions = {}) =>
    service.send('POST /webhook-subscriptions', body, options)
  const idOf = async (body?: object, options?: SendOptions) => (await create(body, options)).json().id
  const vaultItems = async () => {
    const { rows } = await service.database.pool.query(
      `select token from vault.items where field = 'webhook-secret'`,
    )
    return rows.length
  }
  const whatIsWrong = (response: { json: () => { details: { pointer: string; type: string }[] } }) =>
    response.json().details.map(({ pointer, type }) => `${pointer} ${type}`)

  describe('a subscription', () => {
    test('is created active and with a secret, and is read back the same', async () => {
      const response = await create()

      const subscription = response.json()
      expect(response.statusCode).toBe(201)
      expect(subscription).toEqual({
        type: 'webhook-subscription',
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        merchant_account_id: 'default',
        active: true,
        url: URL,
        authentication: null,
        secret: expect.stringMatching(/^[A-Za-z0-9_-]{86}$/),
        rotating: false,
        creator: { id: service.admin.id, name: 'Test key', email_address: '' },
        events: null,
        failing_since: null,
        last_delivered_at: null,
      })
      expect((await service.send(`GET /webhook-subscriptions/${subscription.id}`)).json()).toEqual(
        subscription,
      )
      const list = (await service.send('GET /webhook-subscriptions?limit=1')).json()
      expect(list.items).toEqual([subscription])
    })

    test.each([
      [
        { username: 'anna', password: 'hush' },
        { kind: 'basic', username: 'anna', password: '********' },
      ],
      [
        { kind: 'oauth_client_credentials', ...CLIENT },
        { kind: 'oauth_client_credentials', ...CLIENT, client_secret: '********', scope: null },
      ],
      [
        { kind: 'oauth_password', ...CLIENT, username: 'anna', password: 'hush', scope: 'all' },
        {
          kind: 'oauth_password',
          ...CLIENT,
          client_secret: '********',
          username: 'anna',
          password: '********',
          scope: 'all',
        },
      ],
    ])('authenticates by %j and never shows its secrets', async (authentication, shown) => {
      const created = (await create({ url: URL, authentication })).json()
      const read = await service.send(`GET /webhook-subscriptions/${created.id}`)

      expect(created.authentication).toEqual({ type: 'webhook-authentication', ...shown })
      expect(read.json()).toEqual(created)
      expect(read.body).not.toContain('hush')
    })

    test('is updated in part; null removes the authentication, and its secrets from the vault', async () => {
      const id = await idOf({ url: URL, authentication: { username: 'anna', password: 'hush' } })
      const before = await vaultItems()

      const moved = (
        await service.send(`PUT /webhook-subscriptions/${id}`, { url: `${URL}/new`, active: false })
      ).json()
      const bare = (await service.send(`PUT /webhook-subscriptions/${id}`, { authentication: null })).json()

      expect(moved).toMatchObject({ url: `${URL}/new`, active: false, authentication: { username: 'anna' } })
      expect(bare).toEqual({ ...moved, authentication: null })
      expect(await vaultItems()).toBe(before - 1)
    })

    test('keeps its password when the mask is sent back', async () => {
      const id = await idOf({ url: URL, authentication: { username: 'anna', password: 'hush' } })
      const before = await vaultItems()

      const response = await service.send(`PUT /webhook-subscriptions/${id}`, {
        authentication: { kind: 'basic', username: 'berta', password: '********' },
      })

      expect(response.json().authentication).toMatchObject({ username: 'berta', password: '********' })
      expect(await vaultItems()).toBe(before)
    })

    test('is deleted with all its secrets', async () => {
      const before = await vaultItems()
      const id = await idOf({ url: URL, authentication: { username: 'anna', password: 'hush' } })
      await service.send(`POST /webhook-subscriptions/${id}/rotate-secret`, { delta: 5 })

      const response = await service.send(`DELETE /webhook-subscriptions/${id}`)

      expect(response.statusCode).toBe(204)
      expect((await service.send(`GET /webhook-subscriptions/${id}`)).statusCode).toBe(404)
      expect((await service.send(`DELETE /webhook-subscriptions/${id}`)).statusCode).toBe(404)
      expect(await vaultItems()).toBe(before)
    })

    test('replays its creation for the same idempotency key, secret included', async () => {
      const headers = { 'idempotency-key': crypto.randomUUID() }

      const [first, second] = [
        await create({ url: URL }, { headers }),
        await create({ url: URL }, { headers }),
      ]

      expect(second.statusCode).toBe(201)
      expect(second.body).toBe(first.body)
    })
  })

  describe('the creator', () => {
    test('stays the key that created it, also when another key changes it', async () => {
      const shop = await service.addKey({ name: 'Shop server' })
      const made = (await create({ url: URL }, { token: await signToken(shop) })).json()

      const changed = await service.send(`PUT /webhook-subscriptions/${made.id}`, { active: false })

      expect(made.creator).toEqual({ id: shop.id, name: 'Shop server', email_address: '' })
      expect(changed.json().creator).toEqual(made.creator)
    })

    test('of a subscription from before creators were kept is null', async () => {
      const id = await idOf()
      await service.database.pool.query(
        'update webhook_subscriptions set creator_id = null, creator_name = null where id = $1',
        [id],
      )

      expect((await service.send(`GET /webhook-subscriptions/${id}`)).json().creator).toBeNull()
    })
  })

  describe('the events', () => {
    const update = async (id: string, body: object) =>
      (await service.send(`PUT /webhook-subscriptions/${id}`, body)).json()

    test('are kept as they are sent, each once, and stay unless an update names others', async () => {
      const events = ['transaction.*', 'refund.failed']
      const id = await idOf({ url: URL, events: [...events, 'refund.failed'] })

      expect((await update(id, { active: false })).events).toEqual(events)
      expect((await update(id, { events: ['buyer.created'] })).events).toEqual(['buyer.created'])
      expect((await update(id, { events: null })).events).toBeNull()
    })

    test.each([
      ['transaction.capture', 'did you mean transaction.capture-failed or transaction.capture-pending?'],
      ['transaction.capured', 'did you mean transaction.captured?'],
      ['transaction', 'did you mean transaction.*?'],
      ['tranaction.*', 'did you mean transaction.*?'],
      ['refund_failed', 'did you mean refund.failed?'],
      ['Buyer.Created', 'did you mean buyer.created?'],
      ['*', 'such as transaction.*'],
      ['transaction.cap*', 'use the name of an event'],
      ['4111111111111111', 'use the name of an event'],
    ])('%s is none of them', async (name, message) => {
      const response = await create({ url: URL, events: ['buyer.created', name] })

      expect(response.statusCode).toBe(400)
      expect(response.json().details).toEqual([
        { location: 'body', pointer: '/events/1', type: 'type_error.enum', message: expect.any(String) },
      ])
      expect(response.json().details[0].message).toContain(message)
    })

    test.each<[unknown, string]>([
      [[], '/events value_error.list.min_items'],
      [Array(101).fill('buyer.created'), '/events value_error.list.max_items'],
      ['buyer.created', '/events type_error.array'],
      [[7], '/events/0 type_error.string'],
      [[''], '/events/0 value_error.any_str.min_length'],
      [[null], '/events/0 type_error.string'],
    ])('%j is refused, and changes nothing', async (events, wrong) => {
      const id = await idOf({ url: URL, events: ['buyer.*'] })

      expect(whatIsWrong(await create({ url: URL, events } as object))).toEqual([wrong])
      const updated = await service.send(`PUT /webhook-subscriptions/${id}`, { url: `${URL}/2`, events })
      expect(whatIsWrong(updated)).toEqual([wrong])
      const after = (await service.send(`GET /webhook-subscriptions/${id}`)).json()
      expect([after.url, after.events]).toEqual([URL, ['buyer.*']])
    })
  })

  describe('secrets and a new address', () => {
    const OTHER = 'http://127.0.0.1:10/hooks'
    const BASIC = { kind: 'basic', username: 'anna', password: 'hush' }
    const OAUTH = { kind: 'oauth_client_credentials', ...CLIENT }
    const FULL = { kind: 'oauth_password', ...CLIENT, username: 'anna', password: 'hush' }
    const MASKED = { password: '********' }
    const MASKED_CLIENT = { client_secret: '********' }
    const ELSEWHERE = { token_url: 'http://127.0.0.1:10/token' }

    test.each<[string, object, object, string[]]>([
      ['the URL alone', BASIC, { url: OTHER }, ['/authentication/password value_error.missing']],
      [
        'the URL, and the mask',
        BASIC,
        { url: OTHER, authentication: { ...BASIC, ...MASKED } },
        ['/authentication/password value_error.conflict'],
      ],
      [
        'the URL that access tokens are sent to',
        OAUTH,
        { url: OTHER },
        ['/authentication/client_secret value_error.missing'],
      ],
      [
        'the token URL, and the mask',
        OAUTH,
        { authentication: { ...OAUTH, ...MASKED_CLIENT, ...ELSEWHERE } },
        ['/authentication/client_secret value_error.conflict'],
      ],
      [
        'the token URL, and two masks',
        FULL,
        { authentication: { ...FULL, ...MASKED, ...MASKED_CLIENT, ...ELSEWHERE } },
        [
          '/authentication/password value_error.conflict',
          '/authentication/client_secret value_error.conflict',
        ],
      ],
      [
        'the kind, so that the password goes to a token URL elsewhere',
        BASIC,
        { authentication: { ...FULL, ...MASKED, ...ELSEWHERE } },
        ['/authentication/password value_error.conflict'],
      ],
      [
        'the kind, so that the password goes to the URL',
        { ...FULL, ...ELSEWHERE },
        { authentication: { ...BASIC, ...MASKED } },
        ['/authentication/password value_error.conflict'],
      ],
    ])('a stored secret does not follow %s', async (_what, authentication, change, expected) => {
      const before = (await create({ url: URL, authentication })).json()

      const response = await service.send(`PUT /webhook-subscriptions/${before.id}`, change)

      expect(response.statusCode).toBe(400)
      expect(whatIsWrong(response)).toEqual(expected)
      expect(response.json().details[0].message).toMatch(/send it again/)
      expect((await service.send(`GET /webhook-subscriptions/${before.id}`)).json()).toEqual(before)
    })

    test.each<[string, object, object]>([
      ['the secret is sent again', BASIC, { url: OTHER, authentication: BASIC }],
      ['the authentication is removed', BASIC, { url: OTHER, authentication: null }],
      ['only the path changes', BASIC, { url: `${URL}/new`, authentication: { ...BASIC, ...MASKED } }],
      ['there is no authentication', {}, { url: OTHER }],
      ['the kind changes and the address does not', BASIC, { authentication: { ...FULL, ...MASKED } }],
    ])('is accepted when %s', async (_what, authentication, change) => {
      const id = await idOf({ url: URL, authentication: 'kind' in authentication ? authentication : null })

      const response = await service.send(`PUT /webhook-subscriptions/${id}`, change)

      expect(response.statusCode, response.body).toBe(200)
    })

    test('the signing secret is shown only to a token that may read', async () => {
      const writer = await signToken(service.admin, { scopes: ['webhook-subscriptions.write'] })
      const { id, secret } = (await create({ url: URL }, { token: writer })).json()

      const updated = await service.send(`PUT /webhook-subscriptions/${id}`, {}, { token: writer })
      const seen = await service.send(`PUT /webhook-subscriptions/${id}`, {})
      const rotated = await service.send(
        `POST /webhook-subscriptions/${id}/rotate-secret`,
        {},
        { token: writer },
      )

      expect(secret).toEqual(expect.any(String))
      expect(updated.json()).toMatchObject({ id, secret: null })
      expect(seen.json().secret).toBe(secret)
      expect(rotated.json()).toMatchObject({ id, secret: null })
    })
  })

  describe('merchant accounts', () => {
    test('see their own subscriptions only', async () => {
      const id = await idOf({ url: URL }, { account: 'other-shop' })

      const own = await service.send(`GET /webhook-subscriptions/${id}`, undefined, { account: 'other-shop' })
      const foreign = await service.send(`GET /webhook-subscriptions/${id}`)

      expect(own.json().merchant_account_id).toBe('other-shop')
      expect(foreign.statusCode).toBe(404)
      for (const route of [
        `PUT /webhook-subscriptions/${id}`,
        `POST /webhook-subscriptions/${id}/rotate-secret`,
      ]) {
        expect((await service.send(route, {})).statusCode, route).toBe(404)
      }
      expect((await service.send(`DELETE /webhook-subscriptions/${id}`)).statusCode).toBe(404)
    })

    test('can share one subscription, which only a key for all of them sees', async () => {
      const created = await create({ url: `${URL}/all` }, { account: '*' })
      const { id } = created.json()

      const seen = await service.send(`GET /webhook-subscriptions/${id}`)
      const unseen = await service.send(`GET /webhook-subscriptions/${id}`, undefined, { token: limited })
      const refused = await create({ url: URL }, { account: '*', token: limited })

      expect(created.json()).toMatchObject({ merchant_account_id: null, secret: expect.any(String) })
      expect(seen.json()).toEqual(created.json())
      expect(unseen.statusCode).toBe(404)
      expect(refused.statusCode).toBe(403)
      const list = (
        await service.send('GET /webhook-subscriptions?limit=100', undefined, { token: limited })
      ).json()
      expect(list.items.map((item: { id: string }) => item.id)).not.toContain(id)
    })
  })

  describe('rotating the secret', () => {
    test('gives a new one, and keeps the old one for the requested time', async () => {
      const { id, secret } = (await create()).json()

      const rotated = await service.send(`POST /webhook-subscriptions/${id}/rotate-secret`, { delta: 10 })
      service.moveClock(11 * 60_000)
      const later = (await service.send(`GET /webhook-subscriptions/${id}`)).json()

      expect(rotated.statusCode).toBe(200)
      expect(rotated.json()).toMatchObject({ id, rotating: true })
      expect(rotated.json().secret).not.toBe(secret)
      expect(later).toEqual({ ...rotated.json(), rotating: false })
    })

    test.each([[{}], [{ delta: 0 }], [{ delta: null }], [undefined]])(
      'ends the old one at once for %j',
      async (body) => {
        const { id, secret } = (await create()).json()
        const before = await vaultItems()

        const rotated = (await service.send(`POST /webhook-subscriptions/${id}/rotate-secret`, body)).json()

        expect(rotated.rotating).toBe(false)
        expect(rotated.secret).not.toBe(secret)
        expect(await vaultItems()).toBe(before)
      },
    )

    test('during a rotation removes the oldest', async () => {
      const { id } = (await create()).json()
      await service.send(`POST /webhook-subscriptions/${id}/rotate-secret`, { delta: 10 })
      const before = await vaultItems()

      const again = await service.send(`POST /webhook-subscriptions/${id}/rotate-secret`, { delta: 10 })

      expect(again.json().rotating).toBe(true)
      expect(await vaultItems()).toBe(before)
    })

    test('removes the old one from the vault when its time is over', async () => {
      const { id } = (await create()).json()
      // Those of other tests end first.
      service.moveClock(11 * 60_000)
      await endRotations(service.context, service.vault)
      const before = await vaultItems()
      await service.send(`POST /webhook-subscriptions/${id}/rotate-secret`, { delta: 10 })

      await endRotations(service.context, service.vault)
      const during = await vaultItems()
      service.moveClock(11 * 60_000)
      await endRotations(service.context, service.vault)

      expect(during).toBe(before + 1)
      expect(await vaultItems()).toBe(before)
    })

    test('takes a delta of more than a year', async () => {
      const id = (await create()).json().id

      const response = await service.send(`POST /webhook-subscriptions/${id}/rotate-secret`, {
        delta: 525_601,
      })

      expect(response.statusCode, response.body).toBe(200)
      expect(response.json().rotating).toBe(true)
    })

    test.each([[-1], [1.5], ['10'], [1e10]])('refuses a delta of %j', async (delta) => {
      const { id, secret } = (await create()).json()

      const response = await service.send(`POST /webhook-subscriptions/${id}/rotate-secret`, { delta })

      expect(response.statusCode).toBe(400)
      expect((await service.send(`GET /webhook-subscriptions/${id}`)).json().secret).toBe(secret)
    })
  })

  describe('is refused with the wrong field', () => {
    const basic = { kind: 'basic', username: 'anna', password: 'hush' }

    test.each<[object, string[]]>([
      [{}, ['/url value_error.missing']],
      [{ url: null }, ['/url type_error.string']],
      [{ url: 7 }, ['/url type_error.string']],
      [{ url: '' }, ['/url value_error.any_str.min_length']],
      [{ url: 'not a url' }, ['/url value_error.url']],
      [{ url: '/hooks' }, ['/url value_error.url']],
      [{ url: 'ftp://shop.example/hooks' }, ['/url value_error.url']],
      [{ url: 'https://anna:hush@shop.example/' }, ['/url value_error.url']],
      [{ url: `https://shop.example/${'x'.repeat(2_048)}` }, ['/url value_error.any_str.max_length']],
      [{ url: 'http://169.254.169.254/latest' }, ['/url value_error.url']],
      [{ url: 'http://0xa9fea9fe/' }, ['/url value_error.url']],
      [{ url: 'http://10.0.0.1/' }, ['/url value_error.url']],
      [{ url: 'http://[::ffff:10.0.0.1]/' }, ['/url value_error.url']],
      [{ url: 'http://[fd00::1]/' }, ['/url value_error.url']],
      [{ url: URL, active: 'yes' }, ['/active type_error.bool']],
      [{ url: URL, authentication: 'basic' }, ['/authentication type_error.object']],
      [{ url: URL, authentication: { ...basic, kind: 'digest' } }, ['/authentication/kind type_error.enum']],
      [
        { url: URL, authentication: { kind: 'basic', username: 'anna' } },
        ['/authentication/password value_error.missing'],
      ],
      [{ url: URL, authentication: { ...basic, scope: 'x' } }, ['/authentication/scope value_error.extra']],
      [{ url: URL, authentication: { ...basic, realm: 'x' } }, ['/authentication/realm value_error.extra']],
      [
        { url: URL, authentication: { ...basic, password: '********' } },
        ['/authentication/password value_error.conflict'],
      ],
      [
        {
          url: URL,
          authentication: { kind: 'oauth_client_credentials', ...CLIENT, token_url: 'http://10.1.2.3/' },
        },
        ['/authentication/token_url value_error.url'],
      ],
      [
        { url: URL, authentication: { kind: 'oauth_password', ...CLIENT } },
        ['/authentication/username value_error.missing', '/authentication/password value_error.missing'],
      ],
      [{ url: URL, secret: 'mine' }, ['/secret value_error.extra']],
    ])('%j', async (body, expected) => {
      const before = await vaultItems()

      const response = await create(body)

      expect(response.statusCode).toBe(400)
      expect(whatIsWrong(response)).toEqual(expected)
      expect(await vaultItems()).toBe(before)
    })

    test('an invalid update changes nothing', async () => {
      const subscription = (await create()).json()

      const response = await service.send(`PUT /webhook-subscriptions/${subscription.id}`, {
        active: false,
        url: 'http://192.168.0.1/',
      })

      expect(whatIsWrong(response)).toEqual(['/url value_error.url'])
      expect((await service.send(`GET /webhook-subscriptions/${subscription.id}`)).json()).toEqual(
        subscription,
      )
    })

    test('an unknown id, and an invalid one', async () => {
      expect((await service.send(`GET /webhook-subscriptions/${MISSING}`)).statusCode).toBe(404)
      expect((await service.send('GET /webhook-subscriptions/nonsense')).statusCode).toBe(400)
    })
  })
})

describe('events that a subscription names', () => {
  test('every event can be chosen, and every group of events', () => {
    const groups = EVENT_NAMES.map((name) => name.replace(/[.].*/, '.*'))

    expect(eventComplaints([...EVENT_NAMES, ...groups])).toEqual([])
  })

  test('an event is in the group of its first word alone', () => {
    expect(eventComplaints(['monitoring.*'])).toEqual([])
    expect(eventComplaints(['monitoring.incident.*'])).toHaveLength(1)
  })
})
