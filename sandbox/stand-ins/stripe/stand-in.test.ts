import { randomUUID } from 'node:crypto'
import Stripe from 'stripe'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createStandIn, type StandIn, TEST_KEY } from './stand-in.ts'

const API = 'https://api.stripe.com'
const SECRET = 'whsec_of_the_test'
const RESTRICTED = 'rk_test_balance_only'

let time = new Date('2026-11-16T10:00:00Z')
let standIn: StandIn
let stripe: Stripe
let sent: { url: string; headers: Readonly<Record<string, string>>; body: string }[] = []

beforeEach(() => {
  time = new Date('2026-11-16T10:00:00Z')
  sent = []
  standIn = createStandIn({
    now: () => time,
    keys: { [TEST_KEY]: 'all', [RESTRICTED]: { balance: 'read' }, sk_test_old: 'expired' },
    webhook: { url: 'https://shop.example.com/hooks', secret: SECRET },
    send: async (message) => sent.push(message) && 200,
  })
  stripe = clientWith(TEST_KEY)
})

function clientWith(key: string): Stripe {
  const httpClient = Stripe.createFetchHttpClient(standIn.fetch as typeof fetch)
  return new Stripe(key, { httpClient, maxNetworkRetries: 0, telemetry: false })
}

const controlled = async (path: string, body: object = {}) =>
  (await standIn.fetch(`${API}/_stand-in/${path}`, { method: 'POST', body: JSON.stringify(body) })).json()

const types = () => standIn.events.map(({ type }) => type)

async function method(number = '4242424242424242', over: Stripe.PaymentMethodCreateParams = {}) {
  const card = { number, exp_month: 12, exp_year: 2035, cvc: '123' }
  return (await stripe.paymentMethods.create({ type: 'card', card, ...over })).id
}

async function pay(
  number?: string,
  over: Partial<Stripe.PaymentIntentCreateParams> = {},
  key = randomUUID(),
) {
  const payment_method = await method(number)
  return stripe.paymentIntents.create(
    {
      amount: 1299,
      currency: 'usd',
      confirm: true,
      payment_method,
      allowed_payment_method_types: ['card'],
      capture_method: 'manual',
      expand: ['latest_charge'],
      ...over,
    },
    { idempotencyKey: key },
  )
}

async function refusal(work: Promise<unknown>) {
  const error = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof Stripe.errors.StripeError)) throw new Error('it was not refused')
  return error
}

describe('requests', () => {
  const create = (body: string, type = 'application/x-www-form-urlencoded') =>
    standIn.fetch(`${API}/v1/payment_intents`, {
      method: 'POST',
      headers: { authorization: `Bearer ${TEST_KEY}`, 'content-type': type },
      body,
    })

  test.each([
    ['an unknown parameter', 'amount=1299&currency=usd&colour=red', 'parameter_unknown', 'colour'],
    [
      'an unknown parameter inside',
      'amount=1299&currency=usd&payment_method_options[card][three_d_secur][version]=2.2.0',
      'parameter_unknown',
      'payment_method_options[card][three_d_secur]',
    ],
    [
      'a raw card in the intent',
      'amount=1299&currency=usd&payment_method_data[type]=card&payment_method_data[card][number]=4242424242424242',
      'parameter_unknown',
      'payment_method_data[card]',
    ],
    ['no amount', 'currency=usd', 'parameter_missing', 'amount'],
    ['an amount that is no integer', 'amount=12.99&currency=usd', 'parameter_invalid_integer', 'amount'],
    ['an empty text', 'amount=1299&currency=', 'parameter_invalid_empty', 'currency'],
    ['zero', 'amount=0&currency=usd', 'parameter_invalid_integer', 'amount'],
    ['less than the least amount', 'amount=49&currency=usd', 'amount_too_small', 'amount'],
    ['more than eight digits', 'amount=100000000&currency=usd', 'amount_too_large', 'amount'],
    ['part of a króna', 'amount=550&currency=isk', 'invalid_charge_amount', 'amount'],
    ['a fils', 'amount=5124&currency=kwd', 'invalid_charge_amount', 'amount'],
  ])('are refused with %s', async (_name, body, code, param) => {
    const response = await create(body)

    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({
      error: { type: 'invalid_request_error', code, param },
    })
  })

  test('are refused as JSON', async () => {
    const response = await create('{"amount":1299}', 'application/json')

    expect(response.status).toBe(400)
  })

  test('need a key that is known, current, and allowed to', async () => {
    const unknown = await refusal(clientWith('sk_test_other').balance.retrieve())
    const expired = await refusal(clientWith('sk_test_old').balance.retrieve())
    const restricted = await refusal(clientWith(RESTRICTED).paymentIntents.list())

    expect([unknown.statusCode, unknown.type]).toEqual([401, 'StripeAuthenticationError'])
    expect([expired.statusCode, expired.code]).toEqual([401, 'api_key_expired'])
    expect([restricted.statusCode, restricted.type]).toEqual([403, 'StripePermissionError'])
    expect(await clientWith(RESTRICTED).balance.retrieve()).toMatchObject({ object: 'balance' })
  })

  test('list the newest first, in pages, from a time on', async () => {
    const first = await pay()
    time = new Date(time.getTime() + 10_000)
    const second = await pay()
    const third = await pay()

    const page = await stripe.paymentIntents.list({ limit: 2 })
    const rest = await stripe.paymentIntents.list({ limit: 2, starting_after: second.id })
    const later = await stripe.paymentIntents.list({ created: { gt: first.created } })

    expect(page.data.map(({ id }) => id)).toEqual([third.id, second.id])
    expect([page.has_more, rest.has_more]).toEqual([true, false])
    expect(rest.data.map(({ id }) => id)).toEqual([first.id])
    expect(later.data).toHaveLength(2)
  })
})

test.each(['12345', 'best*shop', '寿司 Sushi', 'A very long descriptor!'])(
  'a descriptor that no bank prints is refused: %s',
  async (statement_descriptor_suffix) => {
    expect(await refusal(pay(undefined, { statement_descriptor_suffix }))).toMatchObject({
      param: 'statement_descriptor_suffix',
    })
  },
)

describe('what is bought', () => {
  const item = { product_name: 'Tea', quantity: 1, unit_cost: 1000 }
  const buying = (amount_details: object) => pay(undefined, { amount_details })

  test('adds up, or is not checked', async () => {
    const wrong = { line_items: [item] }

    expect(await refusal(buying(wrong))).toMatchObject({ code: 'amount_details_amount_mismatch' })
    expect(await buying({ ...wrong, enforce_arithmetic_validation: false })).toMatchObject({
      status: 'requires_capture',
    })
    expect(
      await buying({ ...wrong, tax: { total_tax_amount: 199 }, shipping: { amount: 100 } }),
    ).toMatchObject({
      status: 'requires_capture',
    })
  })

  test.each([
    ['without a name', { line_items: [{ quantity: 1, unit_cost: 1 }] }],
    ['with a long code', { line_items: [{ ...item, product_code: 'BAG-CANVAS-LARGE' }] }],
    ['with no discount', { line_items: [{ ...item, discount_amount: 0 }] }],
    ['with too many items', { line_items: Array.from({ length: 201 }, () => item) }],
    [
      'with two kinds of tax',
      { line_items: [{ ...item, tax: { total_tax_amount: 1 } }], tax: { total_tax_amount: 1 } },
    ],
    ['with a strange postal code', { shipping: { amount: 1, to_postal_code: '94103, CA' } }],
  ])('is refused %s', async (_name, wrong) => {
    const sent = { enforce_arithmetic_validation: false, ...wrong }
    expect((await refusal(buying(sent))).param).toContain('amount_details')
  })
})

describe('idempotency', () => {
  test('gives the first answer again, and does nothing', async () => {
    const key = randomUUID()
    const params = { amount: 1299, currency: 'usd', confirm: true, payment_method: await method() }

    const one = await stripe.paymentIntents.create(params, { idempotencyKey: key })
    const other = await stripe.paymentIntents.create(params, { idempotencyKey: key })

    expect(other.id).toBe(one.id)
    expect(standIn.effectsOf(key)).toBe(1)
  })

  test('gives a decline again', async () => {
    const key = randomUUID()
    const params = {
      amount: 1299,
      currency: 'usd',
      confirm: true,
      payment_method: await method('4000000000000002'),
    }

    const one = await refusal(stripe.paymentIntents.create(params, { idempotencyKey: key }))
    const other = await refusal(stripe.paymentIntents.create(params, { idempotencyKey: key }))

    expect(other.payment_intent?.id).toBe(one.payment_intent?.id)
    expect(standIn.effectsOf(key)).toBe(0)
  })

  test('refuses other parameters and another endpoint', async () => {
    const key = randomUUID()
    const params = { amount: 1299, currency: 'usd' }
    const { id } = await stripe.paymentIntents.create(params, { idempotencyKey: key })

    const otherAmount = stripe.paymentIntents.create({ ...params, amount: 1300 }, { idempotencyKey: key })
    const otherEndpoint = stripe.paymentIntents.cancel(id, {}, { idempotencyKey: key })

    for (const work of [otherAmount, otherEndpoint]) {
      expect(await refusal(work)).toMatchObject({ statusCode: 400, type: 'StripeIdempotencyError' })
    }
  })

  test('lets one of several twins through', async () => {
    const key = randomUUID()
    const params = { amount: 1299, currency: 'usd', confirm: true, payment_method: await method() }

    const results = await Promise.allSettled(
      Array.from({ length: 4 }, () => stripe.paymentIntents.create(params, { idempotencyKey: key })),
    )

    const refused = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []))
    expect(refused.map(({ statusCode, code }) => [statusCode, code])).toEqual(
      Array.from({ length: 3 }, () => [409, 'idempotency_key_in_use']),
    )
    expect(standIn.effectsOf(key)).toBe(1)
  })

  test('keeps no answer of a request that was not valid', async () => {
    const key = randomUUID()

    await refusal(stripe.paymentIntents.create({ amount: 1, currency: 'usd' }, { idempotencyKey: key }))
    const created = await stripe.paymentIntents.create(
      { amount: 100, currency: 'usd' },
      { idempotencyKey: key },
    )

    expect(created.amount).toBe(100)
  })

  test.each([
    ['error', 0],
    ['error_after', 1],
  ])('keeps a 500 for ever: %s', async (fault, effects) => {
    const key = randomUUID()
    const params = { amount: 1299, currency: 'usd', confirm: true, payment_method: await method() }
    await controlled('faults', { endpoint: 'POST /v1/payment_intents', fault })

    const one = await refusal(stripe.paymentIntents.create(params, { idempotencyKey: key }))
    const other = await refusal(stripe.paymentIntents.create(params, { idempotencyKey: key }))

    expect([one.statusCode, other.statusCode]).toEqual([500, 500])
    expect(standIn.effectsOf(key)).toBe(effects)
  })

  test('forgets a key after a day', async () => {
    const key = randomUUID()
    const params = { amount: 1299, currency: 'usd' }
    const one = await stripe.paymentIntents.create(params, { idempotencyKey: key })
    time = new Date(time.getTime() + 24 * 60 * 60 * 1_000)

    const other = await stripe.paymentIntents.create(params, { idempotencyKey: key })

    expect(other.id).not.toBe(one.id)
  })
})

describe('cards', () => {
  test('are authorized, then captured, and the rest is released', async () => {
    const key = randomUUID()
    const intent = await pay(undefined, {}, key)

    const captured = await stripe.paymentIntents.capture(intent.id, { amount_to_capture: 1000 })

    expect(intent).toMatchObject({ status: 'requires_capture', amount_capturable: 1299 })
    expect(captured).toMatchObject({ status: 'succeeded', amount_received: 1000, amount_capturable: 0 })
    expect(standIn.effectsOf(key)).toBe(1)
    expect(await refusal(stripe.paymentIntents.capture(intent.id))).toMatchObject({
      code: 'payment_intent_unexpected_state',
    })
  })

  test.each([
    ['4000000000000002', 'card_declined', 'generic_decline'],
    ['4000000000009995', 'card_declined', 'insufficient_funds'],
    ['4000000000009987', 'card_declined', 'lost_card'],
    ['4000000000009979', 'card_declined', 'stolen_card'],
    ['4000000000006975', 'card_declined', 'card_velocity_exceeded'],
    ['4000000000000069', 'expired_card', undefined],
    ['4000000000000127', 'incorrect_cvc', undefined],
    ['4000000000000119', 'processing_error', undefined],
    ['4100000000000019', 'card_declined', 'fraudulent'],
  ])('are declined by their number: %s', async (number, code, decline) => {
    const error = await refusal(pay(number))

    expect(error).toMatchObject({ statusCode: 402, type: 'StripeCardError', code })
    expect(error.decline_code || undefined).toBe(decline)
    expect(error.payment_intent).toMatchObject({ status: 'requires_payment_method' })
  })

  test('are refused before any bank is asked, if they cannot be right', async () => {
    const wrong = await refusal(method('4242424242424241'))
    const card = { number: '4242424242424242', exp_month: 1, exp_year: 2026, cvc: '123' }
    const past = await refusal(method(undefined, { card }))

    expect([wrong.code, past.code]).toEqual(['incorrect_number', 'invalid_expiry_year'])
  })

  test('are captured several times only with multicapture', async () => {
    const plain = await pay()
    const several = await pay(undefined, {
      payment_method_options: { card: { request_multicapture: 'if_available' } },
    })

    const refused = await refusal(
      stripe.paymentIntents.capture(plain.id, { amount_to_capture: 500, final_capture: false }),
    )
    await stripe.paymentIntents.capture(several.id, { amount_to_capture: 500, final_capture: false })
    const last = await stripe.paymentIntents.capture(several.id, { amount_to_capture: 799 })

    expect(refused.code).toBe('payment_intent_invalid_parameter')
    expect(last).toMatchObject({ status: 'succeeded', amount_received: 1299 })
  })

  test('are incremented to a new total, and captured above it, where that was asked for', async () => {
    const card = {
      request_incremental_authorization: 'if_available',
      request_overcapture: 'if_available',
    } as const
    const plain = await pay()
    const more = await pay(undefined, { payment_method_options: { card } })

    const refused = await refusal(stripe.paymentIntents.incrementAuthorization(plain.id, { amount: 2000 }))
    const less = await refusal(stripe.paymentIntents.incrementAuthorization(more.id, { amount: 1299 }))
    const raised = await stripe.paymentIntents.incrementAuthorization(more.id, { amount: 1399 })
    const captured = await stripe.paymentIntents.capture(more.id, { amount_to_capture: 1500 })

    expect([refused.code, less.code]).toEqual([
      'payment_intent_invalid_parameter',
      'parameter_invalid_integer',
    ])
    expect(raised).toMatchObject({ amount: 1399, amount_capturable: 1399 })
    expect(captured).toMatchObject({ status: 'succeeded', amount_received: 1500 })
  })

  test('are canceled while they are not captured, and expire', async () => {
    const one = await pay()
    const other = await pay()

    const canceled = await stripe.paymentIntents.cancel(one.id, { cancellation_reason: 'duplicate' })
    await controlled(`payment_intents/${other.id}/expire`)

    expect(canceled).toMatchObject({ status: 'canceled', cancellation_reason: 'duplicate' })
    expect((await stripe.paymentIntents.retrieve(other.id)).status).toBe('canceled')
    expect(types()).toContain('charge.expired')
  })

  test('are checked without a payment', async () => {
    const setup = async (number: string) =>
      stripe.setupIntents.create({ confirm: true, payment_method: await method(number) })

    expect((await setup('4242424242424242')).status).toBe('succeeded')
    expect(await refusal(setup('4000000000000002'))).toMatchObject({ statusCode: 402 })
  })
})

describe('3-D Secure', () => {
  const RETURN = { return_url: 'https://shop.example.com/back' }
  const THREE_D_SECURE = {
    version: '2.2.0',
    cryptogram: 'A'.repeat(28),
    transaction_id: randomUUID(),
  } as const

  async function decide(intent: Stripe.PaymentIntent, outcome: string): Promise<URL> {
    const url = intent.next_action?.redirect_to_url?.url ?? ''
    expect(await (await standIn.fetch(url)).text()).toContain('<form method="post">')
    const response = await standIn.fetch(url, { method: 'POST', body: new URLSearchParams({ outcome }) })
    expect(response.status).toBe(303)
    return new URL(response.headers.get('location') ?? '')
  }

  test('sends the buyer to a page and back, and asks the bank then', async () => {
    const key = randomUUID()
    const intent = await pay('4000002760003184', RETURN, key)
    expect([intent.status, standIn.effectsOf(key)]).toEqual(['requires_action', 0])

    const back = await decide(intent, 'approve')

    expect(back.searchParams.get('payment_intent')).toBe(intent.id)
    expect(back.searchParams.get('redirect_status')).toBe('succeeded')
    expect((await stripe.paymentIntents.retrieve(intent.id)).status).toBe('requires_capture')
    expect(standIn.effectsOf(key)).toBe(1)
  })

  test.each([
    ['4000002760003184', 'fail', 'payment_intent_authentication_failure'],
    ['4000008400001629', 'approve', 'card_declined'],
  ])('ends without money: %s %s', async (number, outcome, code) => {
    const intent = await pay(number, RETURN)

    const back = await decide(intent, outcome)

    expect(back.searchParams.get('redirect_status')).toBe('failed')
    expect(await stripe.paymentIntents.retrieve(intent.id)).toMatchObject({
      status: 'requires_payment_method',
      last_payment_error: { code },
    })
  })

  test('is asked for by the merchant, done elsewhere, or not possible', async () => {
    const card = { request_three_d_secure: 'any' } as const
    const wished = await pay('4242424242424242', { ...RETURN, payment_method_options: { card } })
    const elsewhere = await pay('4000002760003184', {
      error_on_requires_action: true,
      payment_method_options: { card: { three_d_secure: THREE_D_SECURE } },
    })
    const offSession = await refusal(pay('4000002760003184', { off_session: true }))
    const withoutReturn = await pay('4000002760003184')

    expect(wished.status).toBe('requires_action')
    expect(elsewhere.status).toBe('requires_capture')
    expect(offSession).toMatchObject({ statusCode: 402, code: 'authentication_required' })
    expect(withoutReturn.next_action?.type).toBe('use_stripe_sdk')
  })
})

const DEBITS = ['sepa_debit', 'us_bank_account']

describe('other methods', () => {
  const PAPER: Stripe.PaymentIntentCreateParams.MandateData = { customer_acceptance: { type: 'offline' } }
  const other = (type: string, over: object = {}, currency = 'eur', mandate_data = PAPER) =>
    stripe.paymentIntents.create(
      {
        amount: 1299,
        currency,
        confirm: true,
        return_url: 'https://shop.example.com/back',
        allowed_payment_method_types: [type as 'ideal'],
        payment_method_data: { type: type as 'ideal', ...over },
        ...(DEBITS.includes(type) && { mandate_data }),
      },
      { idempotencyKey: randomUUID() },
    )

  test.each(['ideal', 'bancontact', 'klarna'])('redirect: %s', async (type) => {
    const intent = await other(type, { billing_details: { name: 'Ada' } })

    await controlled(`finish/${intent.id}`)

    expect(intent.status).toBe('requires_action')
    expect((await stripe.paymentIntents.retrieve(intent.id)).status).toBe('succeeded')
  })

  test('refuse Bancontact without a name', async () => {
    expect(await refusal(other('bancontact'))).toMatchObject({ code: 'parameter_missing' })
  })

  test('refuse other currencies', async () => {
    expect(await refusal(other('ideal', {}, 'usd'))).toMatchObject({
      code: 'payment_method_currency_mismatch',
    })
  })

  test.each([
    ['AT611904300234573201', 'succeeded', undefined],
    ['AT861904300235473202', 'requires_payment_method', 'payment_intent_payment_attempt_failed'],
  ])('debit an account by SEPA, which takes three minutes here: %s', async (iban, status, code) => {
    const details = { sepa_debit: { iban }, billing_details: { name: 'Ada', email: 'ada@example.com' } }
    const intent = await other('sepa_debit', details)
    expect(intent.status).toBe('processing')

    time = new Date(time.getTime() + 3 * 60 * 1_000)
    const ended = await stripe.paymentIntents.retrieve(intent.id)

    expect(ended.status).toBe(status)
    expect(ended.last_payment_error?.code).toBe(code)
  })

  test('have a mandate that a debit names', async () => {
    const billing_details = { name: 'Ada', email: 'ada@example.com' }
    const details = { sepa_debit: { iban: 'AT611904300234573201' }, billing_details }
    const online = { ip_address: '192.0.2.1', user_agent: 'Browser/1' }
    const accepted_at = Math.floor(time.getTime() / 1_000) - 60
    const intent = await other('sepa_debit', details, 'eur', {
      customer_acceptance: { type: 'online', accepted_at, online },
    })
    const charge = await stripe.charges.retrieve(String(intent.latest_charge))

    const mandate = await stripe.mandates.retrieve(charge.payment_method_details?.sepa_debit?.mandate ?? '')

    expect(mandate).toMatchObject({
      type: 'single_use',
      status: 'active',
      customer_acceptance: { type: 'online', accepted_at, online },
      payment_method_details: { sepa_debit: { reference: expect.stringMatching(/^[0-9A-F]{16}$/) } },
    })
  })

  test.each([
    ['without one', {}, 'mandate_data'],
    [
      'accepted online without proof',
      { mandate_data: { customer_acceptance: { type: 'online' } } },
      'mandate_data[customer_acceptance][online][ip_address]',
    ],
    [
      'accepted in the future',
      { mandate_data: { customer_acceptance: { type: 'offline', accepted_at: 4_102_444_800 } } },
      'mandate_data[customer_acceptance][accepted_at]',
    ],
  ])('refuse a mandate %s', async (_name, over, param) => {
    const data = { type: 'sepa_debit' as const, sepa_debit: { iban: 'AT611904300234573201' } }
    const intent = stripe.paymentIntents.create({
      amount: 1299,
      currency: 'eur',
      confirm: true,
      allowed_payment_method_types: ['sepa_debit'],
      payment_method_data: data,
      ...(over as object),
    })

    expect(await refusal(intent)).toMatchObject({ param })
  })

  test.each([
    ['000123456789', 'succeeded', undefined],
    ['000222222227', 'requires_payment_method', 'insufficient_funds'],
    ['000111111113', 'requires_payment_method', 'account_closed'],
  ])('debit an account by ACH once its owner has verified it: %s', async (account_number, status, code) => {
    const account = { account_number, routing_number: '110000000', account_holder_type: 'individual' }
    const details = { us_bank_account: account, billing_details: { name: 'Ada' } }
    const intent = await other('us_bank_account', details, 'usd')
    const url = intent.next_action?.verify_with_microdeposits?.hosted_verification_url ?? ''

    await standIn.fetch(url, { method: 'POST', body: new URLSearchParams({ descriptor_code: 'SM11AA' }) })
    expect((await stripe.paymentIntents.retrieve(intent.id)).status).toBe('processing')
    await controlled('finish')

    const ended = await stripe.paymentIntents.retrieve(intent.id)
    expect([ended.status, ended.last_payment_error?.code]).toEqual([status, code])
  })
})

describe('money', () => {
  const sale = (number?: string, over: Partial<Stripe.PaymentIntentCreateParams> = {}) =>
    pay(number, { capture_method: 'automatic', ...over })

  test('is refunded in parts, and never twice', async () => {
    const { id } = await sale()

    await stripe.refunds.create({ payment_intent: id, amount: 1000 })
    const tooMuch = await refusal(stripe.refunds.create({ payment_intent: id, amount: 300 }))
    await stripe.refunds.create({ payment_intent: id })
    const none = await refusal(stripe.refunds.create({ payment_intent: id }))

    expect([tooMuch.code, none.code]).toEqual(['invalid_charge_amount', 'charge_already_refunded'])
    expect((await stripe.refunds.list({ payment_intent: id })).data.map(({ amount }) => amount)).toEqual([
      299, 1000,
    ])
  })

  test.each([
    ['4000000000007726', 'pending', 'succeeded', 'refund.updated'],
    ['4000000000005126', 'succeeded', 'failed', 'refund.failed'],
  ])('of a refund may change later: %s', async (number, first, last, event) => {
    const { id } = await sale(number)
    const refund = await stripe.refunds.create({ payment_intent: id })

    await controlled('finish')

    expect(refund.status).toBe(first)
    expect((await stripe.refunds.retrieve(refund.id)).status).toBe(last)
    expect(types()).toContain(event)
  })

  test('is taken back by a dispute, and comes back when it is won', async () => {
    const { id, latest_charge } = await sale('4000000000000259')
    const charge = latest_charge as Stripe.Charge
    const [opened] = standIn.events.filter(({ type }) => type === 'charge.dispute.funds_withdrawn')
    const dispute = opened?.data.object as Stripe.Dispute

    const refunding = await refusal(stripe.refunds.create({ payment_intent: id }))
    await controlled(`disputes/${dispute.id}/close`, { outcome: 'won' })

    expect(dispute).toMatchObject({ charge: charge.id, payment_intent: id, reason: 'fraudulent' })
    expect(dispute.balance_transactions).toMatchObject([{ amount: -1299, fee: 1500 }])
    expect(refunding.code).toBe('charge_disputed')
    expect(types().slice(-2)).toEqual(['charge.dispute.funds_reinstated', 'charge.dispute.closed'])
  })

  test('is defended with texts and files, once and before the deadline', async () => {
    await sale('4000000000000259')
    const [opened] = standIn.events.filter(({ type }) => type === 'charge.dispute.created')
    const dispute = opened?.data.object as Stripe.Dispute
    const { id } = dispute
    const upload = (data: string) =>
      stripe.files.create({
        purpose: 'dispute_evidence',
        file: { data: Buffer.from(data), name: 'receipt.pdf', type: 'application/pdf' },
      })
    const update = (params: Stripe.DisputeUpdateParams) => stripe.disputes.update(id, params)

    const file = await upload('%PDF-1.4')
    const staged = await update({ evidence: { receipt: file.id, uncategorized_text: 'Sent' } })
    const refusals = await Promise.all([
      refusal(upload('GIF89a')),
      refusal(update({ evidence: { receipt: 'file_none' } })),
      refusal(update({ evidence: { customer_name: 'x'.repeat(5_001) } })),
      refusal(update({ evidence: { letter: 'x' } as Stripe.DisputeUpdateParams.Evidence })),
    ])
    const submitted = await update({ submit: true })
    const again = await refusal(update({ submit: true }))
    const closing = await refusal(stripe.disputes.close(id))

    expect(file).toMatchObject({ object: 'file', size: 8, type: 'pdf', filename: 'receipt.pdf' })
    expect(staged).toMatchObject({ status: 'needs_response', evidence_details: { has_evidence: true } })
    expect(refusals.map(({ code }) => code)).toEqual([
      'invalid_file_type',
      'resource_missing',
      'parameter_invalid_string_too_long',
      'parameter_unknown',
    ])
    expect(submitted).toMatchObject({
      status: 'under_review',
      evidence: { receipt: file.id, uncategorized_text: 'Sent' },
      evidence_details: { submission_count: 1, submission_method: 'manual' },
    })
    expect([again.code, closing.code]).toEqual(['status_transition_invalid', 'status_transition_invalid'])
  })

  test('of an inquiry stays where it is', async () => {
    await sale('4000000000001976')

    expect(types()).toContain('charge.dispute.created')
    expect(types()).not.toContain('charge.dispute.funds_withdrawn')
  })

  test('is paid out, in the currency of the account, less fees', async () => {
    const { id } = await sale()
    await stripe.refunds.create({ payment_intent: id, amount: 299 })
    await sale(undefined, { currency: 'jpy', amount: 1000 })

    await controlled('payouts')

    const [payout] = (await stripe.payouts.list()).data
    const lines = await stripe.balanceTransactions.list({
      payout: payout?.id ?? '',
      limit: 100,
      expand: ['data.source'],
    })
    const net = lines.data.filter(({ type }) => type !== 'payout').reduce((sum, line) => sum + line.net, 0)
    expect(lines.data.map(({ type, amount, fee }) => [type, amount, fee])).toEqual([
      ['payout', -net, 0],
      ['charge', 650, 49],
      ['refund', -299, 0],
      ['charge', 1299, 68],
    ])
    expect(payout?.amount).toBe(net)
    expect(lines.data[1]).toMatchObject({
      exchange_rate: 0.65,
      source: { object: 'charge', currency: 'jpy' },
    })
  })
})

describe('webhooks', () => {
  test('are signed so that the official library accepts them, and no other text', async () => {
    await pay()
    await controlled('deliver')
    const [message] = sent
    const signature = message?.headers['stripe-signature'] ?? ''
    const body = message?.body ?? ''
    const read = (text: string, secret = SECRET, at = time.getTime()) =>
      stripe.webhooks.constructEvent(text, signature, secret, 300, undefined, at)

    expect(read(body).type).toBe('payment_intent.created')
    expect(() => read(`${body} `)).toThrow()
    expect(() => read(body, 'whsec_other')).toThrow()
    expect(() => read(body, SECRET, time.getTime() + 301_000)).toThrow()
  })

  test('go to the endpoints that want them, and come again when they are not taken', async () => {
    const made = await stripe.webhookEndpoints.create({
      url: 'https://shop.example.com/refunds',
      enabled_events: ['refund.created'],
    })
    const { id } = await pay(undefined, { capture_method: 'automatic' })
    await stripe.refunds.create({ payment_intent: id })

    await controlled('deliver')

    const urls = sent.filter(({ url }) => url.endsWith('/refunds'))
    expect(made.secret).toMatch(/^whsec_/)
    expect(urls).toHaveLength(1)
    expect(await stripe.webhookEndpoints.del(made.id)).toMatchObject({ deleted: true })
    await controlled('deliver')
    expect(sent).toHaveLength(standIn.events.length + 1)
  })
})

describe('over the network', () => {
  let close = async () => {}
  afterEach(() => close())

  test('the official library creates, captures, refunds and cancels', async () => {
    const listening = await standIn.listen(0)
    close = listening.close
    const { hostname, port } = new URL(listening.origin)
    stripe = new Stripe(TEST_KEY, { host: hostname, port, protocol: 'http', telemetry: false })

    const one = await pay()
    await stripe.paymentIntents.capture(one.id)
    const refund = await stripe.refunds.create({ payment_intent: one.id })
    const other = await pay()
    const canceled = await stripe.paymentIntents.cancel(other.id)
    const waiting = await pay('4000002760003184', { return_url: 'https://shop.example.com/back' })

    expect([refund.status, canceled.status]).toEqual(['succeeded', 'canceled'])
    const page = waiting.next_action?.redirect_to_url?.url ?? ''
    expect(page.startsWith(listening.origin)).toBe(true)
    expect((await fetch(page)).status).toBe(200)
  })
})
