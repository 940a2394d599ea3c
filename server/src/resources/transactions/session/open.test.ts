import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sessionToken } from '#payments/approval.ts'
import { givingUp } from '#testing/giving-up.ts'
import { signToken, startTestService, type TestService } from '#testing/harness.ts'
import { CARD, openTill, type Till } from '#testing/till.ts'

const BACK = 'https://shop.example.com/back'
const WALLET = { method: 'paypal', country: 'US', currency: 'USD', redirect_url: BACK }
const MINUTE = 60_000

// biome-ignore lint/suspicious/noExplicitAny: what answers look like is held against their schemas by the harness
type Json = any

let service: TestService
let till: Till
let wallet: Json
beforeAll(async () => {
  service = await startTestService()
  till = openTill(service)
  await service.send('POST /merchant-accounts', { id: 'other', display_name: 'Other' })
  wallet = await addWallet()
})
afterAll(() => service.close())

const addWallet = async (account = 'default') => {
  const made = await service.send(
    'POST /payment-services',
    {
      display_name: 'Wallet',
      payment_service_definition_id: 'mock-paypal',
      fields: [{ key: 'merchant_id', value: 'shop' }],
      accepted_currencies: ['USD'],
      accepted_countries: ['US'],
    },
    { account },
  )
  expect(made.statusCode, made.body).toBe(201)
  return made.json()
}

const payWithWallet = async (body: object = {}): Promise<Json> => {
  const waiting = await till.pay({ payment_method: WALLET, ...body })
  expect(waiting.status).toBe('buyer_approval_pending')
  return waiting
}

const open = (
  { id, session_token }: { id: string; session_token: string | null },
  body?: unknown,
  options: object = {},
) => {
  const query = session_token === null ? '' : `?token=${encodeURIComponent(session_token)}`
  return service.send(`POST /transactions/${id}/session${query}`, body, { token: null, ...options })
}

const visit = (url: string) => service.app.inject({ method: 'GET', url: new URL(url).pathname })
const decide = (url: string, decision: string) =>
  service.app.inject({
    method: 'POST',
    url: new URL(url).pathname,
    payload: `decision=${decision}`,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })

describe('the session of a payment', () => {
  test('that waits for its buyer is opened without a token of a client', async () => {
    const waiting = await payWithWallet({ integration_client: 'web' })

    const answer = await open(waiting, { payload: { domain_name: 'shop.example.com' } })

    expect(answer.statusCode, answer.body).toBe(200)
    expect(answer.headers['access-control-allow-origin']).toBe('*')
    expect(answer.json()).toEqual({
      session_data: {
        client_id: 'shop',
        order_id: waiting.payment_service_transaction_id,
        amount: 1000,
        currency: 'USD',
        fields: ['domain_name'],
      },
      default_completion_url: expect.stringMatching(
        /\/approvals\/default\/[0-9a-f-]{36}\/[\w-]{43}\/return$/,
      ),
      integration_client: 'web',
    })
  })

  test.each([[undefined], [null], [{}], [{ payload: null }], [{ payload: {} }]])(
    'needs no payload: %j',
    async (body) => {
      const answer = await open(await payWithWallet(), body ?? undefined)

      expect(answer.json()).toMatchObject({ session_data: { fields: [] }, integration_client: 'redirect' })
    },
  )

  test.each<[unknown, string]>([
    [{ payload: 'text' }, '/payload'],
    [{ payload: [] }, '/payload'],
    [{ amount: 1 }, '/amount'],
  ])('is refused with %j', async (body, pointer) => {
    const answer = await open(await payWithWallet(), body)

    expect(answer.statusCode).toBe(400)
    expect(answer.json().details).toMatchObject([{ pointer }])
  })

  test('can be opened again, and changes nothing', async () => {
    const waiting = await payWithWallet()

    const answers = [await open(waiting), await open(waiting)]

    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200])
    expect(await till.get(waiting.id)).toEqual(waiting)
  })

  test('ends on the page that asks for the outcome and leads back to the shop', async () => {
    const waiting = await payWithWallet()
    const { default_completion_url } = (await open(waiting)).json()
    await decide(waiting.payment_method.approval_url, 'approve')

    const back = await visit(default_completion_url)

    expect(back.statusCode).toBe(303)
    expect(back.headers.location).toContain(`${BACK}?transaction_id=${waiting.id}`)
    expect(back.headers.location).toContain('transaction_status=authorization_succeeded')
    expect(await till.get(waiting.id)).toMatchObject({
      status: 'authorization_succeeded',
      session_token: null,
    })
  })

  test('can be preflighted by a browser', async () => {
    const { id } = await payWithWallet()

    const answer = await service.app.inject({
      method: 'OPTIONS',
      url: `/transactions/${id}/session`,
      headers: { origin: BACK, 'access-control-request-method': 'POST' },
    })

    expect(answer.statusCode).toBe(204)
    expect(answer.headers['access-control-allow-methods']).toBe('POST')
  })
})

describe('the session token', () => {
  const refused = async (answer: { statusCode: number; json: () => unknown }) => {
    expect(answer.statusCode).toBe(404)
    return answer.json()
  }

  test.each<[string, (token: string, other: string) => string | null]>([
    ['no token', () => null],
    ['an empty token', () => ''],
    ['a dot', () => '.'],
    ['a wrong token', (token) => `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`],
    ['a token that was cut short', (token) => token.slice(0, -1)],
    ['a longer token', (token) => `${token}A`],
    ['the token of another payment', (_token, other) => other],
    ['another merchant account', (token) => token.replace('default.', 'other.')],
    ['no merchant account', (token) => token.replace('default', '')],
    ['the key of the approval page', (token) => token.replace(/[^.]+$/, 'x'.repeat(43))],
  ])('opens nothing if it is %s', async (_what, change) => {
    const [waiting, other] = [await payWithWallet(), await payWithWallet()]

    const answer = await open({
      id: waiting.id,
      session_token: change(waiting.session_token, other.session_token),
    })

    const unknown = await open({ ...waiting, id: '01900000-0000-7000-8000-0000000000ff' })
    expect(await refused(answer)).toEqual(await refused(unknown))
    expect((await open(waiting)).statusCode).toBe(200)
  })

  test('opens nothing if it comes twice, or as a bearer token', async () => {
    const { id, session_token } = await payWithWallet()
    const token = encodeURIComponent(session_token)

    const twice = await service.send(`POST /transactions/${id}/session?token=${token}&token=${token}`)
    const bearer = await service.send(`POST /transactions/${id}/session`, undefined, { token: session_token })

    expect([twice.statusCode, bearer.statusCode]).toEqual([400, 404])
  })

  test.each(['approve', 'refuse'])('opens nothing once the buyer has decided to %s', async (decision) => {
    const waiting = await payWithWallet()
    await decide(waiting.payment_method.approval_url, decision)
    await till.act(waiting.id, 'sync')

    expect((await till.get(waiting.id)).session_token).toBeNull()
    await refused(await open(waiting))
  })

  test('opens nothing once the merchant has cancelled', async () => {
    const waiting = await payWithWallet()
    await till.act(waiting.id, 'cancel')

    await refused(await open(waiting))
  })

  test('opens nothing after the time to approve, though the payment still waits', async () => {
    const fresh = await startTestService()
    const patient = openTill(fresh)
    await fresh.send('POST /payment-services', {
      display_name: 'Wallet',
      payment_service_definition_id: 'mock-paypal',
      fields: [{ key: 'merchant_id', value: 'shop' }],
      accepted_currencies: ['USD'],
      accepted_countries: ['US'],
    })
    const waiting = await patient.pay({ payment_method: WALLET })
    const route = `POST /transactions/${waiting.id}/session?token=${waiting.session_token}`

    fresh.moveClock(9 * MINUTE)
    const inTime = await fresh.send(route, undefined, { token: null })
    fresh.moveClock(2 * MINUTE)
    const late = await fresh.send(route, undefined, { token: null })

    expect([inTime.statusCode, late.statusCode]).toEqual([200, 404])
    expect((await patient.get(waiting.id)).status).toBe('buyer_approval_pending')
    await fresh.close()
  })

  test('is null for a payment whose provider has no sessions, and no token fits it', async () => {
    const challenged = await till.pay({
      payment_method: { ...CARD, number: '4111111111102011', redirect_url: BACK },
    })
    const paid = await till.pay()
    const made = (id: string) => sessionToken(service.secrets, { merchant_account_id: 'default', id })

    expect([challenged.status, challenged.session_token]).toEqual(['buyer_approval_pending', null])
    expect(paid.session_token).toBeNull()
    for (const { id } of [challenged, paid]) await refused(await open({ id, session_token: made(id) }))
  })

  test('is not in events, and shown only to keys that may read the payment', async () => {
    const { id, session_token } = await payWithWallet()
    const token = await signToken(await service.addKey({ merchantAccountIds: ['other'] }))

    const told = await sql<{ target: string }>`
      select target::text as target from events where target_id = ${id}
    `.execute(service.context.db)
    const foreign = await service.send(`GET /transactions/${id}`, undefined, { token })

    expect(told.rows.length).toBeGreaterThan(0)
    expect(JSON.stringify(told.rows)).not.toContain(session_token)
    expect(foreign.statusCode).toBe(404)
  })

  test('gets no stored answer with a key that another caller has used', async () => {
    const waiting = await payWithWallet()
    const headers = { 'idempotency-key': 'order-4711' }
    const first = await open(waiting, {}, { headers })

    const again = await open(waiting, {}, { headers })
    const guess = await open({ ...waiting, session_token: 'default.guess' }, {}, { headers })

    expect(again.body).toBe(first.body)
    expect(again.headers['idempotent-replayed']).toBe('true')
    expect(guess.statusCode).not.toBe(200)
    expect(guess.body).not.toContain(waiting.payment_service_transaction_id)
  })
})

describe('calls are limited', () => {
  test('to 50 a minute for a payment', async () => {
    const waiting = await payWithWallet()
    const codes = []
    for (let call = 0; call < 51; call += 1) codes.push((await open(waiting)).statusCode)

    expect(codes.slice(0, 50)).toEqual(Array(50).fill(200))
    expect(codes[50]).toBe(429)
  })

  test('by address for wrong tokens, which do not use up the calls of the buyer', async () => {
    const waiting = await payWithWallet()
    const options = { address: '10.1.2.3' }
    const codes = new Set<number>()
    for (let guess = 0; guess < 60; guess += 1) {
      codes.add((await open({ ...waiting, session_token: `default.${guess}` }, {}, options)).statusCode)
    }

    expect([...codes]).toEqual([404, 429])
    expect((await open(waiting, {}, options)).statusCode).toBe(200)
  })
})

describe('a payment service', () => {
  test('that refuses the session is named as the reason', async () => {
    const waiting = await payWithWallet()
    // The buyer has decided, and we have not heard of it yet.
    await decide(waiting.payment_method.approval_url, 'approve')

    const answer = await open(waiting)

    expect(answer.statusCode).toBe(400)
    expect(answer.json().message).toContain('the payment service refused')
  })

  test.each<[number, string, () => Promise<Response>]>([
    [502, 'is away', () => Promise.reject(new TypeError('fetch failed'))],
    [502, 'is broken', async () => new Response('<html>', { status: 503 })],
    [504, 'does not answer', () => new Promise(() => {})],
  ])('answers %s if its provider %s, and the session can be opened later', async (status, _what, fail) => {
    const waiting = await payWithWallet()
    const { fetch } = service.providers
    const isSession = (url: string) => url.endsWith('/sessions')
    Object.assign(service.providers, {
      fetch: (url: string, init?: RequestInit) => (isSession(url) ? fail() : fetch(url, init)),
    })

    const answer = await givingUp(service, () => open(waiting))
    Object.assign(service.providers, { fetch })

    expect(answer.statusCode).toBe(status)
    expect(answer.headers['retry-after']).toBe('5')
    expect((await open(waiting)).statusCode).toBe(200)
  })

  test('that was deleted meanwhile still serves the payments that had begun', async () => {
    const waiting = await payWithWallet()
    const removed = await service.send(`DELETE /payment-services/${wallet.id}`)

    const answer = await open(waiting)

    expect([removed.statusCode, answer.statusCode]).toEqual([204, 200])
  })
})
