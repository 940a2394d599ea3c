import { type Static, Type } from 'typebox'
import { CollectionOf, pageParameters } from '#platform/pagination.ts'
import { DateTime, Kind, Nullable, OneOf, Strict, Uuid } from '#platform/schemas.ts'

const ACTIONS = ['created', 'updated', 'deleted', 'voided', 'canceled', 'captured'] as const
/** Openings of card numbers are recorded in the same chain, but are not listed. */
export type Action = (typeof ACTIONS)[number] | 'revealed'

const AuditLog = Strict(
  {
    type: Kind('audit-log'),
    id: Uuid(),
    merchant_account_id: Nullable(
      Type.String({ description: 'Null for a change of the whole installation.' }),
    ),
    resource: Strict({ type: Type.String(), id: Type.String(), name: Type.String() }),
    action: OneOf(ACTIONS),
    user: Strict({
      type: Kind('user'),
      id: Nullable(
        Uuid({
          description:
            'The user or the API key pair that made the change. Null for the command line, a buyer, a provider that notifies us ' +
            'and the service itself, as `name` says.',
        }),
      ),
      name: Type.String(),
      email_address: Nullable(Type.String({ description: 'Null for an API key pair.' })),
      is_staff: Type.Boolean(),
      status: OneOf(['active', 'pending', 'deleted']),
    }),
    timestamp: DateTime(),
  },
  {
    title: 'AuditLog',
    examples: [
      {
        type: 'audit-log',
        id: '0199f3a0-5d3b-7c00-8a11-3f1f7f1f0001',
        merchant_account_id: null,
        resource: { type: 'api-key-pair', id: '0199f3a0-5d3b-7c00-8a11-3f1f7f1f0002', name: 'Shop backend' },
        action: 'created',
        user: {
          type: 'user',
          id: '0199f3a0-5d3b-7c00-8a11-3f1f7f1f0003',
          name: 'Administrator',
          email_address: null,
          is_staff: false,
          status: 'active',
        },
        timestamp: '2026-11-15T09:30:00.000Z',
      },
    ],
  },
)
export type AuditLog = Static<typeof AuditLog>

export const AuditLogs = CollectionOf(AuditLog, 'AuditLogs')

export const AuditLogFilters = Strict({
  ...pageParameters(),
  action: Type.Optional(OneOf(ACTIONS, { description: 'Only changes of this kind.' })),
  user_id: Type.Optional(Uuid({ description: 'Only changes made by this user or API key pair.' })),
  resource_type: Type.Optional(
    Type.String({ maxLength: 200, description: 'Only changes of this type of resource.' }),
  ),
})
export type AuditLogFilters = Static<typeof AuditLogFilters>
