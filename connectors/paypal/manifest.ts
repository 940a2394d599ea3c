import { field } from '#connectors/contract/describe.ts'
import {
  type Capabilities,
  type Field,
  type Manifest,
  NO_CAPABILITIES,
} from '#connectors/contract/manifest.ts'
import { CURRENCIES } from './currency.ts'
import { DISPUTE_ANSWERS } from './dispute-answers.ts'
import { WALLET_OPTIONS } from './option-schemas.ts'
import { KEYS_LIVE_MS } from './sync.ts'

const FIELDS: readonly Field[] = [
  field('client_id', 'Client ID', {
    isRequired: true,
    isVerifiable: true,
    pattern: /^[A-Za-z0-9_-]{10,128}$/,
    help: 'In PayPal’s Developer Dashboard, under Apps & Credentials, in your app.',
  }),
  field('client_secret', 'Client secret', {
    isRequired: true,
    isSecret: true,
    isVerifiable: true,
    help: 'Below the client ID of the same app.',
  }),
  // Signed with every message. With the id of another webhook of the same account, its messages would count here, too.
  field('webhook_id', 'Webhook ID', {
    isSecret: true,
    isVerifiable: true,
    pattern: /^[A-Za-z0-9]{1,50}$/,
    help: 'In your app, under Webhooks. Without it, no notification is accepted.',
  }),
  field('brand_name', 'Brand name', {
    help: 'What buyers read on PayPal’s pages instead of your account’s name.',
  }),
  field('stand_in_url', 'Test server URL', {
    isSandboxOnly: true,
    isAddress: true,
    pattern: /^https?:\/\/[^\s/?#@]+\/?$/,
    help: 'Leave it empty to use PayPal’s own sandbox.',
  }),
]

const CAPABILITIES: Capabilities = {
  ...NO_CAPABILITIES,
  directCapture: true,
  multipleCaptures: true,
  remainderVoids: true,
  partialRefunds: true,
}

const SHARED = {
  fields: FIELDS,
  reportingFields: [],
  currencies: CURRENCIES,
  countries: 'all',
  recovery: { by: 'replay', keysLiveMs: KEYS_LIVE_MS.orders },
  disputeAnswers: DISPUTE_ANSWERS,
  // Files take their time.
  patience: { answerDispute: 30_000 },
  isSimulator: false,
  // Neither `value` nor `name`: PayPal's errors repeat the value that is wrong, and a card has its holder's name. No `id`:
  // that of a stored payment method is a token.
  shownInTranscripts: [
    'amount.value',
    'authorizations.id',
    'avs_code',
    'captures.id',
    'currency_code',
    'custom_id',
    'cvv_code',
    'debug_id',
    'final_capture',
    'intent',
    'invoice_id',
    'issue',
    'method',
    'payment_advice_code',
    'paypal-debug-id',
    'paypal-request-id',
    'reason',
    'response_code',
    'status',
    '/v1',
    '/v2',
    '/oauth2',
    '/token',
    '/checkout',
    '/orders/*',
    '/authorize',
    '/capture',
    '/payments',
    '/authorizations/*',
    '/captures/*',
    '/refunds/*',
    '/refund',
    '/void',
    '/customer',
    '/disputes/*',
    '/accept-claim',
    '/provide-evidence',
  ],
} as const satisfies Partial<Manifest>

export const walletManifest: Manifest = {
  ...SHARED,
  id: 'paypal-paypal',
  displayName: 'PayPal',
  method: 'paypal',
  mode: 'redirect',
  instruments: ['redirect', 'provider-token'],
  // 115 % of what was authorized, and at most 75 US dollars more.
  capabilities: { ...CAPABILITIES, overCapture: true },
  options: WALLET_OPTIONS,
}

export const cardManifest: Manifest = {
  ...SHARED,
  id: 'paypal-card',
  displayName: 'PayPal, cards',
  method: 'card',
  mode: 'card',
  instruments: ['card', 'network-token', 'provider-token'],
  capabilities: { ...CAPABILITIES, threeDSecureByProvider: true },
}
