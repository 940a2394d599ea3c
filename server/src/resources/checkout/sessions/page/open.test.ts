import { afterAll, beforeAll, expect, test } from 'vitest'
import { signToken, startTestService, type TestService } from '#testing/harness.ts'
import { newSecret, payOnPage } from '#testing/hosted-page.ts'
import { openTill } from '#testing/till.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
  await openTill(service)
})
afterAll(() => service.close())

const ORIGIN = 'https://shop.example.com'
const ORDER = { amount: 1299, currency: 'USD', country: 'US' }

const tokenFor = (embed: object, claims: object = {}) =>
  signToken(service.admin, { scopes: ['embed'], embed, ...claims })
const openWith = async (token: Promise<string>, body: object = {}) =>
  service.send(
    'POST /checkout/sessions/page',
    { allowed_origins: [ORIGIN], ...ORDER, ...body },
    { token: await token },
  )
const pathOf = (response: { json: () => { url: string } }) => new URL(response.json().url).pathname
const sessionOf = async (response: { json: () => { checkout_session_id: string } }) =>
  (await service.send(`GET /checkout/sessions/${response.json().checkout_session_id}`)).json()

test('a page of the shop opens the page of its order, which is paid as the order says', async () => {
  const terms = {
    external_identifier: 'order-1',
    metadata: { order: '1' },
    installment_count: 3,
    statement_descriptor: { name: 'Canvas' },
  }
  const made = await openWith(tokenFor(ORDER), { intent: 'capture', ...terms })
  expect(made.statusCode, made.body).toBe(201)
  expect(made.json()).toMatchObject({ type: 'checkout-page', allowed_origins: [ORIGIN], store: 'never' })

  const attempt = newSecret()
  const paid = await payOnPage(service, pathOf(made), { attempt })
  expect(paid.json(), paid.body).toMatchObject({ status: 'paid' })

  const told = await service.app.inject(`${pathOf(made)}/transaction?attempt=${attempt}`)
  expect(told.json()).toMatchObject({ ...ORDER, ...terms, type: 'transaction', status: 'capture_succeeded' })
  const strange = await service.app.inject(`${pathOf(made)}/transaction?attempt=${newSecret()}`)
  expect(strange.statusCode).toBe(404)
})

test('what the token pins is filled in, and cannot be said otherwise', async () => {
  const token = tokenFor({ ...ORDER, metadata: { order: '7' } })

  const refused = await openWith(token, { amount: 1 })
  const made = await openWith(token, { amount: undefined })

  expect(refused.json().details).toMatchObject([{ pointer: '/amount', type: 'value_error.conflict' }])
  expect(await sessionOf(made)).toMatchObject({ amount: 1299, metadata: { order: '7' } })
})

test.each([
  ['a buyer by id', { buyer_id: '01900000-0000-7000-8000-000000000009' }, '/buyer_id'],
  ['a buyer by name', { buyer_external_identifier: 'anna' }, '/buyer_external_identifier'],
  ['a guest who is somebody', { buyer: { external_identifier: 'anna' } }, '/buyer/external_identifier'],
  ['an order by telephone', { payment_source: 'moto' }, '/payment_source'],
  [
    'options that only a server sends',
    { connection_options: { 'stripe-card': { stripe_connect: { application_fee_amount: 0 } } } },
    '/connection_options/stripe-card/stripe_connect',
  ],
  ['every origin', { allowed_origins: ['*'] }, '/allowed_origins/0'],
  ['no origin', { allowed_origins: [] }, '/allowed_origins'],
  ['a script to return to', { return_url: 'javascript:alert(1)' }, '/return_url'],
  ['a page that is not there', { page_url: 'https://pay.example.com/pay/default/x/y' }, '/page_url'],
])('refuses %s', async (_what, body, pointer) => {
  const refused = await openWith(tokenFor(ORDER), body)

  expect(refused.statusCode).toBe(400)
  expect(refused.json().details[0]).toMatchObject({ pointer })
})

test('stored cards are those of the buyer whom the token names', async () => {
  const { id } = (await service.send('POST /buyers', { external_identifier: 'bea' })).json()
  const card = { method: 'card', number: '4111111111111111', expiration_date: '12/40' }
  await service.send('POST /payment-methods', { ...card, buyer_id: id })
  const cardsOn = async (made: Awaited<ReturnType<typeof openWith>>) =>
    (await service.app.inject(`${pathOf(made)}/order`)).json().saved_cards.length

  const byName = await openWith(tokenFor({ ...ORDER, buyer_external_identifier: 'bea' }), { store: 'ask' })
  const byId = await openWith(tokenFor({ ...ORDER, buyer_id: id }), { store: 'ask' })

  expect([await cardsOn(byName), await cardsOn(byId)]).toEqual([1, 1])
  expect(await cardsOn(await openWith(tokenFor(ORDER)))).toBe(0)
})

test('the same page is changed until somebody pays it', async () => {
  const token = tokenFor(ORDER)
  const made = await openWith(token, { metadata: { order: '1' } })
  const page_url = made.json().url

  const changed = await openWith(token, { page_url, metadata: { order: '2' }, external_identifier: 'late' })
  expect(changed.json()).toMatchObject({ url: page_url, external_identifier: 'late' })
  expect(await sessionOf(made)).toMatchObject({ metadata: { order: '2' } })

  await payOnPage(service, pathOf(made))
  const late = await openWith(token, { page_url })
  expect(late.json().details).toMatchObject([{ pointer: '/page_url', type: 'value_error.conflict' }])
})

test('a token of a session opens the page of that session, and changes nothing that the server has said', async () => {
  const order = { ...ORDER, amount: 500, metadata: { order: '9' } }
  const { id } = (await service.send('POST /checkout/sessions', order)).json()
  const token = tokenFor({}, { checkout_session_id: id })

  const refused = await openWith(token)
  const made = await openWith(token, { amount: 500, intent: 'capture' })

  expect(refused.json().details).toMatchObject([{ pointer: '/amount' }])
  expect(made.json()).toMatchObject({ checkout_session_id: id })
  const again = await openWith(token, { amount: 500, external_identifier: 'late', page_url: made.json().url })
  expect(again.json()).toMatchObject({ checkout_session_id: id, external_identifier: 'late' })
  expect(await sessionOf(made)).toMatchObject({ ...order, intent: 'capture' })
})

test('a buyer who knows the page of another order changes nothing of it', async () => {
  const order = { ...ORDER, amount: 100_000 }
  const make = async () => (await service.send('POST /checkout/sessions', order)).json().id
  const [plain, linked] = [await make(), await make()]
  const ofServer = await service.send(`PUT /checkout/sessions/${plain}/page`, {})
  const ofLink = await openWith(tokenFor({}, { checkout_session_id: linked }), { amount: 100_000 })

  const takenOver = await openWith(tokenFor(ORDER))
  const { checkout_session_id: id } = takenOver.json()
  await service.send(`PUT /checkout/sessions/${id}`, { amount: 100_000 })

  for (const made of [ofServer, ofLink, takenOver]) {
    const refused = await openWith(tokenFor({ ...ORDER, amount: 1 }), {
      amount: 1,
      page_url: made.json().url,
    })
    expect(refused.json().details).toMatchObject([{ pointer: '/page_url', type: 'value_error.not_found' }])
    expect(await sessionOf(made)).toMatchObject(order)
  }
})

test('only a page that a shop’s page has opened tells the whole payment', async () => {
  const { id } = (await service.send('POST /checkout/sessions', ORDER)).json()
  const path = pathOf(await service.send(`PUT /checkout/sessions/${id}/page`, {}))
  const attempt = newSecret()
  await payOnPage(service, path, { attempt })

  expect((await service.app.inject(`${path}/transaction?attempt=${attempt}`)).statusCode).toBe(404)
})

test('the frame that opens it is shown in the shop that it names alone', async () => {
  const get = (url: string) => service.app.inject(url)
  const shop = `parentUrl=${encodeURIComponent(ORIGIN)}&channel=1`

  expect((await get(`/?${shop}`)).headers.location).toBe(`/drop-in.html?${shop}`)
  const frame = await get(`/drop-in.html?${shop}`)
  expect(frame.headers['content-security-policy']).toContain(`frame-ancestors ${ORIGIN}`)
  for (const wrong of ['*', 'https://*.example.com', "https://a.example; script-src 'unsafe-inline'"]) {
    const refused = await get(`/drop-in.html?channel=1&parentUrl=${encodeURIComponent(wrong)}`)
    expect(refused.json().details).toMatchObject([{ pointer: '/parentUrl' }])
  }
})
