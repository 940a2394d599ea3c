import { inTransaction, type Scope } from '#platform/database/db.ts'
import { type ErrorDetail, inBody } from '#platform/http/errors.ts'
import { type Operation, operation, scopeOf } from '#platform/http/operation.ts'
import type { Sound } from '#platform/http/validation.ts'
import type { Engine } from '#processing/engine.ts'
import type { Limit } from '#processing/scheme-rules.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import { RetryPolicy, RetryPolicyUpdate } from './schemas.ts'
import { showPolicy } from './show.ts'
import * as retryPolicies from './store.ts'

const AUDITED = 'retry-policy'

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

/** Absent fields stay. It applies to the next attempt, in every process. */
function updatePolicy(
  scope: Scope,
  { providers }: Engine,
  { mode, limits }: RetryPolicyUpdate,
): Promise<RetryPolicy> {
  return inTransaction(scope, async (tx) => {
    const policy = await retryPolicies.save(tx, {
      ...(mode !== undefined && { mode }),
      ...(limits !== undefined && { limits: limits?.map(toLimit) ?? null }),
    })
    const id = scope.merchantAccountId
    await auditLogs.record(tx, 'updated', { type: AUDITED, id, name: id })
    return showPolicy(policy, providers)
  })
}

type GivenLimit = NonNullable<RetryPolicyUpdate['limits']>[number]

function toLimit({ counted = 'together', ...limit }: GivenLimit): Limit {
  return { ...limit, counted }
}

/** Of two limits for one time, it would be hard to say which applies. */
function policyComplaints({ limits }: Sound<RetryPolicyUpdate>): ErrorDetail[] {
  const seen = new Set<string>()
  return (limits ?? []).flatMap((limit, index) => {
    if (!limit) return []
    const key = `${limit.scheme} ${limit.within_hours}`
    if (!seen.has(key)) {
      seen.add(key)
      return []
    }
    const message = `there is another limit of ${limit.scheme} for ${limit.within_hours} hours: keep one`
    return [inBody(`/limits/${index}/within_hours`, 'value_error.duplicate', message)]
  })
}
