import { FailureLimit } from '#platform/failure-limit.ts'
import type { OperationNeeds, Resource } from '#resources/resource.ts'
import { invitationRoutes } from './invitations/routes.ts'
import { authJobs } from './jobs.ts'
import type { AuthNeeds } from './needs.ts'
import { relyingPartyOf } from './passkeys/ceremony.ts'
import { passkeyRoutes } from './passkeys/routes.ts'
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
      ...stepUpRoutes(needs),
      ...passkeyRoutes(needs),
    ]
  },
  jobs: authJobs,
}

function needsOf({ secrets, publicUrl, sessions }: OperationNeeds): AuthNeeds {
  const failures = new FailureLimit('failed sign-ins from this address')
  return { secrets, publicUrl, sessions, failures, party: relyingPartyOf(publicUrl) }
}
