import { describe, expect, test } from 'vitest'
import { operationFor, problemsWith } from './contract.ts'
import { createStandIn, SECRET_KEY } from './stand-in.ts'
import type { Message } from './workflows.ts'

const CARD = { type: 'card', number: '4242424242424242', expiry_month: 6, expiry_year: 2035, cvv: '100' }
const REQUEST = { source: CARD, amount: 1000, currency: 'USD', capture: false }

function open(send?: (message: Message) => Promise<number>) {
  let aheadMs = 0
  const standIn = createStandIn({ now: () => new Date(Date.now() + aheadMs), ...(send && { send }) })
  const ask = async (method: string, path: string, body?: object | string, key?: string) => {
    const response = await standIn.fetch(`https://api.sandbox.checkout.com${path}`, {
      method,
      headers: { authorization: `Bearer ${SECRET_KEY}`, ...(key && { 'cko-idempotency-key': key }) },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    return { status: response.status, body: text === '' ? null : JSON.parse(text) }
  }
  const moveClock = (ms: number) => {
    aheadMs += ms
  }
  return { standIn, ask, moveClock }
}

test.each<[string, object, string]>([
  ['a missing source', { source: undefined }, 'source_required'],
  ['a missing number', { source: { ...CARD, number: undefined } }, 'number_required'],
  ['a text for a number', { amount: '1000' }, 'amount_invalid'],
  ['an amount below zero', { amount: -1 }, 'amount_invalid'],
  ['a fraction', { amount: 10.5 }, 'amount_invalid'],
  ['a long currency', { currency: 'USDT' }, 'currency_invalid'],
  ['a kind of payment that there is not', { payment_type: 'Weekly' }, 'payment_type_invalid'],
  ['a regular payment without the buyer', { merchant_initiated: true }, 'payment_type_invalid'],
  ['a month that there is not', { source: { ...CARD, expiry_month: 13 } }, 'expiry_month_invalid'],
  ['a card that has expired', { source: { ...CARD, expiry_year: 2020 } }, 'card_expired'],
  [
    'a number that is not well formed',
    { source: { ...CARD, number: '4242424242424241' } },
    'card_number_invalid',
  ],
  ['a code that is too long', { source: { ...CARD, cvv: '1000' } }, 'cvv_invalid'],
  [
    'a stored card that is not there',
    { source: { type: 'id', id: `src_${'a'.repeat(26)}` } },
    'card_not_found',
  ],
  ['a source that there is not', { source: { type: 'cash' } }, 'type_invalid'],
  ['a long reference', { reference: 'x'.repeat(81) }, 'reference_invalid'],
  [
    'a descriptor without a city',
    { billing_descriptor: { name: 'Shop' } },
    'billing_descriptor_city_required',
  ],
  ['metadata in a deep form', { metadata: { a: { b: 1 } } }, 'metadata_invalid'],
  [
    '21 metadata',
    { metadata: Object.fromEntries(Array.from({ length: 21 }, (_, n) => [n, 1])) },
    'metadata_invalid',
  ],
  ['a channel of another form', { processing_channel_id: 'mer_1' }, 'processing_channel_id_invalid'],
  ['an unknown field', { capure: true }, 'capure_unknown'],
  ['an unknown field of a card', { source: { ...CARD, cvc: '100' } }, 'cvc_unknown'],
])('%s is refused, and nothing is kept', async (_what, over, code) => {
  const { standIn, ask } = open()

  const answer = await ask('POST', '/payments', { ...REQUEST, ...over }, 'key')

  expect(answer.status).toBe(422)
  expect(answer.body.error_codes).toContain(code)
  expect(standIn.books.movements).toEqual([])
  expect((await ask('POST', '/payments', REQUEST, 'key')).status).toBe(201)
})

const PAYOUT = {
  source: { type: 'currency_account', id: 'ca_qcc7x4nxxk6efeogm7yczdnsxu' },
  destination: { type: 'card', number: '4242424242424242', expiry_month: 6, expiry_year: 2035 },
  amount: 1000,
  currency: 'EUR',
  processing_channel_id: 'pc_q727c4x6vtwujbiys3bb7wjpaa',
}

test.each<[string, object, string]>([
  ['no channel', { processing_channel_id: undefined }, 'processing_channel_id_required'],
  ['no account', { source: { type: 'currency_account' } }, 'source_id_invalid'],
  ['no money', { amount: 0 }, 'amount_invalid'],
  ['a card of a bank without payouts', { number: '4485040371536584' }, 'card_payout_not_supported'],
  ['a card that has expired', { expiry_year: 2020 }, 'card_expired'],
  [
    'a holder of another form',
    { account_holder: { name: 'Jane' } },
    'destination_account_holder_name_unknown',
  ],
  [
    'a sender without an address',
    { sender: { type: 'corporate', company_name: 'Shop' } },
    'sender_address_required',
  ],
])('a payout with %s is refused, and pays nothing', async (_what, over, code) => {
  const { standIn, ask } = open()
  const { sender, amount, source, processing_channel_id, ...card } = {
    ...PAYOUT,
    sender: undefined,
    ...over,
  } as Record<string, unknown>
  const { destination, currency, ...more } = card
  const body = {
    source,
    amount,
    currency,
    processing_channel_id,
    sender,
    destination: { ...PAYOUT.destination, ...more },
  }

  const answer = await ask('POST', '/payments', body, 'key')

  expect(answer.status).toBe(422)
  expect(answer.body.error_codes).toContain(code)
  expect(standIn.books.movements).toEqual([])
})

test.each(['', '[]', 'null', '"text"', '{'])('the body %o is refused', async (body) => {
  expect((await open().ask('POST', '/payments', body)).status).toBe(422)
})

describe('a key', () => {
  test('repeats the first answer, also a decline, and is forgotten after a day', async () => {
    const { standIn, ask, moveClock } = open()
    const declined = { ...REQUEST, source: { ...CARD, number: '4544249167673670' } }
    const first = await ask('POST', '/payments', declined, 'key')
    const again = await ask('POST', '/payments', REQUEST, 'key')
    moveClock(24 * 3_600_000)
    const later = await ask('POST', '/payments', REQUEST, 'key')

    expect(first.body).toMatchObject({ approved: false, status: 'Declined', response_code: '20051' })
    expect(again).toEqual(first)
    expect(later.body).toMatchObject({ approved: true, status: 'Authorized' })
    expect(standIn.books.movements).toHaveLength(1)
  })

  test('of a request under way is refused', async () => {
    const { standIn, ask } = open()

    const twins = await Promise.all([1, 2, 3].map(() => ask('POST', '/payments', REQUEST, 'key')))

    expect(twins.map(({ status }) => status).sort()).toEqual([201, 429, 429])
    expect(standIn.books.movements).toHaveLength(1)
  })
})

test.each([
  ['GET', '/payments', 422],
  ['GET', `/payments/pay_${'a'.repeat(26)}`, 404],
  ['POST', `/payments/pay_${'a'.repeat(26)}/captures`, 404],
  ['DELETE', `/instruments/src_${'a'.repeat(26)}`, 404],
  ['DELETE', '/workflows/wf_1', 404],
  ['GET', '/customers', 404],
])('%s %s is %s', async (method, path, status) => {
  expect((await open().ask(method, path, method === 'POST' ? {} : undefined)).status).toBe(status)
})

test('a payment goes its way, and each answer has the form of the contract', async () => {
  const { standIn, ask } = open()
  const control = (path: string, body: object = {}) => ask('POST', `/_stand-in/${path}`, body)
  const { body: paid } = await ask('POST', '/payments', {
    ...REQUEST,
    authorization_type: 'Estimated',
    reference: 'ORD-1',
  })
  const path = `/payments/${paid.id}`
  const statuses = [
    await ask('POST', `${path}/refunds`, {}),
    await ask('POST', `${path}/authorizations`, { amount: 500 }),
    await ask('POST', `${path}/captures`, { amount: 2000 }),
    await ask('POST', `${path}/captures`, { amount: 600, capture_type: 'NonFinal' }),
    await ask('POST', `${path}/captures`, { amount: 400 }),
    await ask('POST', `${path}/voids`, {}),
    await control('finish'),
    await ask('POST', `${path}/refunds`, { amount: 1001 }),
    await ask('POST', `${path}/refunds`, { amount: 250 }),
    await control('finish'),
  ].map(({ status }) => status)
  const { body: shown } = await ask('GET', path)
  const { body: actions } = await ask('GET', `${path}/actions`)
  const { body: listed } = await ask('GET', '/payments?reference=ORD-1')

  expect(statuses).toEqual([403, 201, 422, 202, 202, 403, 200, 422, 202, 200])
  expect(shown).toMatchObject({
    status: 'Partially Refunded',
    balances: { total_authorized: 1500, total_captured: 1000, total_voided: 500, total_refunded: 250 },
  })
  expect(actions.map(({ type }: { type: string }) => type)).toEqual([
    'Refund',
    'Void',
    'Capture',
    'Capture',
    'Authorization',
    'Authorization',
  ])
  expect(listed).toMatchObject({ total_count: 1, data: [{ id: paid.id }] })
  expect(standIn.violations).toEqual([])
})

test('the contract is readable, and compares answers, too', () => {
  expect(operationFor('POST', '/payments')).toMatchObject({ takes: 'AnyRequest' })
  expect(operationFor('GET', '/workflows/event-types')?.answers.get('200')).toBe('EventTypes')
  expect(operationFor('PUT', '/payments')).toBeNull()
  expect(problemsWith({ id: 'pay_1', status: 'Pending' }, 'PaymentAccepted')).toEqual([
    { place: 'id', what: 'invalid' },
  ])
  expect(problemsWith([{ id: 1 }], 'EventTypes')).toEqual([{ place: '[0].id', what: 'invalid' }])
})

test('webhooks that are not taken come again', async () => {
  const statuses = [500, 200]
  const sent: string[] = []
  const { standIn, ask } = open(async ({ body }) => {
    sent.push(JSON.parse(body).id)
    return statuses.shift() ?? 200
  })
  const events = { gateway: ['payment_approved'] }
  const workflow = {
    name: 'Shop',
    conditions: [{ type: 'event', events }],
    actions: [{ type: 'webhook', url: 'https://shop.example.com', signature: { key: 'key' } }],
  }
  const made = await ask('POST', '/workflows', workflow)
  await ask('POST', '/payments', REQUEST)

  expect(made.status).toBe(201)
  expect(await standIn.workflows.deliver()).toBe(1)
  expect(await standIn.workflows.deliver()).toBe(0)
  expect(sent).toHaveLength(2)
  expect(sent[0]).toBe(sent[1])
  const foreign = { ...workflow, conditions: [{ type: 'event', events: { gateway: ['a_new_event'] } }] }
  expect((await ask('POST', '/workflows', foreign)).status).toBe(422)
})

test('a buyer who has no shop to go back to reads so', async () => {
  const { standIn, ask } = open()
  const { body } = await ask('POST', '/payments', { ...REQUEST, '3ds': { enabled: true } })
  const page = await standIn.fetch(body._links.redirect.href)
  const done = await standIn.fetch(body._links.redirect.href, {
    method: 'POST',
    body: new URLSearchParams({ decision: 'approve' }),
  })
  const lost = await standIn.fetch('https://api.sandbox.checkout.com/3ds/pay_1')

  expect(body.status).toBe('Pending')
  expect(await page.text()).toContain('10.00 USD')
  expect(await done.text()).toContain('You can go back to the shop')
  expect(lost.status).toBe(404)
})
