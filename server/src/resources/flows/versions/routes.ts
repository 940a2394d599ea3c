import type { Scope } from '#platform/database/db.ts'
import { errors, inBody } from '#platform/http/errors.ts'
import { type Operation, operation, scopeOf } from '#platform/http/operation.ts'
import { DateTime, Kind, Nullable, Strict, Uuid } from '#platform/http/schemas.ts'
import { type Static, Type } from '#platform/http/type.ts'
import { type Finished, inFinalTransaction, type Once } from '#platform/idempotency/once.ts'
import { CollectionOf, pageParameters } from '#platform/listing/pagination.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import { FlowRule } from '../schemas.ts'
import { describeRules } from '../show.ts'
import type { StoredVersion } from '../store.ts'
import * as flows from '../store.ts'
import { writeVersion } from '../write-version.ts'

const SUMMARY = {
  type: Kind('flow-version'),
  id: Uuid(),
  merchant_account_id: Type.String(),
  number: Type.Integer(),
  note: Type.String({ description: 'What the change was.' }),
  author: Strict({ id: Nullable(Uuid()), name: Type.String() }, { description: 'Who made the change.' }),
  rule_count: Type.Integer(),
  created_at: DateTime(),
}

const EXAMPLE = {
  type: 'flow-version',
  id: '0199f3a0-5d3b-7c00-8a11-3f1f7f1f0031',
  merchant_account_id: 'default',
  number: 7,
  note: 'added Euros to the European acquirer',
  author: { id: '0199f3a0-5d3b-7c00-8a11-3f1f7f1f0032', name: 'Mara Lind' },
  rule_count: 1,
  created_at: '2026-11-15T09:30:00.000Z',
}

const FlowVersionSummary = Strict(SUMMARY, { title: 'FlowVersionSummary', examples: [EXAMPLE] })
type FlowVersionSummary = Static<typeof FlowVersionSummary>

const FlowVersions = CollectionOf(FlowVersionSummary, 'FlowVersions')

const FlowVersion = Strict(
  {
    ...SUMMARY,
    rules: Type.Array(FlowRule, { description: 'As they were then. The warnings are of today.' }),
  },
  { title: 'FlowVersion', examples: [{ ...EXAMPLE, rules: [] }] },
)
type FlowVersion = Static<typeof FlowVersion>

const FlowVersionFilters = Strict({
  ...pageParameters(),
  number: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 2_147_483_647, description: 'Only the version with this number.' }),
  ),
})

const FlowVersionCreate = Strict(
  {
    restore: Type.Integer({
      minimum: 1,
      maximum: 2_147_483_647,
      description: 'The version whose rules apply again.',
    }),
    based_on_version: Type.Optional(Type.Integer({ minimum: 0, maximum: 2_147_483_647 })),
  },
  { title: 'FlowVersionCreate', examples: [{ restore: 3 }] },
)
type FlowVersionCreate = Static<typeof FlowVersionCreate>

const TAG = 'Flows'

export const flowVersionRoutes: readonly Operation[] = [
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
      const page = await flows.list(scope, call.query)
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
