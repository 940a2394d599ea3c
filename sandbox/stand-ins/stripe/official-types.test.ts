import type Stripe from 'stripe'
import { expect, test } from 'vitest'
import { newDispute, newEvent, newPayout, newWarning } from './money-objects.ts'
import { newIntent, newRefund, newSetupIntent } from './objects.ts'

const AT = { id: 'x_1', created: 1_763_287_200 }
const MONEY = { ...AT, amount: 1299, currency: 'usd', metadata: {} }

// The compiler compares each object with the official type: a field that is missing or wrong does not compile.
const OBJECTS = [
  newIntent({
    ...MONEY,
    capture_method: 'manual',
    payment_method_types: ['card'],
  }) satisfies Omit<Stripe.PaymentIntent, 'last_payment_error' | 'next_action'>,
  newSetupIntent({
    ...AT,
    usage: 'off_session',
    payment_method_types: ['card'],
    metadata: {},
  }) satisfies Omit<Stripe.SetupIntent, 'last_setup_error' | 'next_action'>,
  newRefund({
    ...MONEY,
    charge: 'ch_1',
    payment_intent: 'pi_1',
    payment_method: 'pm_1',
    reason: null,
  }) satisfies Stripe.Refund,
  newPayout(MONEY) satisfies Stripe.Payout,
  newDispute({
    ...MONEY,
    charge: 'ch_1',
    payment_intent: 'pi_1',
    reason: 'fraudulent',
    status: 'needs_response',
    due_by: AT.created,
  }) satisfies Stripe.Dispute,
  newWarning({ ...AT, charge: 'ch_1', payment_intent: 'pi_1' }) satisfies Stripe.Radar.EarlyFraudWarning,
  newEvent({ ...AT, type: 'refund.failed', object: {}, key: null }) satisfies Omit<
    Stripe.Event,
    'data' | 'type'
  >,
]

test('the objects are those of the official types', () => {
  expect(OBJECTS.map(({ object }) => object)).toEqual([
    'payment_intent',
    'setup_intent',
    'refund',
    'payout',
    'dispute',
    'radar.early_fraud_warning',
    'event',
  ])
})
