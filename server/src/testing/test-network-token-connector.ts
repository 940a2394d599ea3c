import type { Message } from '#connectors/contract/connector.ts'
import {
  type NetworkTokenConnector,
  type ProvisionOrder,
  TOKEN_SCHEMES,
  type TokenAnswer,
} from '#connectors/contract/network-token.ts'
import { refused } from '#connectors/contract/refuse.ts'
import { secret } from '#connectors/contract/secret.ts'

/** What it was asked to provision, the newest last. */
export const provisioned: ProvisionOrder[] = []
/** Tokens that it has deleted, by reference. */
export const deleted = new Set<string>()

const NUMBER = '4895370012003478'

/**
 * A token service whose provider has the merchant's ids at the schemes. The field `account` says how it answers: `slow` makes a token
 * that is ready when it is asked again, and `lost` answers once the order is repeated. It tells of tokens by messages
 * such as `suspended 0199…`, with the field `api_key` as the header `x-key`.
 */
export const testNetworkToken: NetworkTokenConnector = {
  manifest: {
    id: 'test-network-token',
    displayName: 'Test network tokens',
    fields: [field('account', true), { ...field('api_key', false), isSecret: true }],
    isSimulator: false,
  },
  schemes: TOKEN_SCHEMES,
  needsRequestor: true,
  canSuspend: true,
  provision: async (order, { fields }): Promise<TokenAnswer> => {
    const isFirst = !provisioned.some(({ attemptId }) => attemptId === order.attemptId)
    provisioned.push(order)
    const reference = `token-${order.clientReference}`
    if (fields['account'] === 'slow' && isFirst) return { outcome: 'pending', reference, facts: {} }
    if (fields['account'] === 'lost' && isFirst) throw new Error('the answer was lost')
    if (fields['account'] === 'refuse') return refused('unsupported_payment_method')
    const networkToken = {
      number: secret(NUMBER),
      expirationDate: '11/38',
      paymentAccountReference: null,
      status: 'active',
    } as const
    return { outcome: 'approved', reference, facts: {}, networkToken }
  },
  change: async ({ operation, reference }) => {
    if (operation === 'delete') deleted.add(reference)
    return { outcome: 'approved', reference, facts: {}, networkToken: null }
  },
  makeCryptogram: async ({ reference }) =>
    deleted.has(reference)
      ? { outcome: 'refused', code: 'deleted' }
      : { outcome: 'made', cryptogram: secret('AgAAAAAAAIR8CQrXcIhbQAAAAAA='), eci: '07' },
  readNotification: async ({ headers, body }: Message, { fields }, requestorOf) => {
    if (headers['x-key'] !== fields['api_key']) return { outcome: 'rejected', message: 'the key is wrong' }
    const [status = '', clientReference = ''] = body.toString().split(' ')
    await requestorOf(clientReference)
    if (status !== 'suspended' && status !== 'deleted')
      return { outcome: 'rejected', message: 'the first word must be suspended or deleted' }
    return { outcome: 'read', notice: { clientReference, status, expirationDate: null, card: null } }
  },
}

/** It has the ids of its own at one scheme, cannot suspend, and tells nothing. */
export const plainNetworkToken: NetworkTokenConnector = {
  manifest: { ...testNetworkToken.manifest, id: 'plain-network-token', displayName: 'Plain network tokens' },
  schemes: ['visa'],
  needsRequestor: false,
  canSuspend: false,
  provision: testNetworkToken.provision,
  change: testNetworkToken.change,
  makeCryptogram: testNetworkToken.makeCryptogram,
}

function field(key: string, isRequired: boolean) {
  return { key, displayName: key, isRequired, format: 'text', isSecret: false, isVerifiable: false } as const
}
