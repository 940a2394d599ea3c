import { DateTime, Kind, Nullable, OneOf, Strict, Uuid } from '#platform/http/schemas.ts'
import { type Static, Type } from '#platform/http/type.ts'
import { CollectionOf, pageParameters } from '#platform/listing/pagination.ts'
import { EmailAddress, UserName } from '#resources/auth/schemas.ts'
import { Role } from '#resources/roles/schemas.ts'

const STATUSES = ['pending', 'active', 'disabled'] as const
export type Status = (typeof STATUSES)[number]

const EXAMPLE_ID = '0199f3a0-5d3b-7c00-8a11-3f1f7f1f0004'

const AccountName = Strict({ id: Type.String(), display_name: Type.String() })
const HasPasskey = Type.Boolean({ description: 'Whether the user can sign in with a passkey.' })
const HasSecondFactor = Type.Boolean({
  description: 'Whether the user can prove who they are with more than a password: a passkey, or a code.',
})
const HasOidc = Type.Boolean({
  description: 'Whether the user signs in at the identity provider, which decides what they may do.',
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
  has_oidc: HasOidc,
}

const EXAMPLE = {
  type: 'user',
  id: EXAMPLE_ID,
  name: 'Mara Lind',
  email_address: 'mara@example.com',
  status: 'active',
  roles: [],
  has_passkey: true,
  has_second_factor: true,
  has_oidc: false,
}
const EXAMPLE_USER = {
  ...EXAMPLE,
  merchant_accounts: [],
  creator: { id: '0199f3a0-5d3b-7c00-8a11-3f1f7f1f0003', name: 'Jon Berg' },
  last_signed_in_at: '2026-11-15T09:30:00.000Z',
  created_at: '2026-11-14T09:30:00.000Z',
  updated_at: '2026-11-15T09:30:00.000Z',
}

const USER = {
  ...COMMON,
  merchant_accounts: Type.Array(AccountName, { description: 'Empty means all merchant accounts.' }),
  creator: Nullable(Strict({ id: Uuid(), name: Type.String() })),
  last_signed_in_at: Nullable(DateTime()),
  created_at: DateTime(),
  updated_at: DateTime(),
}

export const User = Strict(USER, { title: 'User', examples: [EXAMPLE_USER] })
export type User = Static<typeof User>

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
    idle_seconds: Type.Integer({ description: 'How long a session may be unused before it ends.' }),
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
        idle_seconds: 900,
        expires_at: '2026-11-15T21:30:00.000Z',
      },
    ],
  },
)
export type Me = Static<typeof Me>

export const Users = CollectionOf(User, 'Users')

export const UserFilters = Strict({
  ...pageParameters(),
  status: Type.Optional(OneOf(STATUSES, { description: 'Only users with this status.' })),
})
export type UserFilters = Static<typeof UserFilters>

const RoleIds = Type.Array(
  Type.String({ minLength: 1, maxLength: 50, description: 'The id or the slug of a role.' }),
  {
    minItems: 1,
    maxItems: 20,
    uniqueItems: true,
    description: 'What the user may do: roles by id or slug. Only roles whose permissions you have yourself.',
  },
)
const MerchantAccountIds = Type.Array(Type.String({ minLength: 1, maxLength: 50 }), {
  maxItems: 1000,
  uniqueItems: true,
  description: 'The merchant accounts that the user may act on. Empty means all. The first is the default.',
})

export const CreateUser = Strict(
  {
    email_address: EmailAddress,
    name: UserName,
    role_ids: RoleIds,
    merchant_account_ids: Type.Optional(MerchantAccountIds),
  },
  {
    title: 'CreateUser',
    examples: [{ email_address: 'mara@example.com', name: 'Mara Lind', role_ids: ['customer-support'] }],
  },
)
export type CreateUser = Static<typeof CreateUser>

export const UpdateUser = Strict(
  {
    name: Type.Optional(Nullable(UserName)),
    status: Type.Optional(
      Nullable(
        OneOf(['active', 'disabled'], { description: '`disabled` ends all sessions of the user, at once.' }),
      ),
    ),
    role_ids: Type.Optional(Nullable(RoleIds)),
    merchant_account_ids: Type.Optional(Nullable(MerchantAccountIds)),
  },
  { title: 'UpdateUser', examples: [{ role_ids: ['analyst'] }] },
)
export type UpdateUser = Static<typeof UpdateUser>

export const UpdateMe = Strict({ name: UserName }, { title: 'UpdateMe', examples: [{ name: 'Mara Lind' }] })
export type UpdateMe = Static<typeof UpdateMe>

const InvitationUrl = Nullable(
  Type.String({
    description:
      'The link to send to the user. It works once. We send no e-mail. A retry with the same idempotency key shows it ' +
      'for ten minutes, and null after that.',
  }),
)
const InvitationEnd = DateTime({ description: 'Until then, the link works.' })
const EXAMPLE_URL = 'https://pay.example.com/dashboard/invitation#Zm9yIHRoaXMgZXhhbXBsZSBhbG9uZQ'

export const InvitedUser = Strict(
  { ...USER, invitation_url: InvitationUrl, invitation_expires_at: InvitationEnd },
  {
    title: 'InvitedUser',
    examples: [
      {
        ...EXAMPLE_USER,
        status: 'pending',
        has_passkey: false,
        has_second_factor: false,
        last_signed_in_at: null,
        invitation_url: EXAMPLE_URL,
        invitation_expires_at: '2026-11-18T09:30:00.000Z',
      },
    ],
  },
)
export type InvitedUser = Static<typeof InvitedUser>

export const Invitation = Strict(
  { type: Kind('invitation'), invitation_url: InvitationUrl, invitation_expires_at: InvitationEnd },
  {
    title: 'Invitation',
    examples: [
      { type: 'invitation', invitation_url: EXAMPLE_URL, invitation_expires_at: '2026-11-18T09:30:00.000Z' },
    ],
  },
)
export type Invitation = Static<typeof Invitation>
