import { createHmac } from 'node:crypto'
import type { Books, WebhookEndpoint } from './books.ts'
import type { Event } from './money-objects.ts'
import { checkParams, type Params, requireParams, textAt, valueAt } from './params.ts'
import { missing } from './stripe-error.ts'

export type SignedMessage = {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Source: https://docs.stripe.com/webhooks#verify-manually */
export function sign(body: string, { secret, now }: { readonly secret: string; readonly now: Date }): string {
  const time = Math.floor(now.getTime() / 1_000)
  return `t=${time},v1=${createHmac('sha256', secret).update(`${time}.${body}`).digest('hex')}`
}

/** The message that Stripe sends about an event to each endpoint that wants it. */
function messagesFor(books: Books, event: Event): SignedMessage[] {
  return [...books.endpoints.values()]
    .filter(({ events }) => events.includes('*') || events.includes(event.type))
    .map(({ url, secret }) => {
      const body = JSON.stringify(event)
      const signature = sign(body, { secret, now: books.now() })
      return { url, headers: { 'content-type': 'application/json', 'stripe-signature': signature }, body }
    })
}

type Delivery = { readonly event: Event; tries: number }
type Send = (message: SignedMessage) => Promise<number>

/** In test mode Stripe tries three times over a few hours. Source: https://docs.stripe.com/webhooks#retries */
const TRIES_MAX = 3

/** Sends events to the endpoints, in any order that the network makes. Failed ones wait for the next round. */
export class Deliveries {
  readonly #books: Books
  readonly #send: Send
  #open: Delivery[] = []

  constructor(books: Books, send: Send) {
    this.#books = books
    this.#send = send
    books.onEvent((event) => this.#open.push({ event, tries: 0 }))
  }

  /** Returns how many were not taken. */
  async deliver(): Promise<number> {
    const round = this.#open
    this.#open = []
    for (const delivery of round) {
      const isTaken = await this.#deliverOne(delivery.event)
      delivery.tries += 1
      if (!isTaken && delivery.tries < TRIES_MAX) this.#open.push(delivery)
    }
    return this.#open.length
  }

  async #deliverOne(event: Event): Promise<boolean> {
    const results = await Promise.all(
      messagesFor(this.#books, event).map((message) => this.#send(message).catch(() => 0)),
    )
    return results.every((status) => status >= 200 && status < 300)
  }
}

/** Source: https://docs.stripe.com/api/webhook_endpoints/create */
export function createEndpoint(books: Books, params: Params): object {
  checkParams(params, {
    url: 'text',
    enabled_events: 'texts',
    api_version: 'text',
    description: 'text',
    metadata: 'metadata',
    expand: 'texts',
  })
  requireParams(params, 'url', 'enabled_events')
  const endpoint: WebhookEndpoint = {
    id: books.id('we'),
    url: textAt(params, 'url') ?? '',
    secret: books.id('whsec'),
    events: valueAt(params, 'enabled_events') as string[],
    created: books.seconds(),
  }
  books.endpoints.set(endpoint.id, endpoint)
  // The secret is shown once.
  return { ...shown(endpoint), secret: endpoint.secret }
}

export function showEndpoint(books: Books, id: string): object {
  const endpoint = books.endpoints.get(id)
  if (!endpoint) throw missing('webhook endpoint', id, 'webhook_endpoint')
  return shown(endpoint)
}

export function deleteEndpoint(books: Books, id: string): object {
  showEndpoint(books, id)
  books.endpoints.delete(id)
  return { id, object: 'webhook_endpoint', deleted: true }
}

export function shown({ id, url, events, created }: WebhookEndpoint) {
  return {
    id,
    object: 'webhook_endpoint' as const,
    api_version: '2026-10-28.endive',
    application: null,
    created,
    description: null,
    enabled_events: events,
    livemode: false,
    metadata: {},
    status: 'enabled',
    url,
  }
}
