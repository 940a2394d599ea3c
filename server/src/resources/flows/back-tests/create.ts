import type { Scope } from '#platform/database/db.ts'
import { type ErrorDetail, errors, inBody } from '#platform/http/errors.ts'
import type { Sound } from '#platform/http/meaning.ts'
import { type Finished, inFinalTransaction, type Once } from '#platform/idempotency/once.ts'
import { findTried, triedComplaints } from '../tried-rules.ts'
import { DAYS_MAX, type FlowBackTest, type FlowBackTestCreate } from './schemas.ts'
import { showBackTest } from './show.ts'
import * as backTests from './store.ts'

const DAY_MS = 86_400_000
const OPEN_MAX = 3

export function backTestComplaints(body: Sound<FlowBackTestCreate>): ErrorDetail[] {
  const { created_at_gte: from, created_at_lte: to } = body
  return [...triedComplaints(body), ...(from && to ? spanComplaints(new Date(from), new Date(to)) : [])]
}

function spanComplaints(from: Date, to: Date): ErrorDetail[] {
  if (from > to)
    return [inBody('/created_at_lte', 'value_error.conflict', 'must not be before created_at_gte')]
  if (to.getTime() - from.getTime() <= DAYS_MAX * DAY_MS) return []
  const message = `must be at most ${DAYS_MAX} days before created_at_lte`
  return [inBody('/created_at_gte', 'value_error.conflict', message)]
}

/** Begins to try rules on payments of the past. A job does it. */
export function createBackTest(
  scope: Scope,
  once: Once,
  request: FlowBackTestCreate,
): Promise<Finished<FlowBackTest>> {
  const created_at_gte = new Date(request.created_at_gte)
  const created_at_lte = request.created_at_lte ? new Date(request.created_at_lte) : scope.clock()
  const wrong = spanComplaints(created_at_gte, created_at_lte)
  if (wrong.length > 0) throw errors.invalid(...wrong)
  return inFinalTransaction(scope, once, async (tx) => {
    const found = await findTried(tx, request)
    if (!found) {
      const message = 'there are no rules yet: send rules, or create one first'
      throw errors.invalid(inBody('/version', 'value_error.not_found', message))
    }
    if ((await backTests.countOpen(tx)) >= OPEN_MAX)
      throw errors.refused(`${OPEN_MAX} back-tests are under way: wait until one of them has finished`)
    const { number, rules } = found
    const version = request.rules ? null : number
    return showBackTest(tx, await backTests.insert(tx, { version, rules, created_at_gte, created_at_lte }))
  })
}
