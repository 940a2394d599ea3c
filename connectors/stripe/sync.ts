import type { AuthorizeAnswer, Link, SyncAnswer } from '#connectors/contract/connector.ts'
import type { CompleteOrder, Inquiry } from '#connectors/contract/orders.ts'
import { closeKey } from './close-key.ts'
import { toStripeAmount } from './currency.ts'
import { findMade, retrieve, searchIntents } from './find-intent.ts'
import { toCaptureAnswer, toReleaseAnswer } from './follow-ups.ts'
import { type Intent, NOT_OURS, readIntent, toAuthorizeAnswer } from './intent.ts'
import { readRefund, toRefundAnswer } from './refund.ts'
import { unknown } from './wire.ts'

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
