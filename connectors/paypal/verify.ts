import type { Link, VerifyAnswer } from '#connectors/contract/connector.ts'
import { askForToken } from './access-token.ts'
import { apiOf } from './address.ts'

const UNREACHABLE: VerifyAnswer = { outcome: 'unreachable', message: 'PayPal gave no readable answer' }

/** Asks for a new token, whatever is remembered: credentials may have changed. Then for the webhook, if one is named. */
export async function verify(link: Link): Promise<VerifyAnswer> {
  const answer = await askForToken(link)
  if (answer.outcome === 'lost') return UNREACHABLE
  if (answer.outcome === 'refused') {
    const message = `PayPal does not accept client_id and client_secret in its ${link.environment} environment`
    return { outcome: 'rejected', message }
  }
  if (!/\/services\/payments\/|\/v1\/payments\//.test(answer.scope)) {
    return { outcome: 'rejected', message: 'the app of this client_id may not take payments at PayPal' }
  }
  const webhookId = link.fields['webhook_id']
  return webhookId ? verifyWebhook(webhookId, answer.token, link) : { outcome: 'accepted' }
}

async function verifyWebhook(id: string, token: string, link: Link): Promise<VerifyAnswer> {
  try {
    const url = `${apiOf(link)}/v1/notifications/webhooks/${encodeURIComponent(id)}`
    const response = await link.fetch(url, {
      headers: { authorization: `Bearer ${token}`, accept: 'application/json' },
    })
    const body = (await response.json()) as Record<string, unknown> | null
    if (response.status === 200 && body?.['id'] === id) return { outcome: 'accepted' }
    if (response.status === 404 && typeof body?.['name'] === 'string') {
      return { outcome: 'rejected', message: 'PayPal knows no webhook by this webhook_id in the app' }
    }
  } catch {}
  return UNREACHABLE
}
