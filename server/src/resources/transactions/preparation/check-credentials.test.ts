import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestService, type TestService } from '#testing/harness.ts'
import { PAYMENT_SOURCES, type PaymentSource } from '../wire/order.ts'
import { checkCredentials } from './check-credentials.ts'

const CARD = { method: 'card', number: '4111111111111111', expiration_date: '12/40', security_code: '123' }

let service: TestService
let stored: string
beforeAll(async () => {
  service = await startTestService()
  await service.send('POST /buyers', { external_identifier: 'ada' })
  const card = { ...CARD, buyer_external_identifier: 'ada' }
  stored = (await service.send('POST /payment-methods', card)).json().id
})
afterAll(() => service.close())

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
 * What the card schemes allow, written as a table: source, who initiates, whether it is a later payment. `valid` and
 * `invalid` are about the three; `needs store` is valid when the card is stored with it, or is stored already.
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

test('every combination is allowed or refused as the table says', () => {
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

describe('through the API', () => {
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

  test('a series may begin where the buyer is sent elsewhere', async () => {
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

  test('what is left out counts as a guest’s payment', async () => {
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
