import { useState } from 'react'
import type { Schemas } from '../../api/schema.d.ts'
import { useAddress } from '../address.ts'
import { send, useRead } from '../api/client.ts'
import { useMay } from '../api/me.ts'
import { Ask } from '../parts/ask.tsx'
import { Button, LinkButton } from '../parts/controls.tsx'
import { Columns, Loaded, Page, Section } from '../parts/page.tsx'
import { Facts, Id, When } from '../parts/values.tsx'
import { Matrix } from './matrix.tsx'
import { holdersText } from './words.ts'

type Role = Schemas['RoleDetails']

export function RoleDetail() {
  const { params } = useAddress()
  const role = useRead('GET /roles/{role_id}', { path: { role_id: params['id'] ?? '' } })
  return <Loaded of={role}>{(it) => <Detail role={it} />}</Loaded>
}

function Detail({ role }: { readonly role: Role }) {
  const may = useMay()
  const [isDeleting, setDeleting] = useState(false)
  return (
    <Page
      title={role.name}
      back={{ to: '/settings/roles', label: 'Roles' }}
      under={role.description}
      actions={
        role.is_custom &&
        may('roles.write') && (
          <>
            <Button onClick={() => setDeleting(true)}>Delete</Button>
            <LinkButton tone="main" to={`/settings/roles/${role.id}/edit`}>
              Edit
            </LinkButton>
          </>
        )
      }
    >
      <Columns
        main={
          <Section title="Permissions" isFlush>
            <Matrix allowed={role.permissions.allow} />
          </Section>
        }
        side={
          <Section title="Details">
            <Facts
              facts={[
                ['Type', role.is_custom ? 'Custom' : 'Built in'],
                ['Can be given to', holdersText(role)],
                ['Users', String(role.holders.users)],
                ['API keys', String(role.holders.api_key_pairs)],
                ['API name', <Id key="slug" value={role.slug} />],
                ['Updated', role.is_custom && <When key="at" at={role.updated_at} />],
              ]}
            />
          </Section>
        }
      />
      {isDeleting && <Delete role={role} onClose={() => setDeleting(false)} />}
    </Page>
  )
}

function Delete({ role, onClose }: { readonly role: Role; readonly onClose: () => void }) {
  const { go } = useAddress()
  return (
    <Ask
      title={`Delete the role “${role.name}”`}
      verb="Delete"
      isDangerous
      says="A role in use cannot be deleted: give its users and keys another role first."
      send={() => send('DELETE /roles/{role_id}', { path: { role_id: role.id } })}
      outcome={() => ({ kind: 'done', title: `“${role.name}” was deleted` })}
      onDone={() => go('/settings/roles')}
      deletedId={role.id}
      onClose={onClose}
    />
  )
}
