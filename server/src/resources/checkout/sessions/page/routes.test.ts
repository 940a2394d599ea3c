import { afterAll, beforeAll, expect, test } from 'vitest'
import { signToken, startTestService, type TestService } from '#testing/harness.ts'
import { openTill } from '#testing/till.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
  await service.send('POST /merchant-accounts', { id: 'other-shop', display_name: 'Other shop' })
})
afterAll(() => service.close())

const newSession = async (order: object = { amount: 1299, currency: 'EUR' }): Promise<string> =>
  (await service.send('POST /checkout/sessions', order)).json().id
const save = (id: string, body: object = {}) => service.send(`PUT /checkout/sessions/${id}/page`, body)

test('a session has no page until the merchant asks for one', async () => {
  const id = await newSession()

  expect((await service.send(`GET /checkout/sessions/${id}/page`)).statusCode).toBe(404)

  const made = await save(id)
  expect(made.statusCode, made.body).toBe(200)
  expect(made.json()).toMatchObject({
    type: 'checkout-page',
    checkout_session_id: id,
    locale: null,
    return_url: null,
    cancel_url: null,
    external_identifier: null,
    store: 'never',
    ask_security_code: true,
    allowed_origins: [],
  })
  expect(made.json().url).toMatch(new RegExp(`^http://127.0.0.1:3000/pay/default/${id}/[A-Za-z0-9_-]{43}$`))
  expect((await service.send(`GET /checkout/sessions/${id}/page`)).json()).toEqual(made.json())
  expect(await openTill(service).audited(id)).toHaveLength(2)
})

test('changes what is named, and keeps the address and the rest', async () => {
  const id = await newSession()
  await service.send(`PUT /checkout/sessions/${id}`, { buyer: { external_identifier: 'anna' } })
  const { url } = (
    await save(id, { store: 'ask', locale: 'ar', return_url: 'https://shop.example.com/' })
  ).json()

  const changed = (await save(id, { locale: null, allowed_origins: ['https://shop.example.com'] })).json()

  expect(changed).toMatchObject({
    url,
    store: 'ask',
    locale: null,
    return_url: 'https://shop.example.com/',
    allowed_origins: ['https://shop.example.com'],
  })
})

test.each([
  ['a path behind the origin', { allowed_origins: ['https://shop.example.com/x'] }, '/allowed_origins/0'],
  ['every origin', { allowed_origins: ['*'] }, '/allowed_origins/0'],
  ['hosts by a star', { allowed_origins: ['https://*.example.com'] }, '/allowed_origins/0'],
  [
    'a second rule',
    { allowed_origins: ["https://a.example; script-src 'unsafe-inline'"] },
    '/allowed_origins/0',
  ],
  ['a script to return to', { return_url: 'javascript:alert(1)' }, '/return_url'],
  ['a script to go back to', { cancel_url: 'javascript:alert(1)' }, '/cancel_url'],
  ['a secret in the address', { return_url: 'https://ada:secret@shop.example.com' }, '/return_url'],
  ['an unknown language', { locale: 'tlh' }, '/locale'],
  ['an unknown wish', { store: 'sometimes' }, '/store'],
])('refuses %s', async (_what, body, pointer) => {
  const id = await newSession()

  const refused = await save(id, body)

  expect(refused.statusCode).toBe(400)
  expect(refused.json().details[0]).toMatchObject({ pointer })
  expect((await service.send(`GET /checkout/sessions/${id}/page`)).statusCode).toBe(404)
})

test('refuses a session that does not say what to pay', async () => {
  const id = await newSession({ currency: 'EUR' })

  const refused = await save(id)

  expect(refused.statusCode).toBe(400)
  expect(refused.json().message).toContain('no amount or no currency')
})

test('an expired session, and one of another account, have no page', async () => {
  const id = await newSession()
  await save(id)
  const token = await signToken(await service.addKey({ merchantAccountIds: ['other-shop'] }))

  const elsewhere = await service.send(`GET /checkout/sessions/${id}/page`, undefined, {
    token,
    account: 'other-shop',
  })
  expect(elsewhere.statusCode).toBe(404)

  await service.context.db
    .updateTable('checkout_sessions')
    .set({ expires_at: service.context.clock() })
    .where('id', '=', id)
    .execute()
  expect((await service.send(`GET /checkout/sessions/${id}/page`)).statusCode).toBe(404)
  expect((await save(id)).statusCode).toBe(404)
})
