import { FailureLimit } from '#platform/access/failure-limit.ts'
import { dashboardUrlOf } from '#platform/access/session-cookie.ts'
import type { OperationNeeds, Resource } from '#resources/resource.ts'
import { invitationRoutes } from './invitations/routes.ts'
import { authJobs } from './jobs.ts'
import type { AuthNeeds } from './needs.ts'
import { IdentityProvider } from './oidc/provider.ts'
import { oidcRoutes } from './oidc/routes.ts'
import { relyingPartyOf } from './passkeys/ceremony.ts'
import { passkeyRoutes } from './passkeys/routes.ts'
import { passwordRoutes } from './password/routes.ts'
import { recoveryCodeRoutes } from './recovery-codes/routes.ts'
import { sessionRoutes } from './sessions/routes.ts'
import { setupRoutes } from './setup/routes.ts'
import { stepUpRoutes } from './step-up/routes.ts'

export const authResource: Resource = {
  operations: (given) => {
    const needs = needsOf(given)
    return [
      ...setupRoutes(needs),
      ...invitationRoutes(needs),
      ...sessionRoutes(needs),
      ...oidcRoutes(needs),
      ...stepUpRoutes(needs),
      ...passkeyRoutes(needs),
      ...passwordRoutes(needs),
      ...recoveryCodeRoutes(needs),
    ]
  },
  jobs: authJobs,
}

function needsOf({ secrets, publicUrl, sessions, oidc: settings }: OperationNeeds): AuthNeeds {
  const failures = new FailureLimit('failed sign-ins from this address')
  const oidc = settings ? new IdentityProvider(settings, returnAddress(publicUrl)) : null
  return { secrets, publicUrl, sessions, failures, oidc, party: relyingPartyOf(publicUrl) }
}

/** The page to which an identity provider sends people back. It has to be registered there. */
export function returnAddress(publicUrl: string): string {
  return `${dashboardUrlOf(publicUrl)}/dashboard/oidc`
}
