import { inTransaction, type Scope } from '#platform/database/db.ts'
import { type ErrorDetail, inBody } from '#platform/http/errors.ts'
import type { Sound } from '#platform/http/meaning.ts'
import type { Engine } from '#processing/engine.ts'
import type { Limit } from '#processing/scheme-rules.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import type { RetryPolicy, RetryPolicyUpdate } from './schemas.ts'
import { showPolicy } from './show.ts'
import * as retryPolicies from './store.ts'

const AUDITED = 'retry-policy'

/** Absent fields stay. It applies to the next attempt, in every process. */
export function updatePolicy(
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
export function policyComplaints({ limits }: Sound<RetryPolicyUpdate>): ErrorDetail[] {
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
