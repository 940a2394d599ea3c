import { createPublicKey, hash, type KeyObject } from 'node:crypto'
import { decodeProtectedHeader } from 'jose/decode/protected_header'
import { compactVerify } from 'jose/jws/compact/verify'
import { isTooDeep } from '#domain/depth.ts'
import { WIDER } from '#domain/scopes.ts'
import { ApiError, inHeader } from '../http/errors.ts'
import { type Clock, realTime } from '../process/clock.ts'
import { Limiter } from '../process/limiter.ts'
import { FailureLimit } from './failure-limit.ts'

/**
 * The values that a browser token pins, so that its page cannot change them. Grows by declaration merging:
 * resources declare the fields that a token can pin.
 */
export interface Pinned {
  readonly merchant_account_id?: unknown
}

/** Which fields a browser token can pin. Passed in: this folder only fills them in and compares. */
export type Pins = {
  /** Reads the pinned values from a token's claims. */
  readonly read: (claims: Readonly<Record<string, unknown>>) => Pinned
  /** The values that identify a page and stay the same when it renews its token. */
  readonly pageOf: (pinned: Pinned) => Pinned
}

/** A session of an active user, and what the user may do now. */
export type SignedIn = {
  readonly sessionId: string
  readonly userId: string
  readonly name: string
  readonly emailAddress: string
  readonly permissions: readonly string[]
  /** Empty means all. */
  readonly merchantAccountIds: readonly string[]
  readonly lastUsedAt: Date
  readonly provedAt: Date
  readonly expiresAt: Date
}

const TOKEN_BYTES_MAX = 8 * 1024
const LEEWAY_SECONDS = 30
/** How long a key is cached, so how late a change by another process may count. We promise 5 s. */
const KEY_FRESH_MS = 3_000
const CACHED_TOKENS_MAX = 10_000
const CACHED_KEYS_MAX = 1_000
const LAST_USED_EVERY_MS = 60_000
/** The last second of the year 9999. A later `exp` is a mistake, usually milliseconds instead of seconds. */
const EXPIRY_MAX = 253_402_300_799
const THUMBPRINT = /^[A-Za-z0-9_-]{43}$/
const SCOPES_MAX = 500
const EXPIRED = 'The token has expired'
/** More at once would only wait in the thread pool, where we can no longer refuse them. */
const VERIFICATIONS_AT_ONCE = 16

/** What we must know about an API key pair to check a token signed with it. */
export type VerifyingKey = {
  readonly id: string
  readonly name: string
  readonly thumbprint: string
  readonly active: boolean
  readonly signatureAlgorithm: string
  readonly publicKey: string
  readonly permissions: readonly string[]
  /** Empty means all. */
  readonly merchantAccountIds: readonly string[]
}

export type Caller = {
  readonly kind: 'api-key-pair' | 'user'
  readonly id: string
  readonly name: string
  /** Of the key. Null for a user. */
  readonly thumbprint: string | null
  readonly merchantAccountIds: readonly string[]
  /** Identifies the token, whatever its signature or the spelling of its header. */
  readonly tokenId: string
  readonly isEmbed: boolean
  /** The values that a browser token pins. Empty for other tokens. */
  readonly pinned: Pinned
  /** The session of a user. Null for a key. */
  readonly session: SignedIn | null
  /** Both the token's scopes and the key's roles must allow it. */
  readonly may: (permission: string) => boolean
  /** What the key's roles allow, whatever the token asks for. */
  readonly roleAllows: (permission: string) => boolean
}

/** The caller of an operation that takes no token. */
export const ANONYMOUS: Caller = {
  kind: 'api-key-pair',
  id: '00000000-0000-0000-0000-000000000000',
  name: 'Buyer',
  thumbprint: '',
  merchantAccountIds: [],
  tokenId: '',
  isEmbed: false,
  pinned: {},
  session: null,
  may: () => false,
  roleAllows: () => false,
}

type Claims = {
  readonly kid: string
  readonly tokenId: string
  readonly scopes: ReadonlySet<string>
  readonly exp: number
  readonly pinned: Pinned
}
type CachedKey = {
  readonly key: VerifyingKey
  readonly permissions: ReadonlySet<string>
  readonly publicKey: KeyObject
  readonly readAt: number
}

type Options = {
  readonly findKey: (thumbprint: string) => Promise<VerifyingKey | undefined>
  /** Called at most once a minute for each key. */
  readonly markUsed: (keyId: string) => Promise<void>
  readonly pins: Pins
  readonly clock: Clock
  /** Called when this process has changed a key or a role. */
  readonly onChange?: () => void
}

/** Turns a bearer token into a caller, or throws 401. One per process, because it holds the caches. */
export class Authenticator {
  readonly #options: Options
  readonly #tokens = new Map<string, Claims>()
  readonly #keys = new Map<string, CachedKey>()
  readonly #lookups = new Map<string, Promise<CachedKey | undefined>>()
  readonly #usedAt = new Map<string, number>()
  readonly #verifications = new Limiter(VERIFICATIONS_AT_ONCE)
  /** A bad signature costs as much CPU as a good one (ES512: milliseconds), so each address may fail only so often. */
  readonly #failures = new FailureLimit('failed token checks from this address')

  constructor(options: Options) {
    this.#options = options
  }

  async authenticate(authorization: string | undefined, address: string): Promise<Caller> {
    const token = bearerToken(authorization)
    const digest = hash('sha256', token, 'base64')
    const claims = this.#tokens.get(digest) ?? (await this.#verify(token, digest, address))

    if (claims.exp + LEEWAY_SECONDS <= this.#nowSeconds()) {
      this.#tokens.delete(digest)
      throw unauthorized(EXPIRED, 'sign a new one')
    }
    const found = await this.#activeKey(claims.kid)
    this.#noteUse(found.key.id)
    return callerOf(found, claims)
  }

  /** A change made in this process counts at once. */
  forget(thumbprint: string): void {
    this.#keys.delete(thumbprint)
    this.#lookups.delete(thumbprint)
    this.#options.onChange?.()
  }

  /** The same for a role, which many keys may have. */
  forgetAll(): void {
    this.forgetCached()
    this.#options.onChange?.()
  }

  /** Another process of the service made the change. */
  forgetCached(): void {
    this.#keys.clear()
    this.#lookups.clear()
  }

  /** The limit of failures is checked after the wait for a place. */
  #verify(token: string, digest: string, address: string): Promise<Claims> {
    return this.#verifications.run(async () => {
      try {
        await this.#failures.refuseIfReached(address)
        const claims = await this.#verifyOnce(token)
        remember(this.#tokens, digest, claims, CACHED_TOKENS_MAX)
        return claims
      } catch (error) {
        const isBadToken = error instanceof ApiError && error.code === 'unauthorized'
        if (isBadToken) await this.#failures.count(address)
        throw error
      }
    })
  }

  /** The algorithm comes from the key's record. The token's own header only selects that record. */
  async #verifyOnce(token: string): Promise<Claims> {
    const header = protectedHeader(token)
    const { kid } = header
    if (typeof kid !== 'string' || !THUMBPRINT.test(kid)) {
      throw unauthorized('The token names no key (kid)', 'its header needs the thumbprint of the key')
    }
    const { key, publicKey } = await this.#activeKey(kid)
    if (header.alg !== key.signatureAlgorithm) {
      throw unauthorized(`Tokens of this key are signed with ${key.signatureAlgorithm}`, 'use that algorithm')
    }
    const verified = await compactVerify(token, publicKey, { algorithms: [key.signatureAlgorithm] }).catch(
      () => {
        throw unauthorized(
          'The signature does not match the key',
          'the token was changed or cut, or signed with another private key',
        )
      },
    )
    const tokenId = hash('sha256', token.slice(0, token.lastIndexOf('.')), 'hex')
    return { kid, tokenId, ...this.#readClaims(verified.payload) }
  }

  #readClaims(payload: Uint8Array): Pick<Claims, 'exp' | 'scopes' | 'pinned'> {
    const claims = parseObject(payload)
    const { exp, nbf, iat, iss, jti, scopes } = claims
    if (!isNumber(exp))
      throw unauthorized('The token has no expiry (exp)', 'add the claim exp, in seconds since 1970')
    if (exp > EXPIRY_MAX)
      throw unauthorized(
        'The expiry (exp) lies beyond the year 9999; it is in seconds',
        'choose an earlier one',
      )
    const isScopeList =
      Array.isArray(scopes) &&
      scopes.length <= SCOPES_MAX &&
      scopes.every((scope) => typeof scope === 'string')
    if (!isScopeList)
      throw unauthorized(
        'The token has no list of scopes',
        'add the claim scopes, such as ["transactions.read"]',
      )
    const latest = this.#nowSeconds() + LEEWAY_SECONDS
    for (const [name, value] of Object.entries({ nbf, iat })) {
      if (value === undefined) continue
      if (!isNumber(value)) throw unauthorized(`The claim ${name} is not a number`)
      if (value > latest)
        throw unauthorized(
          `The token is not valid yet (${name}); check the clock`,
          'it differs from ours by more than 30 seconds',
        )
    }
    for (const [name, value] of Object.entries({ iss, jti })) {
      if (value !== undefined && typeof value !== 'string')
        throw unauthorized(`The claim ${name} is not text`)
    }
    return {
      exp,
      scopes: new Set(scopes),
      pinned: scopes.includes('embed') ? this.#options.pins.read(claims) : {},
    }
  }

  /** Unknown and inactive keys get the same answer. */
  async #activeKey(thumbprint: string): Promise<CachedKey> {
    const cached = this.#keys.get(thumbprint)
    const isFresh = cached !== undefined && performance.now() - cached.readAt < KEY_FRESH_MS
    const found = isFresh ? cached : await this.#readKey(thumbprint)
    if (!found?.key.active)
      throw unauthorized(
        'The token is not signed by an active API key',
        'use a key that is registered and active in this installation',
      )
    return found
  }

  /** Concurrent requests that need the same key share one query. */
  #readKey(thumbprint: string): Promise<CachedKey | undefined> {
    const underway = this.#lookups.get(thumbprint)
    if (underway !== undefined) return underway
    const readAt = performance.now()
    const lookup: Promise<CachedKey | undefined> = this.#options
      .findKey(thumbprint)
      .then((key) => {
        if (!key) return undefined
        const permissions = new Set(key.permissions)
        const found = { key, permissions, publicKey: createPublicKey(key.publicKey), readAt }
        // A change during our query has removed this lookup, because its answer may be old.
        if (this.#lookups.get(thumbprint) === lookup) remember(this.#keys, thumbprint, found, CACHED_KEYS_MAX)
        return found
      })
      .finally(() => {
        if (this.#lookups.get(thumbprint) === lookup) this.#lookups.delete(thumbprint)
      })
    this.#lookups.set(thumbprint, lookup)
    return lookup
  }

  #noteUse(keyId: string): void {
    const now = performance.now()
    if (now - (this.#usedAt.get(keyId) ?? -Infinity) < LAST_USED_EVERY_MS) return
    remember(this.#usedAt, keyId, now, CACHED_KEYS_MAX)
    // Losing such a mark is harmless, and no request should wait for it.
    void this.#options.markUsed(keyId).catch(() => {})
  }

  #nowSeconds(): number {
    return realTime(this.#options.clock).getTime() / 1000
  }
}

function bearerToken(authorization: string | undefined): string {
  const token = /^bearer +(\S+)$/i.exec(authorization ?? '')?.[1]
  if (token === undefined) throw unauthorized()
  if (Buffer.byteLength(token) > TOKEN_BYTES_MAX)
    throw unauthorized('The token is longer than 8 kB', 'put less into it')
  return token
}

function protectedHeader(token: string) {
  try {
    return decodeProtectedHeader(token)
  } catch {
    throw unauthorized('The token is not a JWT', 'send all three parts of it')
  }
}

function parseObject(payload: Uint8Array): Record<string, unknown> {
  try {
    const value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(payload))
    const isObject = value !== null && typeof value === 'object' && !Array.isArray(value)
    if (isObject && !isTooDeep(value)) return value
  } catch {}
  throw unauthorized('The token is not a JWT', 'send all three parts of it')
}

function callerOf({ key, permissions }: CachedKey, { scopes, pinned, tokenId }: Claims): Caller {
  const roleAllows = (permission: string) => covers(permissions, permission)
  return {
    kind: 'api-key-pair',
    id: key.id,
    name: key.name,
    thumbprint: key.thumbprint,
    merchantAccountIds: key.merchantAccountIds,
    tokenId,
    isEmbed: scopes.has('embed'),
    pinned,
    session: null,
    roleAllows,
    may: (permission) => covers(scopes, permission) && roleAllows(permission),
  }
}

/** `*.read` covers every `….read`, and a scope covers its parts. Write does not imply read. */
export function covers(granted: ReadonlySet<string>, permission: string): boolean {
  return (
    granted.has(permission) ||
    granted.has(`*${permission.slice(permission.lastIndexOf('.'))}`) ||
    granted.has(WIDER.get(permission) ?? '')
  )
}

/** The header gets the reason (RFC 6750); the body gets the reason and what to do about it. */
function unauthorized(
  reason?: string,
  remedy = 'sign a new token as the guide to authentication says',
): ApiError {
  if (reason === undefined) return new ApiError('unauthorized', { headers: { 'www-authenticate': 'Bearer' } })
  const type = reason === EXPIRED ? 'value_error.expired' : 'value_error.conflict'
  return new ApiError('unauthorized', {
    details: [inHeader('/authorization', type, `${reason}: ${remedy}`)],
    headers: { 'www-authenticate': `Bearer error="invalid_token", error_description="${reason}"` },
  })
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value)
}

/** Keeps a value in a cache that drops its oldest. */
export function remember<Value>(cache: Map<string, Value>, key: string, value: Value, max: number): void {
  cache.delete(key)
  cache.set(key, value)
  const oldest = cache.size > max ? cache.keys().next().value : undefined
  if (oldest !== undefined) cache.delete(oldest)
}
