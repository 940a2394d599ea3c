import { expect, test } from 'vitest'
import { complaintsAbout, decodeText } from '#platform/http/validation.ts'
import { TransactionFilters } from './schemas.ts'

const ID = '0199f3a0-5d3b-7c00-8a11-3f1f7f1f0005'

test('reads numbers, flags and repeated names as what they are', () => {
  const query = decodeText(TransactionFilters, {
    amount_gte: '1299',
    has_refunds: 'false',
    currency: 'USD',
    status: ['processing', 'capture_pending'],
    payment_service_id: ID,
    metadata: ['{"shelf":"B12"}', '{}'],
    created_at_gte: '2026-11-15T09:30:00+01:00',
  })

  expect(complaintsAbout('query', TransactionFilters, query)).toEqual([])
  expect(query).toEqual({
    limit: 20,
    amount_gte: 1299,
    has_refunds: false,
    currency: ['USD'],
    status: ['processing', 'capture_pending'],
    payment_service_id: [ID],
    metadata: ['{"shelf":"B12"}', '{}'],
    created_at_gte: '2026-11-15T09:30:00+01:00',
  })
})

test('takes pages of up to 500', () => {
  expect(complaintsAbout('query', TransactionFilters, { limit: 500 })).toEqual([])
  expect(complaintsAbout('query', TransactionFilters, { limit: 501 })).toMatchObject([{ pointer: '/limit' }])
})

test.each([
  ['created_at_gte', '2026-11-15T09:30:00', '/created_at_gte'],
  ['updated_at_lte', '2026-11-15', '/updated_at_lte'],
  ['amount_eq', '-1', '/amount_eq'],
  ['amount_lte', '2147483648', '/amount_lte'],
  ['amount_gte', '12.5', '/amount_gte'],
  ['currency', 'usd', '/currency/0'],
  ['country', 'USA', '/country/0'],
  ['payment_method_country', 'U', '/payment_method_country'],
  ['status', 'refunded', '/status/0'],
  ['method', 'cheque', '/method/0'],
  ['payment_source', 'shop', '/payment_source/0'],
  ['payment_service_id', '7', '/payment_service_id/0'],
  ['id', '7', '/id'],
  ['buyer_id', '', '/buyer_id'],
  ['gift_card_last4', '123', '/gift_card_last4'],
  ['used_3ds', 'yes', '/used_3ds'],
  ['colour', 'red', '/colour'],
])('refuses %s=%s', (name, value, pointer) => {
  const query = decodeText(TransactionFilters, { [name]: value })

  expect(complaintsAbout('query', TransactionFilters, query)).toMatchObject([{ location: 'query', pointer }])
})
