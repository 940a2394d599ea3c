import { openContract } from '#testing/published-contract.ts'
import contract from './contract.json' with { type: 'json' }

/** PayPal's published contracts. Tokens of access and certificates are not among them. */
export const payPalContract = openContract(contract, {
  pathOf: (pathname) =>
    /^\/(v1\/oauth2|v1\/notifications\/certs|_stand-in)\//.test(pathname) ? null : pathname,
  newer: {
    // The contract names the files alone. What goes beside them is in PayPal's reference and examples.
    'POST /v1/customer/disputes/{id}/provide-evidence': {
      input: {
        type: 'object',
        properties: {
          evidences: { type: 'array', minItems: 1, maxItems: 100, items: { $ref: '3/evidence' } },
        },
        required: ['evidences'],
      },
    },
    'POST /v1/customer/disputes/{id}/accept-claim': {
      input: {
        type: 'object',
        properties: {
          note: { type: 'string', minLength: 1, maxLength: 2_000 },
          accept_claim_type: { $ref: '3/accept_claim_type' },
        },
        required: ['note'],
      },
    },
    // `VaultTokenRequestType` of PayPal's library.
    '5/token_id_request': { type: { type: 'string', enum: ['SETUP_TOKEN'] } },
    // `PaypalWalletStoredCredential` of it, with the values that a charge without the buyer has.
    '0/paypal_wallet': {
      stored_credential: {
        type: 'object',
        properties: {
          payment_initiator: { type: 'string', enum: ['CUSTOMER', 'MERCHANT'] },
          usage: { type: 'string', enum: ['FIRST', 'SUBSEQUENT', 'DERIVED'] },
          usage_pattern: { type: 'string', enum: ['IMMEDIATE', 'DEFERRED', 'RECURRING_PREPAID'] },
        },
        required: ['payment_initiator'],
      },
    },
    // `CardVerification` of it.
    '0/card_attributes': {
      verification: {
        type: 'object',
        properties: {
          method: { type: 'string', enum: ['SCA_ALWAYS', 'SCA_WHEN_REQUIRED', '3D_SECURE', 'AVS_CVV'] },
        },
      },
    },
  },
})
