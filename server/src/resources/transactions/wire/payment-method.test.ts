import { describe, expect, test } from 'vitest'
import { REDIRECT_METHODS } from '#domain/payment-method.ts'
import { checkGiftCards, readGiftCard } from './gift-card.ts'
import { checkVariant, type PaymentMethodKind, readPaymentMethod, variantOf } from './payment-method.ts'

const ID = '0199f3a0-5d3b-7c00-8a11-3f1f7f1f0005'
const CARD = { number: '4111111111111111', expiration_date: '12/30' }
const REDIRECT = {
  method: 'paypal',
  country: 'US',
  currency: 'USD',
  redirect_url: 'https://shop.example.com',
}

const MEANT: [PaymentMethodKind, Record<string, unknown>][] = [
  ['card', { ...CARD }],
  ['card', { method: 'card', ...CARD, security_code: '123', card_type: 'debit', redirect_url: null }],
  ['id', { id: ID }],
  ['id', { id: ID, security_code: '1234' }],
  ['id', { method: 'id', id: ID, redirect_url: 'https://shop.example.com/paid?order=1' }],
  ['checkout-session', { method: 'checkout-session', id: ID }],
  ['checkout-session', { id: ID, external_identifier: 'card-1' }],
  ['checkout-session', { id: ID, buyer_id: ID, redirect_url: 'http://localhost:3000' }],
  ['redirect', REDIRECT],
  ['redirect', { ...REDIRECT, method: 'banked', redirect_url: 'data:application/json;base64,e30=' }],
  ['applepay', { method: 'applepay', token: { data: 'x' }, card_suffix: '1111' }],
  ['googlepay', { method: 'googlepay', token: '{}', assurance_details: { account_verified: true } }],
  ['googlepay', { method: 'googlepay', token: { signature: 'x' } }],
  ['googlepay_pan_only', { method: 'googlepay_pan_only', ...CARD, security_code: null }],
  ['click-to-pay', { method: 'click-to-pay', token: 't', cryptogram: 'c', expiration_date: '12/30' }],
  ['click-to-pay-card', { method: 'click-to-pay', ...CARD }],
  ['paze', { method: 'paze', token: 't', checkout_token: 'c' }],
  ['network-token', { method: 'network-token', token: 't', expiration_date: '12/30', eci: '5' }],
  ['plaid', { token: 'public-token', account_id: 'a' }],
  ['plaid', { method: 'plaid', token: 'public-token' }],
  ['bank', { account_holder: { first_name: 'John' } }],
  ['bank', { method: 'bank', account_holder: {} }],
]

test.each(MEANT)('reads as %s: %j', (kind, given) => {
  expect(checkVariant(given)).toEqual([])

  expect(readPaymentMethod(given as never)).toEqual({ kind, body: given })
})

test.each(REDIRECT_METHODS)('reads %s as a redirect', (method) => {
  expect(checkVariant({ ...REDIRECT, method })).toEqual([])
  expect(variantOf({ ...REDIRECT, method })?.kind).toBe('redirect')
})

describe('names once', () => {
  test.each([
    ['a short number', { ...CARD, number: '4111' }, '/number', 'value_error.str.regex'],
    ['a number that is one', { ...CARD, number: 4111111111111111 }, '/number', 'type_error.string'],
    ['a forgotten number', { expiration_date: '12/30' }, '/number', 'value_error.missing'],
    ['a forgotten date', { number: CARD.number }, '/expiration_date', 'value_error.missing'],
    [
      'a bad date',
      { ...CARD, expiration_date: '1/30' },
      '/expiration_date',
      'value_error.any_str.min_length',
    ],
    ['a bad code', { ...CARD, security_code: '12' }, '/security_code', 'value_error.str.regex'],
    ['an unknown kind of card', { ...CARD, card_type: 'gold' }, '/card_type', 'type_error.enum'],
    ['an unknown field', { method: 'card', ...CARD, colour: 'red' }, '/colour', 'value_error.extra'],
    ['an id with a number', { ...CARD, id: ID }, '/id', 'value_error.extra'],
    ['a bad id', { method: 'id', id: '7' }, '/id', 'type_error.uuid'],
    ['a bad id without a method', { id: null }, '/id', 'type_error.string'],
    [
      'a code that a wallet has not',
      { method: 'googlepay_pan_only', ...CARD, security_code: '123' },
      '/security_code',
      'type_error.object',
    ],
    ['a token of Apple Pay as text', { method: 'applepay', token: 'x' }, '/token', 'type_error.object'],
    ['a token of Google Pay as a number', { method: 'googlepay', token: 7 }, '/token', 'type_error.string'],
    [
      'a token without its cryptogram',
      { method: 'click-to-pay', token: 't', expiration_date: '12/30' },
      '/cryptogram',
      'value_error.missing',
    ],
    ['a redirect without a country', { ...REDIRECT, country: undefined }, '/country', 'value_error.missing'],
    ['a redirect to nowhere', { ...REDIRECT, redirect_url: null }, '/redirect_url', 'type_error.string'],
    ['an unknown method', { ...REDIRECT, method: 'cheque' }, '/method', 'type_error.enum'],
    ['a gift card as the method', { method: 'gift-card', number: '1' }, '/method', 'type_error.enum'],
    ['a method that is no text', { ...CARD, method: null }, '/method', 'type_error.string'],
    ['nothing at all', {}, '/method', 'value_error.missing'],
    [
      'only a place to return to',
      { redirect_url: 'https://shop.example.com' },
      '/method',
      'value_error.missing',
    ],
    ['a token of whom?', { token: { data: 'x' } }, '/method', 'value_error.missing'],
    ['a network token of whom?', { token: 't', expiration_date: '12/30' }, '/method', 'value_error.missing'],
  ])('%s', (_what, given, pointer, type) => {
    const complaints = checkVariant(JSON.parse(JSON.stringify(given)))

    expect(complaints).toMatchObject([{ location: 'body', pointer: `/payment_method${pointer}`, type }])
  })
})

test('a complaint never repeats the number', () => {
  const complaints = checkVariant({ ...CARD, number: '411111111111111x', '4111111111111111': true })

  expect(complaints).toHaveLength(2)
  expect(JSON.stringify(complaints)).not.toContain('411111')
})

test('refuses to read what was not checked', () => {
  expect(() => readPaymentMethod({ method: 'cheque' } as never)).toThrow('before it was checked')
})

describe('gift cards', () => {
  const NEW = { number: '4123455541234561234', pin: '1234', amount: 500 }
  const STORED = { id: ID, amount: 0 }

  test('are new or stored', () => {
    expect(checkGiftCards([NEW, STORED])).toEqual([])

    expect(readGiftCard(NEW)).toEqual({ kind: 'new', body: NEW })
    expect(readGiftCard(STORED)).toEqual({ kind: 'stored', body: STORED })
  })

  test.each([
    ['a short number', { ...NEW, number: '4123' }, '/number', 'value_error.str.regex'],
    ['no pin', { number: NEW.number, amount: 1 }, '/pin', 'value_error.missing'],
    ['an empty pin', { ...NEW, pin: '' }, '/pin', 'value_error.any_str.min_length'],
    ['no amount', { id: ID }, '/amount', 'value_error.missing'],
    ['less than nothing', { ...STORED, amount: -1 }, '/amount', 'value_error.number.not_ge'],
    ['a bad id', { ...STORED, id: 'x' }, '/id', 'type_error.uuid'],
    ['an unknown field', { ...STORED, colour: 'red' }, '/colour', 'value_error.extra'],
  ])('with %s are refused once, by their place', (_what, given, pointer, type) => {
    const complaints = checkGiftCards([NEW, given])

    expect(complaints).toMatchObject([{ pointer: `/gift_cards/1${pointer}`, type }])
  })
})
