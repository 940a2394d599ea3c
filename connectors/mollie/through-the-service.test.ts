import { afterAll, beforeAll, expect, test } from 'vitest'
import { ingestDue } from '#resources/payment-service-reports/ingest/ingest-due.ts'
import { ACCESS_TOKEN, createStandIn, type StandIn, TEST_KEY } from '#sandbox/stand-ins/mollie/stand-in.ts'
import { startTestService, type TestService } from '#testing/harness.ts'
import { openTill, type Till } from '#testing/till.ts'
import { METHODS, type MethodRow } from './methods.ts'
import { orderBy } from './testing/shop.ts'

const AT = { account: 'mollie-shop' }
const KLARNA = METHODS.find(({ method }) => method === 'klarna') as MethodRow
const IDEAL = METHODS.find(({ method }) => method === 'ideal') as MethodRow

let service: TestService
let till: Till
let standIn: StandIn
let close = async () => {}
let origin = ''

beforeAll(async () => {
  service = await startTestService()
  // The network is asked for real here: a busy machine must not turn an answer into an unknown one.
  Object.assign(service.providers, { timeoutMs: 25_000 })
  till = openTill(service)
  // The test hands the messages over itself.
  standIn = createStandIn({ now: () => new Date(), send: async () => 500 })
  const listening = await standIn.listen(0)
  close = listening.close
  origin = listening.origin
  await service.send('POST /merchant-accounts', { id: AT.account, display_name: 'Shop' })
})
afterAll(async () => {
  await close()
  await service.close()
})

type Service = { readonly id: string; readonly webhook_url: string }
const services = new Map<string, Service>()

async function connect(row: MethodRow): Promise<Service> {
  const known = services.get(row.method)
  if (known) return known
  const { currency, country } = orderBy(row)
  const made = await service.send(
    'POST /payment-services',
    {
      display_name: row.displayName,
      payment_service_definition_id: `mollie-${row.method}`,
      fields: [
        { key: 'api_key', value: TEST_KEY },
        { key: 'stand_in_url', value: origin },
      ],
      reporting_fields: [{ key: 'access_token', value: ACCESS_TOKEN }],
      settlement_reporting_enabled: true,
      accepted_currencies: [currency],
      accepted_countries: [country],
    },
    AT,
  )
  expect(made.statusCode, made.body).toBe(201)
  const { id } = made.json()
  const registered = await service.send(`POST /payment-services/${id}/notifications`, undefined, AT)
  expect(registered.statusCode, registered.body).toBe(200)
  services.set(row.method, registered.json())
  return registered.json()
}

async function sell(row: MethodRow, over: object = {}) {
  await connect(row)
  const { currency, country, billing, shipping } = orderBy(row)
  const payment_method = {
    method: row.method,
    country,
    currency,
    redirect_url: 'https://shop.example.com/',
  }
  const buyer = { billing_details: billing, shipping_details: shipping }
  return till.pay({ currency, country, intent: 'capture', payment_method, buyer, ...over }, AT)
}

async function control(path: string, body: object = {}) {
  const url = `https://stand-in.invalid/_stand-in/${path}`
  await standIn.fetch(url, { method: 'POST', body: JSON.stringify(body) })
}

/** Hands over what waits, as the form that Mollie sends. */
async function hear(): Promise<readonly number[]> {
  const statuses: number[] = []
  for (const { url, body: payload } of standIn.books.waiting.splice(0)) {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const answer = await service.app.inject({ method: 'POST', url: new URL(url).pathname, headers, payload })
    statuses.push(answer.statusCode)
  }
  return statuses
}

/** The buyer decides on Mollie's page, and the browser follows it back. */
async function decide(page: string, decision: string) {
  const body = new URLSearchParams({ decision })
  const answer = await fetch(page, { method: 'POST', body, redirect: 'manual' })
  const back = new URL(answer.headers.get('location') ?? '')
  await service.app.inject({ method: 'GET', url: back.pathname + back.search })
}

const urlOf = (sold: { readonly payment_method: { readonly approval_url: string } }) =>
  sold.payment_method.approval_url

test.each(METHODS)(
  'a row is a method: $method is paid, told by a message that says nothing, and refunded in part',
  async (row) => {
    const sold = await sell(row)
    await control(`payments/${sold.payment_service_transaction_id}/approve`)
    const heard = await hear()
    const paid = await till.get(sold.id, AT)
    const refund = (await till.act(sold.id, 'refunds', { amount: 400 }, AT)).json()
    await control('finish')
    const heardAgain = await hear()
    const abroad = { currency: 'ISK', country: 'IS' }
    const elsewhere = await sell(row, {
      ...abroad,
      payment_method: { method: row.method, ...abroad, redirect_url: 'https://shop.example.com/' },
    })

    expect(sold).toMatchObject({
      status: 'buyer_approval_pending',
      payment_service: { payment_service_definition_id: `mollie-${row.method}` },
    })
    expect([...heard, ...heardAgain].every((status) => status < 300)).toBe(true)
    expect(heard).toHaveLength(1)
    expect(paid).toMatchObject({ status: 'capture_succeeded', captured_amount: 1000 })
    expect(refund.status).toBe('processing')
    expect(await till.get(sold.id, AT)).toMatchObject({ refunded_amount: 400 })
    expect(elsewhere.payment_service).toBeNull()
  },
)

test('a buyer who comes back has paid, although no message came', async () => {
  const sold = await sell(IDEAL)
  await decide(urlOf(sold), 'approve')
  standIn.books.waiting.splice(0)

  expect(await till.get(sold.id, AT)).toMatchObject({ status: 'capture_succeeded' })
})

test.each([
  ['fail', { status: 'authorization_declined', error_code: 'insufficient_funds' }],
  ['cancel', { status: 'authorization_failed', error_code: 'cancelled_buyer_approval' }],
])('a buyer whose decision is to %s has not paid', async (decision, ended) => {
  const sold = await sell(IDEAL)
  await decide(urlOf(sold), decision)

  expect(await till.get(sold.id, AT)).toMatchObject({ ...ended, captured_amount: 0 })
})

test('a payment that ends at Mollie before the buyer has decided ends here', async () => {
  const sold = await sell(IDEAL)
  await control(`payments/${sold.payment_service_transaction_id}/expire`)
  await hear()

  expect(await till.get(sold.id, AT)).toMatchObject({
    status: 'authorization_failed',
    error_code: 'cancelled_buyer_approval',
  })
})

test('money that is held is captured in parts, and the rest is released', async () => {
  const held = await sell(KLARNA, { intent: 'authorize' })
  await decide(urlOf(held), 'approve')
  const authorized = await till.get(held.id, AT)
  await till.act(held.id, 'capture', { amount: 600, final: false }, AT)
  await control('finish')
  await hear()
  const captured = await till.get(held.id, AT)
  const released = await till.act(held.id, 'void', undefined, AT)
  service.moveClock(3_600_000)
  await service.resolveDue()
  service.moveClock(-3_600_000)

  expect(authorized).toMatchObject({ status: 'authorization_succeeded', authorized_amount: 1000 })
  expect(captured).toMatchObject({ captured_amount: 600 })
  expect(released.statusCode, released.body).toBe(200)
  const movements = standIn.books.movements.filter(
    ({ payment }) => payment === held.payment_service_transaction_id,
  )
  expect(movements.map(({ kind, value }) => [kind, value])).toEqual([
    ['payment', '10.00'],
    ['capture', '6.00'],
    ['release', '4.00'],
  ])
})

test('a last capture of a part releases the rest, as the guide says, and what is left cannot be voided', async () => {
  const held = await sell(KLARNA, { intent: 'authorize' })
  await decide(urlOf(held), 'approve')
  await till.act(held.id, 'capture', { amount: 600 }, AT)
  await control('finish')
  await hear()
  const voided = await till.act(held.id, 'void', undefined, AT)

  expect(await till.get(held.id, AT)).toMatchObject({ status: 'capture_succeeded', captured_amount: 600 })
  expect(voided.statusCode).toBe(400)
  const movements = standIn.books.movements.filter(
    ({ payment }) => payment === held.payment_service_transaction_id,
  )
  expect(movements.map(({ kind, value }) => [kind, value])).toEqual([
    ['payment', '10.00'],
    ['capture', '6.00'],
    ['release', '4.00'],
  ])
})

test('a payment that waits for its buyer is cancelled, and cannot be paid any more', async () => {
  const sold = await sell(IDEAL)
  const cancelled = await till.act(sold.id, 'cancel', undefined, AT)
  await decide(urlOf(sold), 'approve')
  await hear()

  expect(cancelled.statusCode, cancelled.body).toBe(200)
  expect(await till.get(sold.id, AT)).toMatchObject({ status: 'authorization_failed', captured_amount: 0 })
})

test('a message that somebody made up changes nothing, and is refused', async () => {
  const sold = await sell(IDEAL)
  const { webhook_url: hook } = await connect(IDEAL)
  const say = async (payload: string) => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    return (await service.app.inject({ method: 'POST', url: new URL(hook).pathname, headers, payload }))
      .statusCode
  }

  expect(await say('id=tr_madeUp')).toBe(400)
  expect(await say('{"id":"tr_madeUp"}')).toBe(400)
  // It names a payment that is there. What Mollie shows of it decides.
  expect(await say(`id=${sold.payment_service_transaction_id}`)).toBe(204)
  expect(await till.get(sold.id, AT)).toMatchObject({ status: 'buyer_approval_pending' })
})

test('messages that come twice change nothing, and one that nobody could look up comes again', async () => {
  const sold = await sell(IDEAL)
  await control(`payments/${sold.payment_service_transaction_id}/approve`)
  const [message] = standIn.books.waiting
  await hear()
  const after = await till.get(sold.id, AT)
  const told = await till.told(sold.id)
  if (message) standIn.books.waiting.push(message)
  expect(await hear()).toEqual([204])
  await close()
  if (message) standIn.books.waiting.push(message)
  expect(await hear()).toEqual([503])
  const listening = await standIn.listen(Number(new URL(origin).port))
  close = listening.close

  expect(after).toMatchObject({ status: 'capture_succeeded' })
  expect(await till.get(sold.id, AT)).toEqual(after)
  expect(await till.told(sold.id)).toEqual(told)
})

test('a payment that the bank takes back is a dispute, and comes back', async () => {
  const sold = await sell(IDEAL)
  const id = sold.payment_service_transaction_id
  await decide(urlOf(sold), 'approve')
  await control(`payments/${id}/chargeback`)
  await hear()
  const taken = await till.get(sold.id, AT)
  await control(`payments/${id}/reverse`)
  await hear()
  const { items } = (await service.send(`GET /disputes?transaction_id=${sold.id}`, undefined, AT)).json()

  expect(taken).toMatchObject({ disputed: true })
  expect(items).toMatchObject([
    { stage: 'won', amount: 1000, external_identifier: expect.stringMatching(/^chb_/) },
  ])
})

test('a refund that fails gives the amount back', async () => {
  const sold = await sell(IDEAL)
  await decide(urlOf(sold), 'approve')
  await till.act(sold.id, 'refunds', { amount: 400 }, AT)
  await control('finish', { success: false })
  await hear()

  expect(await till.get(sold.id, AT)).toMatchObject({ refunded_amount: 0, status: 'capture_succeeded' })
})

test('a settlement settles what was paid at once, captured later, refunded and charged back', async () => {
  const sale = await sell(IDEAL)
  await decide(urlOf(sale), 'approve')
  await till.act(sale.id, 'refunds', { amount: 400 }, AT)
  const held = await sell(KLARNA, { intent: 'authorize' })
  await decide(urlOf(held), 'approve')
  await till.act(held.id, 'capture', { amount: 600, final: false }, AT)
  const taken = await sell(IDEAL)
  await decide(urlOf(taken), 'approve')
  await control(`payments/${taken.payment_service_transaction_id}/chargeback`)
  await control('finish')
  await hear()
  await control('settlements')
  const needs = { engine: service.engine, reportFiles: service.reportFiles, everyMinutes: 60 }
  await ingestDue(service.context, needs, new AbortController().signal)
  const items = async (id: string, list: string) =>
    (await service.send(`GET /transactions/${id}/${list}`, undefined, AT)).json().items

  expect(await till.get(sale.id, AT)).toMatchObject({ settled: true, settled_amount: 1000 })
  expect(await items(sale.id, 'settlements')).toMatchObject([{ amount: 1000, currency: 'EUR' }])
  expect(await items(sale.id, 'refund-settlements')).toMatchObject([{ amount: -400 }])
  // Klarna is sold in francs here, and settled in euro.
  expect(await items(held.id, 'settlements')).toMatchObject([{ amount: 150, currency: 'EUR' }])
  expect(await items(taken.id, 'chargebacks')).toMatchObject([
    { amount: -1000, payment_service_report_file_ids: [expect.any(String)] },
  ])
})
