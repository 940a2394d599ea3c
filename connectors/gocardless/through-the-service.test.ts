import { afterAll, beforeAll, expect, test } from 'vitest'
import { expireApprovals } from '#payments/acts/expire.ts'
import { ingestDue } from '#resources/payment-service-reports/ingest/ingest-due.ts'
import { createStandIn, STAND_IN_ACCOUNT, type StandIn } from '#sandbox/stand-ins/gocardless/stand-in.ts'
import { startTestService, type TestService } from '#testing/harness.ts'
import { openTill, type Till } from '#testing/till.ts'
import { METHODS, type MethodRow } from './methods.ts'
import { orderBy } from './testing/shop.ts'

const AT = { account: 'debit-shop' }
const BACS = METHODS.find(({ method }) => method === 'bacs') as MethodRow

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

const hooks = new Map<string, string>()

async function connect(row: MethodRow): Promise<string> {
  const known = hooks.get(row.method)
  if (known) return known
  const { currency, country } = orderBy(row)
  const fields = Object.entries({ ...STAND_IN_ACCOUNT, stand_in_url: origin })
  const made = await service.send(
    'POST /payment-services',
    {
      display_name: row.displayName,
      payment_service_definition_id: `gocardless-${row.method}`,
      fields: fields.map(([key, value]) => ({ key, value })),
      settlement_reporting_enabled: true,
      payment_method_tokenization_enabled: row.shape === 'debit',
      accepted_currencies: [currency],
      accepted_countries: [country],
    },
    AT,
  )
  expect(made.statusCode, made.body).toBe(201)
  const { webhook_url: hook } = made.json()
  hooks.set(row.method, hook)
  return hook
}

async function sell(row: MethodRow, over: object = {}) {
  await connect(row)
  const { currency, country, billing } = orderBy(row)
  const payment_method = { method: row.method, country, currency, redirect_url: 'https://shop.example.com/' }
  const buyer = { billing_details: billing }
  return till.pay({ currency, country, intent: 'capture', payment_method, buyer, ...over }, AT)
}

// biome-ignore lint/suspicious/noExplicitAny: each control answers something else
async function control(path: string): Promise<any> {
  const init = { method: 'POST', body: '{}' }
  return (await standIn.fetch(`https://stand-in.invalid/_stand-in/${path}`, init)).json()
}

/** Hands over what waits. */
async function hear(row: MethodRow = BACS): Promise<number> {
  const { body, signature } = await control('take')
  const headers = { 'content-type': 'application/json', 'webhook-signature': signature }
  const url = new URL(await connect(row)).pathname
  return (await service.app.inject({ method: 'POST', url, headers, payload: body })).statusCode
}

type Sold = Awaited<ReturnType<typeof sell>>

/** The buyer decides on GoCardless's page, and the browser follows it back. */
async function decide(sold: Sold, decision: string) {
  const body = new URLSearchParams({ decision })
  const answer = await fetch(sold.payment_method.approval_url, { method: 'POST', body, redirect: 'manual' })
  const back = new URL(answer.headers.get('location') ?? '')
  await service.app.inject({ method: 'GET', url: back.pathname + back.search })
}

test.each(METHODS)(
  'a row is a method: $method is permitted, paid days later, and refunded in part',
  async (row) => {
    const sold = await sell(row)
    await decide(sold, 'approve')
    const pending = await till.get(sold.id, AT)
    await hear(row)
    await control('finish')
    const heard = await hear(row)
    const paid = await till.get(sold.id, AT)
    const refund = (await till.act(sold.id, 'refunds', { amount: 400 }, AT)).json()
    await control('finish')
    await hear(row)
    const abroad = { currency: 'JPY', country: 'JP' }
    const elsewhere = await sell(row, {
      ...abroad,
      payment_method: { method: row.method, ...abroad, redirect_url: 'https://shop.example.com/' },
    })

    expect(sold).toMatchObject({
      status: 'buyer_approval_pending',
      payment_service: { payment_service_definition_id: `gocardless-${row.method}` },
    })
    expect(pending).toMatchObject({ status: 'processing', captured_amount: 0 })
    expect(heard).toBe(204)
    expect(paid).toMatchObject({
      status: 'capture_succeeded',
      captured_amount: 1000,
      payment_service_transaction_id: expect.stringMatching(/^PM/),
    })
    expect(refund.status).toBe('processing')
    expect(await till.get(sold.id, AT)).toMatchObject({ refunded_amount: 400 })
    expect(elsewhere.payment_service).toBeNull()
  },
)

test('a buyer permits debits once, and is debited later without being there, until the mandate is deleted', async () => {
  await connect(BACS)
  const { currency, country } = orderBy(BACS)
  const asked = { method: 'bacs', country, currency, redirect_url: 'https://shop.example.com/stored' }
  const made = await service.send('POST /payment-methods', asked, AT)
  expect(made.statusCode, made.body).toBe(201)
  const { id, approval_url } = made.json()
  await decide({ payment_method: { approval_url } }, 'approve')
  const stored = (await service.send(`GET /payment-methods/${id}`, undefined, AT)).json()
  const later = () =>
    till.pay(
      {
        currency,
        country,
        intent: 'capture',
        payment_source: 'recurring',
        merchant_initiated: true,
        is_subsequent_payment: true,
        payment_method: { method: 'id', id, redirect_url: 'https://shop.example.com/' },
      },
      AT,
    )
  const [first, second] = [await later(), await later()]
  await control('finish')
  await hear()
  const mandate = [...standIn.books.mandates.values()].at(-1)

  expect(stored.status).toBe('succeeded')
  for (const one of [first, second]) {
    expect(one).toMatchObject({ status: 'processing', method: 'bacs' })
    expect(await till.get(one.id, AT)).toMatchObject({
      status: 'capture_succeeded',
      captured_amount: one.amount,
    })
  }
  const debits = [...standIn.books.payments.values()].filter((one) => one.mandate === mandate?.id)
  expect(debits).toHaveLength(2)
  expect(JSON.stringify([stored, first, second])).not.toContain(mandate?.id)

  const deleted = await service.send(`DELETE /payment-methods/${id}`, undefined, AT)
  expect(deleted.statusCode, deleted.body).toBe(204)
  await service.resolveDue()
  expect(mandate?.status).toBe('cancelled')
})

test('a buyer who permits the debit and never comes back is debited once', async () => {
  const sold = await sell(BACS)
  await control(`requests/${sold.payment_service_transaction_id}/approve`)
  const before = standIn.books.payments.size
  await hear()
  await hear()
  await control('finish')
  await hear()

  expect(standIn.books.payments.size).toBe(before + 1)
  expect(await till.get(sold.id, AT)).toMatchObject({ status: 'capture_succeeded' })
})

test('a debit that the buyer has permitted is not cancelled when the time for the buyer is over', async () => {
  const sold = await sell(BACS)
  await decide(sold, 'approve')
  service.moveClock(8 * 86_400_000)
  await expireApprovals(service.context, service.engine)
  await service.resolveDue()
  const waiting = await till.get(sold.id, AT)
  await control('finish')
  await service.resolveDue()
  await hear()
  service.moveClock(-8 * 86_400_000)

  expect(waiting).toMatchObject({ status: 'processing' })
  expect(await till.get(sold.id, AT)).toMatchObject({ status: 'capture_succeeded', captured_amount: 1000 })
})

test('a debit that the bank refuses days later is declined', async () => {
  const sold = await sell(BACS)
  await decide(sold, 'refuse')
  await control('finish')
  await hear()

  expect(await till.get(sold.id, AT)).toMatchObject({
    status: 'authorization_declined',
    error_code: 'insufficient_funds',
    captured_amount: 0,
  })
})

test('a debit that the bank sends back after it has paid is no longer captured, and the merchant hears of it', async () => {
  const sold = await sell(BACS)
  await decide(sold, 'return')
  await hear()
  await control('finish')
  await hear()

  expect(await till.get(sold.id, AT)).toMatchObject({ captured_amount: 0 })
  expect(await till.told(sold.id)).toContain('transaction.capture-failed')
})

test('a buyer who cancels on the page has not paid', async () => {
  const sold = await sell(BACS)
  await decide(sold, 'cancel')

  expect(await till.get(sold.id, AT)).toMatchObject({
    status: 'authorization_failed',
    error_code: 'cancelled_buyer_approval',
  })
})

test('a debit that waits for its buyer is cancelled, and cannot be permitted any more', async () => {
  const sold = await sell(BACS)
  const cancelled = await till.act(sold.id, 'cancel', undefined, AT)
  await control(`requests/${sold.payment_service_transaction_id}/approve`)
  await hear()

  expect(cancelled.statusCode, cancelled.body).toBe(200)
  expect(await till.get(sold.id, AT)).toMatchObject({ status: 'authorization_failed', captured_amount: 0 })
})

test('a payment that the bank takes back weeks later is a dispute, and a payout settles all of it', async () => {
  const sold = await sell(BACS)
  await decide(sold, 'approve')
  await control('finish')
  await hear()
  const { payment_service_transaction_id: id } = await till.get(sold.id, AT)
  await till.act(sold.id, 'refunds', { amount: 400 }, AT)
  await control('finish')
  await hear()
  await control('payouts')
  await control(`payments/${id}/charge-back`)
  await hear()
  await control('payouts')
  const needs = { engine: service.engine, reportFiles: service.reportFiles, everyMinutes: 60 }
  await ingestDue(service.context, needs, new AbortController().signal)
  const items = async (list: string) =>
    (await service.send(`GET /transactions/${sold.id}/${list}`, undefined, AT)).json().items

  expect(await till.get(sold.id, AT)).toMatchObject({ disputed: true, settled: true, settled_amount: 1000 })
  expect(await items('settlements')).toMatchObject([{ amount: 1000, currency: 'GBP' }])
  expect(await items('refund-settlements')).toMatchObject([{ amount: -400 }])
  expect(await items('chargebacks')).toMatchObject([
    { amount: -1000, payment_service_report_file_ids: [expect.any(String)] },
  ])
})

test('a message without the signature is refused', async () => {
  const url = new URL(await connect(BACS)).pathname
  const headers = { 'content-type': 'application/json' }

  const answer = await service.app.inject({ method: 'POST', url, headers, payload: '{"events":[]}' })

  expect(answer.statusCode).toBe(400)
})
