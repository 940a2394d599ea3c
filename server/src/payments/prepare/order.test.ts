import { describe, expect, test } from 'vitest'
import type { StoredSession } from '#resources/checkout/sessions/store.ts'
import type { TransactionCreate } from '#resources/transactions/wire/transaction.ts'
import { WHO_MAY_SET } from './check-request.ts'
import { type Order, resolve } from './order.ts'

const REQUEST: TransactionCreate = {
  amount: 1299,
  currency: 'USD',
  store: false,
  async_capture: false,
  account_funding_transaction: false,
  allow_partial_authorization: false,
}

const ITEM = { name: 'Canvas bag', quantity: 1, unit_amount: 1299, discount_amount: 0, tax_amount: 0 }
const AIRLINE = { booking_code: 'AAAAAA', ticket_delivery_method: 'electronic' } as const
const SERVICE_ID = '01900000-0000-7000-8000-0000000000ff'

type Case = { readonly session: unknown; readonly request: unknown; readonly of: (order: Order) => unknown }

/** Every field that both can set: the session's value, the request's value, and where the order has it. */
const SHARED: Readonly<Record<string, Case>> = {
  country: { session: 'US', request: 'DE', of: (order) => order.country },
  intent: { session: 'capture', request: 'authorize', of: (order) => order.intent },
  payment_source: { session: 'recurring', request: 'moto', of: (order) => order.payment_source },
  merchant_initiated: { session: true, request: false, of: (order) => order.merchant_initiated },
  is_subsequent_payment: { session: true, request: false, of: (order) => order.is_subsequent_payment },
  buyer: { session: { display_name: 'Ada' }, request: { display_name: 'Bob' }, of: (order) => order.guest },
  metadata: { session: { shelf: 'A' }, request: { shelf: 'B' }, of: (order) => order.metadata },
  cart_items: { session: [ITEM], request: [], of: (order) => order.details.cart_items },
  airline: { session: AIRLINE, request: { booking_code: 'B' }, of: (order) => order.details.airline },
  payment_service_id: { session: SERVICE_ID, request: 'another', of: (order) => order.payment_service_id },
}

const orderOf = (request: object, session?: object) =>
  resolve({ ...REQUEST, ...request }, { method: null, session: session as StoredSession | undefined })

/** Every request sets these two. */
const ALWAYS_SAID = ['amount', 'currency']

test('every field that the table gives to a session is tried below', () => {
  const fields = Object.entries(WHO_MAY_SET).filter(([, rule]) => rule.session)

  expect(new Set([...ALWAYS_SAID, ...Object.keys(SHARED)])).toEqual(new Set(fields.map(([name]) => name)))
})

describe.each(Object.entries(SHARED))('%s', (name, { session, request, of }) => {
  test('comes from the session if the request leaves it out', () => {
    expect(of(orderOf({}, { [name]: session }))).toEqual(session)
    expect(of(orderOf({ [name]: null }, { [name]: session }))).toEqual(session)
  })

  test('comes from the request if both set it', () => {
    expect(of(orderOf({ [name]: request }, { [name]: session }))).toEqual(request)
  })
})

test('fields that neither sets get defaults', () => {
  expect(orderOf({}, {})).toMatchObject({
    country: null,
    intent: 'authorize',
    payment_source: 'ecommerce',
    merchant_initiated: false,
    is_subsequent_payment: false,
    guest: null,
    metadata: null,
    payment_service_id: null,
  })
  expect(orderOf({})).toEqual({ ...orderOf({}, {}), session: null })
})

test('the amount comes from the request', () => {
  const order = orderOf({ amount: 500, currency: 'EUR' }, { amount: 1299, currency: 'USD' })

  expect(order).toMatchObject({ amount: 500, currency: 'EUR' })
})

test('details hold only the fields that were sent', () => {
  const said = { tax_amount: 0, amount_includes_tax: false, description: 'A bag' }

  expect(orderOf({ ...said, recipient: null, airline: null }).details).toEqual({
    ...said,
    account_funding_transaction: false,
    async_capture: false,
  })
})
