import { expect, test } from 'vitest'
import { complaintsAbout } from '../../../platform/validation.ts'
import { TransactionConnectionOptions } from './schemas.ts'

test.each([
  {},
  { 'mock-card': null },
  { 'mock-card': { skip_retry: true, fault: null } },
  { 'mockds-card': { fault: { on: 'capture', kind: 'lose-answer' } } },
  { 'mock-gift-card': { fault: { on: 'redeem', kind: 'stall' } } },
  { 'adyen-card': { additionalData: { shelf: 'B12' }, riskData: { any: ['thing'] } } },
  { 'account-updater': { response_code: null } },
  { 'monato-spei': { approval_url: 'https://shop.example.com' }, 'stripe-card': {} },
])('takes %j', (options) => {
  expect(complaintsAbout('body', TransactionConnectionOptions, options)).toEqual([])
})

test.each([
  ['an unknown connector', { 'acme-card': {} }, '/acme-card', 'value_error.extra'],
  ['an unknown option', { 'mock-card': { colour: 'red' } }, '/mock-card/colour', 'value_error.extra'],
  ['a missing option', { 'monato-spei': {} }, '/monato-spei/approval_url', 'value_error.missing'],
  [
    'text where a map is due',
    { 'adyen-ach': { additionalData: 'x' } },
    '/adyen-ach/additionalData',
    'type_error.object',
  ],
  [
    'a number in a map of texts',
    { 'adyen-ach': { additionalData: { x: 1 } } },
    '/adyen-ach/additionalData/x',
    'type_error.string',
  ],
  [
    'an unknown fault',
    { 'mock-card': { fault: { on: 'capture', kind: 'explode' } } },
    '/mock-card/fault/kind',
    'type_error.enum',
  ],
])('refuses %s', (_what, options, pointer, type) => {
  expect(complaintsAbout('body', TransactionConnectionOptions, options)).toMatchObject([{ pointer, type }])
})
