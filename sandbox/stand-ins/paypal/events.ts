import { randomUUID, sign } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { type Books, inventId, type Json } from './books.ts'
import { makeSigningKey, type SigningKey } from './certificate.ts'
import { Problem } from './problem.ts'
import { self } from './views.ts'

/** A message as it goes over the wire. Header names are in lower case. */
export type SignedMessage = { readonly headers: Record<string, string>; readonly body: Buffer }

export type Webhook = {
  readonly id: string
  readonly clientId: string
  readonly url: string
  readonly types: readonly string[]
}

export type Event = {
  readonly id: string
  readonly clientId: string
  readonly type: string
  readonly body: Json
  /** The webhooks that have taken it. */
  readonly takenBy: Set<string>
}

/** The names of https://developer.paypal.com/api/rest/webhooks/event-names/ that belong to payments, and those of refunds. */
export const EVENT_NAMES: readonly string[] = [
  'CHECKOUT.ORDER.APPROVED',
  'CHECKOUT.ORDER.COMPLETED',
  'CHECKOUT.PAYMENT-APPROVAL.REVERSED',
  'CUSTOMER.DISPUTE.CREATED',
  'CUSTOMER.DISPUTE.RESOLVED',
  'CUSTOMER.DISPUTE.UPDATED',
  'PAYMENT.AUTHORIZATION.CREATED',
  'PAYMENT.AUTHORIZATION.VOIDED',
  'PAYMENT.CAPTURE.COMPLETED',
  'PAYMENT.CAPTURE.DECLINED',
  'PAYMENT.CAPTURE.DENIED',
  'PAYMENT.CAPTURE.PENDING',
  'PAYMENT.CAPTURE.REFUNDED',
  'PAYMENT.CAPTURE.REVERSED',
  'PAYMENT.REFUND.FAILED',
  'PAYMENT.REFUND.PENDING',
  'VAULT.PAYMENT-TOKEN.CREATED',
  'VAULT.PAYMENT-TOKEN.DELETED',
]

const YEAR = 365 * 24 * 3_600_000

/** What PayPal tells, to whom, and with which signature. */
export class Events {
  readonly webhooks = new Map<string, Webhook>()
  readonly all: Event[] = []
  readonly #books: Books
  readonly #url: () => string
  #signing: SigningKey | null = null

  constructor(books: Books, url: () => string) {
    this.#books = books
    this.#url = url
  }

  tell(clientId: string, type: string, resource: { readonly type: string; readonly body: Json }): Event {
    const id = `WH-${inventId()}-${inventId()}`
    const event: Event = {
      id,
      clientId,
      type,
      takenBy: new Set(),
      body: {
        id,
        event_version: '1.0',
        create_time: this.#books.now().toISOString(),
        resource_type: resource.type,
        resource_version: '2.0',
        event_type: type,
        summary: `Event ${type}`,
        resource: resource.body,
        links: [self(this.#url(), `/v1/notifications/webhooks-events/${id}`)],
      },
    }
    this.all.push(event)
    return event
  }

  /** `id`: of one that is there, and is replaced. */
  register(clientId: string, body: Json, id = inventId()): Webhook {
    const { url, event_types: types } = body
    if (typeof url !== 'string' || !Array.isArray(types)) {
      throw new Problem(400, 'MISSING_REQUIRED_PARAMETER')
    }
    const names = types.map((type) => String((type as Json)['name']))
    if (names.some((name) => name !== '*' && !EVENT_NAMES.includes(name))) {
      throw new Problem(400, 'INVALID_EVENT_TYPE', { field: '/event_types' })
    }
    const webhook = { id, clientId, url, types: names }
    this.webhooks.set(webhook.id, webhook)
    return webhook
  }

  /** The events that a webhook has not taken, oldest first. */
  due(webhook: Webhook): Event[] {
    return this.all.filter(
      (event) =>
        event.clientId === webhook.clientId &&
        (webhook.types.includes('*') || webhook.types.includes(event.type)) &&
        !event.takenBy.has(webhook.id),
    )
  }

  /**
   * RSA with SHA-256 over `id|time|webhook id|CRC-32 of the body`, with the certificate by its address.
   * https://developer.paypal.com/api/rest/webhooks/rest/#link-selfverificationmethod
   */
  message(webhookId: string, body: Json): SignedMessage {
    const bytes = Buffer.from(JSON.stringify(body))
    const id = randomUUID()
    const time = this.#books
      .now()
      .toISOString()
      .replace(/\.\d+Z$/, 'Z')
    const text = `${id}|${time}|${webhookId}|${crc32(bytes)}`
    return {
      headers: {
        'content-type': 'application/json',
        'paypal-transmission-id': id,
        'paypal-transmission-time': time,
        'paypal-transmission-sig': sign('sha256', Buffer.from(text), this.#key().key).toString('base64'),
        'paypal-cert-url': `${this.#url()}${CERTIFICATE_PATH}`,
        'paypal-auth-algo': 'SHA256withRSA',
      },
      body: bytes,
    }
  }

  certificate(): string {
    return this.#key().pem
  }

  #key(): SigningKey {
    const now = this.#books.now().getTime()
    this.#signing ??= makeSigningKey(
      'messageverificationcerts.paypal.com',
      new Date(now - YEAR),
      new Date(now + YEAR),
    )
    return this.#signing
  }
}

export const CERTIFICATE_PATH = '/v1/notifications/certs/CERT-00000000-00000000-00000000'

export function viewWebhook(url: string, { id, url: address, types }: Webhook): Json {
  return {
    id,
    url: address,
    event_types: types.map((name) => ({ name })),
    links: [self(url, `/v1/notifications/webhooks/${id}`)],
  }
}
