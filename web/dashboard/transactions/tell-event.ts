import type { Schemas } from '../../api/schema.d.ts'
import { moneyText, type Tone } from '../parts/values.tsx'
import { plain, STATUSES } from './words.ts'

export type Told = { readonly title: string; readonly text: string; readonly tone: Tone }

type Event = Schemas['TransactionEvent']

/** What an event of a payment says to a person. Names that have no sentence of their own are shown as they are. */
export function tellEvent({ name, context }: Event, currency: string): Told {
  const fact = (key: string) =>
    context[key] === null || context[key] === undefined ? '' : String(context[key])
  if (name === 'transaction-updated-status') return tellStatus(fact('status'), fact('from'))
  if (name.startsWith('payment-connector-response-transaction-')) return tellAnswer(name, context, currency)
  if (name === 'payment-service-skipped') return tellSkipped(context)
  const own = OWN[name]
  const amount = typeof context['amount'] === 'number' ? moneyText(context['amount'], currency) : ''
  const details = [
    amount,
    fact('decision'),
    fact('status'),
    fact('code'),
    fact('description'),
    fact('message'),
  ]
  return {
    title: own?.title ?? sentence(name),
    text: details.filter(Boolean).map(plain).join(' · '),
    tone: own?.tone ?? toneOf(name),
  }
}

const OWN: Readonly<Partial<Record<Event['name'], { readonly title: string; readonly tone: Tone }>>> = {
  'three-d-secure-success': { title: '3-D Secure: buyer authenticated', tone: 'good' },
  'three-d-secure-request-error': { title: '3-D Secure: no usable answer', tone: 'mute' },
  'three-d-secure-authentication-request': { title: '3-D Secure requested', tone: 'info' },
  'anti-fraud-decision': { title: 'Anti-fraud decision', tone: 'info' },
  'anti-fraud-decision-skipped': { title: 'Anti-fraud check skipped', tone: 'mute' },
  'anti-fraud-webhook': { title: 'Review decision', tone: 'info' },
  'gift-card-redemption-succeeded': { title: 'Gift card redeemed', tone: 'good' },
  'gift-card-redemption-failed': { title: 'Gift card not redeemed', tone: 'bad' },
  'gift-card-refund-succeeded': { title: 'Refunded to the gift card', tone: 'good' },
  'gift-card-refund-failed': { title: 'Not refunded to the gift card', tone: 'bad' },
  'gift-card-reversal-succeeded': { title: 'Returned to the gift card', tone: 'mute' },
  'flow-decision': { title: 'Routing rules applied', tone: 'mute' },
  'payment-service-missing': { title: 'No payment service can take this payment', tone: 'bad' },
  'scheme-advice-do-not-retry': { title: 'The card scheme said not to retry', tone: 'bad' },
  'transaction-sync-event': { title: 'Synced with the payment service', tone: 'info' },
  'transaction-sync-failed-event': { title: 'The payment service gave no answer', tone: 'wait' },
  'transaction-modified-event': { title: 'The record was corrected', tone: 'mute' },
  'payment-connector-report-transaction-settled': { title: 'Reported as settled', tone: 'good' },
  'payment-connector-report-refund-settled': { title: 'Refund reported as settled', tone: 'good' },
  'payment-connector-report-chargeback-posted': { title: 'Reported as charged back', tone: 'bad' },
  'payment-connector-report-chargeback-reversal-posted': {
    title: 'Chargeback reported as reversed',
    tone: 'good',
  },
  'payment-connector-transaction-webhook-processed': {
    title: 'Webhook from the payment service',
    tone: 'info',
  },
  'payment-connector-external-transaction-request': {
    title: 'Processed outside of this service',
    tone: 'mute',
  },
}

/** A payment service that was not asked, or not tried after another one. */
function tellSkipped(context: Event['context']): Told {
  const fact = (key: string) => (typeof context[key] === 'string' ? context[key] : '')
  const reason = fact('reason')
  const after = fact('after_code')
  return {
    title: `${fact('payment_service_display_name') || 'A payment service'} was ${after ? 'not tried' : 'skipped'}`,
    text: [SKIPPED[reason] ?? plain(reason), after && `after: ${plain(after)}`].filter(Boolean).join(' · '),
    tone: 'mute',
  }
}

const SKIPPED: Readonly<Record<string, string>> = {
  inactive: 'it is inactive',
  other_method: 'it handles another payment method',
  currency_not_accepted: 'it does not accept the currency',
  country_not_accepted: 'it does not accept the country',
  added_since: 'it was added after the payment started',
  not_in_rule: 'the routing rule does not name it',
  no_network_token: 'the card has no network token for it',
  no_second_scheme: 'the card has only one scheme',
  other_service_named: 'the request names another service',
  payment_method_deleted: 'the stored card was deleted',
  rule_does_not_retry: 'the routing rule does not retry after this decline',
  provider_forbids_retry: 'the provider said not to retry',
  not_retriable: 'this decline is not retried with another service',
  out_of_time: 'there was no time left to try it',
  scheme_advice: 'the card scheme said not to retry',
  scheme_limit: 'the card scheme’s retry limit was reached',
}

function tellStatus(status: string, from: string): Told {
  const mark = STATUSES[status as keyof typeof STATUSES]
  const before = STATUSES[from as keyof typeof STATUSES]
  return {
    title: mark?.label ?? sentence(status),
    text: before ? `before: ${before.label.toLowerCase()}` : '',
    tone: mark?.tone ?? 'mute',
  }
}

const ACTS: Readonly<Record<string, string>> = {
  authorize: 'Authorization',
  capture: 'Capture',
  void: 'Void',
  cancel: 'Cancellation',
  increment: 'Increment',
  refund: 'Refund',
}

/** What a payment service answered. */
function tellAnswer(name: string, context: Event['context'], currency: string): Told {
  const fact = (key: string) => (typeof context[key] === 'string' ? context[key] : '')
  const tone = toneOf(name)
  const verb =
    tone === 'good'
      ? 'approved'
      : tone === 'wait'
        ? 'accepted'
        : name.endsWith('declined')
          ? 'declined'
          : 'failed'
  const service = fact('payment_service_display_name')
  const response = [fact('raw_response_code'), fact('raw_response_description')].filter(Boolean).join(' ')
  const checks = [
    fact('cvv_response_code') && `security code: ${plain(fact('cvv_response_code'))}`,
    fact('avs_response_code') && `address: ${plain(fact('avs_response_code'))}`,
  ]
  const amount = typeof context['amount'] === 'number' ? moneyText(context['amount'], currency) : ''
  return {
    title: `${ACTS[fact('operation')] ?? 'Request'} ${verb}${service && ` by ${service}`}`,
    text: [amount, plain(fact('code')), response && `answer ${response}`, ...checks]
      .filter(Boolean)
      .join(' · '),
    tone,
  }
}

function toneOf(name: string): Tone {
  if (/succeeded|success|created|settled|decrypted/.test(name)) return 'good'
  if (/pending/.test(name)) return 'wait'
  return /failed|declined|error|chargeback-posted/.test(name) ? 'bad' : 'mute'
}

function sentence(name: string): string {
  const text = plain(name)
  return text.slice(0, 1).toUpperCase() + text.slice(1)
}
