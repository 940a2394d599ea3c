import { keepToken, type TokenKeeper, type TokenSource } from './keep-token.ts'

const TIMEOUT_MS = 60_000
const RETRIES = 4

export type Settings = {
  /** The address of the service, such as `https://payments.example.com`. */
  readonly url: string
  /** A token, or a function that makes or fetches one. It is called again shortly before the token ends. */
  readonly token?: TokenSource
  /** The merchant account to act on. Without it, the first one of the key, or `default`. */
  readonly merchantAccountId?: string
  /** How long one try may take, 60 seconds unless you say otherwise. */
  readonly timeoutMs?: number
  /** How often a request is sent again if that is safe, 4 times unless you say otherwise. */
  readonly retries?: number
  /** What sends requests in place of the global `fetch`. */
  readonly fetch?: typeof fetch
}

/** What one call wants otherwise than its connection. */
export type Options = {
  /** The idempotency key of a POST. Without it, each call has a random one. */
  readonly idempotencyKey?: string
  readonly merchantAccountId?: string
  /** Ends the call, its waiting included. */
  readonly signal?: AbortSignal
  readonly timeoutMs?: number
  readonly retries?: number
  /** Chooses between the answers of an operation that has several, such as `resource=transaction-capture`. */
  readonly prefer?: string
}

/** Where and how requests are sent. Every operation takes one. */
export type Connection = {
  readonly url: string
  readonly token: TokenKeeper | undefined
  readonly merchantAccountId: string | undefined
  readonly timeoutMs: number
  readonly retries: number
  readonly fetch: typeof fetch
}

export function connect(settings: Settings): Connection {
  return {
    url: readUrl(settings.url),
    token: settings.token === undefined ? undefined : keepToken(settings.token),
    merchantAccountId: settings.merchantAccountId,
    timeoutMs: settings.timeoutMs ?? TIMEOUT_MS,
    retries: settings.retries ?? RETRIES,
    // Browsers refuse a `fetch` that is called as a method of another object.
    fetch: settings.fetch ?? ((...given) => fetch(...given)),
  }
}

function readUrl(given: string): string {
  if (!/^https?:[/][/]/.test(given) || !URL.canParse(given)) {
    throw new TypeError('url must be the address of the service, such as https://payments.example.com')
  }
  const { search, hash, username } = new URL(given)
  if (search || hash || username) throw new TypeError('url must have no user name, no query and no fragment')
  return given.replace(/[/]+$/, '')
}
