import type { Secrets } from '#platform/access/secrets.ts'
import type { Scope } from '#platform/database/db.ts'
import { errors, inBody } from '#platform/http/errors.ts'
import { type Operation, operation, scopeOf } from '#platform/http/operation.ts'
import { Strict, Uuid } from '#platform/http/schemas.ts'
import { type Finished, inFinalTransaction, type Once } from '#platform/idempotency/once.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import { describeRules } from '../show.ts'
import type { StoredVersion } from '../store.ts'
import * as flows from '../store.ts'
import { writeVersion } from '../write-version.ts'
import {
  FlowVersion,
  FlowVersionCreate,
  FlowVersionFilters,
  type FlowVersionSummary,
  FlowVersions,
} from './schemas.ts'

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

/** Going back is a new version with the rules of an old one. */
function restoreVersion(
  scope: Scope,
  once: Once,
  { restore, based_on_version }: FlowVersionCreate,
): Promise<Finished<FlowVersion>> {
  return inFinalTransaction(scope, once, async (tx) => {
    const old = await flows.find(tx, restore)
    if (!old) {
      const message = 'there is no such version: GET /flows/versions lists them'
      throw errors.invalid(inBody('/restore', 'value_error.not_found', message))
    }
    const note = `went back to version ${restore}`
    const written = await writeVersion(tx, based_on_version, () => ({ rules: old.rules, note }))
    await auditLogs.record(tx, 'created', { type: 'flow-version', id: written.id, name: note })
    return showVersion(tx, written)
  })
}

function summarize(
  { merchantAccountId }: Pick<Scope, 'merchantAccountId'>,
  { id, number, note, author_id, author_name, rules, created_at }: StoredVersion,
): FlowVersionSummary {
  return {
    type: 'flow-version',
    id,
    merchant_account_id: merchantAccountId,
    number,
    note,
    author: { id: author_id, name: author_name },
    rule_count: rules.length,
    created_at: created_at.toISOString(),
  }
}

async function showVersion(scope: Scope, version: StoredVersion): Promise<FlowVersion> {
  return { ...summarize(scope, version), rules: await describeRules(scope, version.rules, version.rules) }
}
