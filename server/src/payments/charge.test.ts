import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { readWhole } from '#processing/provider.ts'
import { startTestService, type TestService } from '#testing/harness.ts'
import { CARD, order } from '#testing/till.ts'

/** The simulated account updater finds a new number for it. */
const REPLACED = { method: 'card', number: '4111111100011116', expiration_date: '12/30' }

let service: TestService
beforeAll(async () => {
  service = await startTestService()
  await service.send('PUT /merchant-accounts/default', { account_updater_enabled: true })
})
afterAll(() => service.close())

const pay = (body?: object) => order(service, { country: 'US', ...body })

type Event = { readonly name: string; readonly context: Record<string, unknown> }
/** The answers of payment services, oldest first. */
async function answersOf(id: string): Promise<Event[]> {
  const { items } = (await service.send(`GET /transactions/${id}/events`)).json()
  return items.filter(({ name }: Event) => name.startsWith('payment-connector-response')).reverse()
}

describe('the amount decides', () => {
  const declined = 'authorization_declined'
  const failed = 'authorization_failed'
  test.each<[number, string, string]>([
    [200001, 'canceled_payment_method', declined],
    [200002, 'disputed_transaction', failed],
    [200003, 'duplicate_transaction', failed],
    [200004, 'expired_authorization', declined],
    [200005, 'expired_payment_method', declined],
    [200006, 'incorrect_billing_address', declined],
    [200007, 'incorrect_country', declined],
    [200008, 'incorrect_currency', declined],
    [200009, 'incorrect_cvv', declined],
    [200010, 'incorrect_expiry_date', declined],
    [200011, 'insufficient_funds', declined],
    [200012, 'issuer_decline', declined],
    [200013, 'other_decline', declined],
    [200014, 'requires_buyer_authentication', failed],
    [200015, 'refused_transaction', declined],
    [200016, 'service_decline', declined],
    [200017, 'suspected_fraud', declined],
    [200018, 'unavailable_payment_method', failed],
    [200019, 'unknown_payment_method', failed],
    [200020, 'unsupported_transaction', failed],
    [200021, 'unsupported_payment_method', failed],
    [200022, 'cancelled_buyer_approval', failed],
    [300001, 'insufficient_service_permissions', failed],
    [300002, 'invalid_amount', failed],
    [300003, 'invalid_payment_method', failed],
    [300004, 'invalid_service_configuration', failed],
    [300005, 'invalid_service_credentials', failed],
    [300006, 'invalid_service_response', failed],
    [300007, 'invalid_tax_identifier', failed],
    [300008, 'missing_billing_address', failed],
    [300009, 'missing_cvv', failed],
    [300010, 'missing_shipping_address', failed],
    [300011, 'missing_tax_identifier', failed],
    [300012, 'refund_period_expired', failed],
    [300013, 'service_error', failed],
    [300014, 'service_network_error', failed],
    [300015, 'service_rate_limit', failed],
    [400001, 'internal_error', failed],
    [400002, 'invalid_billing_address', failed],
    [400003, 'invalid_operation', failed],
    [400004, 'invalid_request_parameters', failed],
    [400005, 'invalid_service_request', failed],
    [400006, 'invalid_shipping_address', failed],
    [400007, 'service_resource_conflict', failed],
    [400008, 'unexpected_state', failed],
    [400009, 'unknown_error', failed],
    [400010, 'unknown_service_resource', failed],
    [400011, 'unsupported_country', failed],
    [400012, 'unsupported_currency', failed],
    [400013, 'unrecognised_country', failed],
    [400014, 'unrecognised_currency', failed],
    [400015, 'unrecognised_payment_method', failed],
    [400016, 'unrecognised_scheme', failed],
    [400017, 'unsupported_scheme', failed],
  ])('%i: %s', async (amount, error_code, status) => {
    const response = await pay({ amount })

    expect(response.statusCode, response.body).toBe(201)
    expect(response.json()).toMatchObject({
      status,
      error_code,
      intent_outcome: 'failed',
      amount,
      authorized_amount: 0,
      captured_amount: 0,
      refunded_amount: 0,
      raw_response_code: String(amount),
      raw_response_description: error_code,
      authorized_at: null,
    })
  })

  test.each([
    [500001, 'service_network_error', failed],
    [500002, 'refused_transaction', declined],
  ])('%i is authorized, and refused when it is taken at once: %s', async (amount, error_code, status) => {
    expect((await pay({ amount })).json().status).toBe('authorization_succeeded')

    const taken = await pay({ amount, intent: 'capture' })

    expect(taken.json()).toMatchObject({ status, error_code, captured_amount: 0 })
  })

  test.each([510001, 510002, 520001, 520002, 520003, 520004, 530001, 530002])(
    '%i is authorized',
    async (amount) => {
      expect((await pay({ amount })).json().status).toBe('authorization_succeeded')
    },
  )

  test('600002 stays processing', async () => {
    expect((await pay({ amount: 600002 })).json()).toMatchObject({
      status: 'processing',
      intent_outcome: 'pending',
      error_code: null,
      payment_service_transaction_id: expect.any(String),
    })
  })
})

describe('the issuer’s checks are shown', () => {
  test.each([
    ['10077', 'no_match'],
    ['10088', 'partial_match_postcode'],
    ['10099', 'partial_match_address'],
    ['997788', 'no_match'],
    ['10115', 'match'],
    [null, null],
  ])('the postal code %s: %s', async (postal_code, avs_response_code) => {
    const buyer = { billing_details: { address: { postal_code } } }

    expect((await pay({ buyer })).json()).toMatchObject({
      status: 'authorization_succeeded',
      avs_response_code,
    })
  })

  test.each([
    ['222', 'not_provided'],
    ['333', 'no_match'],
    ['123', 'match'],
    [null, 'not_provided'],
  ])('the security code %s: %s', async (security_code, cvv_response_code) => {
    expect((await pay({ payment_method: { ...CARD, security_code } })).json()).toMatchObject({
      status: 'authorization_succeeded',
      cvv_response_code,
    })
  })

  test.each([
    [null, '02'],
    [CARD.number, '02'],
    ['5555555555554444', null],
  ])('an advice code for the card %s: %s', async (account_number, merchant_advice_code) => {
    // A code that stops no later payment.
    const mock = { merchant_advice_code: { account_number, result: '02' } }

    const transaction = (await pay({ amount: 200011, connection_options: { 'mock-card': mock } })).json()

    expect(transaction).toMatchObject({ status: 'authorization_declined', merchant_advice_code })
  })
})

describe('with several services', () => {
  let first: string
  let second: string
  beforeEach(async () => {
    const { items } = (await service.send('GET /payment-services')).json()
    for (const { id } of items) await service.send(`DELETE /payment-services/${id}`)
    second = await addService('second', { position: 2 })
    first = await addService('first', { position: 1 })
  })
  afterEach(() => vi.restoreAllMocks())

  const servicesOf = async (id: string) =>
    (await answersOf(id)).map(({ context }) => [context['payment_service_id'], context['retry_rule']])

  test('the one with the lowest position is asked', async () => {
    const { id, payment_service } = (await pay()).json()

    expect(payment_service).toMatchObject({ id: first, display_name: 'first' })
    expect(await servicesOf(id)).toEqual([[first, null]])
  })

  test('of equal positions, the oldest is asked', async () => {
    await service.send(`PUT /payment-services/${first}`, { position: 2 })

    expect((await pay()).json().payment_service.id).toBe(second)
  })

  test('one that does not take the currency or the country is skipped', async () => {
    await service.send(`PUT /payment-services/${first}`, {
      accepted_currencies: ['EUR'],
      accepted_countries: ['NL'],
    })
    await service.send(`PUT /payment-services/${second}`, { accepted_currencies: ['USD', 'EUR'] })

    expect((await pay()).json().payment_service.id).toBe(second)
    expect((await pay({ currency: 'EUR', country: 'NL' })).json().payment_service.id).toBe(first)
    expect((await pay({ currency: 'EUR', country: 'US' })).json().payment_service.id).toBe(second)
    expect((await pay({ currency: 'EUR', country: undefined })).json().payment_service.id).toBe(first)
    expect((await pay({ currency: 'GBP' })).json().error_code).toBe('all_attempts_skipped')
    expect((await pay({ country: 'DE' })).json().error_code).toBe('all_attempts_skipped')
  })

  test('the merchant’s own choice is asked, and no other', async () => {
    const chosen = (await pay({ payment_service_id: second })).json()
    const declined = (await pay({ payment_service_id: first, amount: 200012 })).json()
    const unfit = (await pay({ payment_service_id: second, currency: 'GBP' })).json()

    expect(chosen.payment_service.id).toBe(second)
    expect(await servicesOf(declined.id)).toEqual([[first, null]])
    expect(unfit).toMatchObject({ status: 'authorization_failed', error_code: 'all_attempts_skipped' })
  })

  test('if none can take the payment, the events say why for each', async () => {
    await service.send(`PUT /payment-services/${first}`, { accepted_currencies: ['EUR'] })
    const off = await addService('off', { active: false })
    const skipped = (await pay({ country: 'DE' })).json()

    const { items } = (await service.send(`GET /transactions/${skipped.id}/events`)).json()

    const told = items
      .filter(({ name }: { name: string }) => name === 'payment-service-skipped')
      .map(({ context }: { context: Record<string, string> }) => [
        context['payment_service_id'],
        context['reason'],
      ])
    expect(skipped.error_code).toBe('all_attempts_skipped')
    expect(Object.fromEntries(told)).toMatchObject({
      [first]: 'currency_not_accepted',
      [second]: 'country_not_accepted',
      [off]: 'inactive',
    })
  })

  test('a technical failure goes to the next', async () => {
    const broken = await addService('invalid', { position: 0 })

    const transaction = (await pay()).json()

    expect(transaction).toMatchObject({
      status: 'authorization_succeeded',
      payment_service: { id: first },
      error_code: null,
      raw_response_code: '00',
    })
    expect(await servicesOf(transaction.id)).toEqual([
      [broken, 'failure'],
      [first, null],
    ])
    expect((await answersOf(transaction.id))[0]).toMatchObject({
      name: 'payment-connector-response-transaction-authorization-failed',
      context: { code: 'invalid_service_credentials', status: 'failed', operation: 'authorize' },
    })
  })

  test('a retriable decline goes to the next, too', async () => {
    declineAt('first', 'issuer_decline')

    const transaction = (await pay({ intent: 'capture' })).json()

    expect(transaction).toMatchObject({
      status: 'capture_succeeded',
      payment_service: { id: second },
      error_code: null,
    })
    expect(await servicesOf(transaction.id)).toEqual([
      [first, 'retriable_decline'],
      [second, null],
    ])
    expect(await sumsOf(transaction.id)).toMatchObject([{ captured: 1299 }])
  })

  test('when all decline, the last answer counts, and each is on record', async () => {
    const transaction = (await pay({ amount: 200012 })).json()

    expect(transaction).toMatchObject({
      status: 'authorization_declined',
      error_code: 'issuer_decline',
      payment_service: { id: second },
    })
    expect(await answersOf(transaction.id)).toMatchObject([
      {
        name: 'payment-connector-response-transaction-declined',
        context: {
          payment_service_id: first,
          payment_service_display_name: 'first',
          payment_service_definition_id: 'mock-card',
          retry_rule: 'retriable_decline',
          code: 'issuer_decline',
          raw_response_code: '200012',
          instrument_type: 'pan',
          payment_method_scheme: 'visa',
          cvv_response_code: 'match',
        },
      },
      { context: { payment_service_id: second, retry_rule: null, code: 'issuer_decline' } },
    ])
  })

  test('a final decline stops the search', async () => {
    const declined = (await pay({ amount: 200011 })).json()
    const failed = (await pay({ amount: 400001 })).json()

    expect(await servicesOf(declined.id)).toEqual([[first, null]])
    expect(await servicesOf(failed.id)).toEqual([[first, null]])
    expect(failed.payment_service.id).toBe(first)
  })

  test('no other is tried if the merchant forbids it', async () => {
    const { id } = (
      await pay({ amount: 200012, connection_options: { 'mock-card': { skip_retry: true } } })
    ).json()

    expect(await servicesOf(id)).toEqual([[first, null]])
  })

  test('no other is tried after a lost answer: the money may have moved', async () => {
    const fault = { on: 'authorize', kind: 'lose-answer' }

    const transaction = (await pay({ connection_options: { 'mock-card': { fault } } })).json()

    expect(transaction).toMatchObject({
      status: 'authorization_succeeded',
      payment_service: { id: first },
    })
    expect(await sumsOf(transaction.id)).toMatchObject([{ authorized: 1299 }])
  })

  test('a stored card that was declined for good is replaced, and tried once more', async () => {
    const id = await storeReplaced()
    declineAt('first', 'expired_payment_method', { once: true })

    const transaction = (await pay({ payment_method: { method: 'id', id } })).json()

    expect(transaction).toMatchObject({ status: 'authorization_succeeded', payment_service: { id: first } })
    expect(await servicesOf(transaction.id)).toEqual([
      [first, 'payment_method_replacement'],
      [first, null],
    ])
    const method = (await service.send(`GET /payment-methods/${id}`)).json()
    expect(method).toMatchObject({ has_replacement: false, last_replaced_at: expect.any(String) })
    expect(await last4Of(transaction.id)).toBe(method.label)
    expect(method.label).not.toBe(REPLACED.number.slice(-4))
  })

  test('a replacement is tried once, and not for other declines', async () => {
    const id = await storeReplaced()

    const funds = (await pay({ amount: 200011, payment_method: { method: 'id', id } })).json()
    const gone = (await pay({ amount: 200001, payment_method: { method: 'id', id } })).json()

    expect(await servicesOf(funds.id)).toEqual([[first, null]])
    expect(await servicesOf(gone.id)).toEqual([
      [first, 'payment_method_replacement'],
      [first, null],
    ])
    expect(gone).toMatchObject({ status: 'authorization_declined', error_code: 'canceled_payment_method' })
  })
})

async function addService(name: string, body: object): Promise<string> {
  const response = await service.send('POST /payment-services', {
    display_name: name,
    payment_service_definition_id: 'mock-card',
    fields: [{ key: 'merchant_id', value: name }],
    accepted_currencies: ['USD'],
    accepted_countries: ['US'],
    ...body,
  })
  expect(response.statusCode, response.body).toBe(201)
  return response.json().id
}

async function storeReplaced(): Promise<string> {
  const { id } = (await service.send('POST /payment-methods', REPLACED)).json()
  await service.send('POST /account-updater/jobs', { payment_method_ids: [id] })
  await service.resolveDue()
  expect((await service.send(`GET /payment-methods/${id}`)).json().has_replacement).toBe(true)
  return id
}

/** The processor declines the payments of one merchant. Amounts alone would decline those of all. */
function declineAt(merchant: string, description: string, { once = false } = {}): void {
  const { fetch } = service.providers
  let isOver = false
  vi.spyOn(service.providers, 'fetch').mockImplementation((url, init) => {
    const headers = new Headers(init?.headers)
    if (isOver || !url.endsWith('/authorizations') || headers.get('x-merchant-id') !== merchant) {
      return fetch(url, init)
    }
    isOver = once
    const entry = { operation: 'authorize', status: 'refused', reference: crypto.randomUUID(), amount: 1299 }
    const rest = { response_code: '05', avs: null, cvv: null, advice_code: null, scheme_transaction_id: null }
    return Promise.resolve(Response.json({ ...entry, ...rest, code: '05', description, do_not_retry: false }))
  })
}

async function booksOf(id: string) {
  const url = `https://processor.simulator.invalid/books?transaction_id=${id}`
  return (await (await readWhole(await service.providers.fetch(url))).json()) as {
    entries: { last4: string }[]
    sums: { authorized: number; captured: number }[]
  }
}

const sumsOf = async (id: string) => (await booksOf(id)).sums
const last4Of = async (id: string) => (await booksOf(id)).entries.at(-1)?.last4
