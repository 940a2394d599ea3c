import { DateTime, Kind, Nullable, OneOf, Strict, Uuid } from '#platform/http/schemas.ts'
import { type Static, Type } from '#platform/http/type.ts'
import { CollectionOf } from '#platform/listing/pagination.ts'
import { MerchantAccountSummary } from '#resources/merchant-accounts/schemas.ts'
import { Role } from '#resources/roles/schemas.ts'

const ALGORITHMS = ['ECDSA', 'RSA', 'EdDSA'] as const
export type Algorithm = (typeof ALGORITHMS)[number]

const EXAMPLE_ID = '0199f3a0-5d3b-7c00-8a11-3f1f7f1f0002'
const DisplayName = Type.String({ minLength: 1, maxLength: 200, description: 'Name to display.' })
const RoleName = Type.String({
  minLength: 1,
  maxLength: 50,
  description: 'The id or the slug of a role.',
  examples: ['processing'],
})
const RoleIds = Type.Array(RoleName, {
  minItems: 1,
  maxItems: 20,
  uniqueItems: true,
  description: 'What the key may do: roles by id or slug. Only roles that the caller’s own key covers.',
})
const MerchantAccountIds = Type.Array(Type.String({ minLength: 1, maxLength: 50 }), {
  maxItems: 1000,
  uniqueItems: true,
  description:
    'The merchant accounts the key may act on. Empty means all. The first is the default for requests that name none.',
})

export const CreateApiKeyPair = Strict(
  {
    display_name: DisplayName,
    algorithm: Type.Optional(
      OneOf(ALGORITHMS, {
        description:
          'Generated pairs are `ECDSA` (P-521, the default) or `RSA`; uploaded keys have their own.',
      }),
    ),
    active: Type.Optional(Type.Boolean({ description: 'Whether the key can authenticate. Default true.' })),
    role_ids: RoleIds,
    merchant_account_ids: Type.Optional(MerchantAccountIds),
    public_key: Type.Optional(
      Nullable(
        Type.String({
          minLength: 1,
          maxLength: 10_000,
          description:
            'Your own public key in PEM (SPKI): P-521, P-384, P-256, Ed25519, or RSA of 2048 bits and more. Without it, we generate a pair and return the private key once.',
        }),
      ),
    ),
  },
  {
    title: 'CreateAPIKeyPair',
    examples: [{ display_name: 'Shop backend', role_ids: ['processing'] }],
  },
)
export type CreateApiKeyPair = Static<typeof CreateApiKeyPair>

export const UpdateApiKeyPair = Strict(
  {
    display_name: Type.Optional(Nullable(DisplayName)),
    active: Type.Optional(Nullable(Type.Boolean())),
    role_ids: Type.Optional(Nullable(RoleIds)),
    merchant_account_ids: Type.Optional(Nullable(MerchantAccountIds)),
  },
  { title: 'UpdateAPIKeyPair', examples: [{ active: false }] },
)
export type UpdateApiKeyPair = Static<typeof UpdateApiKeyPair>

const Creator = Strict({
  id: Uuid(),
  name: Type.String(),
  email_address: Nullable(Type.String()),
  thumbprint: Nullable(Type.String()),
})

export const ApiKeyPair = Strict(
  {
    type: Kind('api-key-pair'),
    id: Uuid(),
    thumbprint: Type.String({ description: 'RFC 7638, SHA-256. Tokens carry it as `kid`.' }),
    display_name: DisplayName,
    algorithm: OneOf(ALGORITHMS),
    active: Type.Boolean(),
    private_key: Nullable(
      Type.String({
        description: 'PKCS#8 PEM. Only in the answer that creates a pair, and only when we generated it.',
      }),
    ),
    created_at: DateTime(),
    updated_at: DateTime(),
    last_used_at: Nullable(DateTime()),
    creator: Nullable(Creator),
    merchant_accounts: Type.Array(MerchantAccountSummary, {
      description: 'Empty means all merchant accounts.',
    }),
    roles: Type.Array(Role),
  },
  {
    title: 'APIKeyPair',
    examples: [
      {
        type: 'api-key-pair',
        id: EXAMPLE_ID,
        thumbprint: 'va-SLs5AxJNfqKXD8LI5Y38BflpNvjZjY4RSWz66U1w',
        display_name: 'Shop backend',
        algorithm: 'ECDSA',
        active: true,
        private_key: null,
        created_at: '2026-11-15T09:30:00.000Z',
        updated_at: '2026-11-15T09:30:00.000Z',
        last_used_at: null,
        creator: {
          id: '0199f3a0-5d3b-7c00-8a11-3f1f7f1f0003',
          name: 'Administrator',
          email_address: null,
          thumbprint: 'PQ8tJFTvLpXa0u7bfPqQ8zRZ0Qf7k5m7cXb0J4gkq9w',
        },
        merchant_accounts: [],
        roles: [],
      },
    ],
  },
)
export type ApiKeyPair = Static<typeof ApiKeyPair>

export const ApiKeyPairs = CollectionOf(ApiKeyPair, 'APIKeyPairs')
