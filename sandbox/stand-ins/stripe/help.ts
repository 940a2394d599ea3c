import { writeHelp } from '../page.ts'

export function showHelp(secretKey: string, origin: string): string {
  return writeHelp({
    provider: 'Stripe',
    documentation: 'https://docs.stripe.com/testing',
    fields: { secret_key: secretKey, stand_in_url: origin },
    values: [
      ['4242 4242 4242 4242', 'is approved. Any expiry date to come, any security code.'],
      ['4000 0000 0000 0002', 'is declined; …9995 for want of money, …0069 as expired, …0127 for its code.'],
      ['4000 0027 6000 3184', '3-D Secure: the buyer is asked on a page.'],
      ['4000 0000 0000 0259', 'is paid, and disputed at once.'],
      ['4000 0000 0000 5126', 'is paid; its refund succeeds, and fails at finish.'],
      ['SM11AA', 'the code that verifies a bank account (ACH).'],
    ],
    controls: [
      ['/_stand-in/finish', 'ends all debits and refunds that are open.'],
      ['/_stand-in/finish/INTENT', 'lets the buyer approve, or fail with {"outcome": "failed"}.'],
      ['/_stand-in/refunds/REFUND/fail', 'a refund turns out to have failed.'],
      ['/_stand-in/payment_intents/INTENT/dispute', 'opens a dispute.'],
      ['/_stand-in/payment_intents/INTENT/expire', 'gives up a hold.'],
      ['/_stand-in/disputes/DISPUTE/close', 'ends it: {"outcome": "won"} or "lost".'],
      ['/_stand-in/payouts', 'pays out all balances, which makes a report.'],
      [
        '/_stand-in/faults',
        'trouble for the next request: {"endpoint": "POST /v1/refunds", "fault": "error"}.',
      ],
    ],
  })
}
