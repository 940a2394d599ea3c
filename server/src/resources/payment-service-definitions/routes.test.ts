import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { COUNTRIES } from '#domain/country.ts'
import { CURRENCIES } from '#domain/currency.ts'
import { METHODS } from '#resources/transactions/wire/payment-method.ts'
import { givingUp } from '#testing/giving-up.ts'
import { startTestService, type TestService } from '#testing/harness.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.close())

const list = async (query = '') => (await service.send(`GET /payment-service-definitions${query}`)).json()
const idsOf = ({ items }: { items: { id: string }[] }) => items.map(({ id }) => id)
const session = (body: object, id = 'test-card', options = {}) =>
  service.send(`POST /payment-service-definitions/${id}/sessions`, body, options)

describe('a definition', () => {
  test('shows everything about a connector', async () => {
    const response = await service.send('GET /payment-service-definitions/test-card')

    expect(response.statusCode, response.body).toBe(200)
    expect(response.json()).toEqual({
      id: 'test-card',
      type: 'payment-service-definition',
      display_name: 'Test card',
      method: 'card',
      mode: 'card',
      icon_url: 'http://127.0.0.1:3000/assets/payment-methods/card.svg',
      fields: expect.arrayContaining([
        {
          key: 'merchant_id',
          display_name: 'merchant_id',
          required: true,
          format: 'text',
          secret: false,
          verifiable: true,
        },
      ]),
      reporting_fields: [
        expect.objectContaining({ key: 'report_user', secret: false }),
        expect.objectContaining({ key: 'report_password', secret: true }),
      ],
      supported_currencies: ['EUR', 'GBP', 'USD'],
      supported_countries: ['DE', 'GB', 'NL', 'US'],
      supported_features: {
        delayed_capture: false,
        digital_wallets: false,
        network_tokens_default: false,
        network_tokens_toggle: false,
        open_loop: true,
        open_loop_toggle: false,
        partial_refunds: false,
        payment_method_tokenization: false,
        payment_method_tokenization_toggle: false,
        refunds: false,
        requires_webhook_setup: false,
        settlement_reporting: true,
        three_d_secure_hosted: true,
        three_d_secure_pass_through: false,
        verify_credentials: true,
        void: false,
      },
      terms: {
        buyer_action: 'card',
        wallets: [],
        captures: 'with_approval',
        refunds: 'none',
        recurring: 'vault',
        payouts: false,
        time_limit_seconds: null,
        payout_days: null,
        required_details: [],
      },
      required_checkout_fields: [],
      configuration: expect.objectContaining({ approval_ui_target: 'any' }),
      supported_integration_clients: null,
    })
  })

  test('of the simulator lists its features, and takes every currency and country', async () => {
    const definition = (await service.send('GET /payment-service-definitions/mock-card')).json()

    expect(definition.supported_features).toMatchObject({
      delayed_capture: true,
      digital_wallets: true,
      network_tokens_toggle: true,
      partial_refunds: true,
      refunds: true,
      verify_credentials: true,
      void: true,
    })
    expect(definition.supported_currencies).toEqual(CURRENCIES)
    expect(definition.supported_countries).toEqual(COUNTRIES)
    expect(definition.fields[0]).toMatchObject({ key: 'merchant_id', required: true, secret: false })
  })

  test.each([
    [
      'mock-blik',
      { buyer_action: 'app', time_limit_seconds: 120, required_details: ['payment_method.fields.blik_code'] },
    ],
    [
      'mock-boleto',
      { buyer_action: 'voucher', refunds: 'none', captures: 'with_approval', recurring: 'none' },
    ],
    ['mock-sepa', { buyer_action: 'direct_debit', refunds: 'partial', recurring: 'none' }],
    ['mock-paypal', { buyer_action: 'page', recurring: 'provider', wallets: [] }],
    ['mock-card', { buyer_action: 'card', recurring: 'vault', payouts: true, wallets: ['opened', 'sealed'] }],
    ['adyen-klarna', { buyer_action: 'page', captures: 'several', refunds: 'partial' }],
    ['adyen-bacs', { buyer_action: 'bank_account', recurring: 'vault' }],
    ['mollie-multibanco', { time_limit_seconds: 7 * 86_400, payout_days: 3 }],
    ['stripe-p24', { captures: 'with_approval', required_details: ['billing_details.email_address'] }],
  ])('tells merchants the terms of %s', async (id, terms) => {
    const definition = await service.send(`GET /payment-service-definitions/${id}`)

    expect(definition.json().terms).toMatchObject(terms)
  })

  test('has an icon that is served', async () => {
    const { icon_url } = (await service.send('GET /payment-service-definitions/test-redirect')).json()

    const icon = await service.send(`GET ${new URL(icon_url).pathname}`, undefined, { token: null })

    expect(icon.statusCode).toBe(200)
  })

  test('is not found under an unknown id', async () => {
    for (const id of ['nobody-card', '__proto__', 'constructor', 'Mock-card']) {
      const response = await service.send(`GET /payment-service-definitions/${id}`)

      expect(response.statusCode, id).toBe(404)
    }
  })

  test('has a method that the API knows', async () => {
    const { items } = await list()

    expect(items.filter(({ method }: { method: string }) => !METHODS.includes(method))).toEqual([])
    expect(METHODS.length).toBe(new Set(METHODS).size)
  })
})

describe('the list', () => {
  /** What this version has, in the order of the alphabet. */
  const offered = () => service.providers.connectors.list.map(({ manifest }) => manifest.id).toSorted()

  test('is in the order of the ids, and the same for every merchant account', async () => {
    await service.send('POST /merchant-accounts', { id: 'other', display_name: 'Other' })

    const page = await list('?limit=100')
    const rest = await list(`?limit=100&cursor=${page.next_cursor}`)
    const other = await service.send('GET /payment-service-definitions?limit=100', undefined, {
      account: 'other',
    })

    const ids = [...idsOf(page), ...idsOf(rest)]
    expect(ids).toEqual(offered())
    expect(ids).toEqual(expect.arrayContaining(['adyen-card', 'mock-card', 'stripe-card']))
    expect(page).toMatchObject({ limit: 100, previous_cursor: null })
    expect(rest).toMatchObject({ limit: 100, next_cursor: null })
    expect(other.json()).toEqual(page)
  })

  test('can be turned page by page, there and back', async () => {
    const [one = '', two = '', ...rest] = offered()
    const first = await list('?limit=1')
    const second = await list(`?limit=1&cursor=${first.next_cursor}`)
    const third = await list(`?limit=100&cursor=${second.next_cursor}`)
    const back = await list(`?limit=1&cursor=${third.previous_cursor}`)
    const start = await list(`?limit=1&cursor=${back.previous_cursor}`)

    const last = await list(`?limit=100&cursor=${third.next_cursor}`)

    expect([first, second].map(idsOf)).toEqual([[one], [two]])
    expect([...idsOf(third), ...idsOf(last)]).toEqual(rest)
    expect(first.previous_cursor).toBeNull()
    expect(last.next_cursor).toBeNull()
    expect(idsOf(back)).toEqual([two])
    expect(idsOf(start)).toEqual([one])
    expect(start.previous_cursor).toBeNull()
    expect(start.next_cursor).toBe(first.next_cursor)
  })

  test.each([
    ['limit=0', '/limit'],
    ['limit=101', '/limit'],
    ['cursor=nonsense', '/cursor'],
  ])('refuses %s', async (query, pointer) => {
    const response = await service.send(`GET /payment-service-definitions?${query}`)

    expect(response.statusCode).toBe(400)
    expect(response.json().details).toMatchObject([{ location: 'query', pointer }])
  })

  test('refuses the cursor of another list', async () => {
    await service.send('POST /buyers', {})
    await service.send('POST /buyers', {})
    const { next_cursor } = (await service.send('GET /buyers?limit=1')).json()

    const response = await service.send(`GET /payment-service-definitions?cursor=${next_cursor}`)

    expect(response.statusCode).toBe(400)
  })
})

describe('a session', () => {
  test('passes the body on, and hands the provider’s answer back', async () => {
    const response = await session({ act: 'greet', nested: { a: [1, null] } })

    expect(response.statusCode, response.body).toBe(200)
    expect(response.json()).toEqual({
      type: 'payment-service-session',
      status: 'succeeded',
      code: null,
      status_code: 201,
      response_body: { payload: { act: 'greet', nested: { a: [1, null] } }, known: [] },
    })
  })

  test('that the provider refuses is an answer', async () => {
    const response = await session({ act: 'refuse' })

    expect(response.statusCode).toBe(200)
    expect(response.json()).toEqual({
      type: 'payment-service-session',
      status: 'failed',
      code: 'unknown_domain',
      status_code: 422,
      response_body: null,
    })
  })

  test.each([
    ['break', 502, 'bad_gateway'],
    ['lie', 502, 'bad_gateway'],
    ['stall', 504, 'gateway_timeout'],
  ])('of a provider that does %s is answered with %i', async (act, status, code) => {
    const response = await givingUp(service, () => session({ act }))

    expect(response.statusCode).toBe(status)
    expect(response.json()).toMatchObject({ code, message: 'Request could not be processed' })
    expect(response.json().details[0].message).toContain('Retry-After')
    expect(response.headers['retry-after']).toBe('5')
  })

  test.each(['mock-card', 'test-redirect'])('is refused where there are none: %s', async (id) => {
    const response = await session({}, id)

    expect(response.statusCode).toBe(400)
    expect(response.json()).toMatchObject({
      code: 'bad_request',
      message: `${id} does not support the operation session`,
    })
  })
})
