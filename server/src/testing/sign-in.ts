import { cookieRules } from '#platform/access/identify.ts'
import { inTransaction } from '#platform/database/db.ts'
import { beginSession, newToken } from '#resources/auth/sessions/begin.ts'
import * as roles from '#resources/roles/store.ts'
import * as users from '#resources/users/store.ts'
import type { TestService } from './harness.ts'

type Who = {
  readonly name?: string
  readonly emailAddress?: string
  /** Slugs. */
  readonly roles?: readonly string[]
  /** Empty means all. */
  readonly merchantAccountIds?: readonly string[]
}

export type SignedInUser = {
  readonly userId: string
  readonly sessionId: string
  readonly emailAddress: string
  /** For `context.addCookies` of Playwright, with the `url` of the service beside it. */
  readonly cookie: {
    readonly name: string
    readonly value: string
    readonly httpOnly: true
    readonly sameSite: 'Strict'
  }
  /** For `service.send(…, { token: null, headers })`: a request of one of our own pages. */
  readonly headers: { readonly cookie: string; readonly 'sec-fetch-site': 'same-origin' }
}

let count = 0

/** Makes a user and a session, directly in the database. */
export async function signIn(service: TestService, who: Who = {}): Promise<SignedInUser> {
  count += 1
  const { context, secrets } = service
  const emailAddress = who.emailAddress ?? `user-${count}@example.com`
  const named = await roles.findNamed(context, who.roles ?? ['administrator'])
  const token = newToken()
  const made = await inTransaction(context, async (tx) => {
    const userId = await users.insert(tx, {
      emailAddress,
      name: who.name ?? 'Mara Lind',
      status: 'active',
      roleIds: named.map(({ id }) => id),
      merchantAccountIds: who.merchantAccountIds ?? [],
    })
    const session = { userId, token, method: 'setup', userAgent: null, address: null } as const
    const { id } = await beginSession(tx, secrets, session)
    return { userId, sessionId: id }
  })
  // Pages of tests are reached without TLS.
  const { name } = cookieRules({ environment: 'sandbox', publicUrl: 'http://127.0.0.1:3000', secrets })
  return {
    ...made,
    emailAddress,
    cookie: { name, value: token, httpOnly: true, sameSite: 'Strict' },
    headers: { cookie: `${name}=${token}`, 'sec-fetch-site': 'same-origin' },
  }
}
