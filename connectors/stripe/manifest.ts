import { type Field, type Manifest, NO_CAPABILITIES } from '#connectors/contract/manifest.ts'
import { DISPUTE_ANSWERS } from './dispute-answers.ts'

const FIELDS: readonly Field[] = [
  {
    key: 'secret_key',
    displayName: 'Secret key',
    isRequired: true,
    format: 'text',
    pattern: /^(sk|rk)_(live|test)_[A-Za-z0-9_]+$/,
    help: 'In the dashboard of Stripe under Developers, API keys. A restricted key is enough.',
    isSecret: true,
    isVerifiable: true,
  },
  {
    key: 'webhook_secret',
    displayName: 'Webhook signing secret',
    isRequired: false,
    format: 'text',
    pattern: /^whsec_[A-Za-z0-9_]+$/,
    help: 'In the dashboard under Developers, Webhooks. Left out: call POST /payment-services/{id}/notifications, which registers a webhook and keeps its secret.',
    isSecret: true,
    isVerifiable: false,
  },
  {
    key: 'stand_in_url',
    displayName: 'Test server URL',
    isRequired: false,
    format: 'text',
    pattern: /^https?:\/\/[^/]+$/,
    help: 'Only to try payments without an account at Stripe.',
    isSandboxOnly: true,
    isSecret: false,
    isVerifiable: false,
    isAddress: true,
  },
]

export const FLEXIBLE_CAPTURES: Field = {
  key: 'flexible_captures',
  displayName: 'Multiple captures, over-capture and increments',
  isRequired: false,
  format: 'boolean',
  help: 'Only if Stripe has enabled them for your account. They need IC+ pricing.',
  isSecret: false,
  isVerifiable: false,
}

/** Stripe works on a request for up to 80 seconds, by the timeout of its own libraries. */
const PATIENCE_MS = 60_000

/** No secrets and no details of buyers. A payment method's id is a token. Lists hold other payments. */
const SHOWN = [
  ...[
    'object',
    'id=pi_*',
    'id=seti_*',
    'id=ch_*',
    'id=re_*',
    'status',
    'type',
    'code',
    'decline_code',
    'network_decline_code',
    'advice_code',
    'message',
  ],
  ...['param', 'amount', 'amount_capturable', 'amount_received', 'amount_to_capture', 'amount_captured'],
  ...[
    'amount_refunded',
    'currency',
    'capture_method',
    'cancellation_reason',
    'confirm',
    'final_capture',
    'created',
  ],
  ...[
    'payment_intent',
    'charge',
    'latest_charge',
    'reason',
    'failure_reason',
    'failure_code',
    'livemode',
    'captured',
  ],
  ...[
    'off_session',
    'setup_future_usage',
    'error_on_requires_action',
    'request_three_d_secure',
    'network_status',
  ],
  ...[
    'request_multicapture',
    'request_overcapture',
    'request_incremental_authorization',
    'cvc_check',
    'has_more',
  ],
  ...[
    'address_line1_check',
    'address_postal_code_check',
    'attempt',
    'transaction',
    'reconciliation',
    'refund',
    'closes',
  ],
  ...['stripe-version', 'stripe-should-retry', 'idempotent-replayed', 'expand', 'limit', '!data'],
  ...['/v1', '/payment_methods', '/payment_intents/*', '/setup_intents/*', '/refunds/*', '/capture'],
  ...['/cancel', '/increment_authorization', '/search'],
]

type Own = Pick<
  Manifest,
  | 'method'
  | 'displayName'
  | 'mode'
  | 'instruments'
  | 'currencies'
  | 'countries'
  | 'options'
  | 'terms'
  | 'buyerFields'
> & {
  readonly fields?: readonly Field[]
  readonly capabilities: Partial<Manifest['capabilities']>
}

/** What the methods of Stripe have in common. */
export function manifestOf({ fields = [], capabilities, ...own }: Own): Manifest {
  return {
    id: `stripe-${own.method}`,
    ...own,
    fields: [...FIELDS, ...fields],
    reportingFields: [],
    capabilities: {
      ...NO_CAPABILITIES,
      directCapture: true,
      partialRefunds: true,
      ...capabilities,
    },
    recovery: { by: 'lookup' },
    disputeAnswers: DISPUTE_ANSWERS,
    patience: {
      authorize: PATIENCE_MS,
      capture: PATIENCE_MS,
      void: PATIENCE_MS,
      cancel: PATIENCE_MS,
      refund: PATIENCE_MS,
      increment: PATIENCE_MS,
      activity: PATIENCE_MS,
      answerDispute: PATIENCE_MS,
    },
    shownInTranscripts: SHOWN,
    isSimulator: false,
  }
}
