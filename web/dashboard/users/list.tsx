import { useState } from 'react'
import { useMay } from '../api/me.ts'
import { Button } from '../parts/controls.tsx'
import { List, type RowOf } from '../parts/list/list.tsx'
import type { Column } from '../parts/list/table.tsx'
import { Page } from '../parts/page.tsx'
import { Status, When } from '../parts/values.tsx'
import { InvitationLink, type Invited, InviteUser } from './invite.tsx'
import { accountsText, rolesText, STATUSES } from './words.ts'

type Row = RowOf<'GET /users'>

export function UserList() {
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
          {
            id: 'status',
            label: 'Status',
            kind: 'choice',
            isSingle: true,
            isUsual: true,
            options: Object.entries(STATUSES).map(([value, [, label]]) => ({ value, label })),
          },
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
  { id: 'name', title: 'Name', text: ({ name }) => name },
  {
    id: 'email_address',
    title: 'E-mail address',
    from: 'tablet',
    text: ({ email_address }) => email_address,
  },
  {
    id: 'status',
    title: 'Status',
    cell: ({ status }) => {
      const [tone, label] = STATUSES[status]
      return <Status tone={tone}>{label}</Status>
    },
    text: ({ status }) => STATUSES[status][1],
  },
  { id: 'roles', title: 'Roles', from: 'tablet', text: rolesText },
  { id: 'merchant_accounts', title: 'Merchant accounts', from: 'desktop', text: accountsText },
  { id: 'has_passkey', title: 'Signs in with', from: 'desktop', text: proofOf },
  {
    id: 'last_signed_in_at',
    title: 'Last signed in',
    isNumber: true,
    cell: ({ last_signed_in_at }) => (last_signed_in_at ? <When at={last_signed_in_at} /> : 'Never'),
    text: ({ last_signed_in_at }) => last_signed_in_at,
    from: 'tablet',
  },
]

export function proofOf({
  has_passkey,
  has_second_factor,
  has_oidc,
}: Pick<Row, 'has_passkey' | 'has_second_factor' | 'has_oidc'>) {
  if (has_oidc) return 'Company account'
  if (has_passkey) return 'Passkey'
  return has_second_factor ? 'Password and code' : '–'
}
