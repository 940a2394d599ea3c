import { describe, expect, test } from 'vitest'
import { complaintsAbout } from '#platform/http/validation.ts'
import { METADATA_LIMITS, NewAirline, NewCartItem, NewMetadata, NewStatementDescriptor } from './order.ts'

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

test.each([
  ...[
    'https://shop.example.com/bag',
    'HTTP://shop.example.com',
    '/bag?size=1:2',
    '//cdn.example.com/a:b',
    'bag.png',
    '',
  ],
])('takes %j for a link of a cart item', (url) => {
  const item = { name: 'Bag', quantity: 1, unit_amount: 1, product_url: url, image_url: url }

  expect(complaintsAbout('body', NewCartItem, item)).toEqual([])
})

test.each([
  'javascript:alert(1)',
  'JavaScript://x/%0aalert(1)',
  'java\tscript:alert(1)',
  'data:text/html,x',
  ' vbscript:x',
])('refuses %j for a link of a cart item', (url) => {
  const item = { name: 'Bag', quantity: 1, unit_amount: 1, product_url: url }

  expect(complaintsAbout('body', NewCartItem, item)).toMatchObject([
    { pointer: '/product_url', message: 'must be a web address, such as https://shop.example.com/hat' },
  ])
})

test('fills what has a default', () => {
  const item = { name: 'Bag', quantity: 1, unit_amount: 1 }
  const airline = {}

  expect(complaintsAbout('body', NewCartItem, item)).toEqual([])
  expect(complaintsAbout('body', NewAirline, airline)).toEqual([])

  expect(item).toMatchObject({ discount_amount: 0, tax_amount: 0 })
  expect(airline).toEqual({ ticket_delivery_method: 'electronic' })
})

describe('metadata', () => {
  const pairs = (count: number, text: string) =>
    Object.fromEntries(Array.from({ length: count }, (_none, index) => [`note ${index}`, text]))
  const complaints = (metadata: object) => complaintsAbout('body', NewMetadata, metadata)

  test.each([
    ['no pair', {}],
    ['an empty name and text', { '': '' }],
    ['as many pairs as may be', pairs(METADATA_LIMITS.maxProperties, 'x')],
    ['the longest name and the longest text', { ['n'.repeat(200)]: 't'.repeat(2_000) }],
  ])('is taken with %s', (_what, metadata) => {
    expect(complaints(metadata)).toEqual([])
  })

  test.each([
    ['too many pairs', pairs(101, 'x'), ['', 'list.max_items', 'must have at most 100 entries']],
    [
      'too long a name',
      { ['n'.repeat(201)]: 'x' },
      ['/nnnnnnnnnn…', 'any_str.max_length', 'the name must have at most 200 characters'],
    ],
    [
      'too long a text',
      { shelf: 't'.repeat(2_001) },
      ['/shelf', 'any_str.max_length', 'must have at most 2000 characters'],
    ],
    [
      'too many bytes',
      pairs(9, 'ä'.repeat(1_000)),
      ['', 'any_str.max_length', 'must have at most 16384 bytes in all, written as JSON'],
    ],
  ])('is refused with %s', (_what, metadata, [pointer, type, message]) => {
    const complaint = { location: 'body', pointer, type: `value_error.${type}`, message }
    expect(complaints(metadata)).toEqual([complaint])
  })
})
