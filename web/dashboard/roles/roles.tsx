import { useState } from 'react'
import type { Schemas } from '../../api/schema.d.ts'
import { useAddress } from '../address.ts'
import { send, useRead } from '../api/client.ts'
import { useMay } from '../api/me.ts'
import { Deletion, Form } from '../parts/ask.tsx'
import { Button, Icon, LinkButton } from '../parts/controls.tsx'
import { type Field, field, type Values } from '../parts/fields.tsx'
import { List, type RowOf } from '../parts/list/list.tsx'
import { type Column, column } from '../parts/list/table.tsx'
import { Columns, EmptyCard, FactCard, Loaded, type Of, Page, pageOf, Section } from '../parts/page.tsx'
import { Id, When } from '../parts/values.tsx'
import { notify } from '../shell/notices.tsx'
import { allows, holdersText, isOwn, RESOURCES, RIGHTS, type Right, resourceText } from './words.ts'
import './roles.css'

export const pages = {
  '/': RoleList,
  '/new': NewRole,
  '/$id': pageOf('GET /roles/{role_id}', Detail),
  '/$id/edit': ChangeRole,
}

type Row = RowOf<'GET /roles'>

function RoleList() {
  const may = useMay()
  return (
    <Page
      title="Roles"
      actions={
        may('roles.write') && (
          <LinkButton tone="main" icon="plus" to="/settings/roles/new">
            New role
          </LinkButton>
        )
      }
    >
      <List
        name="roles"
        route="GET /roles"
        columns={COLUMNS}
        to={({ id }) => `/settings/roles/${id}`}
        empty={{ title: 'No roles' }}
        limit={100}
      />
    </Page>
  )
}

const COLUMNS: readonly Column<Row>[] = [
  column('name', 'Name', { text: 'name' }),
  column('kind', 'Type', {
    cell: (row) => (isOwn(row) ? 'Custom' : 'Built in'),
    text: (row) => (isOwn(row) ? 'own' : 'built-in'),
  }),
  column('description', 'For', { from: 'tablet', look: 'wrap', text: 'description' }),
  column('assignable_to', 'Can be given to', { from: 'desktop', text: holdersText }),
]

type Role = Schemas['RoleDetails']

function Detail({ of: role }: Of<Role>) {
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
          <FactCard
            title="Details"
            facts={[
              ['Type', role.is_custom ? 'Custom' : 'Built in'],
              ['Can be given to', holdersText(role)],
              ['Users', String(role.holders.users)],
              ['API keys', String(role.holders.api_key_pairs)],
              ['API name', <Id key="slug" value={role.slug} />],
              ['Updated', role.is_custom && <When key="at" at={role.updated_at} />],
            ]}
          />
        }
      />
      {isDeleting && <Delete role={role} onClose={() => setDeleting(false)} />}
    </Page>
  )
}

function Delete({ role, onClose }: { readonly role: Role; readonly onClose: () => void }) {
  return (
    <Deletion
      id={role.id}
      name={`“${role.name}”`}
      title={`Delete the role “${role.name}”`}
      says="A role in use cannot be deleted: give its users and keys another role first."
      send={() => send('DELETE /roles/{role_id}', { path: { role_id: role.id } })}
      list="/settings/roles"
      onClose={onClose}
    />
  )
}

const FIELDS: readonly Field[] = [
  field('text', 'name', 'Name', { isRequired: true }),
  field('long-text', 'description', 'Description'),
  field('choices', 'assignable_to', 'Can be given to', {
    isRequired: true,
    options: [
      { value: 'user', label: 'Users' },
      { value: 'api-key-pair', label: 'API keys' },
    ],
  }),
]

function NewRole() {
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

function ChangeRole() {
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
      <EmptyCard
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
      </EmptyCard>
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

type MatrixProps = {
  readonly allowed: readonly string[]
  /** Without it, the matrix is only read. */
  readonly onChange?: (allowed: readonly string[]) => void
  /** What the person may give: their own rights. */
  readonly canGive?: (scope: string) => boolean
}

/** What a role may read and change, resource by resource. */
function Matrix({ allowed, onChange, canGive = () => true }: MatrixProps) {
  const shown = onChange
    ? RESOURCES
    : RESOURCES.filter(({ name, rights }) => rights.some((right) => allows(allowed, name, right)))
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reached by keyboard
    <section className="table-scroll" tabIndex={0} aria-label="Permissions: rows">
      <table className="matrix">
        <thead>
          <tr>
            <th scope="col">Resource</th>
            <th scope="col">Read</th>
            <th scope="col">Change</th>
          </tr>
        </thead>
        <tbody>
          {shown.map(({ name, rights }) => (
            <tr key={name}>
              <th scope="row">{resourceText(name)}</th>
              {RIGHTS.map((right) => (
                <td key={right}>
                  {rights.includes(right) && (
                    <Cell
                      label={`${right === 'read' ? 'Read' : 'Change'} ${resourceText(name).toLowerCase()}`}
                      isAllowed={allows(allowed, name, right)}
                      isFixed={!canGive(`${name}.${right}`)}
                      onToggle={onChange && (() => onChange(toggled(allowed, name, right)))}
                    />
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

type CellProps = {
  readonly label: string
  readonly isAllowed: boolean
  readonly isFixed: boolean
  readonly onToggle: (() => void) | undefined
}

function Cell({ label, isAllowed, isFixed, onToggle }: CellProps) {
  if (onToggle)
    return (
      <input
        type="checkbox"
        aria-label={label}
        checked={isAllowed}
        disabled={isFixed && !isAllowed}
        onChange={onToggle}
      />
    )
  return isAllowed ? (
    <>
      <Icon name="check" />
      <span className="visually-hidden">Allowed</span>
    </>
  ) : (
    <span className="visually-hidden">Not allowed</span>
  )
}

/** `*.read` becomes the list of what it stands for, so that one of them can be taken away. */
function toggled(allowed: readonly string[], name: string, right: Right): readonly string[] {
  const scope = `${name}.${right}`
  const spelled = allowed.includes(`*.${right}`)
    ? [...allowed.filter((one) => one !== `*.${right}`), ...allOf(right)]
    : allowed
  return spelled.includes(scope) ? spelled.filter((one) => one !== scope) : [...spelled, scope]
}

function allOf(right: Right): readonly string[] {
  return RESOURCES.filter(({ rights }) => rights.includes(right)).map(({ name }) => `${name}.${right}`)
}
