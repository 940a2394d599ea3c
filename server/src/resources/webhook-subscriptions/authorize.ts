import type { Outgoing } from '#platform/outgoing/outgoing.ts'
import { type Clock, realTime } from '#platform/process/clock.ts'
import type { OpenSecrets } from './secrets.ts'
import type { StoredSubscription } from './store.ts'

const DEADLINE_MS = 5_000
const ANSWER_MAX_BYTES = 64_000
/** Tokens are renewed shortly before they expire. */
const MARGIN_MS = 30_000
const LIFE_DEFAULT_S = 300

/** The token endpoint gave no token. Its answer may hold secrets, so it is not stored. */
export class TokenRefusedError extends Error {
  readonly status: number | null

  constructor(status: number | null) {
    super('the token endpoint gave no token')
    this.name = 'TokenRefusedError'
    this.status = status
  }
}

type Token = { readonly version: number; readonly value: Promise<string>; until: number }

/**
 * Makes the header `Authorization` for a subscription. OAuth tokens are fetched once and kept while they are
 * valid.
 */
export class Authorizer {
  readonly #outgoing: Outgoing
  readonly #clock: Clock
  readonly #tokens = new Map<string, Token>()

  constructor(outgoing: Outgoing, clock: Clock) {
    this.#outgoing = outgoing
    this.#clock = clock
  }

  async headersFor(subscription: StoredSubscription, secrets: OpenSecrets): Promise<Record<string, string>> {
    const { authentication } = subscription
    if (!authentication) return {}
    if (authentication.kind === 'basic') {
      const pair = `${authentication.username}:${secrets.password}`
      return { authorization: `Basic ${Buffer.from(pair).toString('base64')}` }
    }
    return { authorization: `Bearer ${await this.#token(subscription, secrets)}` }
  }

  /** The receiver no longer accepts the token. Returns whether a new one can be fetched. */
  forget({ id, authentication }: StoredSubscription): boolean {
    return authentication !== null && authentication.kind !== 'basic' && this.#tokens.delete(id)
  }

  #token(subscription: StoredSubscription, secrets: OpenSecrets): Promise<string> {
    const { id, updated_at } = subscription
    const version = updated_at.getTime()
    const known = this.#tokens.get(id)
    if (known?.version === version && realTime(this.#clock).getTime() < known.until) return known.value
    const token: Token = { version, value: this.#fetch(subscription, secrets, () => token), until: Infinity }
    this.#tokens.set(id, token)
    return token.value.catch((error: unknown) => {
      if (this.#tokens.get(id) === token) this.#tokens.delete(id)
      throw error
    })
  }

  async #fetch(
    { authentication }: StoredSubscription,
    { client_secret = '', password = '' }: OpenSecrets,
    token: () => Token,
  ): Promise<string> {
    const { kind, client_id = '', username = '', token_url = '', scope } = authentication ?? {}
    const answer = await this.#outgoing.send({
      url: token_url,
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
      body: new URLSearchParams({
        grant_type: kind === 'oauth_password' ? 'password' : 'client_credentials',
        client_id,
        client_secret,
        ...(kind === 'oauth_password' && { username, password }),
        ...(scope && { scope }),
      }).toString(),
      deadlineMs: DEADLINE_MS,
      answerMaxBytes: ANSWER_MAX_BYTES,
    })
    const grant = answer.status === 200 ? readGrant(answer.body) : undefined
    if (!grant) throw new TokenRefusedError(answer.status)
    token().until = realTime(this.#clock).getTime() + grant.lifeMs - MARGIN_MS
    return grant.token
  }
}

/** A token must fit into a header unchanged. */
const TOKEN = /^[\x21-\x7e]{1,8000}$/

function readGrant(body: string): { readonly token: string; readonly lifeMs: number } | undefined {
  try {
    const { access_token, expires_in } = JSON.parse(body)
    if (typeof access_token !== 'string' || !TOKEN.test(access_token)) return undefined
    const seconds = Number(expires_in) > 0 ? Number(expires_in) : LIFE_DEFAULT_S
    return { token: access_token, lifeMs: seconds * 1000 }
  } catch {
    return undefined
  }
}
