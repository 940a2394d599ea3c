import { field } from '#connectors/contract/describe.ts'
import { type Manifest, NO_CAPABILITIES } from '#connectors/contract/manifest.ts'
import { CURRENCIES } from './currency.ts'
import { CODES_LIVE_MS } from './sync.ts'

/** No value here can be a number of a card, a code, a token or a key. */
const SHOWN = [
  ...[
    '/pts',
    '/v2',
    '/payments/*',
    '/captures/*',
    '/reversals',
    '/refunds',
    '/tss',
    '/searches',
    '/transactions/*',
  ],
  ...['code', 'transactionId', 'reconciliationId', 'capture', 'commerceIndicator', 'paymentSolution'],
  ...['partialAuthIndicator', 'credentialStoredOnFile', 'storedCredentialUsed', 'initiator.type', 'reason'],
  ...[
    'totalAmount',
    'authorizedAmount',
    'refundAmount',
    'currency',
    'transactionType',
    'eciRaw',
    'ucafCollectionIndicator',
  ],
  ...['paSpecificationVersion', 'merchantDescriptor.locality', 'query', 'totalCount', 'count'],
  ...[
    'id',
    'rootId',
    'submitTimeUtc',
    'submitTimeUTC',
    'status',
    'field',
    'approvalCode',
    'responseCode',
    'resultCode',
  ],
  ...['networkTransactionId', 'rCode', 'rFlag', 'reasonCode', 'rmsg'],
]

export const MANIFEST: Manifest = {
  id: 'cybersource-card',
  displayName: 'CyberSource',
  method: 'card',
  mode: 'card',
  instruments: ['card', 'network-token'],
  fields: [
    field('merchant_id', 'Merchant ID', {
      isRequired: true,
      isVerifiable: true,
      pattern: /^[A-Za-z0-9_-]{1,60}$/,
      help: 'The ID of your organization, as the Business Center shows it.',
    }),
    field('key_id', 'Key ID', {
      isRequired: true,
      isVerifiable: true,
      pattern: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i,
      help: 'From the Business Center, Key Management: the key of a “REST – Shared Secret”.',
    }),
    field('shared_secret', 'Shared secret', {
      isRequired: true,
      isSecret: true,
      isVerifiable: true,
      pattern: /^[A-Za-z0-9+/]{43,87}={0,2}$/,
      help: 'The secret of that key, which the Business Center shows once.',
    }),
    field('multiple_captures', 'Several captures', {
      format: 'boolean',
      help: 'Only if your processor takes several captures of one authorization: ask CyberSource.',
    }),
    field('stand_in_url', 'Test server URL', {
      isAddress: true,
      isSandboxOnly: true,
      pattern: /^https?:\/\/[^\s/?#@]+\/?$/,
      help: 'Leave it empty to use the test environment of CyberSource.',
    }),
  ],
  reportingFields: [],
  currencies: CURRENCIES,
  countries: 'all',
  capabilities: {
    ...NO_CAPABILITIES,
    directCapture: true,
    multipleCaptures: true,
    partialRefunds: true,
    partialAuthorization: true,
    threeDSecurePassThrough: true,
    operationNeeds: { multipleCaptures: ({ multiple_captures }) => multiple_captures === 'true' },
  },
  recovery: { by: 'replay', keysLiveMs: CODES_LIVE_MS, alsoLooksUp: true },
  shownInTranscripts: SHOWN,
  isSimulator: false,
}
