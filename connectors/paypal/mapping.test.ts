import {
  AvsCode,
  CvvCode,
  EciFlag,
  PaymentAdviceCode,
  ProcessorResponseCode,
} from '@paypal/paypal-server-sdk'
import { expect, test } from 'vitest'
import { ERROR_CODES } from '#connectors/contract/codes.ts'
import { fromWire, toWire } from './currency.ts'
import { MAPPING } from './mapping.ts'
import { payPalContract } from './testing/published-contract.ts'

test('maps every issue and processor code of the published contracts', () => {
  const [issues, codes] = [payPalContract.listed('issue'), payPalContract.listed('response_code')]

  expect(issues.filter((issue) => !(issue in MAPPING.issues))).toEqual([])
  expect(codes.filter((code) => !(code in MAPPING.processorCodes))).toEqual([])
  expect([issues.length, codes.length].every((count) => count > 100)).toBe(true)
})

test('maps every processor, AVS and CVV code of PayPal’s library', () => {
  const missing = (codes: object, table: object) =>
    Object.values(codes).filter((code) => !(String(code) in table))

  expect(missing(ProcessorResponseCode, MAPPING.processorCodes)).toEqual([])
  expect(missing(AvsCode, MAPPING.avs)).toEqual([])
  expect(missing(CvvCode, MAPPING.cvv)).toEqual([])
  expect(Object.values(MAPPING.eciFlags).toSorted()).toEqual(Object.values(EciFlag).toSorted())
  expect(Object.values(PaymentAdviceCode)).toEqual(expect.arrayContaining([...MAPPING.finalAdviceCodes]))
})

test('maps to codes of the contract', () => {
  const known = [...Object.keys(ERROR_CODES), 'undecided', 'buyer', 'approved']
  const used = [...Object.values(MAPPING.issues), ...Object.values(MAPPING.processorCodes)]

  expect(used.filter((code) => !known.includes(code))).toEqual([])
})

test.each([
  [1299, 'USD', '12.99'],
  [5, 'EUR', '0.05'],
  [0, 'USD', '0.00'],
  [1299, 'JPY', '1299'],
  [129_900, 'HUF', '1299'],
  [129_900, 'TWD', '1299'],
  [100_000_000_000, 'USD', '1000000000.00'],
])('writes %i %s as %s, and reads it back', (amount, currency, value) => {
  expect(toWire(amount, currency)).toEqual({ currency_code: currency, value })
  expect(fromWire({ currency_code: currency, value })).toEqual({ amount, currency })
})

test.each([
  ['12.999', 'USD'],
  ['1e3', 'USD'],
  ['', 'USD'],
  ['12.5', 'JPY'],
  ['1.00', 'KWD'],
  ['0x10', 'USD'],
  ['1,299.00', 'USD'],
])('reads no amount of %s %s', (value, currency_code) => {
  expect(fromWire({ currency_code, value })).toBeNull()
})

test('reads decimals of nothing, and amounts below zero, as in PayPal’s reports', () => {
  expect(fromWire({ currency_code: 'JPY', value: '1299.00' })).toEqual({ amount: 1299, currency: 'JPY' })
  expect(fromWire({ currency_code: 'USD', value: '-0.59' })).toEqual({ amount: -59, currency: 'USD' })
})
