import { useState } from 'react'
import type { Schemas } from '../../api/schema.d.ts'
import { send } from '../api/client.ts'
import { useMay } from '../api/me.ts'
import { Ask, Deletion } from '../parts/ask.tsx'
import { Button } from '../parts/controls.tsx'
import { field } from '../parts/fields.tsx'
import { filterBy } from '../parts/list/filters.ts'
import { List, type RowOf } from '../parts/list/list.tsx'
import { type Column, column } from '../parts/list/table.tsx'
import { Columns, FactCard, type Of, Page, pageOf } from '../parts/page.tsx'
import { Id, Marked, type Marks, optionsOf, When } from '../parts/values.tsx'
import { accountsText, RolesOf, rolesText } from '../users/invite.tsx'
import { grantBody, grantsOf, InvitationLink, type Invited, InviteUser, useGrantFields } from './invite.tsx'

export const pages = { '/': UserList, '/$id': pageOf('GET /users/{user_id}', Detail) }

type Row = RowOf<'GET /users'>

function UserList() {
  const may = useMay()
  const [isInviting, setInviting] = useState(false)
  const [invited, setInvited] = useState<Invited>()
  const invite = may('users.write') && (
    <Button tone="main" icon="plus" onClick={() => setInviting(true)}>
      Invite a user
    </Button>
  )
  return (
    <Page title="Users" actions={invite}>
      <List
        name="users"
        route="GET /users"
        filters={[
          filterBy('choice', 'status', 'Status', {
            isSingle: true,
            isUsual: true,
            options: optionsOf(STATUSES),
          }),
        ]}
        columns={COLUMNS}
        to={({ id }) => `/settings/users/${id}`}
        empty={{ title: 'No users', text: 'People you invite appear here.' }}
      />
      {isInviting && <InviteUser onInvited={setInvited} onClose={() => setInviting(false)} />}
      {invited && <InvitationLink invited={invited} onClose={() => setInvited(undefined)} />}
    </Page>
  )
}

const COLUMNS: readonly Column<Row>[] = [
  column('name', 'Name', { text: 'name' }),
  column('email_address', 'E-mail address', { from: 'tablet', text: 'email_address' }),
  column('status', 'Status', { status: ({ status }) => STATUSES[status] }),
  column('roles', 'Roles', { from: 'tablet', text: rolesText }),
  column('merchant_accounts', 'Merchant accounts', { from: 'desktop', text: accountsText }),
  column('has_passkey', 'Signs in with', { from: 'desktop', text: proofOf }),
  column('last_signed_in_at', 'Last signed in', {
    isNumber: true,
    cell: ({ last_signed_in_at }) => (last_signed_in_at ? <When at={last_signed_in_at} /> : 'Never'),
    text: 'last_signed_in_at',
    from: 'tablet',
  }),
]

function proofOf({
  has_passkey,
  has_second_factor,
  has_oidc,
}: Pick<Row, 'has_passkey' | 'has_second_factor' | 'has_oidc'>) {
  if (has_oidc) return 'Company account'
  if (has_passkey) return 'Passkey'
  return has_second_factor ? 'Password and code' : '–'
}

type User = Schemas['User']
type Act = 'edit' | 'link' | 'disable' | 'enable' | 'delete'

function Detail({ of: user }: Of<User>) {
  const may = useMay()
  const [act, setAct] = useState<Act>()
  const [invited, setInvited] = useState<Invited>()
  const close = () => setAct(undefined)
  const isDisabled = user.status === 'disabled'
  return (
    <Page
      title={user.name}
      back={{ to: '/settings/users', label: 'Users' }}
      under={
        <>
          <Marked of={STATUSES[user.status]} />
          <span>{user.email_address}</span>
        </>
      }
      actions={
        may('users.write') && (
          <>
            {!isDisabled && !user.has_oidc && <Button onClick={() => setAct('link')}>New link</Button>}
            <Button onClick={() => setAct(isDisabled ? 'enable' : 'disable')}>
              {isDisabled ? 'Enable' : 'Disable'}
            </Button>
            <Button onClick={() => setAct('delete')}>Delete</Button>
            <Button tone="main" onClick={() => setAct('edit')}>
              Edit
            </Button>
          </>
        )
      }
    >
      <Columns
        main={<RolesOf of={user} />}
        side={
          <FactCard
            title="Details"
            facts={[
              ['Id', <Id key="id" value={user.id} isShort />],
              ['Merchant accounts', accountsText(user)],
              ['Signs in with', proofOf(user)],
              [
                'Last signed in',
                user.last_signed_in_at ? <When key="at" at={user.last_signed_in_at} /> : 'Never',
              ],
              ['Invited by', user.creator?.name],
              ['Created', <When key="created" at={user.created_at} />],
              ['Updated', <When key="changed" at={user.updated_at} />],
            ]}
          />
        }
      />
      {act === 'edit' && <Edit user={user} onClose={close} />}
      {act === 'link' && <NewLink user={user} onInvited={setInvited} onClose={close} />}
      {(act === 'disable' || act === 'enable') && <Switch user={user} onClose={close} />}
      {act === 'delete' && <Delete user={user} onClose={close} />}
      {invited && <InvitationLink invited={invited} onClose={() => setInvited(undefined)} />}
    </Page>
  )
}

type ActProps = { readonly user: User; readonly onClose: () => void }

function Edit({ user, onClose }: ActProps) {
  const grants = useGrantFields()
  return (
    <Ask
      title={`Edit ${user.name}`}
      verb="Save"
      says="The change applies at once, also where the user is signed in."
      fields={[field('text', 'name', 'Name', { isRequired: true }), ...grants]}
      initial={{
        name: user.name,
        ...grantsOf(user),
      }}
      send={(body) => {
        const changes = grantBody<Schemas['UpdateUser']>(body)
        return send('PUT /users/{user_id}', { path: { user_id: user.id }, body: changes })
      }}
      outcome={({ name }) => `${name} was changed`}
      onClose={onClose}
    />
  )
}

function NewLink({ user, onInvited, onClose }: ActProps & { readonly onInvited: (it: Invited) => void }) {
  const isNew = user.status === 'pending'
  return (
    <Ask
      title={`New link for ${user.name}`}
      verb="Create link"
      says={
        isNew
          ? 'It replaces the last one, and works for three days.'
          : 'For a user who can no longer sign in. The link lets them set up sign-in again; their current passkeys, password and sessions then stop working. It works for one day.'
      }
      send={async (_body, idempotencyKey) => {
        const path = { user_id: user.id }
        const link = await send('POST /users/{user_id}/invitations', { path, idempotencyKey })
        onInvited({ ...link, name: user.name })
        return link
      }}
      outcome="The link was created"
      onClose={onClose}
    />
  )
}

function Switch({ user, onClose }: ActProps) {
  const status = user.status === 'disabled' ? 'active' : 'disabled'
  const isOff = status === 'disabled'
  return (
    <Ask
      title={isOff ? `Disable ${user.name}` : `Enable ${user.name}`}
      verb={isOff ? 'Disable' : 'Enable'}
      isDangerous={isOff}
      says={
        isOff
          ? 'All their sessions end at once, and they cannot sign in until you enable them again.'
          : 'They can sign in again with what they had before.'
      }
      send={() => send('PUT /users/{user_id}', { path: { user_id: user.id }, body: { status } })}
      outcome={({ name }) => (isOff ? `${name} is disabled` : `${name} is active`)}
      onClose={onClose}
    />
  )
}

function Delete({ user, onClose }: ActProps) {
  return (
    <Deletion
      id={user.id}
      name={user.name}
      says="They are signed out, and their passkeys and password are deleted for good. The audit log keeps their name."
      send={() => send('DELETE /users/{user_id}', { path: { user_id: user.id } })}
      list="/settings/users"
      onClose={onClose}
    />
  )
}

const STATUSES: Marks<Schemas['User']['status']> = {
  pending: { tone: 'wait', label: 'Invited' },
  active: { tone: 'good', label: 'Active' },
  disabled: { tone: 'mute', label: 'Disabled' },
}
