import type { Authenticator, Caller } from '#platform/access/auth.ts'
import { reachOf } from '#platform/access/identify.ts'
import { type Context, inTransaction } from '#platform/database/db.ts'
import { orNotFound } from '#platform/http/errors.ts'
import { type Operation, operationsOf } from '#platform/http/operation.ts'
import { Strict } from '#platform/http/schemas.ts'
import { pageParameters } from '#platform/listing/pagination.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import { createApiKeyPair } from './create.ts'
import { deleteApiKeyPair } from './delete.ts'
import { checkGrant, refuseStrongerKey } from './grant.ts'
import { ApiKeyPair, ApiKeyPairs, CreateApiKeyPair, UpdateApiKeyPair } from './schemas.ts'
import * as apiKeyPairs from './store.ts'
import { tell } from './tell.ts'

const operation = operationsOf({ tag: 'API key pairs', concerns: 'instance', scopes: 'api-key-pairs' })

type Needs = { readonly authenticator: Pick<Authenticator, 'forget'> }

export function apiKeyPairRoutes(needs: Needs): Operation[] {
  return [...readingRoutes, ...changingRoutes(needs)]
}

const readingRoutes: readonly Operation[] = [
  operation({
    id: 'list_api_key_pairs',
    route: 'GET /api-key-pairs',
    summary: 'List API key pairs',
    description: 'The API key pairs that this key can see, newest first.',
    isList: true,
    query: Strict(pageParameters()),
    responses: { 200: ApiKeyPairs },
    handler: ({ context, callerReach, query }) => apiKeyPairs.list(context, callerReach, query),
  }),

  operation({
    id: 'get_api_key_pair',
    route: 'GET /api-key-pairs/:api_key_pair_id',
    summary: 'Get API key pair',
    responses: { 200: ApiKeyPair },
    handler: async ({ context, callerReach, params }) =>
      orNotFound(await apiKeyPairs.find(context, callerReach, params.api_key_pair_id)),
  }),
]

function changingRoutes({ authenticator }: Needs): Operation[] {
  return [
    operation({
      id: 'create_api_key_pair',
      route: 'POST /api-key-pairs',
      summary: 'Create API key pair',
      description:
        'Generates a pair and returns its private key once, or registers a public key of yours. A retry with the same idempotency key returns the private key for ten minutes, and null after that.',
      needsFreshProof: true,
      body: CreateApiKeyPair,
      shownOnce: { private_key: null },
      errors: ['duplicate_record'],
      responses: { 201: ApiKeyPair },
      handler: ({ context, once, caller, body }) => createApiKeyPair(context, once, caller, body),
    }),

    operation({
      id: 'update_api_key_pair',
      route: 'PUT /api-key-pairs/:api_key_pair_id',
      summary: 'Update API key pair',
      description:
        'Fields that are left out or null stay as they are. A key that is made inactive stops working at once.',
      needsFreshProof: true,
      body: UpdateApiKeyPair,
      responses: { 200: ApiKeyPair },
      handler: async ({ context, caller, params, body }) => {
        const pair = await updateApiKeyPair(context, caller, params.api_key_pair_id, body)
        authenticator.forget(pair.thumbprint)
        return pair
      },
    }),

    operation({
      id: 'delete_api_key_pair',
      route: 'DELETE /api-key-pairs/:api_key_pair_id',
      summary: 'Delete API key pair',
      description: 'Deletes the pair for good. Tokens signed with it stop working at once.',
      needsFreshProof: true,
      responses: { 204: null },
      handler: async ({ context, caller, params }) => {
        const pair = await deleteApiKeyPair(context, caller, params.api_key_pair_id)
        authenticator.forget(pair.thumbprint)
      },
    }),
  ]
}

/** Absent and null fields stay as they are, because none of them can be empty. */
async function updateApiKeyPair(
  context: Context,
  caller: Caller,
  id: string,
  request: UpdateApiKeyPair,
): Promise<ApiKeyPair> {
  const roleIds = await checkGrant(context, caller, request)
  return inTransaction(context, async (tx) => {
    const before = orNotFound(await apiKeyPairs.lock(tx, reachOf(caller), id))
    refuseStrongerKey(caller, before)

    await apiKeyPairs.update(tx, id, { ...request, role_ids: request.role_ids && roleIds })
    const after = orNotFound(await apiKeyPairs.find(tx, 'all', id))
    await auditLogs.record({ ...tx, merchantAccountId: null }, 'updated', {
      type: 'api-key-pair',
      id,
      name: after.display_name,
    })
    await tell(tx, 'api-key-pair.updated', after)
    return after
  })
}
