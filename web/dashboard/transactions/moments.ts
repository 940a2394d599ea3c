import type { Schemas } from '../../api/schema.d.ts'
import { exactText, moneyText, type Tone } from '../parts/values.tsx'
import type { Delivery } from './deliveries.ts'
import { tellEvent } from './tell-event.ts'
import { plain, sourceName } from './words.ts'

/** Something that happened to a payment. */
export type Moment = {
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

export type Records = {
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
export function momentsOf(it: Payment, records: Records): Moment[] {
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
