import type { Answer, Link } from '#connectors/contract/connector.ts'
import type {
  CancelOrder,
  CaptureOrder,
  IncrementOrder,
  RefundOrder,
  VoidOrder,
} from '#connectors/contract/orders.ts'
import { refused } from '#connectors/contract/refuse.ts'
import { toStripeAmount } from './currency.ts'
import { retrieve, searchIntents } from './find-intent.ts'
import { type Intent, NOT_OURS, readIntent } from './intent.ts'
import { readRefund, toRefundAnswer } from './refund.ts'
import { type Body, isObject, send, toRefusal, unknown } from './wire.ts'

/** Captures and increments leave this mark on their intent: by it, `sync` knows that they were done. */
function markOf(attemptId: string, operation: 'capture' | 'increment') {
  return { [attemptId]: operation }
}

export async function capture(order: CaptureOrder, link: Link): Promise<Answer> {
  const { attemptId } = order
  if (isSetup(order.reference)) return NOTHING_RESERVED
  const amount = toStripeAmount(order.amount, order.currency)
  if (amount === null) return notExact(order.currency)
  const refusal = await refusalOfCapture(order, link)
  if (refusal) return refusal
  const form = captureForm(order, amount)
  const done = await followUp(order, { act: 'capture', form }, link)
  if ('outcome' in done) return done
  return done.metadata[attemptId] === 'capture' ? toCaptureAnswer(done) : NOT_OURS
}

export function captureForm(order: Pick<CaptureOrder, 'attemptId' | 'isFinal'>, amount: number) {
  return {
    amount_to_capture: amount,
    // By default a capture is the last one, and Stripe knows no other way unless multicapture is enabled.
    final_capture: order.isFinal ? undefined : false,
    metadata: markOf(order.attemptId, 'capture'),
    expand: ['latest_charge'],
  }
}

export function toCaptureAnswer({ id, chargeId, status }: Intent): Answer {
  return { outcome: 'approved', reference: chargeId ?? id, facts: { rawCode: status } }
}

export async function increment(order: IncrementOrder, link: Link): Promise<Answer> {
  if (isSetup(order.reference)) return NOTHING_RESERVED
  const amount = toStripeAmount(order.authorizedAmount + order.amount, order.currency)
  if (amount === null) return notExact(order.currency)
  const held = await heldBy(order.reference, link)
  if ('outcome' in held) return held
  if (isOff(held, 'incremental_authorization'))
    return notWithThisCard('Stripe cannot raise what this card holds')
  const form = incrementForm(order, amount)
  const done = await followUp(order, { act: 'increment_authorization', form }, link)
  if ('outcome' in done) return done
  if (done.metadata[order.attemptId] !== 'increment' || done.amount < amount) return NOT_OURS
  return { outcome: 'approved', reference: done.id, facts: { rawCode: done.status } }
}

export function incrementForm({ attemptId }: Pick<IncrementOrder, 'attemptId'>, amount: number) {
  return { amount, metadata: markOf(attemptId, 'increment') }
}

/** What Stripe says that a capture cannot do with this card. One that takes what is held, at once, needs no such permission. */
async function refusalOfCapture(order: CaptureOrder, link: Link): Promise<Answer | null> {
  const { isFinal, amount, authorizedAmount, capturedAmount, currency } = order
  const isOver = amount > authorizedAmount - capturedAmount
  if (isFinal && !isOver) return null
  const held = await heldBy(order.reference, link)
  if ('outcome' in held) return held
  if (!isFinal && isOff(held, 'multicapture')) {
    return notWithThisCard('Stripe captures this card once: capture all of it, as the final one')
  }
  const most = isOver ? mostOf(held) : null
  const wanted = toStripeAmount(capturedAmount + amount, currency)
  if (most === null || wanted === null || wanted <= most) return null
  return refused('invalid_amount', {
    rawDescription: 'Stripe captures no such amount above what this card holds',
  })
}

type Held = { readonly card: Body }

/** The card of a hold, with what Stripe can do with it. Stripe is asked each time, and only where the answer is needed. */
async function heldBy(reference: string, link: Link): Promise<Held | Answer> {
  const found = await retrieve(link, reference)
  if ('outcome' in found) return found
  const details = found.charge?.['payment_method_details']
  return { card: isObject(details) && isObject(details['card']) ? details['card'] : {} }
}

/** Only if Stripe says so. By its brand, its category and the account, a card has each of these or not. */
function isOff(
  { card }: Held,
  feature: 'multicapture' | 'overcapture' | 'incremental_authorization',
): boolean {
  const told = card[feature]
  return isObject(told) && told['status'] === 'unavailable'
}

/** In Stripe's units, with what is captured already. Null if Stripe does not say. */
function mostOf({ card }: Held): number | null {
  const told = card['overcapture']
  const most = isObject(told) ? told['maximum_amount_capturable'] : null
  return typeof most === 'number' ? most : null
}

function notWithThisCard(sentence: string): Answer {
  return refused('unsupported_transaction', { rawCode: 'unavailable', rawDescription: sentence })
}

/** Also releases the rest that captures left. */
export async function voidPayment(order: VoidOrder, link: Link): Promise<Answer> {
  // Nothing is reserved for an amount of zero, and Stripe cannot cancel a setup that has succeeded.
  if (order.reference.startsWith('seti_'))
    return refused('unsupported_transaction', { rawCode: 'setup_intent' })
  return release(order, 'requested_by_customer', link)
}

export async function cancel(order: CancelOrder, link: Link): Promise<Answer> {
  const reference = order.reference ?? (await findReference(order, link))
  if (reference === null) return unknown('Stripe shows no payment that could be canceled yet')
  return release({ ...order, reference }, 'abandoned', link)
}

/** Stripe gives up a hold by itself, and a person may cancel it in the dashboard. Then it refuses, but nothing is held. */
async function release(order: Followed, reason: ReleaseReason, link: Link): Promise<Answer> {
  const done = await followUp(order, { act: 'cancel', form: releaseForm(reason) }, link)
  if (!('outcome' in done)) return toReleaseAnswer(done)
  if (done.outcome !== 'failed' || done.code !== 'unexpected_state') return done
  const found = await retrieve(link, order.reference)
  return 'status' in found && found.status === 'canceled' ? toReleaseAnswer(found) : done
}

type ReleaseReason = 'abandoned' | 'requested_by_customer'

export function releaseForm(reason: ReleaseReason) {
  return { cancellation_reason: reason }
}

/** Nothing is reserved any more. After a partial capture, the intent may count as succeeded. */
export function toReleaseAnswer({ id, status, amountCapturable, amountReceived }: Intent): Answer {
  const isReleased = status === 'canceled' || (status === 'succeeded' && amountReceived > 0)
  if (!isReleased || amountCapturable !== 0) return NOT_OURS
  return { outcome: 'approved', reference: id, facts: { rawCode: status } }
}

const REASONS = ['duplicate', 'fraudulent', 'requested_by_customer'] as const

export async function refund(order: RefundOrder, link: Link): Promise<Answer> {
  if (isSetup(order.reference)) return NOTHING_RESERVED
  const amount = toStripeAmount(order.amount, order.currency)
  if (amount === null) return notExact(order.currency)
  const form = refundForm(order, amount)
  const reply = await send(link, { method: 'POST', path: '/v1/refunds', form, key: order.attemptId })
  if (reply.kind !== 'object') return toRefusal(reply)
  return toRefundAnswer(readRefund(reply.body, { attemptId: order.attemptId, amount }))
}

export function refundForm(order: RefundOrder, amount: number) {
  return {
    payment_intent: order.reference,
    amount,
    reason: REASONS.find((reason) => reason === order.reason),
    metadata: { attempt: order.attemptId, transaction: order.transactionId, refund: order.refundId },
  }
}

/** An amount of zero only checks the card. Nothing can be taken, released or given back. */
const NOTHING_RESERVED = refused('unsupported_transaction', { rawCode: 'setup_intent' })

function isSetup(reference: string): boolean {
  return reference.startsWith('seti_')
}

type Followed = { readonly attemptId: string; readonly reference: string }

async function followUp(
  { attemptId, reference }: Followed,
  { act, form }: { readonly act: string; readonly form: object },
  link: Link,
): Promise<Intent | Answer> {
  const kind = isSetup(reference) ? 'setup_intents' : 'payment_intents'
  const path = `/v1/${kind}/${encodeURIComponent(reference)}/${act}`
  const reply = await send(link, { method: 'POST', path, form, key: attemptId })
  if (reply.kind !== 'object') return toRefusal(reply)
  return readIntent(reply.body, { id: reference }) ?? NOT_OURS
}

async function findReference({ transactionId }: CancelOrder, link: Link): Promise<string | null> {
  const found = await searchIntents(link, { transaction: transactionId })
  return 'outcome' in found ? null : (found[0]?.id ?? null)
}

function notExact(currency: string): Answer {
  return refused('invalid_amount', { rawDescription: `Stripe takes amounts in ${currency} only rounded` })
}
