import { describe, expect, test } from 'vitest'
import { escapingOf, fill, placesIn } from './places.ts'

describe('the places of a body', () => {
  test('are found with and without blanks, each once', () => {
    const { places, unknown } = placesIn(
      '{{ CARD_NUMBER_1 }} {{CARD_NUMBER_1}} {{\tCARD_EXPIRATION_DATE_12 }}{{NETWORK_TOKEN_CRYPTOGRAM_100}}',
    )

    expect(unknown).toEqual([])
    expect(places.map(({ name, position }) => [name, position])).toEqual([
      ['CARD_NUMBER', 1],
      ['CARD_EXPIRATION_DATE', 12],
      ['NETWORK_TOKEN_CRYPTOGRAM', 100],
    ])
  })

  test.each(['CARD_NUMBER', 'CARD_NUMBER_0', 'CARD_NUMBER_01', 'CARD_CVV_1', 'CARD_', 'NETWORK_TOKEN_PAN_1'])(
    'are not %s, which looks like one',
    (word) => {
      expect(placesIn(`{{ ${word} }}`)).toEqual({ places: [], unknown: [word] })
    },
  )

  test.each([
    '{{ name }}',
    '{{ BOOKING_1 }}',
    '{ CARD_NUMBER_1 }',
    '{{ CARD NUMBER 1 }}',
    '{{ card_number_1 }}',
  ])('are not %s, which is the receiver’s own', (text) => {
    expect(placesIn(text)).toEqual({ places: [], unknown: [] })
    expect(fill(text, new Map([['CARD_NUMBER_1', '4111']]), 'none')).toBe(text)
  })
})

test.each([
  ['application/json', 'json'],
  ['application/problem+json; charset=utf-8', 'json'],
  ['text/xml', 'xml'],
  ['application/soap+xml', 'xml'],
  ['application/x-www-form-urlencoded', 'form'],
  ['text/plain', 'none'],
  ['application/octet-stream', null],
  [null, null],
])('a body of type %s needs the escaping %s', (type, escaping) => {
  expect(escapingOf(type)).toBe(escaping)
})

test.each([
  ['json', '"AJ\\"+\\\\/&<\'="'],
  ['xml', '"AJ&quot;+\\/&amp;&lt;&apos;="'],
  ['form', '"AJ%22%2B%5C%2F%26%3C\'%3D"'],
  ['none', '"AJ"+\\/&<\'="'],
] as const)('a value is written into %s as it needs', (escaping, text) => {
  const values = new Map([['NETWORK_TOKEN_CRYPTOGRAM_1', 'AJ"+\\/&<\'=']])

  expect(fill('"{{ NETWORK_TOKEN_CRYPTOGRAM_1 }}"', values, escaping)).toBe(text)
})

test('a value that looks like a place is no place', () => {
  const values = new Map([
    ['CARD_NUMBER_1', '{{ CARD_NUMBER_2 }}'],
    ['CARD_NUMBER_2', '4111'],
  ])

  expect(fill('{{ CARD_NUMBER_1 }}', values, 'none')).toBe('{{ CARD_NUMBER_2 }}')
})
