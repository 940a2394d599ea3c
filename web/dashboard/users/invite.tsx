import type { Schemas } from '../../api/schema.d.ts'
import { send, useRead } from '../api/client.ts'
import { useMe } from '../api/me.ts'
import { Ask } from '../parts/ask.tsx'
import { Button, CopyButton, Dialog, Link } from '../parts/controls.tsx'
import { type Field, field } from '../parts/fields.tsx'
import { Notice, Section } from '../parts/page.tsx'
import { exactText } from '../parts/values.tsx'

/** A link is shown once. It stays in the variable of a page, and goes with it. */
export type Invited = {
  readonly name: string
  readonly invitation_url: string | null
  readonly invitation_expires_at: string
}

/** Which roles and merchant accounts a user or a key has: questions of making one, and of changing it. */
export function useGrantFields(holder: 'user' | 'api-key-pair' = 'user'): readonly Field[] {
  const { merchant_accounts, is_unrestricted } = useMe()
  const roles = useRead('GET /roles', { query: { limit: 100 } })
  const fitting = (roles.data?.items ?? []).filter(({ assignable_to }) => assignable_to.includes(holder))
  return [
    field('choices', 'role_ids', 'Roles', {
      isRequired: true,
      options: fitting.map(({ id, name, description }) => ({
        value: id,
        label: name,
        hint: description ?? '',
      })),
      hint: 'You can give only what you may do yourself.',
    }),
    field('choices', 'merchant_account_ids', 'Merchant accounts', {
      isRequired: true,
      options: [
        ...(is_unrestricted ? [EVERY_ACCOUNT] : []),
        ...merchant_accounts.map(({ id, display_name }) => ({ value: id, label: display_name })),
      ],
    }),
  ]
}

const EVERY_ACCOUNT = {
  value: '*',
  label: 'All merchant accounts',
  hint: 'Also those that are added later.',
  isAlone: true,
}

/** What stands in these fields for a user or a key that is there. */
export function grantsOf({ roles, merchant_accounts }: Pick<Schemas['User'], 'roles' | 'merchant_accounts'>) {
  const accounts = merchant_accounts.map(({ id }) => id)
  return {
    role_ids: roles.map(({ id }) => id),
    merchant_account_ids: accounts.length === 0 ? [EVERY_ACCOUNT.value] : accounts,
  }
}

/** For the server, no account means all of them. */
export function grantBody<Body>(body: Record<string, unknown>): Body {
  const ids = body['merchant_account_ids'] as readonly string[]
  return { ...body, merchant_account_ids: ids.filter((id) => id !== EVERY_ACCOUNT.value) } as Body
}

const PERSON: readonly Field[] = [
  field('text', 'name', 'Name', { isRequired: true }),
  field('email', 'email_address', 'E-mail address', { isRequired: true }),
]

type InviteProps = { readonly onInvited: (invited: Invited) => void; readonly onClose: () => void }

export function InviteUser({ onInvited, onClose }: InviteProps) {
  const grants = useGrantFields()
  return (
    <Ask
      title="Invite a user"
      verb="Create link"
      says="You get a link to send to them. It works once, for three days. No e-mail is sent."
      fields={[...PERSON, ...grants]}
      send={async (body, idempotencyKey) => {
        const invited = await send('POST /users', {
          body: grantBody<Schemas['CreateUser']>(body),
          idempotencyKey,
        })
        onInvited(invited)
        return invited
      }}
      outcome={({ name }) => `${name} is invited`}
      onClose={onClose}
    />
  )
}

export function InvitationLink({
  invited: { name, invitation_url, invitation_expires_at },
  onClose,
}: {
  readonly invited: Invited
  readonly onClose: () => void
}) {
  return (
    <Dialog title={`Send this link to ${name}`} onClose={onClose}>
      <div className="dialog-body secret">
        {invitation_url === null ? (
          <Notice tone="info" title="The link is not shown any more">
            Make a new one on the page of the user.
          </Notice>
        ) : (
          <>
            <p>
              Whoever opens it first signs in as {name}: send it to them alone. It is shown only now, and
              works until {exactText(invitation_expires_at)}.
            </p>
            <p className="mono secret-text">{invitation_url}</p>
            <CopyButton tone="plain" text={invitation_url} label="Copy the link" />
          </>
        )}
      </div>
      <div className="dialog-actions">
        <Button tone="main" onClick={onClose}>
          Done
        </Button>
      </div>
    </Dialog>
  )
}

type Granted = Pick<Schemas['User'], 'roles' | 'merchant_accounts'>

export function RolesOf({ of: { roles } }: { readonly of: Pick<Granted, 'roles'> }) {
  return (
    <Section title="Roles">
      <ul className="entries">
        {roles.map(({ id, name, description }) => (
          <li key={id}>
            <div>
              <p>
                <Link to={`/settings/roles/${id}`} className="text-link">
                  {name}
                </Link>
              </p>
              <small>{description}</small>
            </div>
          </li>
        ))}
      </ul>
    </Section>
  )
}

export function rolesText({ roles }: Pick<Granted, 'roles'>): string {
  return roles.map(({ name }) => name).join(', ')
}

export function accountsText({ merchant_accounts: accounts }: Pick<Granted, 'merchant_accounts'>): string {
  return accounts.length === 0 ? 'All' : accounts.map(({ display_name }) => display_name).join(', ')
}
