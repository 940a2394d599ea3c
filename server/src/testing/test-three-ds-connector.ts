import type { AuthenticateOrder, ThreeDSecureConnector } from '#connectors/contract/three-d-secure.ts'

/** Where the pages of the issuer are. A test with a browser has its own. */
export const issuer = { url: 'https://issuer.example.com' }

/** What it was asked to authenticate, the newest last. */
export const authenticated: AuthenticateOrder[] = []

/** A test may let its answers wait. */
export const answer: { after: Promise<void> | null } = { after: null }

/** The payments whose challenge it was asked about. */
export const concluded: string[] = []

const DONE = {
  outcome: 'done',
  transactionStatus: 'Y',
  version: '2.2.0',
  eci: '05',
  cavv: 'AJkBAycVKQAAAAJZQFF3dAAAAAA=',
  directoryTransactionId: '0b8d3a52-7a2c-4f3e-9b1a-2f6a8f0c1d2e',
} as const
/** The value is one that must not be passed on. */
const UNPROVEN = { ...DONE, transactionStatus: 'U' } as const
const TROUBLE = { code: '403', description: 'Enter the key again', component: 'S' } as const

/**
 * A 3-D Secure server with a device and pages of issuers. The field `account` says how it answers: `frictionless`, `unproven`, `challenge`, `refuse`,
 * `wrong-key`, `broken`, and `once`: with a challenge, and with an error if it is asked
 * about the payment again. A challenge is approved by `answer=yes`, and refused by anything else.
 */
export const testThreeDS: ThreeDSecureConnector = {
  manifest: {
    id: 'test-three-ds',
    displayName: 'Test 3-D Secure',
    fields: [field('account', true), { ...field('api_key', false), isSecret: true }],
    isSimulator: false,
  },
  prepare: async ({ transactionId }, { fields }) => {
    if (fields['account'] === 'wrong-key') return { outcome: 'setup_error', ...TROUBLE }
    const form = { url: `${issuer.url}/device`, fields: { JWT: `device-${transactionId}` } }
    return { outcome: 'collect', form, state: `device of ${transactionId}` }
  },
  authenticate: async (order, { fields }) => {
    const { transactionId } = order
    const isRepeated = authenticated.some((earlier) => earlier.transactionId === transactionId)
    authenticated.push(order)
    await answer.after
    if (isRepeated && fields['account'] === 'once') throw new Error('the payment was asked about before')
    switch (fields['account']) {
      case 'frictionless':
        return DONE
      case 'unproven':
        return UNPROVEN
      case 'refuse':
        return { outcome: 'refused', transactionStatus: 'N', version: '2.2.0' }
      case 'once':
      case 'challenge': {
        const form = { url: `${issuer.url}/challenge`, fields: { JWT: `challenge-${transactionId}` } }
        const { version, directoryTransactionId } = DONE
        const state = `challenge of ${transactionId}`
        return { outcome: 'challenge', version, directoryTransactionId, form, state }
      }
      default:
        throw new Error('the server is broken')
    }
  },
  conclude: async ({ transactionId, state, returned }, { fields }) => {
    const isRepeated = concluded.includes(transactionId)
    concluded.push(transactionId)
    if (isRepeated && fields['account'] === 'once') throw new Error('the challenge was concluded before')
    if (state !== `challenge of ${transactionId}`) throw new Error('the state of another payment')
    if (returned['answer'] === 'lost') throw new Error('the answer was lost')
    if (returned['answer'] === 'yes') return DONE
    if (returned['answer'] === 'unproven') return UNPROVEN
    return { outcome: 'refused', transactionStatus: 'N', version: '2.2.0' }
  },
}

/** Asks the issuer at once, without the buyer's browser. */
export const plainThreeDS: ThreeDSecureConnector = {
  manifest: { ...testThreeDS.manifest, id: 'plain-three-ds', displayName: 'Plain 3-D Secure' },
  authenticate: testThreeDS.authenticate,
  conclude: testThreeDS.conclude,
}

function field(key: string, isRequired: boolean) {
  return { key, displayName: key, isRequired, format: 'text', isSecret: false, isVerifiable: false } as const
}
