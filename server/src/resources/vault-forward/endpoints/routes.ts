import { violatedUnique } from '#platform/database/database-errors.ts'
import { inTransaction, type Scope } from '#platform/database/db.ts'
import { errors, inBody, orNotFound } from '#platform/http/errors.ts'
import { type Operation, operationsOf, scopeOf } from '#platform/http/operation.ts'
import { DateTime, Kind, OneOf, Strict, Uuid } from '#platform/http/schemas.ts'
import { type Static, Type } from '#platform/http/type.ts'
import { type Finished, inFinalTransaction, type Once } from '#platform/idempotency/once.ts'
import { CollectionOf, pageParameters } from '#platform/listing/pagination.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import { Host, hostComplaints, hostOf } from '../host.ts'
import { METHODS } from '../read-request.ts'
import type { StoredEndpoint } from './store.ts'
import * as endpoints from './store.ts'

const ENDPOINTS_MAX = 100
const TYPE = 'vault-forward-endpoint'

const PATHS = Type.Array(
  Type.String({
    pattern: '^/[!-~]*$',
    maxLength: 500,
    expected: 'a path that begins with /, in the letters of a URL, without a query',
  }),
  {
    maxItems: 20,
    uniqueItems: true,
    description: 'The paths that are enabled, each with what is below it. An empty list: all paths.',
  },
)

const FIELDS = {
  paths: PATHS,
  methods: Type.Array(OneOf(METHODS), {
    minItems: 1,
    uniqueItems: true,
    description: 'The methods that are enabled.',
  }),
}

const EXAMPLE = { host: 'api.example.com', paths: ['/bookings'], methods: ['POST'] as const }

const CreateEndpoint = Strict(
  {
    host: Host('The name of the host, with its port if it is not 443.'),
    paths: Type.Optional(PATHS),
    methods: Type.Optional(FIELDS.methods),
  },
  { title: 'CreateVaultForwardEndpoint', examples: [EXAMPLE] },
)
type CreateEndpoint = Static<typeof CreateEndpoint>

const Endpoint = Strict(
  {
    type: Kind(TYPE),
    id: Uuid(),
    merchant_account_id: Type.String(),
    host: Type.String(),
    ...FIELDS,
    created_at: DateTime(),
    updated_at: DateTime(),
  },
  {
    title: 'VaultForwardEndpoint',
    examples: [
      {
        type: TYPE,
        id: '0199f3a0-5d3b-7c00-8a11-3f1f7f1f0052',
        merchant_account_id: 'default',
        ...EXAMPLE,
        created_at: '2026-11-19T09:30:00.000Z',
        updated_at: '2026-11-19T09:30:00.000Z',
      },
    ],
  },
)
type Endpoint = Static<typeof Endpoint>

const operation = operationsOf({
  tag: 'Vault forward',
  concerns: 'merchant-account',
  scopes: 'vault-forward-configs',
})

export const endpointRoutes: readonly Operation[] = [
  operation({
    id: 'list_vault_forward_endpoints',
    route: 'GET /vault-forward/endpoints',
    summary: 'List vault forward endpoints',
    description: 'The hosts to which this account may forward card data in production, newest first.',
    isList: true,
    query: Strict(pageParameters()),
    responses: { 200: CollectionOf(Endpoint, 'VaultForwardEndpoints') },
    handler: async ({ context, reach, query }) => {
      const page = await endpoints.list(context, reach, query)
      return { ...page, items: page.items.map(show) }
    },
  }),

  operation({
    id: 'create_vault_forward_endpoint',
    route: 'POST /vault-forward/endpoints',
    summary: 'Create vault forward endpoint',
    description:
      'Enables a host: from then on card numbers of this account may be sent there. Without `paths` and `methods`, all are enabled. ' +
      'A sandbox needs none.',
    needsFreshProof: true,
    body: CreateEndpoint,
    check: ({ body }) => hostComplaints(body.host),
    errors: ['duplicate_record'],
    responses: { 201: Endpoint },
    handler: (call) => createEndpoint(scopeOf(call), call.once, call.body),
  }),

  operation({
    id: 'delete_vault_forward_endpoint',
    route: 'DELETE /vault-forward/endpoints/:vault_forward_endpoint_id',
    summary: 'Delete vault forward endpoint',
    description: 'The host gets no card data any more, from the next request on.',
    responses: { 204: null },
    handler: (call) => deleteEndpoint(scopeOf(call), call.params.vault_forward_endpoint_id),
  }),
]

async function createEndpoint(
  scope: Scope,
  once: Once,
  { host: given, paths = [], methods = [...METHODS] }: CreateEndpoint,
): Promise<Finished<Endpoint>> {
  const host = hostOf(given) ?? given
  return inFinalTransaction(scope, once, async (tx) => {
    if ((await endpoints.count(tx)) >= ENDPOINTS_MAX)
      throw errors.refused(
        `this merchant account already has ${ENDPOINTS_MAX} endpoints, the most allowed; delete one first`,
      )
    const stored = await endpoints.insert(tx, { host, paths, methods }).catch((error: unknown) => {
      if (violatedUnique(error) !== 'vault_forward_endpoints_by_host') throw error
      throw errors.duplicate(
        undefined,
        inBody('/host', 'value_error.duplicate', 'this host is enabled already: delete that endpoint first'),
      )
    })
    await auditLogs.record(tx, 'created', { type: TYPE, id: stored.id, name: stored.host })
    return show(stored)
  })
}

function deleteEndpoint(scope: Scope, id: string): Promise<void> {
  return inTransaction(scope, async (tx) => {
    const { host } = orNotFound(await endpoints.remove(tx, id))
    await auditLogs.record(tx, 'deleted', { type: TYPE, id, name: host })
  })
}

function show({
  id,
  merchant_account_id,
  host,
  paths,
  methods,
  created_at,
  updated_at,
}: StoredEndpoint): Endpoint {
  return {
    type: TYPE,
    id,
    merchant_account_id,
    host,
    paths,
    methods,
    created_at: created_at.toISOString(),
    updated_at: updated_at.toISOString(),
  }
}
