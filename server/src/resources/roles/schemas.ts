import { type Static, Type } from 'typebox'
import { CollectionOf } from '#platform/pagination.ts'
import { Kind, OneOf, Strict, Uuid } from '#platform/schemas.ts'

export const Role = Strict(
  {
    type: Kind('role'),
    id: Uuid(),
    name: Type.String(),
    slug: Type.String(),
    description: Type.String(),
    permissions: Strict({
      allow: Type.Array(
        Type.String({ description: '`<resource>.read` or `<resource>.write`; `*` is any resource.' }),
      ),
    }),
    assignable_to: Type.Array(OneOf(['user', 'api-key-pair'])),
    applies_to: Type.Array(Type.String()),
    is_standalone_assignable: Type.Boolean(),
  },
  {
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
        permissions: { allow: ['transactions.read', 'reports.read'] },
        assignable_to: ['user', 'api-key-pair'],
        applies_to: [],
        is_standalone_assignable: true,
      },
    ],
  },
)
export type Role = Static<typeof Role>

export const Roles = CollectionOf(Role, 'Roles')
