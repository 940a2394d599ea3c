import { field } from '#connectors/contract/describe.ts'
import {
  type Capabilities,
  type Field,
  type Manifest,
  NO_CAPABILITIES,
} from '#connectors/contract/manifest.ts'
import { DISPUTE_ANSWERS } from './dispute-answers.ts'
import { HMAC_KEY } from './notification.ts'
import { KEYS_LIVE_MS } from './sync.ts'
import { PREFIX } from './wire.ts'

/** Every method at Adyen needs the same account. */
const FIELDS: readonly Field[] = [
  field('api_key', 'API key', {
    isRequired: true,
    isSecret: true,
    isVerifiable: true,
    help: 'Customer Area, Developers, API credentials. It needs the role for Checkout, for cards the one for raw card data, to answer disputes API dispute management, and for refunds of ACH Merchant allow bank-refund.',
  }),
  field('merchant_account', 'Merchant account', {
    isRequired: true,
    isVerifiable: true,
    pattern: /^[A-Za-z0-9_-]{1,80}$/,
    help: 'Customer Area, at the top: the name of the merchant account, not of the company.',
  }),
  field('live_url_prefix', 'Live URL prefix', {
    isAddress: true,
    pattern: PREFIX,
    help: 'Customer Area of the live account, Developers, API URLs. Needed in production.',
  }),
  field('hmac_key', 'HMAC key', {
    isSecret: true,
    pattern: HMAC_KEY,
    help: 'Customer Area, Developers, Webhooks, Standard webhook, Security: 64 hexadecimal digits. Empty until the webhook is set up.',
  }),
  field('stand_in_url', 'Test server URL', {
    isAddress: true,
    isSandboxOnly: true,
    help: 'The address that `bin/switchyard stand-in adyen` prints. Empty: the test environment of Adyen.',
  }),
]

const REPORTING_FIELDS: readonly Field[] = [
  field('report_user', 'Report user', {
    help: 'As in report_123456@Company.YourCompany, with the role for reports.',
  }),
  field('report_password', 'Report user password', { isSecret: true }),
]

/** No value here can be a number of a card, a code, a token or a key. Other values of the name `value` can be anything. */
const SHOWN = [
  'amount.value',
  'currency',
  'merchantAccount',
  'reference',
  'merchantReference',
  'merchantOrderReference',
  'pspReference',
  'paymentPspReference',
  'status',
  'resultCode',
  'refusalReason',
  'refusalReasonCode',
  'refusalReasonRaw',
  'errorCode',
  'errorType',
  'shopperInteraction',
  'recurringProcessingModel',
  'captureDelayHours',
  'manualCapture',
  'authorisationType',
  'attemptAuthentication',
  'nativeThreeDS',
  'avsResult',
  'cvcResult',
  'networkTxReference',
  'active',
  'communicationFormat',
  'merchantAdviceCode',
  'paymentMethod.type',
  'action.type',
  'action.method',
  'pspreference',
  'disputePspReference',
  'defenseReasonCode',
  'defenseDocumentTypeCode',
  'requirementLevel',
  'disputeServiceResult.success',
  '/ca',
  '/services',
  '/DisputeService',
  '/v30',
  '/acceptDispute',
  '/defendDispute',
  '/retrieveApplicableDefenseReasons',
  '/supplyDefenseDocument',
  '/deleteDisputeDefenseDocument',
  'transient-error',
  '/checkout',
  '/v71',
  '/payments/*',
  '/captures',
  '/refunds',
  '/cancels',
  '/reversals',
  '/amountUpdates',
] as const

export type Described = Pick<
  Manifest,
  | 'id'
  | 'displayName'
  | 'method'
  | 'mode'
  | 'instruments'
  | 'currencies'
  | 'countries'
  | 'options'
  | 'buyerFields'
  | 'terms'
> & {
  readonly capabilities: Partial<Capabilities>
  /** Whether buyers can dispute payments, and merchants answer. */
  readonly isDefended: boolean
}

export function manifestOf({ capabilities, isDefended, ...described }: Described): Manifest {
  return {
    ...described,
    fields: FIELDS,
    reportingFields: REPORTING_FIELDS,
    capabilities: {
      ...NO_CAPABILITIES,
      directCapture: true,
      partialRefunds: true,
      ...capabilities,
    },
    recovery: { by: 'replay', keysLiveMs: KEYS_LIVE_MS },
    // Adyen waits for banks longer than we wait for most providers.
    patience: { authorize: 30_000, complete: 30_000, sync: 30_000, answerDispute: 30_000 },
    ...(isDefended && { disputeAnswers: DISPUTE_ANSWERS }),
    shownInTranscripts: SHOWN,
    isSimulator: false,
  }
}
