import { type Operation, operation, scopeOf } from '#platform/http/operation.ts'
import type { Engine } from '#processing/engine.ts'
import { RetryPolicy, RetryPolicyUpdate } from './schemas.ts'
import { showPolicy } from './show.ts'
import * as retryPolicies from './store.ts'
import { policyComplaints, updatePolicy } from './update.ts'

const TAG = 'Flows'

export function retryPolicyRoutes({ engine }: { readonly engine: Engine }): Operation[] {
  return [
    operation({
      id: 'get_retry_policy',
      route: 'GET /flows/retry-policy',
      tag: TAG,
      summary: 'Get retry policy',
      description:
        'Whether attempts that card schemes forbid are made, the limits that apply, and what schemes say about each code.',
      scope: 'flows.read',
      concerns: 'merchant-account',
      responses: { 200: RetryPolicy },
      handler: async (call) => showPolicy(await retryPolicies.find(scopeOf(call)), engine.providers),
    }),

    operation({
      id: 'update_retry_policy',
      route: 'PUT /flows/retry-policy',
      tag: TAG,
      summary: 'Update retry policy',
      description: 'What you leave out stays as it is. The change applies to the next attempt.',
      scope: 'flows.write',
      concerns: 'merchant-account',
      needsFreshProof: true,
      body: RetryPolicyUpdate,
      check: ({ body }) => policyComplaints(body),
      responses: { 200: RetryPolicy },
      handler: (call) => updatePolicy(scopeOf(call), engine, call.body),
    }),
  ]
}
