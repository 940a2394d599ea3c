import type { Secrets } from '#platform/access/secrets.ts'
import { errors } from '#platform/http/errors.ts'
import { type Operation, operation, scopeOf } from '#platform/http/operation.ts'
import { Strict, Uuid } from '#platform/http/schemas.ts'
import * as flows from '../store.ts'
import { restoreVersion } from './restore.ts'
import { FlowVersion, FlowVersionCreate, FlowVersionFilters, FlowVersions } from './schemas.ts'
import { showVersion, summarize } from './show.ts'

const TAG = 'Flows'

export function flowVersionRoutes({ secrets }: { readonly secrets: Secrets }): Operation[] {
  return [
    operation({
      id: 'list_flow_versions',
      route: 'GET /flows/versions',
      tag: TAG,
      summary: 'List flow versions',
      description: 'Every change of a rule made one. Newest first.',
      scope: 'flows.read',
      concerns: 'merchant-account',
      query: FlowVersionFilters,
      responses: { 200: FlowVersions },
      handler: async (call) => {
        const scope = scopeOf(call)
        const page = await flows.list(scope, secrets, call.query)
        return { ...page, items: page.items.map((version) => summarize(scope, version)) }
      },
    }),

    operation({
      id: 'get_flow_version',
      route: 'GET /flows/versions/:flow_version_id',
      tag: TAG,
      summary: 'Get flow version',
      description: 'All rules of the merchant account as they were in this version.',
      scope: 'flows.read',
      concerns: 'merchant-account',
      params: Strict({ flow_version_id: Uuid() }),
      responses: { 200: FlowVersion },
      handler: async (call) => {
        const scope = scopeOf(call)
        const version = await flows.findById(scope, call.params.flow_version_id)
        if (!version) throw errors.notFound()
        return showVersion(scope, version)
      },
    }),

    operation({
      id: 'create_flow_version',
      route: 'POST /flows/versions',
      tag: TAG,
      summary: 'Create flow version',
      description:
        'Goes back to the rules of an earlier version, as a new version. The versions in between stay.',
      scope: 'flows.write',
      concerns: 'merchant-account',
      needsFreshProof: true,
      body: FlowVersionCreate,
      responses: { 201: FlowVersion },
      handler: (call) => restoreVersion(scopeOf(call), call.once, call.body),
    }),
  ]
}
