import { expect, test } from 'vitest'
import { complaintsAbout } from '#platform/validation.ts'
import { NewAirline, NewCartItem, NewStatementDescriptor } from './order.ts'

test.each(['abcde', 'FASHION STORE', 'Shop [24/7] & more!', '1234a', 'a'.repeat(22)])(
  'takes %j for a statement',
  (name) => {
    expect(complaintsAbout('body', NewStatementDescriptor, { name, description: name })).toEqual([])
  },
)

test.each([
  ['too short', 'abcd', 'value_error.any_str.min_length'],
  ['too long', 'a'.repeat(23), 'value_error.any_str.max_length'],
  ['without a letter', '12345', 'value_error.str.regex'],
  ['not Latin', 'Кафе бар', 'value_error.str.regex'],
  ['with a tab', 'shop\tbar', 'value_error.str.regex'],
  ...['<', '>', '\\', "'", '"', '*'].map((character) => [
    `with ${character}`,
    `shop ${character} bar`,
    'value_error.str.regex',
  ]),
])('refuses a name for the statement that is %s', (_what, name, type) => {
  expect(complaintsAbout('body', NewStatementDescriptor, { name })).toMatchObject([
    { pointer: '/name', type },
  ])
})

test('refuses a cart item with the quantity zero', () => {
  const complaints = complaintsAbout('body', NewCartItem, { name: 'Bag', quantity: 0, unit_amount: 1 })

  expect(complaints).toMatchObject([{ pointer: '/quantity', type: 'value_error.number.not_ge' }])
})

test('fills what has a default', () => {
  const item = { name: 'Bag', quantity: 1, unit_amount: 1 }
  const airline = {}

  expect(complaintsAbout('body', NewCartItem, item)).toEqual([])
  expect(complaintsAbout('body', NewAirline, airline)).toEqual([])

  expect(item).toMatchObject({ discount_amount: 0, tax_amount: 0 })
  expect(airline).toEqual({ ticket_delivery_method: 'electronic' })
})
