import { field, termsOf } from '#connectors/contract/describe.ts'
import { type Field, type Manifest, NO_CAPABILITIES } from '#connectors/contract/manifest.ts'
import type { MethodRow } from './methods.ts'
import { KEYS_LIVE_MS } from './sync.ts'

/** Every method needs the same account. */
const FIELDS: readonly Field[] = [
  field('access_token', 'Access token', {
    isRequired: true,
    isSecret: true,
    isVerifiable: true,
    pattern: /^[\w-]{20,}$/,
    help: 'GoCardless’s dashboard, Developers, Access tokens: one that may read and write. A sandbox has a dashboard of its own.',
  }),
  field('webhook_secret', 'Secret of the webhook endpoint', {
    isSecret: true,
    help: 'GoCardless’s dashboard, Developers, Webhook endpoints. Enter the webhook address of this service there.',
  }),
  field('creditor', 'Creditor', {
    pattern: /^CR[A-Z0-9]{1,60}$/,
    help: 'Only for accounts with several: the id of the creditor that is paid.',
  }),
  field('stand_in_url', 'Test server URL', {
    isAddress: true,
    isSandboxOnly: true,
    help: 'The address that `bin/switchyard stand-in gocardless` prints. Empty: GoCardless’s sandbox.',
  }),
]

/** Nothing of the buyer, no address of a flow, with which a reader of the transcript could pay, and no mandate: it is a token. */
const SHOWN = [
  'amount',
  'amount_refunded',
  'total_amount_confirmation',
  'currency',
  'scheme',
  'status',
  'id=BRQ*',
  'id=BRF*',
  'id=PM*',
  'id=RF*',
  'links.payment',
  'links.billing_request',
  'links.payment_request_payment',
  'links.conflicting_resource_id',
  'metadata.attempt',
  'metadata.transaction',
  'metadata.method',
  'charge_date',
  'created_at',
  'expires_at',
  'reason',
  'field',
  'type',
  'code',
  '/billing_requests/*',
  '/billing_request_flows',
  '/mandates',
  '/payments/*',
  '/refunds/*',
  '/events',
  '/actions',
  '/cancel',
] as const

export function manifestOf(row: MethodRow): Manifest {
  const { method, displayName, currencies, countries } = row
  return {
    id: `gocardless-${method}`,
    displayName,
    method,
    mode: 'redirect',
    instruments: row.shape === 'debit' ? ['redirect', 'provider-token'] : ['redirect'],
    currencies,
    countries,
    terms: termsOf(row),
    fields: FIELDS,
    reportingFields: [],
    capabilities: { ...NO_CAPABILITIES, directCapture: true, partialRefunds: true },
    recovery: { by: 'replay', keysLiveMs: KEYS_LIVE_MS, alsoLooksUp: true },
    shownInTranscripts: SHOWN,
    isSimulator: false,
  }
}
