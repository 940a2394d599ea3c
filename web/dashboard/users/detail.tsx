import { useState } from 'react'
import type { Schemas } from '../../api/schema.d.ts'
import { useAddress } from '../address.ts'
import { send, useRead } from '../api/client.ts'
import { useMay } from '../api/me.ts'
import { Ask } from '../parts/ask.tsx'
import { Button, Link } from '../parts/controls.tsx'
import { Columns, Loaded, Page, Section } from '../parts/page.tsx'
import { Facts, Id, Status, When } from '../parts/values.tsx'
import { grantBody, grantsOf, InvitationLink, type Invited, useGrantFields } from './invite.tsx'
import { proofOf } from './list.tsx'
import { accountsText, STATUSES } from './words.ts'

type User = Schemas['User']
type Act = 'edit' | 'link' | 'disable' | 'enable' | 'delete'

export function UserDetail() {
  const { params } = useAddress()
  const user = useRead('GET /users/{user_id}', { path: { user_id: params['id'] ?? '' } })
  return <Loaded of={user}>{(it) => <Detail user={it} />}</Loaded>
}

function Detail({ user }: { readonly user: User }) {
  const may = useMay()
  const [act, setAct] = useState<Act>()
  const [invited, setInvited] = useState<Invited>()
  const [tone, label] = STATUSES[user.status]
  const close = () => setAct(undefined)
  const isDisabled = user.status === 'disabled'
  return (
    <Page
      title={user.name}
      back={{ to: '/settings/users', label: 'Users' }}
      under={
        <>
          <Status tone={tone}>{label}</Status>
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
        main={<Roles user={user} />}
        side={
          <Section title="Details">
            <Facts
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
          </Section>
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

function Roles({ user }: { readonly user: User }) {
  return (
    <Section title="Roles">
      <ul className="entries">
        {user.roles.map(({ id, name, description }) => (
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

type ActProps = { readonly user: User; readonly onClose: () => void }

function Edit({ user, onClose }: ActProps) {
  const grants = useGrantFields()
  return (
    <Ask
      title={`Edit ${user.name}`}
      verb="Save"
      says="The change applies at once, also where the user is signed in."
      fields={[{ name: 'name', label: 'Name', kind: 'text', isRequired: true }, ...grants]}
      initial={{
        name: user.name,
        ...grantsOf(user),
      }}
      send={(body) => {
        const changes = grantBody<Schemas['UpdateUser']>(body)
        return send('PUT /users/{user_id}', { path: { user_id: user.id }, body: changes })
      }}
      outcome={({ name }) => ({ kind: 'done', title: `${name} was changed` })}
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
      outcome={() => ({ kind: 'done', title: 'The link was created' })}
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
      outcome={({ name }) => ({ kind: 'done', title: isOff ? `${name} is disabled` : `${name} is active` })}
      onClose={onClose}
    />
  )
}

function Delete({ user, onClose }: ActProps) {
  const { go } = useAddress()
  return (
    <Ask
      title={`Delete ${user.name}`}
      verb="Delete"
      isDangerous
      says="They are signed out, and their passkeys and password are deleted for good. The audit log keeps their name."
      send={() => send('DELETE /users/{user_id}', { path: { user_id: user.id } })}
      outcome={() => ({ kind: 'done', title: `${user.name} was deleted` })}
      onDone={() => go('/settings/users')}
      deletedId={user.id}
      onClose={onClose}
    />
  )
}
