import { createHmac } from 'node:crypto'

type Message = { readonly id: string; readonly at: Date; readonly body: string }

/**
 * The headers that prove a message's origin and age, in both schemes. The key of both is the secret as text.
 * There is a signature for each secret, so that a receiver can switch at any time.
 */
export function signatureHeaders(
  secrets: readonly string[],
  { id, at, body }: Message,
): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1000))
  const plain = secrets.map((secret) => hmac(secret, `${timestamp}.${body}`).toString('hex'))
  const standard = secrets.map(
    (secret) => `v1,${hmac(secret, `${id}.${timestamp}.${body}`).toString('base64')}`,
  )
  return {
    'X-Service-Webhook-ID': id,
    'X-Service-Webhook-Timestamp': timestamp,
    'X-Service-Webhook-Signatures': plain.join(','),
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': standard.join(' '),
  }
}

function hmac(secret: string, message: string): Buffer {
  return createHmac('sha256', secret).update(message).digest()
}
