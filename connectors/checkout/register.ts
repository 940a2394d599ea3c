import { randomBytes } from 'node:crypto'
import type { Link, RegisterAnswer, VerifyAnswer } from '#connectors/contract/connector.ts'
import { DISPUTE_EVENTS, EVENTS } from './mapping.ts'
import { isObject, isPage, type Json, type Reply, send } from './wire.ts'

/**
 * Sets up a workflow that sends the events which `readNotification` understands, signed with a key of ours. A second call makes
 * a new one, and then deletes the old one: so no event is missed.
 */
export async function registerNotifications(url: string, link: Link): Promise<RegisterAnswer> {
  const listed = await send(link, { method: 'GET', path: 'workflows' })
  if (listed.kind !== 'answer') return problemOf(listed)
  const known = await send(link, { method: 'GET', path: 'workflows/event-types' })
  if (known.kind !== 'answer') return problemOf(known)
  const { data } = listed.body
  const { items } = known.body
  if (!Array.isArray(data) || !Array.isArray(items)) return UNREADABLE
  const key = randomBytes(32).toString('hex')
  const name = `Switchyard ${url}`.slice(0, 100)
  const body = workflow({
    url,
    key,
    name,
    events: eventsAmong(items),
    channel: link.fields['processing_channel_id'],
  })
  const made = await send(link, { path: 'workflows', body })
  if (made.kind !== 'answer') return problemOf(made)
  if (typeof made.body['id'] !== 'string') return UNREADABLE
  for (const { id } of data.filter(isObject).filter((one) => one['name'] === name)) {
    await send(link, { method: 'DELETE', path: `workflows/${encodeURIComponent(String(id))}` })
  }
  return { outcome: 'registered', fields: { signature_key: key } }
}

type Workflow = {
  readonly url: string
  readonly key: string
  readonly name: string
  readonly events: Json
  readonly channel: string | undefined
}

function workflow({ url, key, name, events, channel }: Workflow): Json {
  return {
    name,
    active: true,
    conditions: [
      { type: 'event', events },
      ...(channel ? [{ type: 'processing_channel', processing_channels: [channel] }] : []),
    ],
    actions: [{ type: 'webhook', url, headers: {}, signature: { method: 'HMACSHA256', key } }],
  }
}

/** Those that this account has: a workflow with another one would be refused. */
function eventsAmong(sources: readonly unknown[]): Json {
  const offered = new Map(
    sources
      .filter(isObject)
      .map(({ id, events }) => [
        id,
        (Array.isArray(events) ? events : []).filter(isObject).map((event) => event['id']),
      ]),
  )
  const wanted = Object.entries({ gateway: EVENTS, dispute: DISPUTE_EVENTS }).map(
    ([source, events]) =>
      [source, Object.keys(events).filter((one) => offered.get(source)?.includes(one))] as const,
  )
  return Object.fromEntries(wanted.filter(([, events]) => events.length > 0))
}

/** Asks for payments of which there are none: a question that needs the key and moves nothing. */
export async function verify(link: Link): Promise<VerifyAnswer> {
  const reply = await send(link, { method: 'GET', path: 'payments?reference=switchyard-verify&limit=1' })
  if (reply.kind === 'answer' && isPage(reply.body)) return { outcome: 'accepted' }
  return reply.kind === 'answer' ? UNREADABLE : problemOf(reply)
}

const UNREADABLE = { outcome: 'unreachable', message: 'Checkout.com gave no readable answer' } as const

function problemOf(
  reply: Exclude<Reply, { kind: 'answer' }>,
): Exclude<RegisterAnswer, { outcome: 'registered' }> {
  if (reply.kind === 'lost') return UNREADABLE
  const { status, code } = reply
  if (code === 'sandbox_with_live_key')
    return rejected('secret_key is a live key: enter one that begins with sk_sbox_')
  if (status === 401) return rejected('Checkout.com does not accept secret_key')
  if (status === 403)
    return rejected('secret_key may not do this: give it the scopes for payments and for workflows')
  return rejected('Checkout.com does not accept this address for its messages')
}

function rejected(message: string) {
  return { outcome: 'rejected', message } as const
}
