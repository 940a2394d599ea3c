import type { IncomingHttpHeaders } from 'node:http'
import { instanceNameOf } from '../process/instance.ts'
import type { Secrets } from './secrets.ts'

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
export type Presented =
  | { readonly kind: 'none' }
  | { readonly kind: 'foreign' }
  | { readonly kind: 'own'; readonly token: string }

/**
 * Browsers say which page made a request. A cookie counts only in requests of our own pages, also in those that
 * only read: this takes the place of tokens against forged requests.
 */
export function presentedCookie(rules: CookieRules, headers: IncomingHttpHeaders): Presented {
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
export function maySignIn(rules: CookieRules, headers: IncomingHttpHeaders): boolean {
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
