import type { Secrets } from '#platform/access/secrets.ts'
import { errors } from '#platform/http/errors.ts'
import { type Operation, operation, scopeOf } from '#platform/http/operation.ts'
import { Strict, Uuid } from '#platform/http/schemas.ts'
import { backTestComplaints, createBackTest } from './create.ts'
import { FlowBackTest, FlowBackTestCreate, FlowBackTestFilters, FlowBackTests } from './schemas.ts'
import { showBackTest, summarize } from './show.ts'
import * as backTests from './store.ts'

const TAG = 'Flows'

export function flowBackTestRoutes({ secrets }: { readonly secrets: Secrets }): Operation[] {
  return [
    operation({
      id: 'create_flow_back_test',
      route: 'POST /flows/back-tests',
      tag: TAG,
      summary: 'Create flow back test',
      description:
        'Tries rules on payments of the past: the newest rules, an earlier version, or rules that are not stored yet. A job goes through the payments; `GET /flows/back-tests/{flow_back_test_id}` shows how far it is, then the result. No payment changes, and no provider is asked.',
      scope: 'flows.read',
      andScope: 'transactions.read',
      concerns: 'merchant-account',
      body: FlowBackTestCreate,
      check: ({ body }) => backTestComplaints(body),
      responses: { 201: FlowBackTest },
      handler: (call) => createBackTest(scopeOf(call), call.once, call.body),
    }),

    operation({
      id: 'list_flow_back_tests',
      route: 'GET /flows/back-tests',
      tag: TAG,
      summary: 'List flow back tests',
      description: 'Newest first, without their results.',
      scope: 'flows.read',
      concerns: 'merchant-account',
      query: FlowBackTestFilters,
      responses: { 200: FlowBackTests },
      handler: async (call) => {
        const page = await backTests.list(scopeOf(call), secrets, call.query)
        return { ...page, items: page.items.map(summarize) }
      },
    }),

    operation({
      id: 'get_flow_back_test',
      route: 'GET /flows/back-tests/:flow_back_test_id',
      tag: TAG,
      summary: 'Get flow back test',
      description: 'How far it is, and what it has found once it is done.',
      scope: 'flows.read',
      concerns: 'merchant-account',
      params: Strict({ flow_back_test_id: Uuid() }),
      responses: { 200: FlowBackTest },
      handler: async (call) => {
        const scope = scopeOf(call)
        const test = await backTests.find(scope, call.params.flow_back_test_id)
        if (!test) throw errors.notFound()
        return showBackTest(scope, test)
      },
    }),
  ]
}
