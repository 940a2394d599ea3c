import type { FastifyRequest } from 'fastify'
import { errors } from '../http/errors.ts'
import type { Authenticator, Caller } from './auth.ts'
import { type CookieRules, maySignIn, presentedCookie } from './session-cookie.ts'
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
  const message = 'only our own pages can sign users in'
  throw errors.forbidden({ location: 'header', pointer: '/origin', type: 'value_error.conflict', message })
}

export function refuseKeys({ kind }: Caller): void {
  if (kind === 'user') return
  const message = 'only a user who is signed in can do this: a token of an API key cannot'
  throw errors.forbidden({
    location: 'header',
    pointer: '/authorization',
    type: 'value_error.conflict',
    message,
  })
}
