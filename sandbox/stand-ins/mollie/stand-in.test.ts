import { expect, test } from 'vitest'
import { mollieContract } from '#connectors/mollie/testing/published-contract.ts'
import { createStandIn, TEST_KEY } from './stand-in.ts'

const API = 'https://api.mollie.com/v2'
const EUR = (value: string) => ({ currency: 'EUR', value })
const SALE = {
  amount: EUR('10.00'),
  description: 'Ten tulips',
  redirectUrl: 'https://shop.example.com/thanks',
  method: 'ideal',
}
const ADDRESS = {
  givenName: 'Ada',
  familyName: 'Lovelace',
  email: 'ada@example.com',
  streetAndNumber: 'Damrak 1',
  postalCode: '1011 AB',
  city: 'Amsterdam',
  country: 'NL',
}
const LINE = { description: 'Tulips', quantity: 2, unitPrice: EUR('5.00'), totalAmount: EUR('10.00') }
const KLARNA = { ...SALE, method: 'klarna', billingAddress: ADDRESS, lines: [LINE], captureMode: 'manual' }

function open(options: Partial<Parameters<typeof createStandIn>[0]> = {}) {
  const standIn = createStandIn({ now: () => new Date(), ...options })
  const fetch = mollieContract.watch((url, init) => standIn.fetch(url, init), { byStandInTest: true })
  // biome-ignore lint/suspicious/noExplicitAny: the contract says what answers look like
  type Answer = { readonly status: number; readonly body: any }
  const ask = async (method: string, path: string, body?: object, headers: object = {}): Promise<Answer> => {
    const response = await fetch(`${API}/${path}`, {
      method,
      headers: { authorization: `Bearer ${TEST_KEY}`, ...headers },
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    return { status: response.status, body: text === '' ? null : JSON.parse(text) }
  }
  const control = (path: string, body: object = {}) =>
    standIn.fetch(`https://stand-in.invalid/_stand-in/${path}`, {
      method: 'POST',
      body: JSON.stringify(body),
    })
  return { standIn, ask, control }
}

test.each<[string, object, string]>([
  ['no amount', { amount: undefined }, 'amount'],
  ['a number as amount', { amount: { currency: 'EUR', value: 10 } }, 'amount.value'],
  ['one decimal', { amount: EUR('10.0') }, 'amount.value'],
  ['nothing to pay', { amount: EUR('0.00') }, 'amount'],
  ['another currency', { amount: { currency: 'USD', value: '10.00' } }, 'amount.currency'],
  ['no currency', { amount: { currency: 'euro', value: '10.00' } }, 'amount.currency'],
  ['no description', { description: '' }, 'description'],
  ['a long description', { description: 'x'.repeat(256) }, 'description'],
  ['no way back', { redirectUrl: undefined }, 'redirectUrl'],
  ['no address for messages', { webhookUrl: 'here' }, 'webhookUrl'],
  ['long metadata', { metadata: { a: 'x'.repeat(1024) } }, 'metadata'],
  ['an unknown method', { method: 'giropay' }, 'method'],
  ['money held by iDEAL', { captureMode: 'manual' }, 'captureMode'],
  ['Klarna without an address', { ...KLARNA, billingAddress: undefined }, 'billingAddress'],
  ['Alma without an address', { method: 'alma' }, 'billingAddress'],
  ['Billie for people', { ...KLARNA, method: 'billie' }, 'billingAddress.organizationName'],
  ['Klarna without a city', { ...KLARNA, billingAddress: { ...ADDRESS, city: '' } }, 'billingAddress.city'],
  [
    'a name of digits',
    { ...KLARNA, billingAddress: { ...ADDRESS, givenName: '12' } },
    'billingAddress.givenName',
  ],
  ['no e-mail address', { ...KLARNA, billingAddress: { ...ADDRESS, email: 'ada' } }, 'billingAddress.email'],
  ['Klarna without lines', { ...KLARNA, lines: [] }, 'lines'],
  ['lines of half', { ...KLARNA, lines: [{ ...LINE, quantity: 1, totalAmount: EUR('5.00') }] }, 'lines'],
  ['a wrong total', { ...KLARNA, lines: [{ ...LINE, quantity: 3 }] }, 'lines.0.totalAmount'],
  ['no quantity', { ...KLARNA, lines: [{ ...LINE, quantity: 0 }] }, 'lines.0.quantity'],
  ['a nameless line', { ...KLARNA, lines: [{ ...LINE, description: '' }] }, 'lines.0.description'],
])('refuses %s, and names the field', async (_what, over, field) => {
  const { ask } = open()

  expect(await ask('POST', 'payments', { ...SALE, ...over })).toMatchObject({
    status: 422,
    body: { status: 422, title: 'Unprocessable Entity', field },
  })
})

test.each([
  ['GET', 'payments/tr_unknown', 404],
  ['GET', 'orders', 404],
])('answers %s %s with %i', async (method, path, status) => {
  const { ask } = open()

  expect((await ask(method, path)).status).toBe(status)
})

test('answers nobody without its key', async () => {
  const { ask } = open()

  expect(await ask('GET', 'payments', undefined, { authorization: 'Bearer live_x' })).toMatchObject({
    status: 401,
    body: { title: 'Unauthorized Request' },
  })
})

test('repeats its answer to a key for an hour, and refuses a twin while it works', async () => {
  let at = Date.now()
  const { ask, standIn } = open({ now: () => new Date(at) })
  const key = { 'idempotency-key': crypto.randomUUID() }
  const twins = await Promise.all([ask('POST', 'payments', SALE, key), ask('POST', 'payments', SALE, key)])
  const again = await ask('POST', 'payments', SALE, key)
  at += 3_600_000
  const later = await ask('POST', 'payments', SALE, key)

  expect(twins.map(({ status }) => status).toSorted()).toEqual([201, 409])
  expect(again.body.id).toBe(twins.find(({ status }) => status === 201)?.body.id)
  expect(later.body.id).not.toBe(again.body.id)
  expect(standIn.books.payments.size).toBe(2)
})

test('refuses to refund, capture, release and cancel what is not there', async () => {
  const { ask, control } = open()
  const { id } = (await ask('POST', 'payments', SALE)).body
  const early = await ask('POST', `payments/${id}/refunds`, { amount: EUR('1.00') })
  await control(`payments/${id}/approve`)
  const refunds = []
  for (const value of ['6.00', '5.00', '0.00']) {
    refunds.push((await ask('POST', `payments/${id}/refunds`, { amount: EUR(value) })).status)
  }
  const twice = await ask('POST', `payments/${id}/refunds`, { amount: EUR('4.00') })
  const again = await ask('POST', `payments/${id}/refunds`, { amount: EUR('4.00') })

  expect(early.status).toBe(422)
  expect(refunds).toEqual([201, 422, 422])
  expect([twice.status, again.status]).toEqual([201, 422])
  for (const [method, part] of [
    ['POST', '/captures'],
    ['POST', '/release-authorization'],
    ['DELETE', ''],
  ] as const) {
    expect((await ask(method, `payments/${id}${part}`, { amount: EUR('1.00') })).status).toBe(422)
  }
})

test('takes two refunds of the same amount at once for one', async () => {
  const { ask, control } = open()
  const { id } = (await ask('POST', 'payments', SALE)).body
  await control(`payments/${id}/approve`)
  const both = [
    await ask('POST', `payments/${id}/refunds`, { amount: EUR('1.00') }),
    await ask('POST', `payments/${id}/refunds`, { amount: EUR('1.00') }),
  ]

  expect(both.map(({ status }) => status)).toEqual([201, 409])
})

test('holds the money of Klarna, captures parts of it, and lists them', async () => {
  const { ask, control, standIn } = open()
  const { id } = (await ask('POST', 'payments', KLARNA)).body
  await control(`payments/${id}/approve`)
  const held = await ask('GET', `payments/${id}`)
  await ask('POST', `payments/${id}/captures`, { amount: EUR('4.00') })
  const tooMuch = await ask('POST', `payments/${id}/captures`, { amount: EUR('7.00') })
  await control('finish')
  const listed = await ask('GET', `payments/${id}/captures`)
  await ask('POST', `payments/${id}/release-authorization`)

  expect(held.body).toMatchObject({ status: 'authorized', authorizedAt: expect.any(String) })
  expect(tooMuch.status).toBe(422)
  expect(listed.body).toMatchObject({ count: 1, _embedded: { captures: [{ status: 'succeeded' }] } })
  expect((await ask('GET', `payments/${id}`)).body).toMatchObject({
    status: 'paid',
    amountCaptured: EUR('4.00'),
  })
  expect(standIn.books.movements.map(({ kind }) => kind)).toEqual(['payment', 'capture', 'release'])
})

test('sends the id alone, and again until it is taken', async () => {
  const sent: string[] = []
  let status = 500
  const { ask, control, standIn } = open({
    send: async ({ url, body }) => {
      sent.push(`${url} ${body}`)
      return status
    },
  })
  const { id } = (await ask('POST', 'payments', { ...SALE, webhookUrl: 'https://shop.example.com/hook' }))
    .body
  await control(`payments/${id}/approve`)
  await control('deliver')
  status = 204
  await control('deliver')

  expect(sent).toEqual([1, 2].map(() => `https://shop.example.com/hook id=${id}`))
  expect(standIn.books.waiting).toEqual([])
})

test('shows buyers a page on which they decide', async () => {
  const { ask, standIn } = open()
  const { id, _links: links } = (await ask('POST', 'payments', SALE)).body
  const page = await standIn.fetch(links.checkout.href)
  const text = await page.text()
  const decided = await standIn.fetch(links.checkout.href, {
    method: 'POST',
    body: new URLSearchParams({ decision: 'cancel' }),
  })

  expect(text).toContain('10.00 EUR')
  expect(decided.headers.get('location')).toBe(SALE.redirectUrl)
  expect((await ask('GET', `payments/${id}`)).body).toMatchObject({ status: 'canceled' })
  expect(await (await standIn.fetch(links.checkout.href)).text()).toContain('The payment is canceled')
  expect((await standIn.fetch('https://api.mollie.com/checkout/tr_x')).status).toBe(404)
})
