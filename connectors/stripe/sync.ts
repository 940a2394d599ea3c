import type { AuthorizeAnswer, Link, SyncAnswer } from '#connectors/contract/connector.ts'
import type { CompleteOrder, Inquiry } from '#connectors/contract/orders.ts'
import { toStripeAmount } from './currency.ts'
import { findMade, retrieve, searchIntents } from './find-intent.ts'
import { releaseForm, toCaptureAnswer, toReleaseAnswer } from './follow-ups.ts'
import { type Intent, NOT_OURS, readIntent, toAuthorizeAnswer } from './intent.ts'
import { readRefund, toRefundAnswer } from './refund.ts'
import { isObject, send, text, unknown } from './wire.ts'

export async function sync(inquiry: Inquiry, link: Link): Promise<SyncAnswer> {
  switch (inquiry.operation) {
    case 'authorize':
      return syncAuthorization(inquiry, link)
    case 'refund':
      return syncRefund(inquiry, link)
    case 'capture':
    case 'increment':
    case 'void':
    case 'cancel':
      return syncFollowUp(inquiry, link)
    default:
      return unknown('Stripe is not asked for such operations')
  }
}

/** The buyer is back, or may be: the intent says what became of it, whatever the address claims. */
export async function complete(order: CompleteOrder, link: Link): Promise<AuthorizeAnswer> {
  const found = await retrieve(link, order.reference)
  if ('outcome' in found) return found
  const isOurs =
    found.metadata['attempt'] === order.attemptId &&
    found.amount === toStripeAmount(order.amount, order.currency)
  return isOurs ? toAuthorizeAnswer(found, link.now()) : NOT_OURS
}

async function syncAuthorization(inquiry: Inquiry, link: Link): Promise<SyncAnswer> {
  if (inquiry.reference !== null) {
    const found = await retrieve(link, inquiry.reference)
    if ('outcome' in found) return found
    return found.metadata['attempt'] === inquiry.attemptId ? toAuthorizeAnswer(found, link.now()) : NOT_OURS
  }
  for (const list of ['payment_intents', 'setup_intents'] as const) {
    const made = await findMade(link, list, inquiry)
    if (made && 'outcome' in made) return made
    if (made) return toAuthorizeAnswer(readIntent(made, { attemptId: inquiry.attemptId }), link.now())
  }
  const found = await searchIntents(link, { attempt: inquiry.attemptId })
  if ('outcome' in found) return found
  return found[0] ? toAuthorizeAnswer(found[0], link.now()) : closeKey(inquiry, link)
}

async function syncRefund(inquiry: Inquiry, link: Link): Promise<SyncAnswer> {
  const { attemptId } = inquiry
  const made = await findMade(link, 'refunds', inquiry)
  if (made && 'outcome' in made) return made
  return made ? toRefundAnswer(readRefund(made, { attemptId })) : closeKey(inquiry, link)
}

async function syncFollowUp(inquiry: Inquiry, link: Link): Promise<SyncAnswer> {
  const { operation, attemptId, transactionId, reference } = inquiry
  const found =
    reference === null
      ? await searchIntents(link, { transaction: transactionId })
      : await retrieve(link, reference)
  if ('outcome' in found) return found
  const intents: readonly Intent[] = Array.isArray(found) ? found : [found]
  if (operation === 'void' || operation === 'cancel') {
    const released = intents.map(toReleaseAnswer).find(({ outcome }) => outcome === 'approved')
    return released ?? closeKey(inquiry, link)
  }
  const marked = intents.find(({ metadata }) => metadata[attemptId] === operation)
  if (!marked) return closeKey(inquiry, link)
  if (operation === 'capture') return toCaptureAnswer(marked)
  return { outcome: 'approved', reference: marked.id, facts: { rawCode: marked.status } }
}

/** Stripe forgets a key after 24 hours at the earliest. */
const KEYS_LIVE_MS = 24 * 3_600_000
const MARGIN_MS = 3_600_000

/**
 * For an attempt that Stripe does not show: uses its key for something that moves no money, a setup without a card. If
 * Stripe takes it, the attempt has never arrived; should it still arrive, Stripe refuses it, because a key belongs to its
 * first request. If Stripe refuses, the key was used, and the attempt stays unknown.
 * Source: https://docs.stripe.com/api/idempotent_requests
 */
async function closeKey({ attemptId, sentAt }: Inquiry, link: Link): Promise<SyncAnswer> {
  if (link.now().getTime() - sentAt.getTime() >= KEYS_LIVE_MS - MARGIN_MS) {
    return unknown('Stripe does not show this attempt, and may have forgotten its key')
  }
  const path = '/v1/setup_intents'
  const reply = await send(link, { method: 'POST', path, form: closingForm(attemptId), key: attemptId })
  if (reply.kind === 'lost') return unknown(reply.reason)
  if (reply.kind === 'refusal')
    return unknown('Stripe does not show this attempt, but may have carried it out')
  const { object, metadata } = reply.body
  const id = text(reply.body['id'])
  const isOurs = object === 'setup_intent' && isObject(metadata) && metadata['closes'] === attemptId
  if (!isOurs || id === null) return unknown('Stripe answered with something else than a setup')
  await tidyUp(id, attemptId, link)
  return { outcome: 'not_found' }
}

export function closingForm(attemptId: string) {
  return { allowed_payment_method_types: ['card' as const], metadata: { closes: attemptId } }
}

/** Whatever Stripe answers, the setup does nothing. Canceled, it does not look like one that still waits. */
async function tidyUp(id: string, attemptId: string, link: Link): Promise<void> {
  await send(link, {
    method: 'POST',
    path: `/v1/setup_intents/${id}/cancel`,
    form: releaseForm('abandoned'),
    key: `${attemptId}-closed`,
  })
}
