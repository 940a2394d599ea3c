import { randomBytes } from 'node:crypto'
import type { Books, Client, Feature } from './books.ts'
import { Problem, TokenProblem } from './problem.ts'

/** OAuth 2.0 client credentials. https://developer.paypal.com/api/rest/authentication/ */
export class AccessTokens {
  readonly #books: Books
  readonly #lifeSeconds: number
  readonly #given = new Map<string, { readonly clientId: string; readonly until: number }>()
  /** How many were asked for, for tests of clients that should keep theirs. */
  count = 0

  constructor(books: Books, lifeSeconds: number) {
    this.#books = books
    this.#lifeSeconds = lifeSeconds
  }

  give(authorization: string | null, form: URLSearchParams): Record<string, unknown> {
    const [id, secret] = credentialsIn(authorization)
    const client = this.#books.clients.find((one) => one.id === id && one.secret === secret)
    if (!client) throw new TokenProblem(401, 'invalid_client', 'Client Authentication failed')
    if (form.get('grant_type') !== 'client_credentials') {
      throw new TokenProblem(400, 'unsupported_grant_type', 'Grant Type is NULL')
    }
    const token = `A21AA${randomBytes(32).toString('base64url')}`
    const until = this.#books.now().getTime() + this.#lifeSeconds * 1_000
    this.#given.set(token, { clientId: client.id, until })
    this.count++
    return {
      scope: scopesOf(client),
      access_token: token,
      token_type: 'Bearer',
      app_id: 'APP-80W284485P519543T',
      expires_in: this.#lifeSeconds,
      nonce: `${this.#books.now().toISOString()}${randomBytes(8).toString('base64url')}`,
    }
  }

  /** The client behind a bearer token. */
  check(authorization: string | null): string {
    if (!authorization?.startsWith('Bearer ')) throw new Problem(401)
    const given = this.#given.get(authorization.slice('Bearer '.length))
    if (!given || given.until <= this.#books.now().getTime()) {
      throw new TokenProblem(401, 'invalid_token', 'Token signature verification failed')
    }
    return given.clientId
  }

  /** As when PayPal revokes what it gave: all tokens end at once. */
  revokeAll(): void {
    this.#given.clear()
  }
}

function credentialsIn(authorization: string | null): string[] {
  const encoded = /^Basic (.+)$/.exec(authorization ?? '')?.[1] ?? ''
  const text = Buffer.from(encoded, 'base64').toString()
  const at = text.indexOf(':')
  return [text.slice(0, at), text.slice(at + 1)]
}

function scopesOf({ features }: Client): string {
  // Wallets have no scope of their own.
  const scopes: Partial<Record<Feature, string>> = {
    payments: 'https://uri.paypal.com/services/payments/realtimepayment',
    cards: 'https://api.paypal.com/v1/payments/.*',
    vault: 'https://uri.paypal.com/services/vault/payment-tokens/readwrite',
    reporting: 'https://uri.paypal.com/services/reporting/search/read',
    disputes: 'https://uri.paypal.com/services/disputes/read-seller',
  }
  return [
    ...features.flatMap((feature) => scopes[feature] ?? []),
    'https://uri.paypal.com/services/applications/webhooks',
  ].join(' ')
}
