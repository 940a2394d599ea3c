import { type Static, Type } from 'typebox'
import { DateTime, Kind, Nullable, OneOf, Strict, Uuid } from '#platform/schemas.ts'
import { Role } from '#resources/roles/schemas.ts'

const STATUSES = ['pending', 'active', 'disabled'] as const
export type Status = (typeof STATUSES)[number]

const EXAMPLE_ID = '0199f3a0-5d3b-7c00-8a11-3f1f7f1f0004'

const AccountName = Strict({ id: Type.String(), display_name: Type.String() })
const HasPasskey = Type.Boolean({ description: 'Whether the user can sign in with a passkey.' })
const HasSecondFactor = Type.Boolean({
  description: 'Whether the user can prove who they are with more than a password: a passkey, or a code.',
})
const Status = OneOf(STATUSES, {
  description:
    '`pending`: invited, and has not signed in yet. `disabled`: cannot sign in until made active again.',
})

const COMMON = {
  type: Kind('user'),
  id: Uuid(),
  name: Type.String(),
  email_address: Type.String(),
  status: Status,
  roles: Type.Array(Role),
  has_passkey: HasPasskey,
  has_second_factor: HasSecondFactor,
}

export const User = Strict(
  {
    ...COMMON,
    merchant_accounts: Type.Array(AccountName, { description: 'Empty means all merchant accounts.' }),
    creator: Nullable(Strict({ id: Uuid(), name: Type.String() })),
    last_signed_in_at: Nullable(DateTime()),
    created_at: DateTime(),
    updated_at: DateTime(),
  },
  { title: 'User' },
)
export type User = Static<typeof User>

const EXAMPLE = {
  type: 'user',
  id: EXAMPLE_ID,
  name: 'Mara Lind',
  email_address: 'mara@example.com',
  status: 'active',
  roles: [],
  has_passkey: true,
  has_second_factor: true,
}

export const Me = Strict(
  {
    ...COMMON,
    permissions: Type.Array(Type.String(), {
      description: 'Every scope that your roles allow, such as `transactions.read`.',
    }),
    merchant_accounts: Type.Array(AccountName, {
      description: 'The merchant accounts that you can act on. If you are unrestricted: all.',
    }),
    is_unrestricted: Type.Boolean({ description: 'Whether you can act on all merchant accounts.' }),
    environment: OneOf(['sandbox', 'production']),
    step_up_until: Nullable(
      DateTime({ description: 'Until then, no operation asks you for another proof. Null: it would now.' }),
    ),
    idle_expires_at: DateTime({ description: 'When your session ends, unless you use it again.' }),
    expires_at: DateTime({ description: 'When your session ends, however often you use it.' }),
  },
  {
    title: 'Me',
    examples: [
      {
        ...EXAMPLE,
        permissions: ['transactions.read'],
        merchant_accounts: [{ id: 'default', display_name: 'Default' }],
        is_unrestricted: true,
        environment: 'sandbox',
        step_up_until: '2026-11-15T09:40:00.000Z',
        idle_expires_at: '2026-11-15T09:45:00.000Z',
        expires_at: '2026-11-15T21:30:00.000Z',
      },
    ],
  },
)
export type Me = Static<typeof Me>
