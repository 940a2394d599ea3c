import { field } from '#connectors/contract/describe.ts'
import { type Field, type Manifest, NO_CAPABILITIES } from '#connectors/contract/manifest.ts'
import { CURRENCIES } from './currency.ts'
import { REFERENCES_LIVE_MS } from './sync.ts'

/** Of every account at Access Worldpay, whatever it does. */
export const ACCOUNT: readonly Field[] = [
  field('username', 'Username', {
    isRequired: true,
    isVerifiable: true,
    pattern: /^[\x21-\x39\x3b-\x7e]{1,255}$/,
    help: 'From your Worldpay implementation manager: the username of Access Worldpay, of the test or the live environment.',
  }),
  field('password', 'Password', {
    isRequired: true,
    isSecret: true,
    isVerifiable: true,
    pattern: /^[\x20-\x7e]{1,255}$/,
    help: 'From your Worldpay implementation manager, with the username.',
  }),
]

export const STAND_IN_URL: Field = field('stand_in_url', 'Test server URL', {
  isSandboxOnly: true,
  isAddress: true,
  pattern: /^https?:\/\/[^\s/?#@]+\/?$/,
  help: 'Leave it empty to use the test environment of Worldpay.',
})

/** No value here can be a number of a card, a code, a token or a key. */
const SHOWN = [
  ...['/cardPayments', '/customerInitiatedTransactions', '/merchantInitiatedTransactions', '/payments'],
  ...['/settlements', '/partials', '/refunds', '/authorizations', '/cancellations', '/paymentQueries'],
  ...[
    'transactionReference',
    'orderReference',
    'reference',
    'entity',
    'channel',
    'enabled',
    'amount',
    'currency',
  ],
  ...['line1', 'line2', 'type', 'storedCardUsage', 'installmentType', 'outcome', 'paymentId', 'commandId'],
  ...['refusalCode', 'gatewayRefusalCode', 'refusalDescription', 'authorizationCode', 'risk', 'detail'],
  ...['lastEvent', 'eventName', 'timestamp', 'settlementReference', 'refundReference', 'authorizationType'],
  ...['version', 'eci', 'status', 'errorName', 'jsonPath', 'code'],
]

export const MANIFEST: Manifest = {
  id: 'worldpay-card',
  displayName: 'Worldpay',
  method: 'card',
  mode: 'card',
  instruments: ['card', 'network-token'],
  fields: [
    ...ACCOUNT,
    field('entity', 'Entity', {
      isRequired: true,
      pattern: /^[A-Za-z0-9][A-Za-z0-9 ]{0,31}$/,
      help: 'The entity of your account, as in default. Worldpay makes it when you are set up.',
    }),
    field('narrative', 'Text for statements', {
      isRequired: true,
      pattern: /^(?! )[a-zA-Z0-9 _!@#$%()*=.:;?[\]{}~/+\-,`^&]{1,24}$/,
      help: 'Your trading name, 24 letters at most: statements show it if a payment does not say something else.',
    }),
    field('webhook_secret', 'Webhook secret', {
      isSecret: true,
      help: 'The shared secret of the Event-Signature header, from your Worldpay implementation manager. Left out: no messages are taken.',
    }),
    STAND_IN_URL,
  ],
  reportingFields: [],
  currencies: CURRENCIES,
  countries: 'all',
  capabilities: {
    ...NO_CAPABILITIES,
    directCapture: true,
    multipleCaptures: true,
    remainderVoids: true,
    partialRefunds: true,
    threeDSecurePassThrough: true,
  },
  recovery: { by: 'replay', keysLiveMs: REFERENCES_LIVE_MS },
  shownInTranscripts: SHOWN,
  isSimulator: false,
}
