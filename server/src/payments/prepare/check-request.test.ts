import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PAYMENT_SOURCES, type PaymentSource } from '#resources/transactions/wire/order.ts'
import { MISSING, pointers } from '#testing/answers.ts'
import { startTestService, type TestService } from '#testing/harness.ts'
import { CARD, order } from '#testing/till.ts'
import { checkCredentials } from './check-request.ts'

const BACK = 'https://shop.example.com/back'
const IDEAL = { method: 'ideal', country: 'NL', currency: 'EUR', redirect_url: BACK }

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.close())

const pay = (body?: object) => order(service, body)

/** A refused request leaves nothing behind, neither here nor at the processor. */
async function countAll(): Promise<number> {
  const { rows } = await service.database.pool.query(
    `select (select count(*) from transactions) + (select count(*) from simulator.entries)
       + (select count(*) from vault.items) + (select count(*) from events) as count`,
  )
  return Number(rows[0].count)
}

test.each([
  { billing_details: { tax_id: { value: '12345678931', kind: 'ae.trn' } } },
  { billing_details: { tax_id: { value: '---', kind: 'us.ein' } } },
  { billing_details: { email_address: 'john@localhost' } },
  { billing_details: { address: { country: 'US', state_code: 'DE-BY' } } },
  { shipping_details: { email_address: 'john@localhost', address: { country: 'US', state_code: 'DE-BY' } } },
])('a payment is not refused for what it only carries: %o', async (buyer) => {
  const response = await pay({ buyer })

  expect(response.statusCode, response.body).toBe(201)
  expect(response.json().status).toBe('authorization_succeeded')
})

describe('a contradictory request', () => {
  test.each<[string, object, [string, string][]]>([
    ['an amount below zero', { amount: -1 }, [['/amount', 'value_error.number.not_ge']]],
    ['an amount beyond the limit', { amount: 100_000_000 }, [['/amount', 'value_error.number.not_le']]],
    ['half a cent', { amount: 1.5 }, [['/amount', 'type_error.integer']]],
    ['an amount as text', { amount: '12' }, [['/amount', 'type_error.integer']]],
    ['an amount of true', { amount: true }, [['/amount', 'type_error.integer']]],
    ['no amount', { amount: null }, [['/amount', 'type_error.integer']]],
    ['an unknown currency', { currency: 'USX' }, [['/currency', 'type_error.enum']]],
    ['a currency in small letters', { currency: 'usd' }, [['/currency', 'value_error.str.regex']]],
    ['an unknown country', { country: 'XX' }, [['/country', 'type_error.enum']]],
    ['a country in small letters', { country: 'us' }, [['/country', 'value_error.str.regex']]],
    ['an unknown intent', { intent: 'sell' }, [['/intent', 'type_error.enum']]],
    ['an unknown source', { payment_source: 'shop' }, [['/payment_source', 'type_error.enum']]],
    ['an unknown field', { colour: 'red' }, [['/colour', 'value_error.extra']]],
    ['no way to pay', { payment_method: null }, [['/payment_method', 'value_error.missing']]],
    ['a capture of nothing', { amount: 0, intent: 'capture' }, [['/amount', 'value_error.number.not_ge']]],
    [
      'a capture after the answer that is none',
      { async_capture: true },
      [['/async_capture', 'value_error.conflict']],
    ],
    ['no instalments', { installment_count: 0 }, [['/installment_count', 'value_error.number.not_ge']]],
    ['too many of them', { installment_count: 101 }, [['/installment_count', 'value_error.number.not_le']]],
    ['notes that are no text', { metadata: { order: 7 } }, [['/metadata/order', 'type_error.string']]],
    [
      'a reference that is too long',
      { external_identifier: 'x'.repeat(201) },
      [['/external_identifier', 'value_error.any_str.max_length']],
    ],
    [
      'a buyer who is named and described',
      { buyer: { display_name: 'Ada' }, buyer_id: MISSING },
      [['/buyer', 'value_error.conflict']],
    ],
    [
      'a guest of a country that there is not',
      { buyer: { billing_details: { address: { country: 'ZZ' } } } },
      [['/buyer/billing_details/address/country', 'type_error.enum']],
    ],
    [
      'a parcel for a country that there is not',
      { buyer: { shipping_details: { address: { country: 'ZZ' } } } },
      [['/buyer/shipping_details/address/country', 'type_error.enum']],
    ],
    [
      'options for an unknown connector',
      { connection_options: { 'paper-card': {} } },
      [['/connection_options/paper-card', 'value_error.extra']],
    ],
    [
      'an option that the connector does not have',
      { connection_options: { 'mock-card': { speed: 'fast' } } },
      [['/connection_options/mock-card/speed', 'value_error.extra']],
    ],
    [
      'a fault that there is none of',
      { connection_options: { 'mock-card': { fault: { on: 'authorize', kind: 'explode' } } } },
      [['/connection_options/mock-card/fault/kind', 'type_error.enum']],
    ],
    [
      'a gift card without a number',
      { gift_cards: [{ pin: '1234', amount: 500 }] },
      [['/gift_cards/0/number', 'value_error.missing']],
    ],
    [
      'a moment that is none',
      { approval_expires_at: 'tomorrow' },
      [['/approval_expires_at', 'type_error.datetime']],
    ],
    [
      'an authentication of neither version',
      { three_d_secure_data: { cavv: 'AAAB', eci: '05', version: '2.2.0', directory_response: 'Y' } },
      [['/three_d_secure_data/directory_transaction_id', 'value_error.missing']],
    ],
    [
      'a text that no database can keep',
      { metadata: { order: 'a\u0000b' } },
      [['/metadata/order', 'value_error.str.regex']],
    ],
    ['a text that is no text', { description: 'a\ud800b' }, [['/description', 'value_error.str.regex']]],
  ])('%s is refused', async (_what, body, expected) => {
    const before = await countAll()

    const response = await pay(body)

    expect(response.statusCode, response.body).toBe(400)
    expect(response.json()).toMatchObject({
      type: 'error',
      code: 'bad_request',
      status: 400,
      message: 'Request failed validation',
    })
    expect(pointers(response)).toEqual(expected)
    expect(await countAll()).toBe(before)
  })

  test('reports several mistakes at once', async () => {
    const response = await pay({ currency: 'USX', country: 'XX', async_capture: true })

    expect(pointers(response)).toEqual([
      ['/currency', 'type_error.enum'],
      ['/country', 'type_error.enum'],
      ['/async_capture', 'value_error.conflict'],
    ])
  })

  test('accepts the largest and the smallest amount', async () => {
    const [largest, smallest] = [await pay({ amount: 99_999_999 }), await pay({ amount: 1 })]

    expect(largest.json()).toMatchObject({ amount: 99_999_999, authorized_amount: 99_999_999 })
    expect(smallest.json()).toMatchObject({ amount: 1, authorized_amount: 1 })
  })

  test('treats null in an optional field as left out', async () => {
    const response = await pay({
      country: null,
      buyer: null,
      buyer_id: null,
      buyer_external_identifier: null,
      gift_cards: null,
      external_identifier: null,
      three_d_secure_data: null,
      three_d_secure: null,
      metadata: null,
      airline: null,
      description: null,
      cart_items: null,
      statement_descriptor: null,
      previous_scheme_transaction_id: null,
      previous_transaction_link_id: null,
      browser_info: null,
      shipping_details_id: null,
      connection_options: null,
      anti_fraud_fingerprint: null,
      payment_service_id: null,
      recipient: null,
      installment_count: null,
      tax_amount: null,
      merchant_tax_id: null,
      integration_client: null,
      approval_expires_at: null,
    })

    expect(response.statusCode, response.body).toBe(201)
    expect(response.json()).toMatchObject({ status: 'authorization_succeeded', country: null, buyer: null })
  })
})

describe('the address to return to', () => {
  const SESSION = { method: 'checkout-session', id: '01900000-0000-7000-8000-0000000000ff' }

  test.each([
    ['a card', CARD],
    ['a redirect', IDEAL],
    ['a checkout session', SESSION],
  ])('is refused with %s if a browser or an operating system knows its scheme', async (_what, method) => {
    for (const url of ['intent://paid#Intent;end', 'jar:https://a/b!/c', 'feed:javascript:x', 'chrome://x']) {
      const response = await pay({ currency: 'EUR', payment_method: { ...method, redirect_url: url } })

      expect(response.statusCode, url).toBe(400)
      expect(response.json().details).toEqual([
        {
          location: 'body',
          pointer: '/payment_method/redirect_url',
          type: 'value_error.url',
          message: expect.stringContaining('such as https://shop.example.com/paid'),
        },
      ])
    }
  })

  test('may be an app link', async () => {
    const response = await pay({ payment_method: { ...CARD, redirect_url: 'com.example.app:return' } })

    expect(response.statusCode, response.body).toBe(201)
  })
})

describe('a card', () => {
  test.each<[string, object, [string, string][]]>([
    ['whose check digit does not fit', { number: '4111111111111112' }, [['number', 'value_error.luhn']]],
    ['that is too short', { number: '41111111' }, [['number', 'value_error.str.regex']]],
    ['with a space in it', { number: '4111 1111 1111 1111' }, [['number', 'value_error.str.regex']]],
    ['that has expired', { expiration_date: '01/20' }, [['expiration_date', 'value_error.expired']]],
    ['of a 13th month', { expiration_date: '13/40' }, [['expiration_date', 'value_error.str.regex']]],
    ['with a code of two digits', { security_code: '12' }, [['security_code', 'value_error.str.regex']]],
    ['with a code too long for it', { security_code: '1234' }, [['security_code', 'value_error.str.regex']]],
    ['of an unknown kind', { card_type: 'gold' }, [['card_type', 'type_error.enum']]],
    ['without a number', { number: undefined }, [['number', 'value_error.missing']]],
    ['with a field too many', { pin: '1234' }, [['pin', 'value_error.extra']]],
    ['with a link that is none', { redirect_url: 'shop' }, [['redirect_url', 'value_error.url']]],
  ])('%s is refused', async (_what, card, expected) => {
    const before = await countAll()

    const response = await pay({ payment_method: { ...CARD, ...card } })

    expect(response.statusCode, response.body).toBe(400)
    expect(pointers(response)).toEqual(expected.map(([name, type]) => [`/payment_method/${name}`, type]))
    expect(await countAll()).toBe(before)
  })

  test('may leave out its method and its code', async () => {
    const response = await pay({ payment_method: { number: CARD.number, expiration_date: '12/40' } })

    expect(response.json()).toMatchObject({ status: 'authorization_succeeded', method: 'card' })
  })

  test.each(['applepay', 'network-token', 'bank', 'paze'])('only cards can be stored: %s', async (method) => {
    const rest =
      method === 'bank'
        ? { account_holder: { first_name: 'Ada' } }
        : {
            token: method === 'applepay' ? {} : 'x',
            ...(method === 'network-token' && { expiration_date: '12/40' }),
          }

    const response = await pay({ store: true, payment_method: { method, ...rest } })

    expect(response.statusCode, response.body).toBe(400)
    expect(pointers(response)).toEqual([['/store', 'value_error.conflict']])
  })
})

describe('a redirect method', () => {
  test('must have the currency and country of the payment', async () => {
    const response = await pay({ currency: 'USD', country: 'US', payment_method: IDEAL })

    expect(response.statusCode).toBe(400)
    expect(pointers(response)).toEqual([
      ['/payment_method/country', 'value_error.conflict'],
      ['/payment_method/currency', 'value_error.conflict'],
    ])
  })

  test('gives the country if the payment has none', async () => {
    const response = await pay({ currency: 'EUR', payment_method: IDEAL })

    expect(response.statusCode, response.body).toBe(201)
    expect(response.json()).toMatchObject({
      country: 'NL',
      method: 'ideal',
      instrument_type: 'redirect',
      payment_method: { method: 'ideal', mode: 'redirect', country: 'NL', currency: 'EUR' },
    })
  })

  test('is found by its country', async () => {
    const { id } = (await pay({ currency: 'EUR', amount: 7_302, payment_method: IDEAL })).json()

    const find = async (country: string) => {
      const query = `payment_method_country=${country}&amount_eq=7302`
      const { items } = (await service.send(`GET /transactions?${query}`)).json()
      return items.map((item: { id: string }) => item.id)
    }

    expect([await find('NL'), await find('US')]).toEqual([[id], []])
  })

  test('must have an existing country', async () => {
    const response = await pay({ currency: 'EUR', payment_method: { ...IDEAL, country: 'XX' } })

    expect(response.statusCode).toBe(400)
    expect(pointers(response)).toEqual([['/payment_method/country', 'type_error.enum']])
  })

  test('needs a redirect URL', async () => {
    const response = await pay({ currency: 'EUR', payment_method: { ...IDEAL, redirect_url: undefined } })

    expect(pointers(response)).toEqual([['/payment_method/redirect_url', 'value_error.missing']])
  })
})

type Combination = {
  readonly payment_source: PaymentSource
  readonly merchant_initiated: boolean
  readonly is_subsequent_payment: boolean
  readonly store: boolean
  readonly isStored: boolean
}

const FLAGS = [false, true]
const ALL: readonly Combination[] = PAYMENT_SOURCES.flatMap((payment_source) =>
  FLAGS.flatMap((merchant_initiated) =>
    FLAGS.flatMap((is_subsequent_payment) =>
      FLAGS.flatMap((store) =>
        FLAGS.map((isStored) => ({
          payment_source,
          merchant_initiated,
          is_subsequent_payment,
          store,
          isStored,
        })),
      ),
    ),
  ),
)

/**
 * The card schemes' rules as a table: source, who initiates, whether it is a later payment. `valid` and
 * `invalid` are about these three; `needs store` is valid if the card is stored with the payment, or already
 * is.
 */
const TABLE: Readonly<Record<PaymentSource, Readonly<Record<string, string>>>> = {
  ecommerce: {
    'buyer first': 'valid',
    'buyer later': 'valid',
    'merchant first': 'invalid',
    'merchant later': 'invalid',
  },
  moto: {
    'buyer first': 'valid',
    'buyer later': 'valid',
    'merchant first': 'invalid',
    'merchant later': 'invalid',
  },
  recurring: {
    'buyer first': 'needs store',
    'buyer later': 'valid',
    'merchant first': 'invalid',
    'merchant later': 'valid',
  },
  installment: {
    'buyer first': 'needs store',
    'buyer later': 'valid',
    'merchant first': 'invalid',
    'merchant later': 'valid',
  },
  card_on_file: {
    'buyer first': 'valid',
    'buyer later': 'valid',
    'merchant first': 'valid',
    'merchant later': 'valid',
  },
}

function expectedOf(given: Combination): string | undefined {
  const who = given.merchant_initiated ? 'merchant' : 'buyer'
  const when = given.is_subsequent_payment ? 'later' : 'first'
  const rule = TABLE[given.payment_source][`${who} ${when}`]
  if (rule === 'invalid') return '/is_subsequent_payment'
  if (given.isStored && given.store) return '/store'
  return rule === 'needs store' && !given.isStored && !given.store ? '/store' : undefined
}

test('every combination of credentials is allowed or refused as the table says', () => {
  expect(ALL).toHaveLength(80)
  for (const given of ALL) {
    const expected = expectedOf(given)

    const complaints = checkCredentials({ ...given, isStorable: true })

    const name = JSON.stringify(given)
    expect(
      complaints.map(({ pointer, type, location }) => [pointer, type, location]),
      name,
    ).toEqual(expected ? [[expected, 'value_error.conflict', 'body']] : [])
  }
})

describe('credentials through the API', () => {
  let stored: string
  beforeAll(async () => {
    await service.send('POST /buyers', { external_identifier: 'ada' })
    const card = { ...CARD, buyer_external_identifier: 'ada' }
    stored = (await service.send('POST /payment-methods', card)).json().id
  })

  const NAMES = ALL.map(
    (given) =>
      [
        `${given.payment_source}, ${given.merchant_initiated ? 'merchant' : 'buyer'}, ${
          given.is_subsequent_payment ? 'later' : 'first'
        }, ${given.store ? 'store' : 'do not store'}, ${given.isStored ? 'stored card' : 'new card'}`,
        given,
      ] as const,
  )

  test.each(NAMES)('%s', async (_name, given) => {
    const { isStored, ...flags } = given
    const expected = expectedOf(given)
    const payment_method = isStored ? { method: 'id', id: stored } : CARD

    const response = await service.send('POST /transactions', {
      amount: 1299,
      currency: 'USD',
      payment_method,
      ...flags,
    })

    if (expected) {
      expect(response.statusCode, response.body).toBe(400)
      expect(response.json().details).toMatchObject([{ pointer: expected, type: 'value_error.conflict' }])
      return
    }
    expect(response.statusCode, response.body).toBe(201)
    const { payment_source, merchant_initiated, is_subsequent_payment } = flags
    expect(response.json()).toMatchObject({
      status: 'authorization_succeeded',
      payment_source,
      merchant_initiated,
      is_subsequent_payment,
      payment_method: { id: isStored ? stored : flags.store ? expect.any(String) : null },
    })
  })

  test.each([
    ['a new card', CARD, { store: false, payment_source: 'recurring' }, '/store'],
    ['a new card', CARD, { store: true, payment_source: 'recurring' }, undefined],
    ['a stored card', undefined, { store: false, payment_source: 'recurring' }, undefined],
    ['a stored card', undefined, { store: true }, '/store'],
    ['a stored card', undefined, { merchant_initiated: true }, '/is_subsequent_payment'],
  ])('%s in a checkout session counts as what it is', async (_what, card, flags, expected) => {
    const buyer = { external_identifier: 'ada' }
    const { id } = (await service.send('POST /checkout/sessions', { buyer })).json()
    const fields = { payment_method: card ?? { method: 'id', id: stored } }
    await service.send(`PUT /checkout/sessions/${id}/fields`, fields, { token: null })

    const response = await service.send('POST /transactions', {
      amount: 1299,
      currency: 'USD',
      payment_method: { method: 'checkout-session', id },
      ...flags,
    })

    expect(response.statusCode, response.body).toBe(expected ? 400 : 201)
    if (expected) expect(response.json().details).toMatchObject([{ pointer: expected }])
  })

  test.each<[string, object]>([
    ['network-token', { token: '4900000000000086', expiration_date: '12/40', cryptogram: 'AAAB' }],
    ['click-to-pay', { token: '4900000000000086', expiration_date: '12/40', cryptogram: 'AAAB' }],
    ['applepay', { token: { data: 'x' } }],
    ['googlepay', { token: 'x' }],
    ['paze', { token: 'x' }],
  ])('a series may begin with what cannot be stored: %s', async (method, rest) => {
    const payment = { amount: 1299, currency: 'USD', payment_method: { method, ...rest } }
    const series = { ...payment, payment_source: 'recurring' }

    const first = await service.send('POST /transactions', series)
    const stored = await service.send('POST /transactions', { ...series, store: true })
    const later = await service.send('POST /transactions', {
      ...series,
      merchant_initiated: true,
      is_subsequent_payment: true,
      previous_scheme_transaction_id: first.json().scheme_transaction_id,
    })

    expect(first.statusCode, first.body).toBe(201)
    expect(first.json()).toMatchObject({ status: 'authorization_succeeded', payment_method: { id: null } })
    expect(stored.json().details).toMatchObject([{ pointer: '/store', message: 'only cards can be stored' }])
    expect(later.json()).toMatchObject({ status: 'authorization_succeeded', merchant_initiated: true })
  })

  test('a series may begin with a redirect method', async () => {
    const response = await service.send('POST /transactions', {
      amount: 1299,
      currency: 'EUR',
      payment_source: 'recurring',
      payment_method: {
        method: 'ideal',
        country: 'NL',
        currency: 'EUR',
        redirect_url: 'https://shop.example.com/back',
      },
    })

    expect(response.statusCode, response.body).toBe(201)
  })

  test('a request without credentials counts as a guest’s payment', async () => {
    const response = await service.send('POST /transactions', {
      amount: 1299,
      currency: 'USD',
      payment_method: CARD,
    })

    expect(response.json()).toMatchObject({
      payment_source: 'ecommerce',
      merchant_initiated: false,
      is_subsequent_payment: false,
      payment_method: { id: null },
    })
  })
})
