import { createHmac } from 'node:crypto'

type Message = { readonly id: string; readonly at: Date; readonly body: string }

/**
 * The headers by which a receiver knows that a message is ours and how old it is, in both schemes. The key of both is
 * the secret as text. There is a signature for each secret, so that a receiver may change over when it likes.
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
