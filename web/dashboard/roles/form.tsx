import { useState } from 'react'
import type { Schemas } from '../../api/schema.d.ts'
import { useAddress } from '../address.ts'
import { send, useRead } from '../api/client.ts'
import { useMay } from '../api/me.ts'
import { Form } from '../parts/ask.tsx'
import { LinkButton } from '../parts/controls.tsx'
import type { Field, Values } from '../parts/fields.tsx'
import { Empty, Loaded, Page } from '../parts/page.tsx'
import { notify } from '../shell/notices.tsx'
import { Matrix } from './matrix.tsx'

type Role = Schemas['RoleDetails']

const FIELDS: readonly Field[] = [
  { name: 'name', label: 'Name', kind: 'text', isRequired: true },
  { name: 'description', label: 'Description', kind: 'long-text' },
  {
    name: 'assignable_to',
    label: 'Can be given to',
    kind: 'choices',
    isRequired: true,
    options: [
      { value: 'user', label: 'Users' },
      { value: 'api-key-pair', label: 'API keys' },
    ],
  },
]

export function NewRole() {
  return (
    <Page title="New role" back={{ to: '/settings/roles', label: 'Roles' }}>
      <RoleForm
        initial={{ assignable_to: ['user'] }}
        allowed={[]}
        verb="Create the role"
        save={(body, idempotencyKey) => send('POST /roles', { body, idempotencyKey })}
      />
    </Page>
  )
}

export function ChangeRole() {
  const { params } = useAddress()
  const path = { role_id: params['id'] ?? '' }
  const role = useRead('GET /roles/{role_id}', { path })
  return (
    <Loaded of={role}>
      {(it) =>
        it.is_custom ? (
          <Page title={`Edit ${it.name}`} back={{ to: `/settings/roles/${it.id}`, label: it.name }}>
            <RoleForm
              initial={{ name: it.name, description: it.description, assignable_to: it.assignable_to }}
              allowed={it.permissions.allow}
              verb="Save"
              save={(body) => send('PUT /roles/{role_id}', { path, body: { description: '', ...body } })}
            />
          </Page>
        ) : (
          <BuiltIn role={it} />
        )
      }
    </Loaded>
  )
}

/** The server refuses a change to such a role, so there is no form to fill in. */
function BuiltIn({ role: { id, name } }: { readonly role: Role }) {
  const may = useMay()
  return (
    <Page title={name} back={{ to: `/settings/roles/${id}`, label: name }}>
      <div className="card">
        <Empty
          title="Built-in roles cannot be changed"
          action={
            <div className="form-actions">
              <LinkButton to={`/settings/roles/${id}`}>View permissions</LinkButton>
              {may('roles.write') && (
                <LinkButton tone="main" icon="plus" to="/settings/roles/new">
                  New role
                </LinkButton>
              )}
            </div>
          }
        >
          {name} allows the same everywhere. For other permissions, make a role of your own.
        </Empty>
      </div>
    </Page>
  )
}

type Props = {
  readonly initial: Values
  readonly allowed: readonly string[]
  readonly verb: string
  readonly save: (body: Schemas['RoleCreate'], idempotencyKey: string) => Promise<Role>
}

function RoleForm({ initial, allowed: first, verb, save }: Props) {
  const { go } = useAddress()
  const may = useMay()
  const [allowed, setAllowed] = useState(first)
  return (
    <div className="card">
      <Form
        fields={FIELDS}
        initial={initial}
        verb={verb}
        send={(body, key) =>
          save({ ...body, permissions: { allow: [...allowed] } } as Schemas['RoleCreate'], key)
        }
        onDone={({ id, name }) => {
          notify({ title: `“${name}” was saved` })
          go(`/settings/roles/${id}`)
        }}
        onCancel={() => go('/settings/roles')}
      >
        <div className="field">
          <p className="hint">You can only grant permissions that you have yourself.</p>
          <Matrix allowed={allowed} onChange={setAllowed} canGive={may} />
        </div>
      </Form>
    </div>
  )
}
