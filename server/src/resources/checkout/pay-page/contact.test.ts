import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestService, type TestService } from '#testing/harness.ts'
import { openHostedPage, payOnPage } from '#testing/hosted-page.ts'

let service: TestService
let buyers = 0
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.close())

const ALL = ['email_address', 'name', 'phone_number', 'billing_address', 'shipping_address']
const HOME = { country: 'NL', line1: 'Keizersgracht 126', city: 'Amsterdam', postal_code: '1015cw' }
const WORK = {
  country: 'US',
  line1: '29th Street 10',
  city: 'San Jose',
  postal_code: '95113',
  state: 'California',
  state_code: 'US-CA',
}
const ADA = {
  email_address: 'ada@example.com',
  first_name: 'Ada',
  last_name: 'Lovelace',
  phone_number: '+31201234567',
  billing_address: HOME,
  shipping_address: WORK,
}

const open = (order: object = {}, settings: object = { required_fields: ALL }) =>
  openHostedPage(service, order, settings)
const pay = (path: string, form: object = {}) => payOnPage(service, path, form)
const asksOf = async (path: string) =>
  (await service.app.inject({ method: 'GET', url: `${path}/order` })).json().asks
const latestOf = async (sessionId: string) => {
  const [{ id }] = (await service.send(`GET /transactions?checkout_session_id=${sessionId}`)).json().items
  return (await service.send(`GET /transactions/${id}`)).json()
}
const without = (name: string) => Object.fromEntries(Object.entries(ADA).filter(([key]) => key !== name))

describe('what the page asks for', () => {
  test('is what the session’s page names, and the payment’s buyer gets it', async () => {
    const { sessionId, path } = await open()
    expect(await asksOf(path)).toEqual(ALL)

    const answer = await pay(path, { contact: ADA })

    expect(answer.statusCode, answer.body).toBe(200)
    const { buyer, shipping_details, avs_response_code } = await latestOf(sessionId)
    expect(avs_response_code).toBe('match')
    expect(buyer).toMatchObject({
      id: null,
      billing_details: {
        email_address: 'ada@example.com',
        first_name: 'Ada',
        last_name: 'Lovelace',
        phone_number: '+31201234567',
        address: { ...HOME, postal_code: '1015 CW', state: null },
      },
    })
    expect(shipping_details).toMatchObject({ first_name: 'Ada', last_name: 'Lovelace', address: WORK })
    const found = await service.send('GET /transactions?buyer_email_address=ada@example.com')
    expect(found.json().items).toHaveLength(1)
  })

  test('is nothing unless the merchant says so, and then nothing is taken', async () => {
    const { sessionId, path } = await open({}, {})
    expect(await asksOf(path)).toEqual([])

    const answer = await pay(path, { contact: ADA })

    expect(answer.statusCode, answer.body).toBe(200)
    expect(await latestOf(sessionId)).toMatchObject({ buyer: null, shipping_details: null })
  })

  test('is not what the order’s buyer has already, and that stays', async () => {
    const billing_details = { ...without('billing_address'), email_address: 'shop@example.com' }
    const { shipping_address: _none, ...person } = billing_details as typeof ADA
    const { sessionId, path } = await open({ buyer: { display_name: 'Ada L.', billing_details: person } })
    expect(await asksOf(path)).toEqual(['billing_address', 'shipping_address'])

    // The page was made before the merchant knew the rest.
    const answer = await pay(path, { contact: ADA })

    expect(answer.statusCode, answer.body).toBe(200)
    const { buyer, shipping_details } = await latestOf(sessionId)
    expect(buyer).toMatchObject({
      display_name: 'Ada L.',
      billing_details: { email_address: 'shop@example.com', address: { city: 'Amsterdam' } },
    })
    expect(shipping_details).toMatchObject({ email_address: 'shop@example.com', address: WORK })
  })

  test('is the same on the page of a payment link', async () => {
    const link = await service.send('POST /payment-links', {
      amount: 1299,
      currency: 'EUR',
      country: 'NL',
      buyer: { billing_details: { email_address: 'ada@example.com' } },
      required_fields: ['email_address', 'billing_address'],
    })
    expect(link.statusCode, link.body).toBe(201)
    expect(link.json().required_fields).toEqual(['email_address', 'billing_address'])
    const path = new URL(link.json().url).pathname
    expect(await asksOf(path)).toEqual(['billing_address'])

    const form = { amount: 1299, currency: 'EUR' }
    expect((await pay(path, form)).json().details).toMatchObject([
      { pointer: '/contact/billing_address/country' },
    ])
    const answer = await pay(path, { ...form, contact: { billing_address: HOME } })

    expect(answer.statusCode, answer.body).toBe(200)
    const { items } = (await service.send(`GET /transactions?payment_link_id=${link.json().id}`)).json()
    expect(
      (await service.send(`GET /transactions/${items[0].id}`)).json().buyer.billing_details,
    ).toMatchObject({
      email_address: 'ada@example.com',
      address: { city: 'Amsterdam' },
    })
  })

  test('also becomes the details of a buyer that is made with the first stored card', async () => {
    buyers += 1
    const external_identifier = `contact-buyer-${buyers}`
    const { path } = await open(
      { buyer: { external_identifier } },
      { store: 'ask', required_fields: ['email_address', 'name'] },
    )
    const { email_address, first_name, last_name } = ADA

    const paid = await pay(path, { save: true, contact: { email_address, first_name, last_name } })

    expect(paid.statusCode, paid.body).toBe(200)
    const made = await service.send(`GET /buyers?external_identifier=${external_identifier}`)
    expect(made.json().items).toMatchObject([{ billing_details: { email_address, first_name, last_name } }])
  })

  test('is added to a stored buyer for this payment alone', async () => {
    const external_identifier = 'contact-stored-buyer'
    const { id } = (await service.send('POST /buyers', { external_identifier })).json()
    const card = { method: 'card', number: '4111111111111111', expiration_date: '12/40', buyer_id: id }
    const { id: cardId } = (await service.send('POST /payment-methods', card)).json()
    const { sessionId, path } = await open(
      { buyer: { external_identifier } },
      { required_fields: ['email_address'] },
    )

    const payment_method = { method: 'id', id: cardId, security_code: '737' }
    const paid = await pay(path, { payment_method, contact: { email_address: 'ada@example.com' } })

    expect(paid.statusCode, paid.body).toBe(200)
    expect((await latestOf(sessionId)).buyer).toMatchObject({
      id,
      billing_details: { email_address: 'ada@example.com' },
    })
    expect((await service.send(`GET /buyers/${id}`)).json().billing_details).toBeNull()
  })
})

test.each<[string, object, string, string?]>([
  ['no e-mail address', without('email_address'), '/contact/email_address', 'value_error.missing'],
  ['a word for an e-mail address', { ...ADA, email_address: 'ada' }, '/contact/email_address'],
  ['a blank name', { ...ADA, first_name: '  ' }, '/contact/first_name', 'value_error.missing'],
  ['a number without a country', { ...ADA, phone_number: '0201234567' }, '/contact/phone_number'],
  ['no delivery', without('shipping_address'), '/contact/shipping_address/country', 'value_error.missing'],
  [
    'no country',
    { ...ADA, billing_address: { line1: 'x' } },
    '/contact/billing_address/country',
    'value_error.missing',
  ],
  [
    'an unknown country',
    { ...ADA, billing_address: { ...HOME, country: 'ZZ' } },
    '/contact/billing_address/country',
  ],
  ['no street', { ...ADA, billing_address: { ...HOME, line1: '' } }, '/contact/billing_address/line1'],
  [
    'another country’s code',
    { ...ADA, billing_address: { ...HOME, postal_code: '95113' } },
    '/contact/billing_address/postal_code',
  ],
  [
    'a state that is none',
    { ...ADA, shipping_address: { ...WORK, state_code: 'US-ZZ' } },
    '/contact/shipping_address/state',
  ],
  [
    'a state without its code',
    { ...ADA, shipping_address: { ...WORK, state_code: null } },
    '/contact/shipping_address/state',
  ],
])('refuses %s, and no payment is tried', async (_what, contact, pointer, type) => {
  const { sessionId, path } = await open()

  const refused = await pay(path, { contact })

  expect(refused.statusCode, refused.body).toBe(400)
  expect(refused.json().details).toMatchObject([{ pointer, ...(type && { type }) }])
  const list = await service.send(`GET /transactions?checkout_session_id=${sessionId}`)
  expect(list.json().items).toEqual([])
})

test('a page asks for what there is, each once', async () => {
  const { sessionId } = await open()
  const save = (required_fields: unknown) =>
    service.send(`PUT /checkout/sessions/${sessionId}/page`, { required_fields })

  for (const wrong of [['shoe_size'], ['name', 'name'], 'name', [null]]) {
    const refused = await save(wrong)
    expect(refused.statusCode, refused.body).toBe(400)
    expect(refused.json().details[0].pointer).toContain('/required_fields')
  }
  expect((await save([])).json().required_fields).toEqual([])
})
