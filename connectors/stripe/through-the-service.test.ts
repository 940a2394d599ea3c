import { afterAll, beforeAll, expect, test } from 'vitest'
import { BUYER_FIELDS, isBuyerField } from '#connectors/contract/buyer-fields.ts'
import { expireApprovals } from '#payments/acts/expire.ts'
import { createStandIn, type StandIn, TEST_KEY } from '#sandbox/stand-ins/stripe/stand-in.ts'
import { sign } from '#sandbox/stand-ins/stripe/webhooks.ts'
import { startTestService, type TestService } from '#testing/harness.ts'
import { CARD, openTill, type Till } from '#testing/till.ts'
import { METHODS } from './methods.ts'

const SECRET = 'whsec_of_the_test'
const AT = { account: 'stripe-shop' }
const DAY_MS = 24 * 3_600_000

let service: TestService
let till: Till
let standIn: StandIn
let close = async () => {}
let aheadMs = 0
let webhookPath = ''
let fields: Record<string, string>

beforeAll(async () => {
  service = await startTestService()
  // The network is asked for real here: a busy machine must not turn an answer into an unknown one.
  Object.assign(service.providers, { timeoutMs: 25_000 })
  till = openTill(service)
  standIn = createStandIn({
    now: () => new Date(Date.now() + aheadMs),
    webhook: { url: 'https://stripe.example.com', secret: SECRET },
    send: async ({ headers, body }) =>
      (await service.app.inject({ method: 'POST', url: webhookPath, headers, payload: body })).statusCode,
  })
  const listening = await standIn.listen(0)
  close = listening.close
  await service.send('POST /merchant-accounts', { id: AT.account, display_name: 'Shop' })
  fields = {
    secret_key: TEST_KEY,
    webhook_secret: SECRET,
    stand_in_url: listening.origin,
    flexible_captures: 'true',
  }
  webhookPath = new URL((await connect('stripe-card', 'USD', 'US')).webhook_url).pathname
})
afterAll(async () => {
  await close()
  await service.close()
})

async function connect(definition: string, currency: string, country: string) {
  const { flexible_captures: _cardsOnly, ...others } = fields
  const entries = Object.entries(definition === 'stripe-card' ? fields : others)
  const made = await service.send(
    'POST /payment-services',
    {
      display_name: definition,
      payment_service_definition_id: definition,
      fields: entries.map(([key, value]) => ({ key, value })),
      accepted_currencies: [currency],
      accepted_countries: [country],
    },
    AT,
  )
  expect(made.statusCode, made.body).toBe(201)
  return made.json()
}

/** Here and at Stripe. */
function moveClocks(ms: number): void {
  aheadMs += ms
  service.moveClock(ms)
}

/** As the buyer does on Stripe's page. */
function answerAt(page: string, form: Record<string, string>): Promise<Response> {
  return fetch(page, { method: 'POST', body: new URLSearchParams(form), redirect: 'manual' })
}

const cardOf = (number: string) => ({ ...CARD, number })
const deliver = () =>
  standIn.fetch('https://api.stripe.com/_stand-in/deliver', { method: 'POST', body: '{}' })
const control = (path: string, body: object = {}) =>
  standIn.fetch(`https://api.stripe.com/_stand-in/${path}`, { method: 'POST', body: JSON.stringify(body) })

test('a card is authorized, captured, refunded and disputed', async () => {
  const paid = await till.pay({ payment_method: cardOf('4242424242424242') }, AT)
  const captured = await till.act(paid.id, 'capture', { amount: 1000 }, AT)
  const refunded = await till.act(paid.id, 'refunds', { amount: 300 }, AT)
  await control(`payment_intents/${paid.payment_service_transaction_id}/dispute`, { amount: 700 })
  await deliver()

  expect(paid.status).toBe('authorization_succeeded')
  expect(captured.statusCode, captured.body).toBe(200)
  expect(refunded.json(), refunded.body).toMatchObject({ status: 'succeeded', amount: 300 })
  const chargebacks = await service.send(`GET /transactions/${paid.id}/chargebacks`, undefined, AT)
  expect(chargebacks.json().items).toMatchObject([{ amount: -700, currency: 'USD' }])
})

test.each([
  [{ method: 'network-token', token: '4111111111111111', expiration_date: '12/35', cryptogram: 'AAAA' }],
  [{ method: 'applepay', token: { data: 'sealed', header: {}, signature: 's', version: 'EC_v1' } }],
])('Stripe is not offered what it cannot take: %o', async (payment_method) => {
  const before = standIn.events.length

  const paid = await till.pay({ payment_method }, AT)

  expect(paid).toMatchObject({ status: 'authorization_failed', error_code: 'all_attempts_skipped' })
  const { items } = (await service.send(`GET /transactions/${paid.id}/events`, undefined, AT)).json()
  const why = items.find(({ name }: { readonly name: string }) => name === 'payment-service-skipped')
  expect(why.context).toMatchObject({ reason: 'instrument_not_supported' })
  expect(standIn.events).toHaveLength(before)
})

test('an inquiry becomes a chargeback that is lost: one dispute with all its steps', async () => {
  const paid = await till.pay({ payment_method: cardOf('4242424242424242'), intent: 'capture' }, AT)
  const path = `payment_intents/${paid.payment_service_transaction_id}/dispute`
  const { id } = (await (await control(path, { reason: 'inquiry' })).json()) as { id: string }
  await deliver()
  expect((await till.get(paid.id, AT)).disputed).toBe(false)
  await control(`disputes/${id}/escalate`)
  await control(`disputes/${id}/answer`)
  await control(`disputes/${id}/close`, { outcome: 'lost' })
  await deliver()

  const { items } = (await service.send(`GET /disputes?transaction_id=${paid.id}`, undefined, AT)).json()
  expect(items).toMatchObject([{ external_identifier: id, stage: 'lost' }])
  const stages = items[0].steps.map(({ stage }: { readonly stage: string }) => stage)
  expect(stages).toEqual(['inquiry', 'chargeback', 'chargeback', 'lost'])
  const chargebacks = await service.send(`GET /transactions/${paid.id}/chargebacks`, undefined, AT)
  expect(chargebacks.json().items).toHaveLength(1)
})

test('disputes are answered: evidence goes to Stripe once, and accepting gives the money up', async () => {
  const openDispute = async () => {
    const paid = await till.pay({ payment_method: cardOf('4242424242424242'), intent: 'capture' }, AT)
    await control(`payment_intents/${paid.payment_service_transaction_id}/dispute`, { reason: 'general' })
    await deliver()
    return (await service.send(`GET /disputes?transaction_id=${paid.id}`, undefined, AT)).json().items[0].id
  }
  const defended = await openDispute()
  const accepted = await openDispute()
  const evidence = {
    texts: [{ name: 'shipping_tracking_number', text: '1Z999AA10123456784' }],
    files: [
      {
        name: 'receipt',
        file_name: 'receipt.pdf',
        content_type: 'application/pdf',
        content: Buffer.from('%PDF-1.4').toString('base64'),
      },
    ],
  }
  await control('faults', {
    endpoint: `POST /v1/disputes/${(await service.send(`GET /disputes/${defended}`, undefined, AT)).json().external_identifier}`,
    fault: 'error_after',
  })

  const sent = await service.send(`POST /disputes/${defended}/evidence`, evidence, AT)
  const given = await service.send(`POST /disputes/${accepted}/accept`, undefined, AT)
  expect(sent.json().answer, sent.body).toMatchObject({ status: 'processing' })
  moveClocks(61_000)
  await service.resolveDue()
  await deliver()

  expect(given.json().answer, given.body).toMatchObject({ act: 'accept', status: 'succeeded' })
  const after = async (id: string) => (await service.send(`GET /disputes/${id}`, undefined, AT)).json()
  expect(await after(accepted)).toMatchObject({ stage: 'lost', answer: { status: 'succeeded' } })
  const dispute = await after(defended)
  expect(dispute.answer).toMatchObject({ status: 'succeeded', evidence: [{ bytes: 18 }, { bytes: 8 }] })
  expect(dispute.steps.at(-1).provider_stage).toBe('under_review')
})

test('a buyer authenticates at Stripe, and comes back', async () => {
  const redirect_url = 'https://shop.example.com/thanks'
  const waiting = await till.pay({ payment_method: { ...cardOf('4000002760003184'), redirect_url } }, AT)
  const approved = await answerAt(waiting.payment_method.approval_url, { outcome: 'approve' })
  const back = new URL(approved.headers.get('location') ?? '')

  const returned = await service.app.inject({ method: 'GET', url: back.pathname + back.search })

  expect(waiting.status).toBe('buyer_approval_pending')
  expect(returned.headers.location).toContain(redirect_url)
  expect((await till.get(waiting.id, AT)).status).toBe('authorization_succeeded')
})

const ADDRESS = { line1: 'Damrak 1', city: 'Amsterdam', postal_code: '1011 AB', country: 'NL' }
const BUYER = {
  first_name: 'Ada',
  last_name: 'Lovelace',
  email_address: 'ada@example.com',
  address: { ...ADDRESS, state: 'Noord-Holland' },
  tax_id: { kind: 'br.cpf', value: '568.617.525-09' },
}
/** Where the buyer approves: at Stripe, or where our page with the code or the number leads. */
async function pageOf(approvalUrl: string): Promise<string> {
  const { pathname } = new URL(approvalUrl)
  if (!pathname.startsWith('/approvals/')) return approvalUrl
  const { body } = await service.app.inject({ url: pathname })
  return /href="([^"]+\/instructions\/[^"]+)"/.exec(body)?.[1] ?? ''
}

test.each(METHODS)(
  'a row is a method: $method is paid, told by a notification, and refunded in part',
  async ({ method, currencies, countries, refunds, shape, fields: asked = {} }) => {
    const [currency = ''] = currencies === 'all' ? ['EUR'] : currencies
    const [country = ''] = countries === 'all' ? ['NL'] : countries
    const by = await connect(`stripe-${method}`, currency, country)
    const cards = webhookPath
    webhookPath = new URL(by.webhook_url).pathname
    const names = Object.keys(asked).filter(isBuyerField)
    const payment_method = {
      method,
      country,
      currency,
      redirect_url: 'https://shop.example.com/',
      fields: Object.fromEntries(names.map((name) => [name, BUYER_FIELDS[name].example])),
    }
    const buyer = { billing_details: BUYER }
    const body = { amount: 1299, currency, country, intent: 'capture', buyer, payment_method }
    const abroad = { currency: 'ISK', country: 'IS' }

    const sold = await till.pay(body, AT)
    // The buyer approves, and does not come back.
    if (shape === 'wait') await control(`finish/${sold.payment_service_transaction_id}`)
    else await answerAt(await pageOf(sold.payment_method.approval_url), { outcome: 'approve' })
    await deliver()
    const statusNow = async () => {
      await service.resolveDue()
      return (await till.get(sold.id, AT)).status
    }
    await expect.poll(statusNow, { timeout: 10_000 }).toBe('capture_succeeded')
    webhookPath = cards
    const refund = (await till.act(sold.id, 'refunds', { amount: 400 }, AT)).json()
    const isRefunded = refunds !== false
    const elsewhere = await till.pay(
      { ...body, ...abroad, payment_method: { ...payment_method, ...abroad } },
      AT,
    )

    expect(sold).toMatchObject({
      status: 'buyer_approval_pending',
      payment_service: { payment_service_definition_id: `stripe-${method}` },
    })
    expect(refund.status).toBe(isRefunded ? 'succeeded' : 400)
    const amounts = { captured_amount: 1299, refunded_amount: isRefunded ? 400 : 0 }
    expect(await till.get(sold.id, AT)).toMatchObject(amounts)
    expect(elsewhere.payment_service).toBeNull()
  },
)

const HOLDER = { first_name: 'Jane', last_name: 'Doe' }

test.each([
  ['sepa', 'EUR', 'DE', { account_number: 'AT611904300234573201' }],
  ['bacs', 'GBP', 'GB', { account_number: '00012345', routing_number: '108800' }],
])(
  'a stored account is debited by %s, and again by the same permission of its buyer',
  async (scheme, currency, country, numbers) => {
    const debits = await connect(`stripe-${scheme}`, currency, country)
    const body = { method: 'bank', scheme, account_holder: HOLDER, ...numbers }
    const account = (await service.send('POST /payment-methods', body, AT)).json()
    const debit = (over: object) =>
      till.pay(
        {
          currency,
          country,
          intent: 'capture',
          buyer: { billing_details: BUYER },
          payment_method: { method: 'id', id: account.id },
          ...over,
        },
        AT,
      )
    const first = await debit({})
    const later = await debit({
      payment_source: 'recurring',
      merchant_initiated: true,
      is_subsequent_payment: true,
    })
    await control('finish')
    const cards = webhookPath
    webhookPath = new URL(debits.webhook_url).pathname
    await deliver()
    webhookPath = cards

    const accepted = Math.floor(Date.parse(account.created_at) / 1_000)
    for (const { id, payment_service } of [first, later]) {
      expect(payment_service.id).toBe(debits.id)
      const paid = await till.get(id, AT)
      expect(paid).toMatchObject({ status: 'capture_succeeded' })
      const mandate = paid.additional_identifiers.mandate_reference
      const shown = await standIn.fetch(`https://api.stripe.com/v1/mandates/${mandate}`, {
        headers: { authorization: `Bearer ${TEST_KEY}` },
      })
      expect(await shown.json()).toMatchObject({
        type: 'multi_use',
        customer_acceptance: { type: 'offline', accepted_at: accepted },
      })
    }
  },
)

test('a stored account is debited by ACH once its buyer has proved that it is theirs', async () => {
  const debits = await connect('stripe-ach', 'USD', 'US')
  const body = {
    method: 'bank',
    scheme: 'ach',
    account_holder: HOLDER,
    account_number: '000123456789',
    routing_number: '110000000',
    account_type: 'checking',
  }
  const account = (await service.send('POST /payment-methods', body, AT)).json()
  const waiting = await till.pay(
    {
      intent: 'capture',
      buyer: { billing_details: { email_address: 'jane@example.com' } },
      payment_method: { method: 'id', id: account.id, redirect_url: 'https://shop.example.com/thanks' },
    },
    AT,
  )
  expect(waiting).toMatchObject({ status: 'buyer_approval_pending', payment_service: { id: debits.id } })
  // The deposit needs two days.
  moveClocks(2 * DAY_MS)
  await expireApprovals(service.context, service.engine)
  await service.resolveDue()
  // Stripe's page for this leads back to no shop.
  const verified = await answerAt(waiting.payment_method.approval_url, { descriptor_code: 'SM11AA' })
  expect(verified.status).toBe(200)
  await control('finish')
  const cards = webhookPath
  webhookPath = new URL(debits.webhook_url).pathname
  await deliver()
  webhookPath = cards
  moveClocks(-2 * DAY_MS)
  const refunded = await till.act(waiting.id, 'refunds', { amount: 300 }, AT)

  expect(refunded.statusCode, refunded.body).toBe(201)
  expect(await till.get(waiting.id, AT)).toMatchObject({
    status: 'capture_succeeded',
    captured_amount: waiting.amount,
    refunded_amount: 300,
  })
})

test('a decline has our code and the bank’s', async () => {
  const declined = await till.pay({ payment_method: cardOf('4000000000009995') }, AT)

  expect(declined).toMatchObject({
    status: 'authorization_declined',
    error_code: 'insufficient_funds',
    raw_response_code: 'insufficient_funds',
  })
})

test('a refund fails days after it succeeded', async () => {
  const paid = await till.pay({ payment_method: cardOf('4000000000005126'), intent: 'capture' }, AT)
  const refund = (await till.act(paid.id, 'refunds', { amount: 300 }, AT)).json()
  await control('finish')
  await deliver()

  const after = await service.send(`GET /transactions/${paid.id}/refunds/${refund.id}`, undefined, AT)
  expect([refund.status, after.json().status]).toEqual(['succeeded', 'failed'])
})

test('messages that come twice, out of order, late, or about nothing of ours change nothing', async () => {
  const paid = await till.pay({ payment_method: cardOf('4242424242424242') }, AT)
  await till.act(paid.id, 'capture', { amount: 1000 }, AT)
  await till.act(paid.id, 'refunds', { amount: 300 }, AT)
  const told = await till.told(paid.id)
  const after = await till.get(paid.id, AT)
  const ours = standIn.events.filter((event) =>
    JSON.stringify(event).includes(paid.payment_service_transaction_id),
  )
  const pass = async (event: object, at = new Date()) => {
    const payload = JSON.stringify(event)
    const headers = {
      'content-type': 'application/json',
      'stripe-signature': sign(payload, { secret: SECRET, now: at }),
    }
    return (await service.app.inject({ method: 'POST', url: webhookPath, headers, payload })).statusCode
  }

  const statuses = []
  for (const event of [...ours.toReversed(), ...ours]) statuses.push(await pass(event))
  const stranger = JSON.parse(
    JSON.stringify(ours).replaceAll(paid.payment_service_transaction_id, 'pi_of_another_shop'),
  )
  for (const event of stranger) statuses.push(await pass({ ...event, id: `${event.id}_other` }))
  const old = await pass(ours[0] ?? {}, new Date(Date.now() - 3_600_000))

  expect(ours.length).toBeGreaterThan(1)
  expect(statuses.filter((status) => status >= 300)).toEqual([])
  expect(old).toBe(400)
  expect(after).toMatchObject({ captured_amount: 1000, refunded_amount: 300 })
  expect(await till.get(paid.id, AT)).toEqual(after)
  expect(await till.told(paid.id)).toEqual(told)
})
