import { expect, test } from 'vitest'
import { goCardlessContract } from '#connectors/gocardless/testing/published-contract.ts'
import { createStandIn, type Message, STAND_IN_ACCOUNT } from './stand-in.ts'

const API = 'https://api-sandbox.gocardless.com'
const MANDATE = { mandate_request: { currency: 'GBP', scheme: 'bacs' } }
const VERSION = { 'gocardless-version': '2015-07-06' }

function open(options: Partial<Parameters<typeof createStandIn>[0]> = {}) {
  const standIn = createStandIn({ now: () => new Date(), ...options })
  const fetch = goCardlessContract.watch((url, init) => standIn.fetch(url, init), { byStandInTest: true })
  // biome-ignore lint/suspicious/noExplicitAny: the contract says what answers look like
  type Answer = { readonly status: number; readonly body: any }
  const ask = async (method: string, path: string, body?: object, headers: object = {}): Promise<Answer> => {
    const response = await fetch(`${API}/${path}`, {
      method,
      headers: { authorization: `Bearer ${STAND_IN_ACCOUNT.access_token}`, ...VERSION, ...headers },
      ...(body && { body: JSON.stringify(body) }),
    })
    return { status: response.status, body: await response.json() }
  }
  const make = (resource: string, content: object, key?: string) =>
    ask('POST', resource, { [resource]: content }, key === undefined ? {} : { 'idempotency-key': key })
  const control = (path: string, body: object = {}) =>
    standIn.fetch(`${API}/_stand-in/${path}`, { method: 'POST', body: JSON.stringify(body) })
  return { standIn, ask, make, control }
}

/** A debit that the buyer has permitted. */
async function mandated(decision = 'approve') {
  const shop = open()
  const { id } = (await shop.make('billing_requests', MANDATE)).body.billing_requests
  await shop.control(`requests/${id}/${decision}`)
  const { links } = (await shop.ask('GET', `billing_requests/${id}`)).body.billing_requests
  const mandate = String(links.mandate_request_mandate)
  const made = await shop.make('payments', { amount: 1000, currency: 'GBP', links: { mandate } })
  return { ...shop, mandate, payment: String(made.body.payments?.id) }
}

test.each<[string, string, object, string]>([
  ['neither a mandate nor a payment', 'billing_requests', {}, 'mandate_request'],
  [
    'a scheme of another currency',
    'billing_requests',
    { mandate_request: { currency: 'EUR', scheme: 'bacs' } },
    'scheme',
  ],
  ['a currency without a scheme', 'billing_requests', { mandate_request: { currency: 'JPY' } }, 'currency'],
  ['four metadata', 'billing_requests', { ...MANDATE, metadata: { a: '', b: '', c: '', d: '' } }, 'metadata'],
  ['long metadata', 'billing_requests', { ...MANDATE, metadata: { a: 'x'.repeat(501) } }, 'metadata'],
  ['nothing to pay', 'billing_requests', { payment_request: { amount: 0, currency: 'GBP' } }, 'amount'],
  [
    'PayTo without a purpose',
    'billing_requests',
    { payment_request: { amount: 1, currency: 'AUD' } },
    'purpose_code',
  ],
  [
    'PayTo without a description',
    'billing_requests',
    { purpose_code: 'retail', payment_request: { amount: 1, currency: 'AUD' } },
    'description',
  ],
  [
    'a mandate that is not there',
    'payments',
    { amount: 1, currency: 'GBP', links: { mandate: 'MD1' } },
    'links.mandate',
  ],
])('%s is refused', async (_what, resource, content, field) => {
  const { make, standIn } = open()
  const { status, body } = await make(resource, content)

  expect(status).toBe(422)
  expect(body.error.errors[0].field).toBe(field)
  expect(standIn.books.movements).toEqual([])
})

test('nothing is shown without the token and the version', async () => {
  const { ask } = open()

  expect((await ask('GET', 'payments', undefined, { authorization: 'Bearer x' })).status).toBe(401)
  expect((await ask('GET', 'payments', undefined, { 'gocardless-version': '' })).status).toBe(400)
  for (const path of ['payments/PM1', 'elsewhere', 'elsewhere/1', 'payouts/PO1'])
    expect((await ask('GET', path)).status).toBe(404)
})

test('a key makes one object, whoever asks when', async () => {
  const { make } = open()
  const twins = await Promise.all([1, 2, 3].map(() => make('billing_requests', MANDATE, 'one')))
  const made = twins.find(({ status }) => status === 201)?.body.billing_requests.id
  const { status, body } = await make('billing_requests', MANDATE, 'one')

  expect(twins.filter((one) => one.status === 201)).toHaveLength(1)
  expect(status).toBe(409)
  expect(body.error.errors[0].links.conflicting_resource_id).toBe(made)
})

test('a key whose request was refused makes nothing, and can be used again', async () => {
  const { make } = open()
  await make('billing_requests', {}, 'one')

  expect((await make('billing_requests', MANDATE, 'one')).status).toBe(201)
})

test('a buyer decides on a page, once, and is led back', async () => {
  const { make, standIn, ask } = open()
  const { id } = (await make('billing_requests', { ...MANDATE, metadata: { amount: '1250' } })).body
    .billing_requests
  const links = { billing_request: id }
  const made = await make('billing_request_flows', { redirect_uri: 'https://shop.example.com/back', links })
  const { authorisation_url: url } = made.body.billing_request_flows
  const page = await (await standIn.fetch(url)).text()
  const post = (decision: string) =>
    standIn.fetch(url, { method: 'POST', body: new URLSearchParams({ decision }) })
  const answer = await post('approve')
  await post('cancel')
  const after = await (await standIn.fetch(url)).text()

  expect(page).toContain('12.50 GBP')
  expect(answer.headers.get('location')).toBe('https://shop.example.com/back')
  expect(after).toContain('is fulfilled')
  expect((await ask('GET', `billing_requests/${id}`)).body.billing_requests.status).toBe('fulfilled')
  expect((await make('billing_request_flows', { redirect_uri: 'https://a.example', links })).status).toBe(422)
  expect((await standIn.fetch(`${API}/flow/BRF1`)).status).toBe(404)
})

test('a debit that the banks have cannot be cancelled, and one without money cannot be refunded', async () => {
  const { ask, make, control, payment } = await mandated()
  const early = await make('refunds', { amount: 1, total_amount_confirmation: 1, links: { payment } })
  await control(`payments/${payment}/submit`)

  expect(early.body.error.errors[0].reason).toBe('refund_payment_invalid_state')
  expect((await ask('POST', `payments/${payment}/actions/cancel`, { data: {} })).status).toBe(422)
})

test.each([
  [{ amount: 400, total_amount_confirmation: 300 }, 'total_amount_confirmation_invalid'],
  [{ amount: 1001, total_amount_confirmation: 1001 }, 'available_refund_amount_insufficient'],
])('a refund of %j is refused', async (content, reason) => {
  const { make, control, payment } = await mandated()
  await control('finish')
  const { body } = await make('refunds', { ...content, links: { payment } })

  expect(body.error.errors[0].reason).toBe(reason)
})

test('lists come in pages', async () => {
  const { ask, make } = open()
  for (let made = 0; made < 3; made++) await make('billing_requests', MANDATE)
  const first = (await ask('GET', 'billing_requests?limit=2')).body
  const second = (await ask('GET', `billing_requests?limit=2&after=${first.meta.cursors.after}`)).body

  expect(first.billing_requests).toHaveLength(2)
  expect(second.billing_requests).toHaveLength(1)
  expect(second.meta.cursors.after).toBeNull()
  expect((await ask('GET', 'billing_requests?limit=501')).status).toBe(422)
})

test('messages are signed, and come again until they are taken', async () => {
  const sent: Message[] = []
  let status = 500
  const send = async (message: Message) => {
    sent.push(message)
    return status
  }
  const { make, control } = open({ send })
  await control('webhook', { url: 'https://shop.example.com/hook' })
  const { id } = (await make('billing_requests', MANDATE)).body.billing_requests
  await control(`requests/${id}/approve`)
  await control('deliver')
  status = 204
  await control('deliver')
  await control('deliver')

  expect(sent).toHaveLength(2)
  expect(JSON.parse(sent[1]?.body ?? '')).toMatchObject({
    events: [{ resource_type: 'billing_requests', action: 'fulfilled', links: { billing_request: id } }],
  })
  expect(sent[1]?.signature).toMatch(/^[0-9a-f]{64}$/)
})

test('what is paid out adds up to the payout, which is rounded', async () => {
  const { ask, control } = await mandated()
  await control('finish')
  await control('payouts')
  await control('payouts')
  const [payout, ...others] = (await ask('GET', 'payouts')).body.payouts
  const { payout_items: items } = (await ask('GET', `payout_items?payout=${payout.id}`)).body

  expect(others).toEqual([])
  expect(items.map(({ type, amount }: { type: string; amount: string }) => [type, amount])).toEqual([
    ['payment_paid_out', '1000.0'],
    ['gocardless_fee', '-20.5'],
  ])
  expect(payout.amount).toBe(980)
})

test('the help names what to enter', async () => {
  const page = await (await open().standIn.fetch(`${API}/`)).text()

  expect(page).toContain(STAND_IN_ACCOUNT.access_token)
})
