import { ApiError, inHeader } from '../http/errors.ts'
import { type Clock, realTime } from '../process/clock.ts'
import { type Caller, covers, remember, type SignedIn } from './auth.ts'
import { FailureLimit } from './failure-limit.ts'
import type { Secrets } from './secrets.ts'

/** How long a session is cached, so how late a change by another process may count. We promise 5 s. */
const FRESH_MS = 3_000
const CACHED_MAX = 1_000
/** How far the recorded last use may lag behind. A session may end this much early, never late. */
const TOUCH_EVERY_MS = 30_000
const TOKEN = /^[A-Za-z0-9_-]{43}$/

/** What every user may do, whatever their roles: see and change what is their own. */
const OF_EVERY_USER = new Set(['users.me.read', 'users.me.write'])

type Options = {
  readonly find: (tokenMac: Buffer) => Promise<SignedIn | undefined>
  /** Notes a use. False if the session is gone. */
  readonly touch: (sessionId: string, now: Date) => Promise<boolean>
  readonly secrets: Secrets
  readonly clock: Clock
  readonly idleMs: number
  /** Called when this process has changed a session, a user or a role. */
  readonly onChange?: () => void
}

type Cached = { readonly session: SignedIn; readonly readAt: number }

/** Turns the cookie of a session into a caller, or throws 401. One per process, because it holds the cache. */
export class SessionReader {
  readonly #options: Options
  readonly #cache = new Map<string, Cached>()
  readonly #failures = new FailureLimit('unknown sessions from this address')
  #changes = 0

  constructor(options: Options) {
    this.#options = options
  }

  get idleMs(): number {
    return this.#options.idleMs
  }

  /** `isUse`: a person asks. What a page asks by itself does not make the session last longer. */
  async authenticate(
    token: string,
    { address, isUse }: { readonly address: string; readonly isUse: boolean },
  ): Promise<Caller> {
    const session = await this.#live(token, address)
    const now = realTime(this.#options.clock)
    const isNoted = now.getTime() - session.lastUsedAt.getTime() < TOUCH_EVERY_MS
    if (!isUse || isNoted) return callerOf(session)
    if (!(await this.#options.touch(session.sessionId, now))) throw ended()
    const touched = { ...session, lastUsedAt: now }
    this.#replace(token, touched)
    return callerOf(touched)
  }

  /** A change made in this process counts at once: a session that ended, a user or a role that changed. */
  forget(): void {
    this.forgetCached()
    this.#options.onChange?.()
  }

  /** Another process of the service made the change. */
  forgetCached(): void {
    this.#changes += 1
    this.#cache.clear()
  }

  async #live(token: string, address: string): Promise<SignedIn> {
    const key = this.#keyOf(token)
    const cached = this.#cache.get(key)
    const isFresh = cached !== undefined && performance.now() - cached.readAt < FRESH_MS
    const session = isFresh ? cached.session : await this.#read(token, key, address)
    if (!this.#hasEnded(session)) return session
    this.#cache.delete(key)
    throw ended()
  }

  async #read(token: string, key: string, address: string): Promise<SignedIn> {
    await this.#failures.refuseIfReached(address)
    const changes = this.#changes
    const readAt = performance.now()
    const found = TOKEN.test(token) ? await this.#options.find(Buffer.from(key, 'base64')) : undefined
    if (!found) {
      await this.#failures.count(address)
      throw ended()
    }
    // A change during our query may have made its answer old.
    if (changes === this.#changes) remember(this.#cache, key, { session: found, readAt }, CACHED_MAX)
    return found
  }

  #hasEnded({ lastUsedAt, expiresAt }: SignedIn): boolean {
    const now = realTime(this.#options.clock).getTime()
    return now >= expiresAt.getTime() || now - lastUsedAt.getTime() >= this.#options.idleMs
  }

  #keyOf(token: string): string {
    return macOf(this.#options.secrets, token).toString('base64')
  }

  #replace(token: string, session: SignedIn): void {
    const key = this.#keyOf(token)
    const cached = this.#cache.get(key)
    if (cached) this.#cache.set(key, { ...cached, session })
  }
}

/** Keyed: a person who can write to the database cannot make a session. */
export function macOf(secrets: Secrets, token: string): Buffer {
  return secrets.mac('user-session', token)
}

function callerOf(session: SignedIn): Caller {
  const permissions = new Set(session.permissions)
  const roleAllows = (permission: string) => OF_EVERY_USER.has(permission) || covers(permissions, permission)
  return {
    kind: 'user',
    id: session.userId,
    name: session.name,
    thumbprint: null,
    merchantAccountIds: session.merchantAccountIds,
    tokenId: session.sessionId,
    isEmbed: false,
    pinned: {},
    session,
    roleAllows,
    may: roleAllows,
  }
}

/** Unknown, ended and revoked sessions, and those of users who may no longer sign in, get the same answer. */
function ended(): ApiError {
  return unauthorized('value_error.expired', 'the session has ended: sign in again')
}

export function unauthorized(
  type: 'value_error.expired' | 'value_error.conflict',
  message: string,
): ApiError {
  return new ApiError('unauthorized', {
    details: [inHeader('/cookie', type, message)],
    headers: { 'www-authenticate': 'Bearer' },
  })
}

/** How long a proof of who you are counts for operations that want a fresh one. */
const PROOF_FRESH_MS = 10 * 60_000

/** Undefined if the last proof is too old. */
export function freshUntil({ provedAt }: Pick<SignedIn, 'provedAt'>, now: Date): Date | undefined {
  const until = new Date(provedAt.getTime() + PROOF_FRESH_MS)
  return until > now ? until : undefined
}

/** A session may have been left open. A token is proof in itself: a program signs it for each use. */
export function refuseOldProof({ session }: Pick<Caller, 'session'>, clock: Clock): void {
  if (session && !freshUntil(session, realTime(clock))) throw new ApiError('step_up_required')
}
