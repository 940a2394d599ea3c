import { describe, expect, test } from 'vitest'
import { compile } from './compile.ts'
import type { Facts } from './facts.ts'
import { compileJudge, keyOfJudge, MET, NOT_KNOWN, NOT_MET } from './judge-together.ts'
import type { Condition } from './schemas.ts'

const PAYMENT: Facts = {
  amount: 1299,
  currency: 'EUR',
  country: 'NL',
  payment_method: 'card',
  payment_source: 'ecommerce',
  merchant_initiated: false,
  is_subsequent_payment: false,
  has_gift_cards: false,
  gift_card_bins: [],
  metadata: { channel: 'web', items: '12', constructor: 'x' },
  cart_items: [{ categories: ['shoes'], product_type: 'physical', sku: 'A-1' }, { sku: 'B-2' }],
  browser_language: 'nl',
  anti_fraud_decision: null,
  card: {
    bin: 41_111_111,
    scheme: 'visa',
    type: 'credit',
    country: 'US',
    issuer_name: 'Hsbc Uk Bank',
    source: 'raw',
  },
  installment_count: null,
  // A Sunday in Amsterdam, still Saturday in New York.
  at: new Date('2026-11-15T02:30:00Z'),
  shareOf: (salt) => (salt === 'rule' ? 0.5 : 0.9),
}

const verdict = (condition: object, payment: Partial<Facts> = {}) =>
  compile(condition as Condition, 'rule')({ ...PAYMENT, ...payment })

describe('a condition', () => {
  test.each<[object, boolean | null]>([
    [{ name: 'amount', operator: 'less_than', value: { currency: 'EUR', value: 1299 } }, false],
    [{ name: 'amount', operator: 'less_than', value: { currency: 'EUR', value: 1300 } }, true],
    [{ name: 'amount', operator: 'greater_than', value: { currency: 'EUR', value: 1298 } }, true],
    [{ name: 'amount', operator: 'greater_than', value: { currency: 'USD', value: 1 } }, false],
    [{ name: 'amount', operator: 'is_between', value: { currency: 'EUR', min: 1299, max: 1299 } }, true],
    [{ name: 'amount_zero', operator: 'equal_to', value: 0 }, false],
    [{ name: 'anti_fraud_decision', operator: 'is_one_of', value: ['review'] }, null],
    [{ name: 'anti_fraud_decision', operator: 'is_not_one_of', value: ['review'] }, null],
    [{ name: 'browser_language', operator: 'is_one_of', value: ['nl', 'de'] }, true],
    [{ name: 'card_bin', operator: 'is_one_of', value: ['41110000-41119999'] }, true],
    [{ name: 'card_bin', operator: 'is_one_of', value: ['4111'] }, true],
    [{ name: 'card_bin', operator: 'is_one_of', value: ['5', '41111112-42000000'] }, false],
    [{ name: 'card_bin', operator: 'is_not_one_of', value: ['5'] }, true],
    [{ name: 'card_country', operator: 'is_one_of', value: ['US'] }, true],
    [{ name: 'card_issuer_name', operator: 'like_one_of', value: ['HSBC'] }, true],
    [{ name: 'card_issuer_name', operator: 'unlike_any_of', value: ['HSBC'] }, false],
    [{ name: 'card_product_name', operator: 'unlike_any_of', value: ['Platinum'] }, null],
    [{ name: 'card_scheme', operator: 'is_one_of', value: ['visa', null] }, true],
    [{ name: 'card_scheme', operator: 'is_not_one_of', value: ['visa'] }, false],
    [{ name: 'card_source', operator: 'is_one_of', value: ['raw'] }, true],
    [{ name: 'card_type', operator: 'is_not_one_of', value: ['debit'] }, true],
    [{ name: 'country', operator: 'is_one_of', value: ['NL'] }, true],
    [{ name: 'currency', operator: 'is_not_one_of', value: ['EUR'] }, false],
    [{ name: 'gift_card_bin', operator: 'is_one_of', value: ['414100000-424299999'] }, null],
    [{ name: 'has_gift_cards', operator: 'equal_to', value: false }, true],
    [{ name: 'is_subsequent_payment', operator: 'equal_to', value: true }, false],
    [{ name: 'merchant_initiated', operator: 'equal_to', value: false }, true],
    [{ name: 'metadata', operator: 'includes', value: { key: 'channel', value: 'web' } }, true],
    [{ name: 'metadata', operator: 'includes', value: { key: 'channel', value: ['app', 'web'] } }, true],
    [{ name: 'metadata', operator: 'excludes', value: { key: 'shop', value: 'a' } }, true],
    [{ name: 'metadata', operator: 'includes', value: { key: 'constructor', value: 'x' } }, true],
    [{ name: 'metadata', operator: 'includes', value: { key: 'toString', value: 'x' } }, false],
    [
      { name: 'metadata_numeric', operator: 'greater_than_or_equal_to', value: { key: 'items', value: 12 } },
      true,
    ],
    [{ name: 'metadata_numeric', operator: 'less_than', value: { key: 'items', value: 12 } }, false],
    [{ name: 'metadata_numeric', operator: 'equal_to', value: { key: 'channel', value: 0 } }, null],
    [{ name: 'payment_method', operator: 'equal_to', value: 'card' }, true],
    [{ name: 'payment_method', operator: 'is_not_one_of', value: ['ideal'] }, true],
    [{ name: 'payment_source', operator: 'is_one_of', value: ['recurring'] }, false],
    [{ name: 'product_categories', operator: 'includes_at_least_one', value: ['shoes', 'hats'] }, true],
    [{ name: 'product_categories', operator: 'includes_all', value: ['shoes', 'hats'] }, false],
    [{ name: 'product_types', operator: 'includes_all', value: ['physical', null] }, true],
    [{ name: 'skus', operator: 'includes_none', value: ['C-3'] }, true],
    [{ name: 'split_routing', operator: 'less_than_or_equal_to', value: 50 }, false],
    [{ name: 'split_routing', operator: 'less_than_or_equal_to', value: 51 }, true],
    [{ name: 'installment_count', operator: 'greater_than', value: 1 }, null],
    [
      { name: 'weekday', operator: 'is_one_of', value: { time_zone: 'Europe/Amsterdam', days: ['sunday'] } },
      true,
    ],
    [
      { name: 'weekday', operator: 'is_one_of', value: { time_zone: 'America/New_York', days: ['sunday'] } },
      false,
    ],
    [
      {
        name: 'time_of_day',
        operator: 'is_between',
        value: { time_zone: 'UTC', from: '22:00', to: '02:31' },
      },
      true,
    ],
    [
      {
        name: 'time_of_day',
        operator: 'is_between',
        value: { time_zone: 'UTC', from: '02:31', to: '22:00' },
      },
      false,
    ],
  ])('%j: %s', (condition, expected) => {
    expect(verdict(condition)).toBe(expected)
  })

  test('is not met by a fact that is not known, whether it asks for it or excludes it', () => {
    const none = { card: null, country: null, cart_items: [], metadata: {} }
    for (const operator of ['is_one_of', 'is_not_one_of']) {
      expect(verdict({ name: 'card_scheme', operator, value: ['visa', null] }, none)).toBeNull()
      expect(verdict({ name: 'card_bin', operator, value: ['4'] }, none)).toBeNull()
      expect(verdict({ name: 'country', operator, value: ['NL'] }, none)).toBeNull()
    }
    expect(verdict({ name: 'skus', operator: 'includes_none', value: ['C-3'] }, none)).toBeNull()
  })

  test('of several is met by one, and not known if none is met and one is not known', () => {
    const met = { name: 'currency', operator: 'is_one_of', value: ['EUR'] }
    const unmet = { name: 'currency', operator: 'is_one_of', value: ['USD'] }
    const unknown = { name: 'installment_count', operator: 'equal_to', value: 3 }
    const anyOf = (...value: object[]) => verdict({ name: 'any_of', operator: 'is_true', value })

    expect([anyOf(unmet, met), anyOf(unknown, met), anyOf(unmet, unknown), anyOf(unmet, unmet)]).toEqual([
      true,
      true,
      null,
      false,
    ])
  })

  test('with metadata that looks like code compares it as text', () => {
    const value = 'constructor.constructor(`return process`)(); drop table payments; --'
    const condition = { name: 'metadata', operator: 'includes', value: { key: '__proto__', value } }

    expect(verdict(condition, { metadata: JSON.parse(`{"__proto__": ${JSON.stringify(value)}}`) })).toBe(true)
    expect(verdict(condition, { metadata: {} })).toBe(false)
  })
})

describe('conditions that are judged together', () => {
  const asked = [
    ...['is_one_of', 'is_not_one_of'].flatMap((operator) => [
      { name: 'currency', operator, value: ['EUR', 'USD', 'EUR'] },
      { name: 'country', operator, value: ['NL'] },
      { name: 'card_country', operator, value: ['US'] },
      { name: 'card_bin', operator, value: ['4111', '55000000-56000000'] },
      { name: 'card_bin', operator, value: ['6'] },
      { name: 'anti_fraud_decision', operator, value: ['review'] },
      { name: 'payment_method', operator, value: ['card'] },
      { name: 'card_scheme', operator, value: ['visa', null] },
    ]),
    ...['includes', 'excludes'].flatMap((operator) => [
      { name: 'metadata', operator, value: { key: 'channel', value: ['web', 'app'] } },
      { name: 'metadata', operator, value: { key: 'channel', value: 'kiosk' } },
      { name: 'metadata', operator, value: { key: 'toString', value: 'x' } },
    ]),
    ...['EUR', 'USD'].flatMap((currency) => [
      { name: 'amount', operator: 'less_than', value: { currency, value: 1_299 } },
      { name: 'amount', operator: 'greater_than', value: { currency, value: 1_298 } },
      { name: 'amount', operator: 'is_between', value: { currency, min: 1_299, max: 1_299 } },
    ]),
    { name: 'payment_method', operator: 'equal_to', value: 'card' },
    { name: 'merchant_initiated', operator: 'equal_to', value: false },
  ] as Condition[]
  const payments: readonly Partial<Facts>[] = [
    {},
    { amount: null, currency: 'USD', country: null },
    { amount: 1_298, currency: 'USD', card: null, metadata: {} },
    { amount: 1_300, currency: null, metadata: { channel: 'kiosk' }, anti_fraud_decision: 'review' },
    { currency: 'GBP', payment_method: 'paypal', metadata: { channel: 'toString' } },
    { card: { bin: null, scheme: null, type: null, country: null, issuer_name: null, source: null } },
  ]

  test.each(payments)('say what each says alone: %o', (given) => {
    const facts = { ...PAYMENT, ...given }
    const groups = Map.groupBy(asked, (condition) => keyOfJudge(condition, JSON.stringify(condition)))
    for (const group of groups.values()) {
      const verdicts = new Int8Array(group.length + 2)
      compileJudge(group, 'rule')(facts, verdicts, 1)

      const alone = group.map((condition) => compile(condition, 'rule')(facts))
      const written = alone.map((verdict) => (verdict === null ? NOT_KNOWN : verdict ? MET : NOT_MET))
      expect([...verdicts], JSON.stringify(group)).toEqual([0, ...written, 0])
    }
    expect(groups.size).toBeLessThan(asked.length)
  })
})
