import type { ReactNode } from 'react'
import type { Schemas } from '../../api/schema.d.ts'
import { useRead } from '../api/client.ts'
import { useMay } from '../api/me.ts'
import { Link } from '../parts/controls.tsx'
import { capital, dateFormat } from '../parts/locale.ts'
import { Empty, Problem } from '../parts/page.tsx'
import { useReach } from '../parts/reach.ts'
import { clockText, exactClockText, exactText, moneyText, type Tone } from '../parts/values.tsx'
import { type DeliveryTo, useDeliveriesOf } from '../webhook-subscriptions/deliveries.tsx'
import { plain, STATUSES, sourceName } from './words.ts'

type Transaction = Schemas['Transaction']

/** Everything that happened to a payment, newest first, from wherever it is recorded. */
export function Timeline({
  of: it,
  everyMs,
}: {
  readonly of: Transaction
  readonly everyMs: number | false
}) {
  const { moments, error, retry } = useMoments(it, everyMs)
  if (error) return <Problem error={error} retry={retry} />
  if (moments.length === 0) return <Empty title="No events" />
  return (
    <ol className="timeline">
      {moments.map((moment, index) => (
        <Station key={moment.id} moment={moment} isNewDay={isOtherDay(moment.at, moments[index - 1]?.at)} />
      ))}
    </ol>
  )
}

function Station({ moment, isNewDay }: { readonly moment: Moment; readonly isNewDay: boolean }): ReactNode {
  const { at, title, text, tone, to } = moment
  const reaches = useReach()
  return (
    <li className={tone}>
      <div>
        <b>
          {to && reaches(to) ? (
            <Link to={to} className="text-link">
              {title}
            </Link>
          ) : (
            title
          )}
        </b>
        {text && <p>{text}</p>}
      </div>
      <time dateTime={at} title={`${exactText(at)} (${exactClockText(at)})`}>
        {isNewDay && <small>{DAY.format(new Date(at))}</small>}
        {clockText(at)}
      </time>
    </li>
  )
}

const DAY = dateFormat({ month: 'short', day: 'numeric', year: 'numeric' })

function isOtherDay(at: string, before: string | undefined): boolean {
  return before === undefined || new Date(at).toDateString() !== new Date(before).toDateString()
}

/** Reads all that is recorded, each from its own list. What the user may not see is left out. */
function useMoments(it: Transaction, everyMs: number | false) {
  const may = useMay()
  const path = { path: { transaction_id: it.id }, everyMs }
  const events = useRead('GET /transactions/{transaction_id}/events', { ...path, query: { limit: 100 } })
  const attempts = useRead('GET /transactions/{transaction_id}/attempts', path)
  const captures = useRead('GET /transactions/{transaction_id}/captures', path)
  const refunds = useRead('GET /transactions/{transaction_id}/refunds', path)
  const money = { ...path, isWanted: it.settled || it.disputed }
  const settlements = useRead('GET /transactions/{transaction_id}/settlements', money)
  const refundSettlements = useRead('GET /transactions/{transaction_id}/refund-settlements', money)
  const chargebacks = useRead('GET /transactions/{transaction_id}/chargebacks', money)
  const reversals = useRead('GET /transactions/{transaction_id}/chargeback-reversals', money)
  const deliveries = useDeliveries(it.id, may('webhook-deliveries.read') && may('events.read'))
  const all = [events, attempts, captures, refunds, settlements, refundSettlements, chargebacks, reversals]
  const failed = all.find(({ error, data }) => error && !data)
  const moments = momentsOf(it, {
    events: events.data?.items ?? [],
    attempts: attempts.data?.items ?? [],
    captures: captures.data?.items ?? [],
    refunds: refunds.data?.items ?? [],
    settlements: settlements.data?.items ?? [],
    refundSettlements: refundSettlements.data?.items ?? [],
    chargebacks: chargebacks.data?.items ?? [],
    reversals: reversals.data?.items ?? [],
    deliveries,
  })
  return { moments, error: failed?.error, retry: () => void failed?.refetch() }
}

/** Something that happened to a payment. */
type Moment = {
  readonly id: string
  readonly at: string
  readonly title: string
  readonly text: string
  readonly tone: Tone
  /** Where more is told of it. */
  readonly to?: string
}

type Money = {
  readonly id: string
  readonly amount: number
  readonly currency: string
  readonly commission: number
  readonly payment_service_report_id: string
  readonly posted_at: string
}

type Records = {
  readonly events: readonly Schemas['TransactionEvent'][]
  readonly attempts: readonly Schemas['TransactionAttempt'][]
  readonly captures: readonly Schemas['Capture'][]
  readonly refunds: readonly Schemas['Refund'][]
  readonly settlements: readonly Money[]
  readonly refundSettlements: readonly Money[]
  readonly chargebacks: readonly Money[]
  readonly reversals: readonly Money[]
  readonly deliveries: readonly Delivery[]
}

type Payment = Pick<Schemas['Transaction'], 'id' | 'created_at' | 'currency' | 'amount' | 'payment_source'>

/** All of them, newest first. Of two at the same moment, what was asked for stands below what came of it. */
function momentsOf(it: Payment, records: Records): Moment[] {
  const moments = [
    begin(it),
    ...records.attempts.filter(isOpen).map((one) => tellAttempt(one, it.currency)),
    ...records.captures.map(tellCapture),
    ...records.refunds.map(tellRefund),
    ...records.events
      .toReversed()
      .map((event) => ({ id: event.id, at: event.created_at, ...tellEvent(event, it.currency) })),
    ...records.settlements.map((one) => posted(one, 'Settled', 'good')),
    ...records.refundSettlements.map((one) => posted(one, 'Refund settled', 'good')),
    ...records.chargebacks.map((one) => posted(one, 'Charged back', 'bad')),
    ...records.reversals.map((one) => posted(one, 'Chargeback reversed', 'good')),
    ...records.deliveries.map(tellDelivery),
  ]
  return moments.sort((a, b) => Date.parse(a.at) - Date.parse(b.at)).reverse()
}

function begin({ id, created_at, currency, amount, payment_source }: Payment): Moment {
  const text = `${moneyText(amount, currency)} · ${sourceName(payment_source)}`
  return { id: `${id}-begin`, at: created_at, title: 'Payment requested', text, tone: 'mute' }
}

/** Attempts that are over have events, with what the payment service answered. */
export function isOpen({ status }: Pick<Schemas['TransactionAttempt'], 'status'>): boolean {
  return ['queued', 'sent', 'unknown', 'pending'].includes(status)
}

/** What is not known is waiting: the money may have moved. */
function tellAttempt(
  { id, operation, amount, status, inquiries, next_inquiry_at, updated_at }: Schemas['TransactionAttempt'],
  currency: string,
): Moment {
  const word = operation === 'authorize' ? 'authorization' : operation
  const next = next_inquiry_at === null ? '' : `next check ${exactText(next_inquiry_at)}`
  return {
    id,
    at: updated_at,
    title: status === 'unknown' ? `Waiting for the outcome of the ${word}` : `The ${word} is in progress`,
    text: [moneyText(amount, currency), inquiries > 0 ? `checked ${inquiries} times` : '', next]
      .filter(Boolean)
      .join(' · '),
    tone: 'wait',
  }
}

/** The answer of the payment service is an event; this is the request. */
function tellCapture({ id, created_at, amount, currency, final, status }: Schemas['Capture']): Moment {
  const rest = final ? '' : 'the remainder stays authorized'
  const state = status === 'pending' ? 'waiting for the payment service' : ''
  return {
    id,
    at: created_at,
    title: `Capture of ${moneyText(amount, currency)} requested`,
    text: [state, rest].filter(Boolean).join(' · '),
    tone: status === 'pending' ? 'wait' : 'mute',
  }
}

function tellRefund({
  id,
  created_at,
  amount,
  currency,
  reason,
  creator,
  status,
  target_type,
}: Schemas['Refund']): Moment {
  const by = creator ? ` by ${creator.name}` : ''
  const to = target_type === 'gift-card-redemption' ? 'to a gift card' : ''
  const state = status === 'processing' ? 'waiting for the payment service' : ''
  return {
    id,
    at: created_at,
    title: `Refund of ${moneyText(amount, currency)} requested${by}`,
    text: [to, reason ?? '', state].filter(Boolean).join(' · '),
    tone: status === 'processing' ? 'wait' : 'mute',
  }
}

function posted(it: Money, title: string, tone: Tone): Moment {
  const { id, amount, currency, commission, posted_at } = it
  const fee = [`fee ${moneyText(commission, currency)}`, `net ${moneyText(amount - commission, currency)}`]
  return {
    id,
    at: posted_at,
    title,
    text: [moneyText(amount, currency), ...(commission === 0 ? [] : fee)].join(' · '),
    tone,
    to: `/payment-service-reports/${it.payment_service_report_id}`,
  }
}

const DELIVERY: Readonly<Record<Delivery['status'], { readonly word: string; readonly tone: Tone }>> = {
  delivered: { word: 'delivered', tone: 'mute' },
  waiting: { word: 'on its way', tone: 'wait' },
  parked: { word: 'given up', tone: 'bad' },
}

function tellDelivery({
  id,
  url,
  event_name,
  status,
  attempts,
  outcome,
  response_status_code,
  delivered_at,
  updated_at,
  webhook_subscription_id,
}: Delivery): Moment {
  const { word, tone } = DELIVERY[status]
  const answer = response_status_code === null ? plain(outcome ?? '') : `answer ${response_status_code}`
  const tries = attempts > 1 ? `${attempts} attempts` : ''
  return {
    id: `${webhook_subscription_id}-${id}`,
    at: delivered_at ?? updated_at,
    title: `Webhook ${event_name} ${word}`,
    text: [url, answer, tries].filter(Boolean).join(' · '),
    tone,
    to: `/developers/webhooks/${webhook_subscription_id}/deliveries/${id}`,
  }
}

type Told = { readonly title: string; readonly text: string; readonly tone: Tone }

type Event = Schemas['TransactionEvent']

/** What an event of a payment says to a person. Names that have no sentence of their own are shown as they are. */
function tellEvent({ name, context }: Event, currency: string): Told {
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
    title: own?.title ?? capital(plain(name)),
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
    text: [fact('message') || (SKIPPED[reason] ?? plain(reason)), after && `after: ${plain(after)}`]
      .filter(Boolean)
      .join(' · '),
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
    title: mark?.label ?? capital(plain(status)),
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

type Delivery = DeliveryTo

/** Where the events of a payment were sent. */
function useDeliveries(transactionId: string, isWanted: boolean): readonly Delivery[] {
  const events = useRead('GET /events', { query: { target_id: transactionId, limit: 100 }, isWanted })
  return useDeliveriesOf(events.data?.items.map(({ id }) => id) ?? [], isWanted)
}
