import type { Payment } from '#payments/routing/facts.ts'
import type { Condition } from '#resources/flows/conditions/schemas.ts'
import type { StoredRule } from '#resources/flows/schemas.ts'

const RULES = 50
const ANY_SERVICE = '0199f3a0-5d3b-7c00-8a11-3f1f7f1f0011'

/** Rules that route cards, with six conditions each. Only the last one matches payments of the channel `web`. */
export function fiftyRules(serviceId = ANY_SERVICE): StoredRule[] {
  return Array.from({ length: RULES }, (_, index) => ruleAt(index, serviceId))
}

const CURRENCIES = ['GBP', 'SEK', 'NOK', 'DKK', 'CHF']
const COUNTRIES = ['CU', 'IR', 'RU', 'BY', 'VE']

/** Each condition but the last holds for every payment, so that all six are looked at. */
function ruleAt(index: number, serviceId: string): StoredRule {
  const isLast = index === RULES - 1
  const id = `0199f3a0-5d3b-7c00-8a11-${String(index).padStart(12, '0')}`
  const conditions: Condition[] = [
    { name: 'currency', operator: 'is_one_of', value: ['EUR', 'USD', CURRENCIES[index % 5] ?? 'GBP'] },
    { name: 'country', operator: 'is_not_one_of', value: ['KP', 'SY', COUNTRIES[index % 5] ?? 'CU'] },
    { name: 'amount', operator: 'is_between', value: { currency: 'EUR', min: 1, max: 1_000_000 + index } },
    { name: 'card_scheme', operator: 'is_one_of', value: ['visa', 'mastercard'] },
    {
      name: 'card_bin',
      operator: 'is_one_of',
      value: ['40000000-49999999', '51000000-55999999', `2221-${2720 + index}`],
    },
    {
      name: 'metadata',
      operator: 'includes',
      value: { key: 'channel', value: isLast ? 'web' : `shop-${index}` },
    },
  ]
  return {
    id,
    flow: 'card-transaction',
    action: 'route-transaction',
    description: `Rule ${index}`,
    conditions,
    outcome: {
      type: 'card-routing',
      version: 2,
      result: [{ payment_service_id: serviceId, instrument: 'pan' }],
    },
    error_code: null,
    created_at: '2026-11-15T09:30:00.000Z',
    updated_at: '2026-11-15T09:30:00.000Z',
  }
}

/** A payment as rules see it. Numbers give different ones of the same kind. */
export function paymentAt(index: number): Payment {
  return {
    row: {
      id: `0199f3a0-5d3b-7c00-8a12-${String(index).padStart(12, '0')}`,
      merchant_account_id: 'default',
      amount: 1_000 + index,
      currency: 'EUR',
      country: 'NL',
      method: 'card',
      payment_source: 'ecommerce',
      merchant_initiated: false,
      is_subsequent_payment: false,
      has_gift_card_redemptions: false,
      buyer_id: null,
      payment_method_id: null,
      payment_method_scheme: 'visa',
      payment_method_country: 'NL',
      payment_method_fingerprint: `card-${index}`,
      payment_method_bin: '41111111',
    },
    document: {
      instrument_type: 'pan',
      metadata: { channel: 'web' },
      payment_method: null,
      order: {},
    },
    giftCardBins: [],
    decision: null,
    at: new Date('2026-11-15T09:30:00Z'),
  }
}
