import type { FailureLimit } from '#platform/access/failure-limit.ts'
import type { Secrets } from '#platform/access/secrets.ts'
import type { SessionReader } from '#platform/access/session-reader.ts'
import type { IdentityProvider } from './oidc/provider.ts'
import type { RelyingParty } from './passkeys/ceremony.ts'

/** What operations need to find out who a caller is. */
export type AuthNeeds = {
  readonly secrets: Secrets
  readonly publicUrl: string
  readonly party: RelyingParty | null
  /** Null: users sign in here alone. */
  readonly oidc: IdentityProvider | null
  readonly sessions: SessionReader
  readonly failures: FailureLimit
}
