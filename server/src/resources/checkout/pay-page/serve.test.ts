import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { newId } from '#domain/ids.ts'
import { disagreements } from '#testing/books.ts'
import { stopCommitting } from '#testing/commits.ts'
import { giftCardWith } from '#testing/gift-cards.ts'
import { startTestService, type TestService } from '#testing/harness.ts'
import { newSecret, openHostedPage, payOnPage, stateOf } from '#testing/hosted-page.ts'
import { holdProcessorLine, type ProcessorLine } from '#testing/processor-line.ts'
import { CARD, openTill, type Till } from '#testing/till.ts'

let service: TestService
let till: Till
let line: ProcessorLine
let buyers = 0
beforeAll(async () => {
  service = await startTestService()
  till = openTill(service)
  line = holdProcessorLine(service)
})
afterEach(() => {
  vi.restoreAllMocks()
  line.repair()
})
afterAll(() => service.close())

const open = (order: object = {}, settings: object = {}) => openHostedPage(service, order, settings)
const pay = (path: string, form: object = {}) => payOnPage(service, path, form)
const get = (url: string) => service.app.inject({ method: 'GET', url })
const paymentsOf = async (id: string) =>
  (await service.send(`GET /transactions?checkout_session_id=${id}`)).json().items

async function newBuyer() {
  buyers += 1
  const name = `page-buyer-${buyers}`
  const { id } = (await service.send('POST /buyers', { external_identifier: name })).json()
  return { id: id as string, session: { buyer: { external_identifier: name } } }
}

async function storeCard(buyerId: string): Promise<string> {
  const { number, expiration_date } = CARD
  const body = { method: 'card', number, expiration_date, buyer_id: buyerId }
  return (await service.send('POST /payment-methods', body)).json().id
}

describe('a session is paid', () => {
  test('with a typed card, as its order says', async () => {
    const { sessionId, path } = await open(
      {
        intent: 'capture',
        metadata: { order: '1' },
        cart_items: [{ name: 'Bag', quantity: 1, unit_amount: 2598 }],
      },
      { external_identifier: 'order-1', return_url: 'https://shop.example.com/thanks' },
    )

    const answer = await pay(path)

    expect(answer.statusCode, answer.body).toBe(200)
    const { own } = answer.json()
    expect(answer.json()).toMatchObject({ status: 'paid', tries: 1, own: { scheme: 'visa', label: '1111' } })
    expect(await till.get(own.id)).toMatchObject({
      amount: 2598,
      status: 'capture_succeeded',
      checkout_session_id: sessionId,
      external_identifier: 'order-1',
      metadata: { order: '1' },
    })
    expect(own.return_url).toContain(`transaction_id=${own.id}`)
    expect(await stateOf(service, path)).toMatchObject({ status: 'paid', tries: 1, own: null })
  })

  test('with a stored card of its buyer, whose code is asked for', async () => {
    const { id, session } = await newBuyer()
    const card = await storeCard(id)
    const { sessionId, path } = await open(session)
    const stored = { method: 'id', id: card }

    const without = await pay(path, { payment_method: stored })
    const paid = await pay(path, { payment_method: { ...stored, security_code: '737' } })

    expect(without.statusCode).toBe(400)
    expect(without.json().details[0].pointer).toBe('/payment_method/security_code')
    expect(paid.json()).toMatchObject({ status: 'paid', own: { outcome: 'succeeded' } })
    const [payment] = await paymentsOf(sessionId)
    expect(payment.buyer.id).toBe(id)
  })

  test('with a stored card alone if the merchant does not ask for its code', async () => {
    const { id, session } = await newBuyer()
    const card = await storeCard(id)
    const { path } = await open(session, { ask_security_code: false })

    const paid = await pay(path, { payment_method: { method: 'id', id: card } })

    expect(paid.json().status).toBe('paid')
  })

  test('not with a stored card of another buyer', async () => {
    const [owner, other] = [await newBuyer(), await newBuyer()]
    const card = await storeCard(owner.id)
    const [guest, stranger] = [await open(), await open(other.session)]

    for (const { path } of [guest, stranger]) {
      const refused = await pay(path, { payment_method: { method: 'id', id: card, security_code: '737' } })
      expect(refused.statusCode).toBe(400)
      expect(refused.json().details[0].pointer).toBe('/payment_method/id')
    }
  })

  test.each([
    ['and stores the card if the buyer agrees', 'ask', true, 1],
    ['and does not store it if the buyer does not agree', 'ask', false, 0],
    ['and does not store it if the merchant does not ask', 'never', true, 0],
    ['and stores it if the merchant always does', 'always', false, 1],
  ])('%s', async (_what, store, save, expected) => {
    const { id, session } = await newBuyer()
    const { path } = await open(session, { store })

    await pay(path, { save })

    const stored = await service.send(`GET /buyers/payment-methods?buyer_id=${id}`)
    expect(stored.json().items).toHaveLength(expected)
  })

  test.each([
    ['ask', true],
    ['always', false],
  ])('and with store %s, its buyer is made with the first card that is stored', async (store, save) => {
    const external_identifier = `new-${store}`
    const billing_details = { first_name: 'Ada', last_name: 'Lovelace' }
    const order = { buyer: { external_identifier, display_name: 'Ada', billing_details } }
    const [first, second] = [await open(order, { store }), await open(order, { store })]
    const find = async () =>
      (await service.send(`GET /buyers?external_identifier=${external_identifier}`)).json().items

    const wrong = { ...CARD, number: '4111111111111112' }
    expect((await pay(first.path, { save, payment_method: wrong })).statusCode).toBe(400)
    expect(await find()).toEqual([])
    const paid = await Promise.all([first, second].map(({ path }) => pay(path, { save })))

    expect(paid.map(({ statusCode }) => statusCode)).toEqual([200, 200])
    const made = await find()
    expect(made).toMatchObject([{ display_name: 'Ada', billing_details }])
    const stored = await service.send(`GET /buyers/payment-methods?buyer_id=${made[0].id}`)
    expect(stored.json().items).not.toEqual([])
  })

  test('store ask without a buyer to store for is refused with a sentence', async () => {
    const { sessionId } = await open()

    const refused = await service.send(`PUT /checkout/sessions/${sessionId}/page`, { store: 'ask' })

    expect(refused.statusCode).toBe(400)
    expect(refused.json().details[0]).toMatchObject({ pointer: '/store' })
    expect(refused.json().details[0].message).toContain('buyer.external_identifier')
  })

  test('with gift cards and a card beside them', async () => {
    const { path } = await open({ amount: 3000 })
    const [first, second] = [giftCardWith(1000), giftCardWith(500)]
    const balance = await service.app.inject({ method: 'POST', url: `${path}/gift-cards`, payload: first })

    const paid = await pay(path, {
      gift_cards: [
        { ...first, amount: 1000 },
        { ...second, amount: 500 },
      ],
    })

    expect(balance.json()).toEqual({
      id: null,
      last4: first.number.slice(-4),
      balance: 1000,
      currency: 'USD',
    })
    expect(paid.json()).toMatchObject({ status: 'paid', own: { gift_card_amount: 1500 } })
  })

  test('with gift cards alone', async () => {
    const { path } = await open({ amount: 700 })

    const paid = await pay(path, {
      payment_method: undefined,
      gift_cards: [{ ...giftCardWith(700), amount: 700 }],
    })

    expect(paid.json()).toMatchObject({ status: 'paid', own: { gift_card_amount: 700, method: 'gift-card' } })
  })
})

describe('the buyer’s things', () => {
  test('a stored card is deleted by its buyer, and by no other', async () => {
    const [owner, other] = [await newBuyer(), await newBuyer()]
    const card = await storeCard(owner.id)
    const [own, foreign] = [await open(owner.session), await open(other.session)]
    const remove = (path: string) => service.app.inject({ method: 'DELETE', url: `${path}/cards/${card}` })

    expect((await remove(foreign.path)).statusCode).toBe(404)
    expect((await remove(own.path)).statusCode).toBe(204)
    expect((await remove(own.path)).statusCode).toBe(404)
    expect((await service.send(`GET /payment-methods/${card}`)).statusCode).toBe(404)
  })

  test('stored gift cards are listed with their balances', async () => {
    const { id, session } = await newBuyer()
    const card = giftCardWith(900)
    await service.send('POST /gift-cards', { ...card, buyer_id: id })
    const [own, guest] = [await open(session), await open()]

    expect((await get(`${own.path}/gift-cards`)).json().items).toMatchObject([
      { last4: card.number.slice(-4), balance: 900, currency: 'USD' },
    ])
    expect((await get(`${guest.path}/gift-cards`)).json().items).toEqual([])
  })
})

describe('one payment for each session', () => {
  test('a double click, two tabs and six buyers at once pay once', async () => {
    const { sessionId, path } = await open()

    const answers = await Promise.all(Array.from({ length: 6 }, () => pay(path)))

    expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 409, 409, 409, 409, 409])
    expect(await paymentsOf(sessionId)).toHaveLength(1)
    expect(await disagreements(service.database.pool)).toEqual([])
  })

  test('a form that is sent again after a refusal does not pay again', async () => {
    const { sessionId, path } = await open({ amount: 200_011 })
    const attempt = newSecret()
    const first = await pay(path, { attempt })

    const again = await pay(path, { attempt })

    expect(first.json()).toMatchObject({ status: 'open', tries: 1, own: { reason: 'no_funds' } })
    expect(again.statusCode).toBe(200)
    expect(again.json()).toEqual(first.json())
    expect(await paymentsOf(sessionId)).toHaveLength(1)
    expect((await pay(path)).statusCode).toBe(409)
    expect((await pay(path, { tries: 1 })).statusCode).toBe(200)
    expect(await paymentsOf(sessionId)).toHaveLength(2)
  })

  test('a browser whose answer got lost learns by its secret what became of the payment', async () => {
    const { path } = await open()
    const attempt = newSecret()
    const answer = await pay(path, { attempt })

    const state = await stateOf(service, path, `?attempt=${attempt}`)

    expect(state).toEqual(answer.json())
    expect((await stateOf(service, path, `?attempt=${newSecret()}`)).own).toBeNull()
  })

  test('a payment whose process died is waiting, never failed, and a job finishes it', async () => {
    const { sessionId, path } = await open()
    const attempt = newSecret()
    line.intercept(async (go) => {
      const response = await go()
      stopCommitting(service)
      return response
    })

    const answer = await pay(path, { attempt })
    vi.restoreAllMocks()
    line.repair()

    expect([200, 500]).toContain(answer.statusCode)
    const waiting = await stateOf(service, path, `?attempt=${attempt}`)
    expect(waiting).toMatchObject({ status: 'processing', own: { outcome: 'pending', reason: null } })
    expect((await pay(path, { tries: 1 })).statusCode).toBe(409)
    service.moveClock(120_000)
    await service.resolveDue()
    expect((await stateOf(service, path, `?attempt=${attempt}`)).status).toBe('paid')
    expect(await paymentsOf(sessionId)).toHaveLength(1)
    expect(await disagreements(service.database.pool)).toEqual([])
  })

  test('a session that the shop’s server pays is paid on the page, too', async () => {
    const { sessionId, path } = await open()
    await service.send(
      `PUT /checkout/sessions/${sessionId}/fields`,
      { payment_method: CARD },
      { token: null },
    )
    await till.pay({ amount: 2598, payment_method: { method: 'checkout-session', id: sessionId } })

    expect((await pay(path)).json()).toMatchObject({ status: 'paid', tries: 0, own: null })
    expect(await paymentsOf(sessionId)).toHaveLength(1)
  })

  test('an expired session is not paid', async () => {
    const { sessionId, path } = await open()
    await service.context.db
      .updateTable('checkout_sessions')
      .set({ expires_at: service.context.clock() })
      .where('id', '=', sessionId)
      .execute()

    const answer = await pay(path)

    expect(answer.statusCode).toBe(409)
    expect(answer.json()).toMatchObject({ status: 'expired', tries: 0, own: null })
  })
})

const WAITING = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`

describe('what the buyer saw is what is charged', () => {
  const change = (id: string, order: object) => service.send(`PUT /checkout/sessions/${id}`, order)

  test.each([
    ['a card', {}],
    ['a stored card', { payment_method: { method: 'id', id: newId(0), security_code: '737' } }],
    ['a gift card', { gift_cards: [{ ...giftCardWith(1000), amount: 1000 }] }],
    ['a wallet', { payment_method: { method: 'googlepay', token: {} } }],
    ['a page elsewhere', { payment_method: { method: 'paypal' } }],
  ])(
    'a session that was changed meanwhile is not paid with %s, and its new order is shown',
    async (_what, form) => {
      const { sessionId, path } = await open()
      await change(sessionId, {
        amount: 999_900,
        cart_items: [{ name: 'Bag', quantity: 1, unit_amount: 999_900 }],
      })

      const answer = await pay(path, { amount: 2598, ...form })

      expect(answer.statusCode, answer.body).toBe(409)
      expect(answer.json()).toMatchObject({
        status: 'open',
        tries: 0,
        amount: 999_900,
        currency: 'USD',
        own: null,
      })
      expect(await paymentsOf(sessionId)).toEqual([])
      expect((await get(`${path}/order`)).json()).toMatchObject({
        amount: 999_900,
        cart: [{ total: '999900' }],
      })
      expect((await pay(path)).json()).toMatchObject({ status: 'paid', amount: 999_900 })
    },
  )

  test('nor in another currency', async () => {
    const { sessionId, path } = await open()
    await change(sessionId, { currency: 'EUR' })

    expect((await pay(path, { currency: 'USD' })).statusCode).toBe(409)
    expect(await paymentsOf(sessionId)).toEqual([])
  })

  test('a session that is changed between the look at it and the charge is not paid', async () => {
    const { sessionId, path } = await open()
    const shop = await service.database.pool.connect()
    await shop.query('begin')
    await shop.query('update checkout_sessions set amount = 999900 where id = $1', [sessionId])

    const answer = pay(path)
    await expect.poll(async () => (await shop.query(WAITING)).rowCount).toBe(1)
    await shop.query('commit')
    shop.release()

    expect((await answer).statusCode).toBe(409)
    expect((await answer).json()).toMatchObject({ status: 'open', tries: 0, amount: 999_900 })
    expect(await paymentsOf(sessionId)).toEqual([])
  })

  test('a receipt says what was charged, also if the session is changed later', async () => {
    const { sessionId, path } = await open()
    const attempt = newSecret()
    await pay(path, { attempt })
    await change(sessionId, { amount: 999_900 })

    expect(await stateOf(service, path, `?attempt=${attempt}`)).toMatchObject({
      status: 'paid',
      amount: 2598,
    })
    expect((await get(`${path}/order`)).json()).toMatchObject({ amount: 2598 })
  })
})

describe('an address', () => {
  test('of a session whose merchant made no page leads nowhere', async () => {
    const { id } = (await service.send('POST /checkout/sessions', { amount: 1, currency: 'USD' })).json()
    const { path, sessionId } = await open()

    expect((await get(`${path.replace(sessionId, id)}/state`)).statusCode).toBe(404)
  })

  test.each([
    ['another account', (path: string) => path.replace('/default/', '/other/')],
    ['a changed key', (path: string) => `${path.slice(0, -1)}${path.endsWith('A') ? 'B' : 'A'}`],
    ['a token instead of the key', (path: string) => path.replace(/[^/]+$/, 'eyJhbGciOiJFUzUxMiJ9.e30.AA')],
  ])('of %s leads nowhere', async (_what, change) => {
    const { sessionId, path } = await open()

    expect((await get(`${change(path)}/state`)).statusCode).toBe(404)
    expect((await pay(change(path))).statusCode).toBe(404)
    expect(await paymentsOf(sessionId)).toEqual([])
  })
})

test.each([
  ['no form', undefined, ''],
  ['no number of tries', { tries: null }, '/tries'],
  ['a short secret', { attempt: 'x' }, '/attempt'],
  ['no way to pay', { payment_method: undefined }, '/payment_method'],
  ['no amount that the page shows', { amount: undefined }, '/amount'],
  [
    'a stored card for another buyer',
    { payment_method: { ...CARD, buyer_id: null } },
    '/payment_method/buyer_id',
  ],
])('refuses %s', async (_what, form, pointer) => {
  const { sessionId, path } = await open()

  const refused = form
    ? await pay(path, form)
    : await service.app.inject({ method: 'POST', url: `${path}/payments` })

  expect(refused.statusCode).toBe(400)
  if (pointer) expect(refused.json().details[0].pointer).toBe(pointer)
  expect(await paymentsOf(sessionId)).toEqual([])
})

test.each([
  'https://attacker.example/paymentservices/startSession',
  'http://apple-pay-gateway.apple.com/paymentservices/startSession',
  'https://apple-pay-gateway.apple.com/other',
  'https://apple-pay-gateway.apple.com@attacker.example/paymentservices/startSession',
  'no address',
])('asks Apple alone for a session of Apple Pay, and not %s', async (validation_url) => {
  const { path } = await open()
  const askApple = vi.spyOn(service.engine.providers.wallets, 'askApple')

  const refused = await service.app.inject({
    method: 'POST',
    url: `${path}/apple-pay-session`,
    payload: { validation_url },
  })

  expect(refused.statusCode).toBe(400)
  expect(refused.json().details[0].pointer).toBe('/validation_url')
  expect(askApple).not.toHaveBeenCalled()
})

test('at a wallet: the buyer is led there, and back to the page', async () => {
  await service.send('POST /payment-services', {
    display_name: 'Wallet',
    payment_service_definition_id: 'mock-paypal',
    fields: [{ key: 'merchant_id', value: 'shop' }],
    accepted_currencies: ['USD'],
    accepted_countries: ['US'],
  })
  const { path } = await open()

  const answer = await pay(path, { payment_method: { method: 'paypal' } })

  expect(answer.json()).toMatchObject({
    status: 'processing',
    own: { outcome: 'pending', method: 'paypal' },
  })
  expect(answer.json().own.approval_url).toMatch(/^http/)
})

test.each([
  [
    'an origin that the merchant allows',
    'https://shop.example.com',
    /^https:[/][/]shop[.]example[.]com[/]back[?]/,
  ],
  ['any other origin', 'https://evil.example.com', /[/]pay[/]default[/]/],
])(
  'a buyer who pays in a frame of %s returns from the bank to the right place',
  async (_what, embed, place) => {
    const { path } = await open(
      {},
      { allowed_origins: ['https://shop.example.com'], return_url: 'https://shop.example.com/back' },
    )
    const { own } = (
      await pay(path, { embed, payment_method: { ...CARD, number: '4111111111102011' } })
    ).json()

    const { pathname } = new URL(own.approval_url)
    const payload = 'decision=approve'
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const back = await service.app.inject({ method: 'POST', url: pathname, payload, headers })

    expect(back.headers['location'], back.body).toMatch(place)
  },
)
