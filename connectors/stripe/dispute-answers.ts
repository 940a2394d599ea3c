import type { DisputeAnswers } from '#connectors/contract/answer-dispute.ts'

const LINE = 5_000
const STORY = 20_000

/**
 * Stripe's fields of evidence, by its API. A dispute that Stripe calls an appeal takes other evidence. An inquiry cannot be given up:
 * the payment is refunded. Sources: https://docs.stripe.com/api/disputes/update and https://docs.stripe.com/disputes/responding
 */
export const DISPUTE_ANSWERS = {
  accepts: ['chargeback'],
  defends: ['inquiry', 'chargeback'],
  texts: {
    access_activity_log: STORY,
    billing_address: LINE,
    cancellation_policy_disclosure: STORY,
    cancellation_rebuttal: STORY,
    customer_email_address: LINE,
    customer_name: LINE,
    customer_purchase_ip: LINE,
    duplicate_charge_explanation: STORY,
    duplicate_charge_id: LINE,
    product_description: STORY,
    refund_policy_disclosure: STORY,
    refund_refusal_explanation: STORY,
    service_date: LINE,
    shipping_address: LINE,
    shipping_carrier: LINE,
    shipping_date: LINE,
    shipping_tracking_number: LINE,
    uncategorized_text: STORY,
  },
  textsMax: 150_000,
  files: [
    'cancellation_policy',
    'customer_communication',
    'customer_signature',
    'duplicate_charge_documentation',
    'receipt',
    'refund_policy',
    'service_documentation',
    'shipping_documentation',
    'uncategorized_file',
  ],
  contentTypes: ['application/pdf', 'image/jpeg', 'image/png'],
  fileBytesMax: 4_500_000,
  filesBytesMax: 4_500_000,
} as const satisfies DisputeAnswers
