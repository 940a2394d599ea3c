import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { complaintsAbout } from '#platform/http/validation.ts'
import { connectionOptions } from '#processing/connectors.ts'
import { optionsOf, optionsOfOthers } from './collected.ts'
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

test('takes the options of every connector, also of one that the API reference does not name', () => {
  const known = Object.keys(TransactionConnectionOptions.properties)
  const others = optionsOfOthers({ 'adyen-card': optionsOf('adyen-card') })

  expect([...connectionOptions().keys()].filter((id) => !known.includes(id))).toEqual([])
  expect(Object.keys(others)).toContain('stripe-card')
  expect(Object.keys(others)).not.toContain('adyen-card')
  expect(() => optionsOf('acme-card')).toThrow('acme-card has no such options')
})

test('says what a wrong option should be', () => {
  const amount = { currency_code: 'usd', value: '1.00' }
  const options = [{ id: '1', label: 'Post', selected: true, amount }]
  const asked = { 'paypal-paypal': { shipping: { options } } }

  expect(complaintsAbout('body', TransactionConnectionOptions, asked)).toMatchObject([
    { message: expect.stringContaining('three capital letters') },
  ])
})

const OPERATIONS =
  'authorize capture void cancel refund increment payout redeem reverse activate issue sync verify'.split(' ')

test.each([
  ['mock-card', /that it hits \((.*?)\)/s],
  ['mock-gift-card', /They hit (.*?), that is/s],
])('the guide offers the faults of %s that can be asked for, and no others', (connector, sentence) => {
  const guide = readFileSync('docs/guide/simulator.md', 'utf8')
  const asking = (on: string) => ({ [connector]: { fault: { on, kind: 'late' } } })

  const offered = [...(sentence.exec(guide)?.[1] ?? '').matchAll(/`(\w+)`/g)].map(
    ([, operation]) => operation,
  )

  const taken = OPERATIONS.filter(
    (operation) => complaintsAbout('body', TransactionConnectionOptions, asking(operation)).length === 0,
  )
  expect(taken.length).toBeGreaterThan(2)
  expect(new Set(offered)).toEqual(new Set(taken))
})
