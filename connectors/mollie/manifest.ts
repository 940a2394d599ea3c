import { field, termsOf } from '#connectors/contract/describe.ts'
import { type Field, type Manifest, NO_CAPABILITIES } from '#connectors/contract/manifest.ts'
import { ASKED, type MethodRow } from './methods.ts'
import { KEYS_LIVE_MS } from './sync.ts'
import { API_KEY } from './wire.ts'

/** Every method needs the same account. */
const FIELDS: readonly Field[] = [
  field('api_key', 'API key', {
    isRequired: true,
    isSecret: true,
    isVerifiable: true,
    pattern: API_KEY,
    help: 'Mollie’s dashboard, Developers, API keys of the website profile: the live key in production, the test key in a sandbox.',
  }),
  field('webhook_url', 'Address for webhooks', {
    help: 'Registering the service for notifications enters it. Each payment names it to Mollie.',
  }),
  field('stand_in_url', 'Test server URL', {
    isAddress: true,
    isSandboxOnly: true,
    help: 'The address that `bin/switchyard stand-in mollie` prints. Empty: Mollie, with a test key.',
  }),
]

const REPORTING_FIELDS: readonly Field[] = [
  field('access_token', 'Access token of the organization', {
    isSecret: true,
    pattern: /^access_\w{10,}$/,
    help: 'Mollie’s dashboard, Developers, Access tokens, with the permissions settlements.read and payments.read. An API key may not read settlements.',
  }),
]

/** Nothing of the buyer, and no link: with a link a reader of the transcript could pay, or see a payment. */
const SHOWN = [
  'amount.value',
  'amount.currency',
  'amountCaptured.value',
  'amountRefunded.value',
  'amountRemaining.value',
  'unitPrice.value',
  'totalAmount.value',
  'quantity',
  'resource',
  'id=tr_*',
  'id=cpt_*',
  'id=re_*',
  'id=chb_*',
  'paymentId',
  'mode',
  'method',
  'status',
  'captureMode',
  'metadata.attempt',
  'metadata.transaction',
  'metadata.last',
  'failureReason',
  'field',
  'title',
  'isCancelable',
  'createdAt',
  'authorizedAt',
  'paidAt',
  'canceledAt',
  'expiresAt',
  'expiredAt',
  'failedAt',
  'captureBefore',
  '/v2',
  '/payments/*',
  '/captures',
  '/refunds',
  '/chargebacks',
  '/release-authorization',
] as const

export function manifestOf(row: MethodRow): Manifest {
  const { method, displayName, currencies, countries, captures } = row
  const hasCapture = captures !== undefined
  return {
    id: `mollie-${method}`,
    displayName,
    method,
    mode: 'redirect',
    instruments: ['redirect'],
    currencies,
    countries,
    terms: termsOf(row, ASKED),
    fields: FIELDS,
    reportingFields: REPORTING_FIELDS,
    capabilities: {
      ...NO_CAPABILITIES,
      directCapture: true,
      multipleCaptures: hasCapture,
      remainderVoids: hasCapture,
      partialRefunds: true,
    },
    recovery: { by: 'replay', keysLiveMs: KEYS_LIVE_MS, alsoLooksUp: true },
    shownInTranscripts: SHOWN,
    isSimulator: false,
  }
}
