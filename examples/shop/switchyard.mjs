import { createHash, createHmac, createPrivateKey, createPublicKey, sign, timingSafeEqual } from 'node:crypto'

/** What the shop needs of the payment server: tokens, requests, and a check of webhooks. */

const SCOPES = ['checkout-sessions.write', 'transactions.read', 'transactions.write']
const TOKEN_SECONDS = 600
const PATIENCE_MS = 70_000

export class ApiError extends Error {
  constructor(status, body) {
    const details = (body?.details ?? []).map(({ pointer, message }) => `${pointer}: ${message}`)
    super([body?.message ?? 'the payment server did not answer with JSON', ...details].join('; '))
    this.status = status
    this.code = body?.code ?? 'unreadable'
  }
}

/** `key` is an Ed25519 private key in PEM. */
export function connectTo(url, key) {
  const tokens = signTokens(key)

  /** Sends a request. With an idempotency key, it can be sent again and is carried out once. */
  async function send(method, path, body, idempotencyKey) {
    const response = await fetch(new URL(path, url), {
      method,
      headers: {
        authorization: `Bearer ${tokens()}`,
        ...(body && { 'content-type': 'application/json' }),
        ...(idempotencyKey && { 'idempotency-key': idempotencyKey }),
      },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(PATIENCE_MS),
    })
    const answer = await response.json().catch(() => undefined)
    if (!response.ok || answer === undefined) throw new ApiError(response.status, answer)
    return answer
  }

  return { url: new URL(url), send }
}

/** Signs a token, and keeps it for half of its life. */
function signTokens(pem) {
  const key = createPrivateKey(pem)
  if (key.asymmetricKeyType !== 'ed25519') {
    throw new Error(
      'The key must be an Ed25519 key: bin/switchyard keys create --display-name Shop --role processing --algorithm Ed25519',
    )
  }
  const { crv, kty, x } = createPublicKey(key).export({ format: 'jwk' })
  // The thumbprint of RFC 7638 tells the server which key it was.
  const kid = createHash('sha256').update(JSON.stringify({ crv, kty, x })).digest('base64url')
  let token = ''
  let renewAt = 0
  return () => {
    const now = Math.floor(Date.now() / 1000)
    if (now >= renewAt) {
      const parts = [
        { alg: 'EdDSA', typ: 'JWT', kid },
        { scopes: SCOPES, iat: now, exp: now + TOKEN_SECONDS },
      ]
      const text = parts.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')
      token = `${text}.${sign(null, Buffer.from(text), key).toString('base64url')}`
      renewAt = now + TOKEN_SECONDS / 2
    }
    return token
  }
}

const WEBHOOK_AGE_SECONDS = 300

/** Whether the payment server signed these bytes, within the last five minutes. */
export function isFromServer({ headers, body, secret }) {
  const timestamp = String(headers['x-service-webhook-timestamp'])
  if (!(Math.abs(Date.now() / 1000 - Number(timestamp)) < WEBHOOK_AGE_SECONDS)) return false
  const expected = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest()
  return String(headers['x-service-webhook-signatures'])
    .split(',')
    .map((given) => Buffer.from(given, 'hex'))
    .some((given) => given.length === expected.length && timingSafeEqual(given, expected))
}
