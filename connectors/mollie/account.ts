import type { Link, RegisterAnswer, VerifyAnswer } from '#connectors/contract/connector.ts'
import { isObject, type Reply, send } from './wire.ts'

/** Asks for one payment: a question that needs the key and moves nothing. */
export async function verify(link: Link): Promise<VerifyAnswer> {
  const reply = await send(link, { path: 'payments?limit=1' })
  if (isList(reply)) return { outcome: 'accepted' }
  if (reply.kind === 'error' && [401, 403].includes(reply.status)) {
    return { outcome: 'rejected', message: 'Mollie does not accept the API key, or it is of the other mode' }
  }
  return { outcome: 'unreachable', message: 'Mollie gave no readable answer' }
}

function isList(reply: Reply): boolean {
  const embedded = reply.kind === 'answer' ? reply.body['_embedded'] : null
  return isObject(embedded) && Array.isArray(embedded['payments'])
}

/** Mollie has no list of addresses for an API key: each payment names its own. */
export async function registerNotifications(url: string, _link: Link): Promise<RegisterAnswer> {
  return { outcome: 'registered', fields: { webhook_url: url } }
}
