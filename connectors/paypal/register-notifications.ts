import type { Link, RegisterAnswer } from '#connectors/contract/connector.ts'
import { MAPPING } from './mapping.ts'
import { type Json, listIn, part, type Reply, send, textIn } from './wire.ts'

const PATH = '/v1/notifications/webhooks'

/** Uses the webhook that PayPal has for this address, with our events beside those that it has, or makes one. */
export async function registerNotifications(url: string, link: Link): Promise<RegisterAnswer> {
  const listed = await send(link, { method: 'GET', path: PATH })
  if (listed.kind !== 'answer' || listed.status !== 200) return toRefusal(listed)
  const known = listIn(listed.body, 'webhooks').find((webhook) => webhook['url'] === url)
  const names = await eventNames(link)
  if (known) return addEvents(known, names, link)
  const body = { url, event_types: names.map((name) => ({ name })) }
  const made = await send(link, { method: 'POST', path: PATH, body })
  const id = made.kind === 'answer' && made.status === 201 ? textIn(made.body, 'id') : null
  return id === null ? toRefusal(made) : { outcome: 'registered', fields: { webhook_id: id } }
}

/** An earlier version, or a person, may have registered fewer. */
async function addEvents(webhook: Json, names: readonly string[], link: Link): Promise<RegisterAnswer> {
  const id = textIn(webhook, 'id')
  if (id === null) return UNREADABLE
  const registered: RegisterAnswer = { outcome: 'registered', fields: { webhook_id: id } }
  const present = listIn(webhook, 'event_types').flatMap((type) => textIn(type, 'name') ?? [])
  const all = [...new Set([...present, ...names])]
  if (present.includes('*') || all.length === present.length) return registered
  const body = [{ op: 'replace', path: '/event_types', value: all.map((name) => ({ name })) }]
  const changed = await send(link, { method: 'PATCH', path: `${PATH}/${part(id)}`, body })
  return changed.kind === 'answer' && changed.status === 200 ? registered : toRefusal(changed)
}

const UNREADABLE: RegisterAnswer = { outcome: 'unreachable', message: 'PayPal gave no readable answer' }

/** Those of our events that PayPal has: it refuses a webhook with a name that it does not know. */
async function eventNames(link: Link): Promise<readonly string[]> {
  const ours = Object.keys(MAPPING.events)
  const listed = await send(link, { method: 'GET', path: '/v1/notifications/webhooks-event-types' })
  if (listed.kind !== 'answer' || listed.status !== 200) return ours
  const known = new Set(listIn(listed.body, 'event_types').map((type) => textIn(type, 'name')))
  const shared = ours.filter((name) => known.has(name))
  return shared.length > 0 ? shared : ours
}

function toRefusal(reply: Reply): RegisterAnswer {
  const isNo = reply.kind === 'answer' && reply.status >= 400 && reply.status < 500
  if (isNo && textIn(reply.body, 'name') !== null) {
    const message = `PayPal does not register this address: ${String(textIn(reply.body, 'name')).slice(0, 100)}`
    return { outcome: 'rejected', message }
  }
  if (reply.kind === 'unsent' && reply.why === 'refused') {
    return { outcome: 'rejected', message: 'PayPal does not accept client_id and client_secret' }
  }
  return UNREADABLE
}
