import { randomBytes } from 'node:crypto'
import type { Secrets } from '#platform/access/secrets.ts'
import { macOf } from '#platform/access/session-reader.ts'
import type { Context, Tx } from '#platform/database/db.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import * as users from '#resources/users/store.ts'
import type { SignedInSession } from '../schemas.ts'
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
): Promise<{ readonly id: string; readonly expiresAt: Date }> {
  return sessions.insert(tx, { ...session, tokenMac: macOf(secrets, token) })
}

/** Where the session will live. */
export type Browser = {
  readonly userAgent: string | null
  readonly address: string
  readonly giveSession: (token: string | null) => void
}

type Opening = {
  readonly user: SignedInSession['user']
  readonly method: sessions.Method
  /** When the user proved who they are, if not just now. */
  readonly provedAt?: Date
  /** Of a sign-in at the identity provider. */
  readonly sealedIdToken?: Buffer | null
  readonly browser: Browser
}

/** Part of the transaction that decides the sign-in. After it, the browser gets the token. */
export async function openSession(
  tx: Context<Tx>,
  { secrets }: { readonly secrets: Secrets },
  { user, method, provedAt, sealedIdToken = null, browser }: Opening,
): Promise<{ readonly token: string; readonly session: SignedInSession }> {
  const token = newToken()
  const { userAgent, address } = browser
  const { id, expiresAt } = await beginSession(tx, secrets, {
    userId: user.id,
    token,
    method,
    userAgent,
    address,
    sealedIdToken,
    ...(provedAt && { provedAt }),
  })
  await users.noteSignIn(tx, user.id)
  await auditLogs.record({ ...tx, merchantAccountId: null }, 'created', {
    type: 'user-session',
    id,
    name: user.name,
  })
  return { token, session: { type: 'user-session', id, user, expires_at: expiresAt.toISOString() } }
}
