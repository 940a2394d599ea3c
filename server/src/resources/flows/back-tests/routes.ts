import type { Scope } from '#platform/database/db.ts'
import { type ErrorDetail, errors, inBody, orNotFound } from '#platform/http/errors.ts'
import { type Operation, operationsOf, scopeOf } from '#platform/http/operation.ts'
import { Strict, Uuid } from '#platform/http/schemas.ts'
import type { Sound } from '#platform/http/validation.ts'
import { type Finished, inFinalTransaction, type Once } from '#platform/idempotency/once.ts'
import type { Job } from '#platform/process/jobs.ts'
import type { JobNeeds } from '#resources/resource.ts'
import { findTried, triedComplaints } from '../tried-rules.ts'
import { runBackTests } from './run.ts'
import { DAYS_MAX, FlowBackTest, FlowBackTestCreate, FlowBackTestFilters, FlowBackTests } from './schemas.ts'
import { showBackTest, summarize } from './show.ts'
import * as backTests from './store.ts'

export const backTestJob: Job<JobNeeds> = {
  name: 'run-back-tests',
  everyMs: 1_000,
  run: runBackTests,
}

const DAY_MS = 86_400_000
const OPEN_MAX = 3

const operation = operationsOf({ tag: 'Flows', scope: 'flows.read', concerns: 'merchant-account' })

export const flowBackTestRoutes: readonly Operation[] = [
  operation({
    id: 'create_flow_back_test',
    route: 'POST /flows/back-tests',
    summary: 'Create flow back test',
    description:
      'Tries rules on payments of the past: the newest rules, an earlier version, or rules that are not stored yet. A job goes through the payments; `GET /flows/back-tests/{flow_back_test_id}` shows how far it is, then the result. No payment changes, and no provider is asked.',
    andScope: 'transactions.read',
    body: FlowBackTestCreate,
    check: ({ body }) => backTestComplaints(body),
    responses: { 201: FlowBackTest },
    handler: (call) => createBackTest(scopeOf(call), call.once, call.body),
  }),

  operation({
    id: 'list_flow_back_tests',
    route: 'GET /flows/back-tests',
    summary: 'List flow back tests',
    description: 'Newest first, without their results.',
    query: FlowBackTestFilters,
    responses: { 200: FlowBackTests },
    handler: async (call) => {
      const page = await backTests.list(scopeOf(call), call.query)
      return { ...page, items: page.items.map(summarize) }
    },
  }),

  operation({
    id: 'get_flow_back_test',
    route: 'GET /flows/back-tests/:flow_back_test_id',
    summary: 'Get flow back test',
    description: 'How far it is, and what it has found once it is done.',
    params: Strict({ flow_back_test_id: Uuid() }),
    responses: { 200: FlowBackTest },
    handler: async (call) => {
      const scope = scopeOf(call)
      const test = orNotFound(await backTests.find(scope, call.params.flow_back_test_id))
      return showBackTest(scope, test)
    },
  }),
]

function backTestComplaints(body: Sound<FlowBackTestCreate>): ErrorDetail[] {
  const { created_at_gte: from, created_at_lte: to } = body
  return [...triedComplaints(body), ...(from && to ? spanComplaints(new Date(from), new Date(to)) : [])]
}

function spanComplaints(from: Date, to: Date): ErrorDetail[] {
  // With an offset, a time of the last year that can be written may be one of the next.
  const strange = [from, to].findIndex((time) => time.getUTCFullYear() < 1 || time.getUTCFullYear() > 9999)
  if (strange >= 0) {
    const pointer = strange === 0 ? '/created_at_gte' : '/created_at_lte'
    return [inBody(pointer, 'type_error.datetime', 'must be a time in the years 1 to 9999 in UTC')]
  }
  if (from > to)
    return [inBody('/created_at_lte', 'value_error.conflict', 'must not be before created_at_gte')]
  if (to.getTime() - from.getTime() <= DAYS_MAX * DAY_MS) return []
  const message = `must be at most ${DAYS_MAX} days before created_at_lte`
  return [inBody('/created_at_gte', 'value_error.conflict', message)]
}

/** Begins to try rules on payments of the past. A job does it. */
function createBackTest(
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
