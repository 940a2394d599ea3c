import { afterAll, beforeAll, expect, test } from 'vitest'
import { ingestDue } from '#resources/payment-service-reports/ingest/ingest-due.ts'
import { createStandIn, SECRET_KEY, type StandIn } from '#sandbox/stand-ins/checkout/stand-in.ts'
import type { Message } from '#sandbox/stand-ins/checkout/workflows.ts'
import { startTestService, type TestService } from '#testing/harness.ts'
import { CARD, openTill, type Till } from '#testing/till.ts'

const AT = { account: 'checkout-shop' }

let service: TestService
let till: Till
let standIn: StandIn
let close = async () => {}
let own: { readonly id: string; readonly webhook_url: string }
/** Webhooks that the service has taken, as they came. */
const taken: Message[] = []

beforeAll(async () => {
  service = await startTestService()
  // The network is asked for real here: a busy machine must not turn an answer into an unknown one.
  Object.assign(service.providers, { timeoutMs: 25_000 })
  till = openTill(service)
  standIn = createStandIn({ now: () => new Date(), send: pass })
  const listening = await standIn.listen(0)
  close = listening.close
  await service.send('POST /merchant-accounts', { id: AT.account, display_name: 'Shop' })
  const fields = {
    secret_key: SECRET_KEY,
    stand_in_url: listening.origin,
    verification_currency: 'USD',
    estimated_authorizations: 'true',
    processing_channel_id: 'pc_hpswyyx23geezflc2ocz3exn4y',
    currency_account_id: 'ca_qcc7x4nxxk6efeogm7yczdnsxu',
  }
  const made = await service.send(
    'POST /payment-services',
    {
      display_name: 'Checkout.com',
      payment_service_definition_id: 'checkout-card',
      fields: Object.entries(fields).map(([key, value]) => ({ key, value })),
      accepted_currencies: ['USD'],
      accepted_countries: ['US'],
      payment_method_tokenization_enabled: true,
      settlement_reporting_enabled: true,
    },
    AT,
  )
  expect(made.statusCode, made.body).toBe(201)
  own = made.json()
  const registered = await service.send(`POST /payment-services/${own.id}/notifications`, undefined, AT)
  expect(registered.statusCode, registered.body).toBe(200)
})
afterAll(async () => {
  await close()
  await service.close()
  expect(standIn.violations).toEqual([])
})

async function pass(message: Message): Promise<number> {
  const { headers, body: payload } = message
  const url = new URL(own.webhook_url).pathname
  const { statusCode } = await service.app.inject({ method: 'POST', url, headers, payload })
  if (statusCode === 204) taken.push(message)
  return statusCode
}

async function control(path: string, body: object = {}) {
  const url = `https://stand-in.invalid/_stand-in/${path}`
  const response = await standIn.fetch(url, { method: 'POST', body: JSON.stringify(body) })
  return (await response.json()) as Record<string, string>
}

/** Checkout.com sends again what was not taken. */
async function hear() {
  await expect.poll(async () => (await control('deliver'))['waiting']).toBe(0)
}

/** Ends what waits at Checkout.com, and hears of it. */
async function finish() {
  await control('finish')
  await hear()
}

const statusOf = async (id: string) => (await till.get(id, AT)).status

test('a sale is captured in parts, the rest is released, and refunds come in parts', async () => {
  const paid = await till.pay({}, AT)
  const capture = await till.act(paid.id, 'capture', { amount: 300, final: false }, AT)
  await finish()
  expect(capture.statusCode, capture.body).toBe(200)
  expect(await till.get(paid.id, AT)).toMatchObject({ captured_amount: 300 })
  await till.act(paid.id, 'capture', { amount: 200, final: false }, AT)
  await finish()
  await till.act(paid.id, 'void', undefined, AT)
  await finish()
  for (const amount of [400, 100]) await till.act(paid.id, 'refunds', { amount }, AT)
  await finish()

  expect(await till.get(paid.id, AT)).toMatchObject({
    status: 'capture_succeeded',
    authorized_amount: 1000,
    captured_amount: 500,
    refunded_amount: 500,
    scheme_transaction_id: '489341065491658',
  })
})

test('a capture whose message does not come is asked about', async () => {
  const paid = await till.pay({}, AT)
  await till.act(paid.id, 'capture', {}, AT)
  const before = await statusOf(paid.id)
  await control('finish')
  service.moveClock(3_600_000)
  await service.resolveDue()
  service.moveClock(-3_600_000)
  await hear()

  expect(before).toBe('capture_pending')
  expect(await statusOf(paid.id)).toBe('capture_succeeded')
})

test('a capture at once that fails later is no longer paid', async () => {
  const paid = await till.pay({ intent: 'capture' }, AT)
  await control('next', { response_code: '20068' })
  await finish()

  expect(paid.status).toBe('capture_succeeded')
  expect(await statusOf(paid.id)).not.toBe('capture_succeeded')
})

test('a stored card gets a token of Checkout.com, pays with it without the buyer, and loses it', async () => {
  const card = (await service.send('POST /payment-methods', { ...CARD, security_code: undefined }, AT)).json()
  const path = `/payment-methods/${card.id}/payment-service-tokens`
  const body = { payment_service_id: own.id, redirect_url: 'https://shop.example.com/stored' }
  const token = await service.send(`POST ${path}`, body, AT)
  expect(token.statusCode, token.body).toBe(201)
  const paid = await till.pay(
    {
      payment_method: { method: 'id', id: card.id },
      payment_source: 'recurring',
      merchant_initiated: true,
      is_subsequent_payment: true,
    },
    AT,
  )
  await service.send(`DELETE ${path}/${token.json().id}`, undefined, AT)
  await service.resolveDue()

  expect(paid.status).toBe('authorization_succeeded')
  expect(standIn.books.stored.size).toBe(0)
})

test('a payout is pending until Checkout.com tells, or is asked, and a refused one is declined', async () => {
  const payOut = () => till.payOut({ payment_service_id: own.id }, AT)
  const statusNow = async ({ id }: { id: string }) =>
    (await service.send(`GET /payouts/${id}`, undefined, AT)).json().status
  const paid = await payOut()
  await finish()
  const refused = await payOut()
  await control('next', { response_code: '20051' })
  await finish()
  const asked = await payOut()
  await control('finish')
  service.moveClock(120_000)
  await service.resolveDue()
  service.moveClock(-120_000)

  expect([paid, refused, asked].map(({ status }) => status)).toEqual(['pending', 'pending', 'pending'])
  expect(await statusNow(paid)).toBe('succeeded')
  expect(await statusNow(refused)).toBe('declined')
  expect(await statusNow(asked)).toBe('succeeded')
  expect(standIn.books.movements.filter(({ kind }) => kind === 'Payout')).toHaveLength(2)
})

test('a dispute is a chargeback with its deadline, and its reversal', async () => {
  const sale = await till.pay({ intent: 'capture' }, AT)
  await finish()
  const { id } = await control(`payments/${sale.payment_service_transaction_id}/dispute`, { amount: 700 })
  await hear()
  await control(`disputes/${id}/win`)
  await hear()

  const { items } = (await service.send(`GET /chargebacks?transaction_id=${sale.id}`, undefined, AT)).json()
  expect(items).toMatchObject([
    { amount: -700, status: 'returned', reason_code: '10.4', respond_by: expect.any(String) },
  ])
})

test('a payout to the merchant settles what was captured at once and later, refunded and disputed', async () => {
  const sale = await till.pay({ intent: 'capture' }, AT)
  const later = await till.pay({}, AT)
  await till.act(later.id, 'capture', { amount: 300, final: false }, AT)
  await finish()
  await till.act(sale.id, 'refunds', { amount: 400 }, AT)
  await finish()
  await control(`payments/${later.payment_service_transaction_id}/dispute`, { amount: 200 })
  await hear()
  await control('settle')
  const needs = { engine: service.engine, reportFiles: service.reportFiles, everyMinutes: 60 }
  await ingestDue(service.context, needs, new AbortController().signal)
  const items = async (id: string, list: string) =>
    (await service.send(`GET /transactions/${id}/${list}`, undefined, AT)).json().items

  expect(await till.get(sale.id, AT)).toMatchObject({ settled: true, settled_amount: 1000 })
  expect(await items(sale.id, 'settlements')).toMatchObject([
    { amount: 1000, currency: 'USD', commission: 7, interchange: 2, scheme_fee: 0, markup: 5 },
  ])
  expect(await items(sale.id, 'refund-settlements')).toMatchObject([{ amount: -400 }])
  expect(await items(later.id, 'settlements')).toMatchObject([{ amount: 300 }])
  // The message about the dispute has told of it before.
  expect(await items(later.id, 'chargebacks')).toMatchObject([
    { amount: -200, commission: 1500, payment_service_report_file_ids: [expect.any(String)] },
  ])
})

test('messages that come twice, out of order, late, or about nothing of ours change nothing', async () => {
  await hear()
  taken.length = 0
  const paid = await till.pay({}, AT)
  await till.act(paid.id, 'capture', { amount: 1000 }, AT)
  await finish()
  const after = await till.get(paid.id, AT)
  const told = await till.told(paid.id)
  const messages = [...taken]
  expect(messages.map(({ body }) => JSON.parse(body).type)).toEqual(['payment_approved', 'payment_captured'])
  for (const message of messages.reverse()) expect(await pass(message)).toBe(204)
  const foreign = {
    source: { type: 'card', number: '4242424242424242', expiry_month: 6, expiry_year: 2035 },
    currency: 'USD',
    amount: 500,
  }
  await standIn.fetch('https://api.sandbox.checkout.com/payments', {
    method: 'POST',
    headers: { authorization: `Bearer ${SECRET_KEY}` },
    body: JSON.stringify(foreign),
  })
  await finish()

  expect(after).toMatchObject({ status: 'capture_succeeded', captured_amount: 1000 })
  expect(await till.get(paid.id, AT)).toEqual(after)
  expect(await till.told(paid.id)).toEqual(told)
})
