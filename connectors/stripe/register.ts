import type { Link, RegisterAnswer } from '#connectors/contract/connector.ts'
import { API_VERSION, isObject, send, text } from './wire.ts'

/** Those that `readNotification` understands. */
export const EVENTS = [
  'payment_intent.succeeded',
  'payment_intent.payment_failed',
  'payment_intent.canceled',
  'payment_intent.amount_capturable_updated',
  'setup_intent.succeeded',
  'setup_intent.setup_failed',
  'setup_intent.canceled',
  'refund.updated',
  'refund.failed',
  'charge.dispute.created',
  'charge.dispute.updated',
  'charge.dispute.closed',
  'charge.dispute.funds_withdrawn',
  'charge.dispute.funds_reinstated',
  'radar.early_fraud_warning.created',
] as const

/** Stripe shows a secret once. So a second call makes a new endpoint, and then deletes the old one. */
export async function registerNotifications(url: string, link: Link): Promise<RegisterAnswer> {
  const listed = await send(link, { method: 'GET', path: '/v1/webhook_endpoints', form: { limit: 100 } })
  if (listed.kind !== 'object') return problemOf(listed)
  const made = await send(link, { method: 'POST', path: '/v1/webhook_endpoints', form: endpointForm(url) })
  if (made.kind !== 'object') return problemOf(made)
  const secret = text(made.body['secret'])
  if (made.body['object'] !== 'webhook_endpoint' || secret === null) return UNREADABLE
  const { data } = listed.body
  const old = (Array.isArray(data) ? data : []).filter((one) => isObject(one) && one['url'] === url)
  for (const { id } of old) {
    await send(link, { method: 'DELETE', path: `/v1/webhook_endpoints/${encodeURIComponent(String(id))}` })
  }
  return { outcome: 'registered', fields: { webhook_secret: secret } }
}

export function endpointForm(url: string) {
  return { url, enabled_events: EVENTS, api_version: API_VERSION } as const
}

const UNREADABLE: RegisterAnswer = { outcome: 'unreachable', message: 'Stripe gave no readable answer' }

function problemOf(reply: { readonly kind: string; readonly status?: number }): RegisterAnswer {
  if (reply.kind !== 'refusal') return UNREADABLE
  if (reply.status === 401) return { outcome: 'rejected', message: 'Stripe does not accept the secret key' }
  if (reply.status === 403) {
    return { outcome: 'rejected', message: 'the secret key may not write Webhook Endpoints' }
  }
  return { outcome: 'rejected', message: 'Stripe does not accept this address for its messages' }
}
