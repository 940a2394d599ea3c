import { randomBytes } from 'node:crypto'
import type { Context, Tx } from '#platform/db.ts'
import type { Secrets } from '#platform/secrets.ts'
import { macOf } from '#platform/session-reader.ts'
import * as sessions from './store.ts'

/** A new secret for a cookie: 256 bits. */
export function newToken(): string {
  return randomBytes(32).toString('base64url')
}

type Beginning = Omit<sessions.NewSession, 'tokenMac'> & { readonly token: string }

/** The browser alone has the token. */
export function beginSession(
  tx: Context<Tx>,
  secrets: Secrets,
  { token, ...session }: Beginning,
): Promise<string> {
  return sessions.insert(tx, { ...session, tokenMac: macOf(secrets, token) })
}
