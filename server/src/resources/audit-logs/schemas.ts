import { DateTime, Kind, Nullable, OneOf, Strict, Uuid } from '#platform/http/schemas.ts'
import { type Static, Type } from '#platform/http/type.ts'
import { CollectionOf, pageParameters } from '#platform/listing/pagination.ts'

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

export const VerificationFilters = Strict({
  after: Type.Optional(
    Type.String({
      maxLength: 100,
      description:
        'A head: `head` or `next` of an earlier answer, or what `switchyard verify` printed. The check begins behind it, and fails if the ' +
        'chain does not contain it. Left out: it begins at the first entry that is not in an archived file.',
    }),
  ),
  links: Type.Integer({
    minimum: 1,
    maximum: 1_000,
    default: 200,
    description: 'How many links of the chain to check. A link covers up to 1,000 entries.',
  }),
})
export type VerificationFilters = Static<typeof VerificationFilters>

export const AuditLogVerification = Strict(
  {
    type: Kind('audit-log-verification'),
    status: OneOf(['intact', 'broken', 'incomplete'] as const, {
      description:
        '`intact`: the chain fits to its end. `broken`: `problem` says where it does not. `incomplete`: what was checked fits, and there is ' +
        'more: ask again with `after` set to `next`.',
    }),
    checked_links: Type.Integer(),
    checked_entries: Type.Integer(),
    archived_links: Type.Integer({
      description:
        'How many links are in archived files. They are not checked here: the operator does, with `switchyard verify`.',
    }),
    first_entry_at: Nullable(DateTime({ description: 'The time of the first entry that was checked.' })),
    last_entry_at: Nullable(DateTime({ description: 'The time of the last entry that was checked.' })),
    head: Type.String({
      description:
        'The last link that fits: note it outside this installation. A later check with it also finds a chain that was cut.',
    }),
    next: Nullable(Type.String({ description: 'Where to go on. Null unless the check is incomplete.' })),
    problem: Nullable(Type.String({ description: 'What does not fit, with the first link or entry.' })),
    broken_link: Nullable(Type.Integer({ description: 'The position of the first link that does not fit.' })),
    stale: Nullable(
      Type.String({
        description:
          'Entries that should be part of the chain by now, and whose codes fit: no worker runs, or it refuses.',
      }),
    ),
    checked_at: DateTime(),
  },
  {
    title: 'AuditLogVerification',
    examples: [
      {
        type: 'audit-log-verification',
        status: 'intact',
        checked_links: 12,
        checked_entries: 431,
        archived_links: 0,
        first_entry_at: '2026-11-01T09:30:00.000Z',
        last_entry_at: '2026-11-15T09:29:58.000Z',
        head: `12:${'4f'.repeat(32)}`,
        next: null,
        problem: null,
        broken_link: null,
        stale: null,
        checked_at: '2026-11-15T09:30:00.000Z',
      },
    ],
  },
)
export type AuditLogVerification = Static<typeof AuditLogVerification>

export const AuditLogFilters = Strict({
  ...pageParameters(),
  action: Type.Optional(OneOf(ACTIONS, { description: 'Only changes of this kind.' })),
  user_id: Type.Optional(Uuid({ description: 'Only changes made by this user or API key pair.' })),
  resource_type: Type.Optional(
    Type.String({ maxLength: 200, description: 'Only changes of this type of resource.' }),
  ),
  category: Type.Optional(
    OneOf(['payments', 'configuration'] as const, {
      description:
        '`payments`: only what is done with payments, buyers and what belongs to them. `configuration`: only everything else, such as changes of keys, users, ' +
        'rules and connections, and sign-ins.',
    }),
  ),
  timestamp_gte: Type.Optional(
    DateTime({ description: 'Only changes made at this time or after. With a time zone, URL encoded.' }),
  ),
  timestamp_lte: Type.Optional(
    DateTime({ description: 'Only changes made at this time or before. With a time zone, URL encoded.' }),
  ),
})
export type AuditLogFilters = Static<typeof AuditLogFilters>
