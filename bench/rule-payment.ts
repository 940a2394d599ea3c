import type { Payment } from '#payments/routing/facts.ts'

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
