import type { Link, SyncAnswer } from '#connectors/contract/connector.ts'
import type { Inquiry } from '#connectors/contract/orders.ts'
import { isObject, send, text, unknown } from './wire.ts'

/** Stripe forgets a key after 24 hours at the earliest. */
const KEYS_LIVE_MS = 24 * 3_600_000
const MARGIN_MS = 3_600_000

/**
 * For an attempt that Stripe does not show: uses its key for something that moves no money, a setup without a card. If
 * Stripe takes it, the attempt has never arrived; should it still arrive, Stripe refuses it, because a key belongs to its
 * first request. If Stripe refuses, the key was used, and the attempt stays unknown.
 * Source: https://docs.stripe.com/api/idempotent_requests
 */
export async function closeKey({ attemptId, sentAt }: Inquiry, link: Link): Promise<SyncAnswer> {
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
  const form = { cancellation_reason: 'abandoned' }
  await send(link, {
    method: 'POST',
    path: `/v1/setup_intents/${id}/cancel`,
    form,
    key: `${attemptId}-closed`,
  })
}
