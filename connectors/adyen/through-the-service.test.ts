import { afterAll, beforeAll, expect, test } from 'vitest'
import { BUYER_FIELDS, isBuyerField } from '#connectors/contract/buyer-fields.ts'
import { createStandIn, type StandIn } from '#sandbox/stand-ins/adyen/stand-in.ts'
import { startTestService, type TestService } from '#testing/harness.ts'
import { CARD, openTill, type Till } from '#testing/till.ts'
import { METHODS } from './methods.ts'
import { orderBy } from './testing/shop.ts'

const AT = { account: 'adyen-shop' }
const DAY_MS = 24 * 3_600_000

let service: TestService
let till: Till
let standIn: StandIn
let close = async () => {}
type Service = { readonly id: string; readonly webhook_url: string }
let own: Service
let fields: Record<string, string>

beforeAll(async () => {
  service = await startTestService()
  // The network is asked for real here: a busy machine must not turn an answer into an unknown one.
  Object.assign(service.providers, { timeoutMs: 25_000 })
  till = openTill(service)
  standIn = createStandIn({ now: () => new Date() })
  const listening = await standIn.listen(0)
  close = listening.close
  await service.send('POST /merchant-accounts', { id: AT.account, display_name: 'Shop' })
  const { apiKey, merchantAccount } = standIn.account
  fields = { api_key: apiKey, merchant_account: merchantAccount, stand_in_url: listening.origin }
  own = await connect('adyen-card', 'USD', 'US')
  const registered = await service.send(`POST /payment-services/${own.id}/notifications`, undefined, AT)
  expect(registered.statusCode, registered.body).toBe(200)
  // The test hands the messages over itself.
  await control('webhook', { url: '' })
})
afterAll(async () => {
  await close()
  await service.close()
})

async function connect(definition: string, currency: string, country: string): Promise<Service> {
  const made = await service.send(
    'POST /payment-services',
    {
      display_name: definition,
      payment_service_definition_id: definition,
      fields: Object.entries(fields).map(([key, value]) => ({ key, value })),
      accepted_currencies: [currency],
      accepted_countries: [country],
      payment_method_tokenization_enabled: definition === 'adyen-card',
    },
    AT,
  )
  expect(made.statusCode, made.body).toBe(201)
  return made.json()
}

async function control(path: string, body: object = {}) {
  const url = `https://stand-in.invalid/_stand-in/${path}`
  const response = await standIn.fetch(url, { method: 'POST', body: JSON.stringify(body) })
  return (await response.json()) as Record<string, string>
}

/** Ends what waits at Adyen, or one of it, and passes its messages on. */
async function finish(pspReference = '') {
  await control('finish', { pspReference })
  await hear()
}

async function hear(by: Service = own) {
  const { message = '' } = await control('notifications/take')
  await pass(message, by)
}

async function pass(payload: string, by: Service = own) {
  const headers = { 'content-type': 'application/json' }
  const url = new URL(by.webhook_url).pathname
  const answer = await service.app.inject({ method: 'POST', url, headers, payload })
  expect(answer.statusCode, answer.body).toBe(200)
}

const PENDING = { billing_details: { first_name: 'PENDING' } }
const sumsOf = async (pspReference: string) => {
  const response = await standIn.fetch('https://stand-in.invalid/_stand-in/books')
  const { payments } = (await response.json()) as { payments: { pspReference: string }[] }
  return payments.find((payment) => payment.pspReference === pspReference)
}

test('a payment that waits for its bank is cancelled', async () => {
  const waiting = await till.pay({ buyer: PENDING }, AT)
  const psp = waiting.payment_service_transaction_id
  const asked = await till.act(waiting.id, 'cancel', undefined, AT)
  const modification = (await attemptsOf(waiting.id)).find(({ kind }) => kind === 'cancel')
  await finish(modification?.reference)

  expect(waiting.status).toBe('processing')
  expect(asked.json(), asked.body).toMatchObject({ type: 'transaction-cancel', status: 'pending' })
  expect(await till.get(waiting.id, AT)).toMatchObject({ status: 'authorization_failed' })
  expect(await sumsOf(psp)).toMatchObject({ status: 'cancelled', captured: 0 })
})

test('a sale that Adyen approves after it was refused is reversed, and the reversal is heard of', async () => {
  const waiting = await till.pay({ buyer: PENDING, intent: 'capture' }, AT)
  const psp = waiting.payment_service_transaction_id
  await control('finish', { pspReference: psp, success: false })
  await hear()
  const refused = await till.get(waiting.id, AT)
  await finish(psp)
  await service.resolveDue()
  const [reversal] = (await attemptsOf(waiting.id)).filter(({ kind }) => kind === 'void')
  const before = await sumsOf(psp)
  await finish(reversal?.reference)

  expect(refused.status).toBe('authorization_declined')
  expect(before).toMatchObject({ status: 'authorised', captured: 1000, refunded: 0 })
  expect(reversal).toMatchObject({ state: 'pending' })
  expect(await sumsOf(psp)).toMatchObject({ refunded: 1000 })
  expect((await attemptsOf(waiting.id)).find(({ kind }) => kind === 'void')).toMatchObject({
    state: 'approved',
  })
})

test('a whole refund of a sale in one step is heard of', async () => {
  const sale = await till.pay({ intent: 'capture' }, AT)
  const refund = (await till.act(sale.id, 'refunds', {}, AT)).json()
  await finish(refund.payment_service_refund_id)

  expect(refund.status).toBe('processing')
  expect(await till.get(sale.id, AT)).toMatchObject({ status: 'capture_succeeded', refunded_amount: 1000 })
})

test('a stored card gets a token of Adyen, pays with it, and loses it', async () => {
  const card = (await service.send('POST /payment-methods', CARD, AT)).json()
  const path = `/payment-methods/${card.id}/payment-service-tokens`
  const body = { payment_service_id: own.id, redirect_url: 'https://shop.example.com/stored' }
  const token = await service.send(`POST ${path}`, body, AT)
  expect(token.statusCode, token.body).toBe(201)
  const paid = await till.pay({ payment_method: { method: 'id', id: card.id } }, AT)
  await service.send(`DELETE ${path}/${token.json().id}`, undefined, AT)
  await service.resolveDue()

  expect(paid.status).toBe('authorization_succeeded')
  const kinds = (await movements()).map(({ kind }) => kind)
  expect(kinds.filter((kind) => kind === 'STORE' || kind === 'DELETE')).toEqual(['STORE', 'DELETE'])
})

test('messages that come twice, out of order, late, or about nothing of ours change nothing', async () => {
  // What other tests have left.
  await control('notifications/take')
  const paid = await till.pay({}, AT)
  await till.act(paid.id, 'capture', { amount: 1000 }, AT)
  await control('finish')
  const { message = '' } = await control('notifications/take')
  const [authorised, captured] = JSON.parse(message).notificationItems.map((item: object) =>
    JSON.stringify({ live: 'false', notificationItems: [item] }),
  )
  await pass(captured)
  const told = await till.told(paid.id)
  const after = await till.get(paid.id, AT)
  for (const again of [authorised, captured, message]) await pass(again)
  await standIn.fetch('https://checkout-test.adyen.com/v71/payments', {
    method: 'POST',
    headers: { 'x-api-key': standIn.account.apiKey },
    body: JSON.stringify({
      merchantAccount: standIn.account.merchantAccount,
      amount: { value: 1000, currency: 'USD' },
      reference: 'a sale at the counter',
      returnUrl: 'https://shop.example.com',
      paymentMethod: { type: 'scheme', number: '4111111111111111', expiryMonth: '03', expiryYear: '2030' },
    }),
  })
  await hear()
  // The signature of Adyen covers no time: an old message cannot be told from a repeated one.
  service.moveClock(40 * DAY_MS)
  await pass(message)
  service.moveClock(-40 * DAY_MS)

  expect(after).toMatchObject({ status: 'capture_succeeded', captured_amount: 1000 })
  expect(await till.get(paid.id, AT)).toEqual(after)
  expect(await till.told(paid.id)).toEqual(told)
})

test('a dispute is heard of from the first question to the decision', async () => {
  await control('notifications/take')
  const paid = await till.pay({ intent: 'capture' }, AT)
  const pspReference = paid.payment_service_transaction_id
  const opened = await control('disputes', { pspReference, eventCode: 'REQUEST_FOR_INFORMATION' })
  const dispute = opened['pspReference'] ?? ''
  const stageAfter = async (act: string, body = {}) => {
    if (act !== '') await control(`disputes/${dispute}/${act}`, body)
    await hear()
    const { items } = (await service.send(`GET /disputes?transaction_id=${paid.id}`, undefined, AT)).json()
    expect(items).toHaveLength(1)
    return { ...items[0], isTaken: (await till.get(paid.id, AT)).disputed }
  }

  const asked = await stageAfter('')
  const taken = await stageAfter('charge-back')
  const supplied = await stageAfter('tell', { eventCode: 'INFORMATION_SUPPLIED' })
  const returned = await stageAfter('reverse')
  const lost = await stageAfter('second')

  expect(asked).toMatchObject({ stage: 'inquiry', isTaken: false, external_identifier: dispute })
  expect(Date.parse(asked.respond_by)).toBeGreaterThan(Date.now())
  expect(taken).toMatchObject({ id: asked.id, stage: 'chargeback', isTaken: true, amount: 1000 })
  expect([supplied.stage, returned.stage]).toEqual(['chargeback', 'chargeback'])
  expect(lost).toMatchObject({ stage: 'lost', respond_by: null })
  expect(lost.steps.map(({ provider_stage }: { readonly provider_stage: string }) => provider_stage)).toEqual(
    [
      'REQUEST_FOR_INFORMATION',
      'NOTIFICATION_OF_CHARGEBACK',
      'CHARGEBACK',
      'INFORMATION_SUPPLIED',
      'CHARGEBACK_REVERSED',
      'SECOND_CHARGEBACK',
    ],
  )
})

test('a card that has too little pays a part, if the payment allows it', async () => {
  await control('balances', { number: CARD.number, value: 400 })
  const whole = await till.pay({}, AT)
  const part = await till.pay({ allow_partial_authorization: true }, AT)
  await control('balances', { number: CARD.number, value: 99_999_999 })

  expect(whole).toMatchObject({ status: 'authorization_declined', error_code: 'insufficient_funds' })
  expect(part).toMatchObject({ status: 'authorization_succeeded', amount: 1000, authorized_amount: 400 })
})

// The last tests here: the stand-in signs with the key of its last webhook.
test('a buyer who never came back ends the payment, and one who paid has paid', async () => {
  await control('notifications/take')
  const ideals = await connect('adyen-ideal', 'EUR', 'NL')
  const registered = await service.send(`POST /payment-services/${ideals.id}/notifications`, undefined, AT)
  expect(registered.statusCode, registered.body).toBe(200)
  await control('webhook', { url: '' })
  const sale = () => {
    const redirect_url = 'https://shop.example.com/thanks'
    const payment_method = { method: 'ideal', country: 'NL', currency: 'EUR', redirect_url }
    return till.pay({ currency: 'EUR', country: 'NL', intent: 'capture', payment_method }, AT)
  }
  const [left, paid] = [await sale(), await sale()]
  await comeBack(paid.payment_method.approval_url)
  for (const one of [left, paid]) {
    await control(`payments/${one.payment_method.approval_url.split('/').at(-1)}/close`)
  }
  await hear(ideals)

  expect(left.status).toBe('buyer_approval_pending')
  expect(await till.get(left.id, AT)).toMatchObject({
    status: 'authorization_failed',
    error_code: 'cancelled_buyer_approval',
  })
  expect(await till.get(paid.id, AT)).toMatchObject({ status: 'capture_succeeded', captured_amount: 1000 })
})

const SHOWN = { qr: 'aria-label="QR code"', voucher: '<output id="number"', wait: 'Approve in your app' }

test.each(METHODS)(
  'a row is a method: $method is paid, told by a notification, and refunded in part',
  async (row) => {
    const { currency, country, billing, shipping } = orderBy(row)
    await control('notifications/take')
    const by = await connect(`adyen-${row.method}`, currency, country)
    const registered = await service.send(`POST /payment-services/${by.id}/notifications`, undefined, AT)
    expect(registered.statusCode, registered.body).toBe(200)
    await control('webhook', { url: '' })
    const payment_method = {
      method: row.method,
      country,
      currency,
      redirect_url: 'https://shop.example.com/',
      fields: Object.fromEntries(
        Object.keys(row.fields ?? {})
          .filter(isBuyerField)
          .map((name) => [name, BUYER_FIELDS[name].example]),
      ),
    }
    const body = { amount: 129_900, currency, country, intent: 'capture', payment_method }
    const buyer = { billing_details: billing, shipping_details: shipping }

    const asked = { amount: 129_900, currency, country }
    const options = (await service.send('POST /payment-options', asked, AT)).json()
    const sold = await till.pay({ ...body, buyer }, AT)
    const page = await service.app.inject({ url: new URL(sold.payment_method.approval_url).pathname })
    if (row.shape === undefined) await comeBack(sold.payment_method.approval_url)
    else await control('finish')
    await hear(by)
    const paid = await till.get(sold.id, AT)
    const refund = (await till.act(sold.id, 'refunds', { amount: 40_000 }, AT)).json()
    await control('finish')
    if (row.refunds !== false) await hear(by)
    const abroad = { currency: 'ISK', country: 'IS' }
    const elsewhere = await till.pay(
      { ...body, ...abroad, payment_method: { ...payment_method, ...abroad }, buyer },
      AT,
    )

    expect(options.items).toContainEqual(expect.objectContaining({ method: row.method }))
    expect(sold).toMatchObject({
      status: 'buyer_approval_pending',
      payment_service: { payment_service_definition_id: `adyen-${row.method}` },
    })
    if (row.shape) expect(page.body).toContain(SHOWN[row.shape])
    expect(paid.status).toBe('capture_succeeded')
    expect(refund.status).toBe(row.refunds === false ? 400 : 'processing')
    expect(await till.get(sold.id, AT)).toMatchObject({
      refunded_amount: row.refunds === false ? 0 : 40_000,
    })
    expect(elsewhere.payment_service).toBeNull()
  },
)

test.each([
  ['sepa', 'EUR', 'DE', { account_number: 'DE89370400440532013000' }],
  ['bacs', 'GBP', 'GB', { account_number: '09083055', routing_number: '560036' }],
  [
    'ach',
    'USD',
    'US',
    { account_number: '123456789', routing_number: '121000358', account_type: 'checking' },
  ],
])(
  'a stored account is debited by %s, and again without the buyer',
  async (scheme, currency, country, numbers) => {
    await control('notifications/take')
    const debits = await connect(`adyen-${scheme}`, currency, country)
    const registered = await service.send(`POST /payment-services/${debits.id}/notifications`, undefined, AT)
    expect(registered.statusCode, registered.body).toBe(200)
    await control('webhook', { url: '' })
    const account_holder = { first_name: 'Jane', last_name: 'Doe' }
    const body = { method: 'bank', scheme, account_holder, ...numbers }
    const account = (await service.send('POST /payment-methods', body, AT)).json()
    const payment_method = { method: 'id', id: account.id }
    const debit = (over: object) =>
      till.pay({ amount: 1000, currency, country, intent: 'capture', payment_method, ...over }, AT)

    const first = await debit({})
    const later = await debit({
      payment_source: 'recurring',
      merchant_initiated: true,
      is_subsequent_payment: true,
    })
    await control('finish')
    await hear(debits)
    const refund = (await till.act(first.id, 'refunds', { amount: 400 }, AT)).json()
    await control('finish')
    await hear(debits)

    expect([first, later].map(({ payment_service }) => payment_service.id)).toEqual([debits.id, debits.id])
    expect(await till.get(first.id, AT)).toMatchObject({
      status: 'capture_succeeded',
      captured_amount: 1000,
      refunded_amount: 400,
      ...(scheme === 'sepa' && {
        additional_identifiers: {
          mandate_reference: first.payment_service_transaction_id,
          mandate_signed_on: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
        },
      }),
    })
    expect(await till.get(later.id, AT)).toMatchObject({ status: 'capture_succeeded' })
    expect(refund.status).toBe('processing')
  },
)

/** The buyer approves on Adyen's page. */
async function comeBack(page: string): Promise<void> {
  const body = new URLSearchParams({ decision: 'approve' })
  const approved = await fetch(page, { method: 'POST', body, redirect: 'manual' })
  const back = new URL(approved.headers.get('location') ?? '')
  await service.app.inject({ method: 'GET', url: back.pathname + back.search })
}

async function movements() {
  const response = await standIn.fetch('https://stand-in.invalid/_stand-in/books')
  return ((await response.json()) as { movements: { kind: string }[] }).movements
}

type Attempt = { readonly kind: string; readonly state: string; readonly reference: string }

async function attemptsOf(id: string): Promise<readonly Attempt[]> {
  const { rows } = await service.database.pool.query(
    'select kind, state, reference from attempts where transaction_id = $1 order by created_at',
    [id],
  )
  return rows
}
