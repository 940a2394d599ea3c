import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { type ErrorDetail, errors, inHeader } from '../http/errors.ts'
import type { Operation, Reach } from '../http/operation.ts'
import { instanceNameOf } from '../process/instance.ts'
import type { Authenticator, Caller } from './auth.ts'
import type { Secrets } from './secrets.ts'
import { type SessionReader, unauthorized } from './session-reader.ts'

export type Identification = {
  readonly authenticator: Authenticator
  readonly sessions: SessionReader
  readonly cookie: CookieRules
}

/** The API key of a token, or the user of a session. A request with both does not say which one is meant. */
export async function identify(
  { authenticator, sessions, cookie }: Identification,
  request: FastifyRequest,
): Promise<Caller> {
  const tokens = request.raw.rawHeaders.filter((name) => /^authorization$/i.test(name)).length
  const presented = presentedCookie(cookie, request.headers)
  if (presented.kind === 'own' && tokens > 0) {
    throw unauthorized('value_error.conflict', 'send a token or the cookie of a session, not both')
  }
  if (presented.kind === 'own') {
    return sessions.authenticate(presented.token, { address: request.ip, isUse: isOfPerson(request) })
  }
  if (presented.kind === 'foreign' && tokens === 0) {
    throw unauthorized(
      'value_error.conflict',
      'the cookie of a session counts only in requests of our own pages',
    )
  }
  // Of two tokens in one request, we cannot tell which one is meant.
  const token = tokens === 1 ? request.headers.authorization : undefined
  return authenticator.authenticate(token, request.ip)
}

/** A page that looks again by itself, while its user is away, says so: it must not keep the session alive. */
function isOfPerson({ headers }: FastifyRequest): boolean {
  return headers['x-background'] === undefined
}

/** A page elsewhere must not sign its visitor in as a user of its choice. */
export function refuseForeignSignIn({ cookie }: Identification, request: FastifyRequest): void {
  if (maySignIn(cookie, request.headers)) return
  throw errors.forbidden(inHeader('/origin', 'value_error.conflict', 'only our own pages can sign users in'))
}

export function refuseKeys({ kind }: Caller): void {
  if (kind === 'user') return
  const message = 'only a user who is signed in can do this: a token of an API key cannot'
  throw errors.forbidden(inHeader('/authorization', 'value_error.conflict', message))
}

/** How the cookie of a session is named and sent, and from which pages it counts. */
export type CookieRules = {
  readonly name: string
  readonly isSecure: boolean
  readonly origins: readonly string[]
}

type Installation = {
  readonly environment: string
  readonly publicUrl: string
  readonly secrets: Secrets
}

/**
 * Cookies do not know ports: two sandboxes on one machine need cookies of different names. Only a sandbox
 * without TLS goes without `Secure`.
 */
export function cookieRules({ environment, publicUrl, secrets }: Installation): CookieRules {
  const isSecure = environment !== 'sandbox' || publicUrl.startsWith('https:')
  const name = `switchyard-${instanceNameOf(secrets).slice(0, 8)}`
  const origins = [publicUrl, dashboardUrlOf(publicUrl)].map((url) => new URL(url).origin)
  return { name: isSecure ? `__Host-${name}` : name, isSecure, origins }
}

/** Where people open the dashboard. Passkeys refuse IP addresses, so the machine itself goes by its name. */
export function dashboardUrlOf(publicUrl: string): string {
  return publicUrl.replace(/^(https?:[/][/])(127(?:[.]\d{1,3}){3}|\[::1\])(?=[:/]|$)/i, '$1localhost')
}

/** `foreign`: the cookie came with a request that no page of ours has made. */
type Presented =
  | { readonly kind: 'none' }
  | { readonly kind: 'foreign' }
  | { readonly kind: 'own'; readonly token: string }

/**
 * Browsers say which page made a request. A cookie counts only in requests of our own pages, also in those that
 * only read: this takes the place of tokens against forged requests.
 */
function presentedCookie(rules: CookieRules, headers: IncomingHttpHeaders): Presented {
  const values = cookiesNamed(rules.name, headers.cookie ?? '')
  const [token] = values
  if (token === undefined) return { kind: 'none' }
  if (values.length > 1 || !isOwnPage(rules, headers)) return { kind: 'foreign' }
  return { kind: 'own', token }
}

function isOwnPage({ origins }: CookieRules, headers: IncomingHttpHeaders): boolean {
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site === 'same-origin'
  return headers.origin !== undefined && origins.includes(headers.origin)
}

/** Whether a request may sign in: it comes from a page of ours, or from a program, which names no page at all. */
function maySignIn(rules: CookieRules, headers: IncomingHttpHeaders): boolean {
  const isOfBrowser = headers['sec-fetch-site'] !== undefined || headers.origin !== undefined
  return !isOfBrowser || isOwnPage(rules, headers)
}

/** Without an age: it ends with the browser, or with the session. */
export function cookieWith({ name, isSecure }: CookieRules, token: string): string {
  return `${name}=${token}; Path=/; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`
}

export function expiredCookie(rules: CookieRules): string {
  return `${cookieWith(rules, '')}; Max-Age=0`
}

const WROTE = 'switchyard-wrote'

/** Says for some seconds that its user has changed something, to all processes. */
export function wroteCookie({ isSecure }: CookieRules, seconds: number): string {
  return `${WROTE}=1; Path=/; HttpOnly; SameSite=Strict; Max-Age=${seconds}${isSecure ? '; Secure' : ''}`
}

export function hasWritten({ cookie = '' }: IncomingHttpHeaders): boolean {
  return cookiesNamed(WROTE, cookie).length > 0
}

function cookiesNamed(name: string, header: string): string[] {
  const pairs = header.split(';').map((pair) => pair.trim())
  return pairs.filter((pair) => pair.startsWith(`${name}=`)).map((pair) => pair.slice(name.length + 1))
}

const DEFAULT_ACCOUNT = 'default'
export const MERCHANT_ACCOUNT_HEADER = /^x-[a-z0-9-]+-merchant-account-id$/i
const LENGTH_MAX = 255
const ACCOUNT_ID = /^[a-zA-Z0-9-]{1,50}$/

/**
 * The merchant accounts that a request acts on. The middle word of the header is free, so that clients with a
 * vendor's prefix work unchanged.
 */
export async function selectAccounts(
  operation: Pick<Operation, 'isList' | 'isForAll' | 'concerns'>,
  caller: Caller,
  rawHeaders: readonly string[],
  exists: (id: string) => Promise<boolean>,
): Promise<Reach> {
  const selected = selectedBy(caller, rawHeaders)
  if (selected === undefined) {
    return operation.concerns === 'instance'
      ? reachOf(caller)
      : [caller.merchantAccountIds[0] ?? DEFAULT_ACCOUNT]
  }
  if (selected === '*') {
    if (!operation.isList && !operation.isForAll) {
      throw refuse(
        'value_error.const',
        'name one merchant account: this operation cannot act on all (*) at once',
      )
    }
    return reachOf(caller)
  }
  // An unknown account and one that the key may not use get the same answer.
  const isAllowed = caller.merchantAccountIds.length === 0 || caller.merchantAccountIds.includes(selected)
  if (!isAllowed || !ACCOUNT_ID.test(selected) || !(await exists(selected))) {
    throw errors.forbidden(detail('value_error.not_found', 'this key may not act on that merchant account'))
  }
  return [selected]
}

export function reachOf(caller: Pick<Caller, 'merchantAccountIds'>): Reach {
  return caller.merchantAccountIds.length === 0 ? 'all' : caller.merchantAccountIds
}

/** A browser token may pin the account. Then the header must have the same. */
function selectedBy({ pinned }: Caller, rawHeaders: readonly string[]): string | undefined {
  const header = readHeader(rawHeaders)
  const fixed = pinned.merchant_account_id
  if (fixed === undefined) return header
  if (header !== undefined && header !== fixed) throw refuse('value_error.conflict', 'contradicts the token')
  return String(fixed)
}

function readHeader(rawHeaders: readonly string[]): string | undefined {
  let selected: string | undefined
  for (let index = 0; index < rawHeaders.length; index += 2) {
    if (!MERCHANT_ACCOUNT_HEADER.test(rawHeaders[index] ?? '')) continue
    const value = (rawHeaders[index + 1] ?? '').trim()
    if (value.length > LENGTH_MAX) {
      throw refuse('value_error.any_str.max_length', `must have at most ${LENGTH_MAX} characters`)
    }
    if (value === '') throw refuse('value_error.any_str.min_length', 'must not be empty')
    if (selected !== undefined && selected !== value) {
      throw refuse('value_error.conflict', 'is given twice with different values')
    }
    selected = value
  }
  return selected
}

function refuse(type: ErrorDetail['type'], message: string) {
  return errors.invalid(detail(type, message))
}

function detail(type: ErrorDetail['type'], message: string): ErrorDetail {
  return inHeader('/x-service-merchant-account-id', type, message)
}
