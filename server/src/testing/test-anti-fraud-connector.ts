import type { AntiFraudConnector } from '#connectors/contract/anti-fraud.ts'
import type { Field } from '#connectors/contract/manifest.ts'

/**
 * Decides as the buyer's browser says: `accept`, `reject`, `review`, and throws at anything else. Its
 * notifications are one word and a transaction's id, as in `accept 0199…`. It ignores `ignore`, and throws at
 * `break`.
 */
export const testAntiFraud: AntiFraudConnector = {
  manifest: {
    id: 'test-anti-fraud',
    displayName: 'Test anti-fraud',
    fields: [field('account', { isRequired: true }), field('api_key', { isSecret: true })],
    isSimulator: true,
  },
  decide: async ({ fingerprint }) => {
    if (fingerprint === 'accept' || fingerprint === 'reject' || fingerprint === 'review') {
      return { outcome: 'decided', decision: fingerprint, reference: null }
    }
    throw new Error(`no decision for ${fingerprint}`)
  },
  readNotification: async ({ body }, { fields }) => {
    const [word = '', transactionId = ''] = body.toString().split(' ')
    if (word === 'accept' || word === 'reject') return { outcome: 'read', transactionId, decision: word }
    if (word === 'ignore') return { outcome: 'ignored' }
    if (word === 'break') throw new Error(`${fields['api_key']} cannot read ${word}`)
    return { outcome: 'rejected', message: 'the first word must be accept or reject' }
  },
}

/** A connector without notifications about reviews. */
export const plainAntiFraud: AntiFraudConnector = {
  manifest: { id: 'plain-anti-fraud', displayName: 'Plain anti-fraud', fields: [], isSimulator: true },
  decide: testAntiFraud.decide,
}

function field(key: string, rest: Partial<Field>): Field {
  return {
    key,
    displayName: key,
    isRequired: false,
    format: 'text',
    isSecret: false,
    isVerifiable: false,
    ...rest,
  }
}
