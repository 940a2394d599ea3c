import type { WebhookEvent } from './event-types.ts'

export type { EventTransaction, WebhookEvent } from './event-types.ts'
export type { Event } from './generated/types.ts'

const TOLERANCE_SECONDS = 300

export type WebhookRequest = {
  /** The body as it came, before any parsing. */
  readonly body: string | Uint8Array<ArrayBuffer>
  readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>
  /** The secret of the subscription. While you change it: the new one and the old one. */
  readonly secret: string | readonly string[]
  /** How old a request may be, five minutes unless you say otherwise. */
  readonly toleranceSeconds?: number
}

export type WebhookProblem =
  | 'header_missing'
  | 'timestamp_out_of_range'
  | 'signature_mismatch'
  | 'body_not_an_event'

/** The request is not from the service, or too old. Answer it with 400, and do nothing else. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError'
  readonly reason: WebhookProblem

  constructor(reason: WebhookProblem, message: string) {
    super(message)
    this.reason = reason
  }
}

/**
 * The event of a webhook, if one of its signatures fits one of the secrets. Of the two schemes that the service
 * signs with, the one that also signs the id is used if its header is there.
 */
export async function verifyWebhook(request: WebhookRequest): Promise<WebhookEvent> {
  const body = typeof request.body === 'string' ? new TextEncoder().encode(request.body) : request.body
  const { prefix, signatures } = schemeOf(request)
  const signed = join(new TextEncoder().encode(prefix), body)
  for (const secret of secretsOf(request)) {
    const key = await importSecret(secret)
    for (const signature of signatures) {
      // The comparison of Web Crypto takes the same time wherever two signatures differ.
      if (await crypto.subtle.verify('HMAC', key, signature, signed)) return readEvent(body)
    }
  }
  throw new WebhookVerificationError('signature_mismatch', 'No signature of the webhook fits a secret')
}

type Scheme = { readonly prefix: string; readonly signatures: readonly Uint8Array<ArrayBuffer>[] }

function schemeOf(request: WebhookRequest): Scheme {
  const standard = headerOf(request, 'webhook-signature')
  if (standard !== undefined) {
    const prefix = `${requiredHeader(request, 'webhook-id')}.${timestampOf(request, 'webhook-timestamp')}.`
    const texts = standard.split(' ').filter((one) => one.startsWith('v1,'))
    return { prefix, signatures: texts.flatMap((one) => bytesOfBase64(one.slice(3))) }
  }
  const plain = requiredHeader(request, 'x-service-webhook-signatures')
  const prefix = `${timestampOf(request, 'x-service-webhook-timestamp')}.`
  return { prefix, signatures: plain.split(',').flatMap((one) => bytesOfHex(one.trim())) }
}

function timestampOf(request: WebhookRequest, name: string): string {
  const text = requiredHeader(request, name)
  const tolerance = request.toleranceSeconds ?? TOLERANCE_SECONDS
  const isNear = /^\d{1,12}$/.test(text) && Math.abs(Date.now() / 1_000 - Number(text)) <= tolerance
  if (isNear) return text
  throw new WebhookVerificationError(
    'timestamp_out_of_range',
    `The timestamp of the webhook is more than ${tolerance} seconds off. Check the clock of this machine.`,
  )
}

function requiredHeader(request: WebhookRequest, name: string): string {
  const value = headerOf(request, name)
  if (value !== undefined) return value
  throw new WebhookVerificationError('header_missing', `The webhook has no header ${name}`)
}

function headerOf({ headers }: WebhookRequest, name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined
  const found = Object.entries(headers).find(([given]) => given.toLowerCase() === name)?.[1]
  return typeof found === 'string' ? found : found?.join(',')
}

function secretsOf({ secret }: WebhookRequest): readonly string[] {
  const secrets = typeof secret === 'string' ? [secret] : secret
  if (secrets.length > 0 && secrets.every((one) => typeof one === 'string' && one !== '')) return secrets
  throw new TypeError('secret must be the secret of the webhook subscription, or a list of secrets')
}

function importSecret(secret: string): ReturnType<typeof crypto.subtle.importKey> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  return crypto.subtle.importKey('raw', new TextEncoder().encode(secret), algorithm, false, ['verify'])
}

function readEvent(body: Uint8Array): WebhookEvent {
  const value: unknown = parse(new TextDecoder().decode(body))
  if (typeof value === 'object' && value !== null && 'type' in value && value.type === 'event')
    return value as WebhookEvent
  throw new WebhookVerificationError(
    'body_not_an_event',
    'The webhook is signed, but its body is not an event',
  )
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function bytesOfHex(text: string): Uint8Array<ArrayBuffer>[] {
  if (!/^([0-9a-f]{2})+$/i.test(text)) return []
  return [Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))]
}

function bytesOfBase64(text: string): Uint8Array<ArrayBuffer>[] {
  try {
    return [Uint8Array.from(atob(text), (char) => char.charCodeAt(0))]
  } catch {
    return []
  }
}

function join(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(first.length + second.length)
  all.set(first)
  all.set(second, first.length)
  return all
}
