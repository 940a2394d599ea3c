import { DateTime, Kind, Nullable, OneOf, Strict, Uuid } from '#platform/http/schemas.ts'
import { type Static, Type } from '#platform/http/type.ts'
import { CollectionOf } from '#platform/listing/pagination.ts'

const ASSIGNEES = ['user', 'api-key-pair'] as const
const EXAMPLE_ALLOW = ['transactions.read', 'reports.read']

const FIELDS = {
  type: Kind('role'),
  id: Uuid(),
  name: Type.String(),
  slug: Type.String({ description: 'Slugs of roles of your own begin with `custom-`.' }),
  description: Type.String(),
  permissions: Strict({
    allow: Type.Array(
      Type.String({ description: '`<resource>.read` or `<resource>.write`; `*` is any resource.' }),
    ),
  }),
  assignable_to: Type.Array(OneOf(ASSIGNEES)),
  applies_to: Type.Array(Type.String()),
  is_standalone_assignable: Type.Boolean(),
}

export const Role = Strict(FIELDS, {
  title: 'Role',
  examples: [
    {
      type: 'role',
      id: '01900000-0000-7000-8000-000000000003',
      name: 'Reporting',
      slug: 'reporting',
      description:
        'Reads payments and what surrounds them. Changes nothing itself, but may have payment services asked for ' +
        'outcomes that are open (sync).',
      permissions: { allow: EXAMPLE_ALLOW },
      assignable_to: ['user', 'api-key-pair'],
      applies_to: [],
      is_standalone_assignable: true,
    },
  ],
})
export type Role = Static<typeof Role>

export const Roles = CollectionOf(Role, 'Roles')

export const RoleDetails = Strict(
  {
    ...FIELDS,
    is_custom: Type.Boolean({ description: 'Whether it is a role of your own. Only these can be changed.' }),
    holders: Strict(
      { users: Type.Integer(), api_key_pairs: Type.Integer() },
      { description: 'How many have the role. A role that is in use cannot be deleted.' },
    ),
    created_at: DateTime(),
    updated_at: DateTime(),
  },
  {
    title: 'RoleDetails',
    examples: [
      {
        type: 'role',
        id: '0199f3a0-5d3b-7c00-8a11-3f1f7f1f0009',
        name: 'Refund desk',
        slug: 'custom-refund-desk',
        description: 'Refunds payments and sees nothing else.',
        permissions: { allow: ['transactions.read', 'transactions.write'] },
        assignable_to: ['user'],
        applies_to: [],
        is_standalone_assignable: true,
        is_custom: true,
        holders: { users: 3, api_key_pairs: 0 },
        created_at: '2026-11-15T09:30:00.000Z',
        updated_at: '2026-11-15T09:30:00.000Z',
      },
    ],
  },
)
export type RoleDetails = Static<typeof RoleDetails>

const Name = Type.String({ minLength: 1, maxLength: 100, description: 'No two roles of your own share one.' })
const Description = Type.String({ maxLength: 500, description: 'What the role is for.' })
const Permissions = Strict({
  allow: Type.Array(Type.String({ maxLength: 100 }), {
    minItems: 1,
    maxItems: 200,
    uniqueItems: true,
    description:
      'Scopes of operations, such as `transactions.read`, or `*.read` and `*.write` for all of them. You can allow only what you may do yourself.',
  }),
})
const AssignableTo = Type.Array(OneOf(ASSIGNEES), {
  minItems: 1,
  uniqueItems: true,
  description: 'Who can have the role.',
})

export const RoleCreate = Strict(
  {
    name: Name,
    description: Type.Optional(Description),
    permissions: Permissions,
    assignable_to: Type.Optional(AssignableTo),
  },
  {
    title: 'RoleCreate',
    examples: [
      {
        name: 'Refund desk',
        description: 'Refunds payments and sees nothing else.',
        permissions: { allow: ['transactions.read', 'transactions.write'] },
        assignable_to: ['user', 'api-key-pair'],
      },
    ],
  },
)
export type RoleCreate = Static<typeof RoleCreate>

export const RoleUpdate = Strict(
  {
    name: Type.Optional(Nullable(Name)),
    description: Type.Optional(Nullable(Description)),
    permissions: Type.Optional(Nullable(Permissions)),
    assignable_to: Type.Optional(Nullable(AssignableTo)),
  },
  { title: 'RoleUpdate', examples: [{ permissions: { allow: ['transactions.read'] } }] },
)
export type RoleUpdate = Static<typeof RoleUpdate>
