import { openContract } from '#testing/published-contract.ts'
import contract from './contract.json' with { type: 'json' }

/** PayPal's published contracts. Tokens of access, certificates and the vault are not among them. */
export const payPalContract = openContract(contract, {
  pathOf: (pathname) =>
    /^\/(v1\/oauth2|v1\/notifications\/certs|v3\/vault|_stand-in)\//.test(pathname) ? null : pathname,
  newer: {
    // `CardVerification` of PayPal's library.
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
