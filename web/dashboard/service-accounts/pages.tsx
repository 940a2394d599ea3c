import type { UseQueryResult } from '@tanstack/react-query'
import { useState } from 'react'
import { useAddress } from '../address.ts'
import { ApiError } from '../api/client.ts'
import { useMay } from '../api/me.ts'
import { Ask, Deletion, Form } from '../parts/ask.tsx'
import { Button, LinkButton } from '../parts/controls.tsx'
import { type Field, field, type Values } from '../parts/fields.tsx'
import { type Column, column, Table } from '../parts/list/table.tsx'
import { Columns, EmptyCard, FactCard, Loaded, Page, Problem, Section } from '../parts/page.tsx'
import { Id, Status, When } from '../parts/values.tsx'
import { notify } from '../shell/notices.tsx'
import {
  Catalogue,
  Credentials,
  type DefinitionField,
  type Entry,
  entriesIn,
  initialOf,
  namingKeys,
  questionsOf,
  WebhookAddress,
} from './entries.tsx'

/** The pages of one kind of accounts. */
export function pagesOf<One extends Account>(kind: Kind<One>) {
  return {
    '/': () => <AccountList kind={kind} />,
    '/new': () => <AccountCatalogue kind={kind} />,
    '/new/$definition': () => <NewAccount kind={kind} />,
    '/$id': () => <AccountDetail kind={kind} />,
    '/$id/edit': () => <EditAccount kind={kind} />,
  }
}

type Props<One extends Account> = { readonly kind: Kind<One> }

function AccountList<One extends Account>({ kind }: Props<One>) {
  const may = useMay()
  const accounts = kind.useAll()
  const definitions = kind.useDefinitions(may(`${kind.definitionScope}.read`)).data ?? []
  const providerOf = (one: One) => {
    const id = kind.definitionOf(one)
    return definitions.find((definition) => definition.id === id)?.display_name ?? id
  }
  const columns: readonly Column<One>[] = [
    column('name', 'Service', { look: 'clip', text: ({ display_name }) => display_name }),
    column('status', 'Status', { cell: ({ active }) => <ActiveMark active={active} /> }),
    column('provider', 'Provider', { from: 'tablet', cell: providerOf }),
    column('created_at', 'Created', { isTime: true, text: ({ created_at }) => created_at }),
  ]
  const add = may(`${kind.scope}.write`) && may(`${kind.definitionScope}.read`) && (
    <LinkButton tone="main" icon="plus" to={`${kind.path}/new`}>
      New service
    </LinkButton>
  )
  return (
    <Page title={kind.title} under={kind.about} actions={add}>
      <Loaded of={accounts}>
        {(rows) =>
          rows.length === 0 ? (
            <EmptyCard title={`No ${kind.one} yet`} action={add}>
              {kind.none}
            </EmptyCard>
          ) : (
            <div className="card flush table-card">
              <Table
                label={`${kind.title}: rows`}
                rows={rows}
                to={({ id }) => `${kind.path}/${id}`}
                columns={columns}
              />
            </div>
          )
        }
      </Loaded>
    </Page>
  )
}

function ActiveMark({ active }: { readonly active: boolean }) {
  return <Status tone={active ? 'good' : 'mute'}>{active ? 'Active' : 'Inactive'}</Status>
}

function AccountCatalogue<One extends Account>({ kind }: Props<One>) {
  const definitions = kind.useDefinitions(true)
  return (
    <Page title={`New ${kind.one}`} back={{ to: kind.path, label: kind.title }} under="Which provider?">
      <Loaded of={definitions}>
        {(items) => (
          <Catalogue path={kind.path} definitions={items.map((one) => ({ ...one, note: kind.note(one) }))} />
        )}
      </Loaded>
    </Page>
  )
}

type DetailProps<One extends Account> = { readonly kind: Kind<One> }
type OneProps<One extends Account> = DetailProps<One> & { readonly account: One }

function AccountDetail<One extends Account>({ kind }: DetailProps<One>) {
  const { params } = useAddress()
  const account = kind.useOne(params['id'] ?? '')
  return <Loaded of={account}>{(it) => <Detail key={it.id} kind={kind} account={it} />}</Loaded>
}

function Detail<One extends Account>({ kind, account }: OneProps<One>) {
  const may = useMay()
  const definitions = kind.useDefinitions(may(`${kind.definitionScope}.read`)).data ?? []
  const id = kind.definitionOf(account)
  const definition = definitions.find((one) => one.id === id)
  return (
    <Page
      title={account.display_name}
      back={{ to: kind.path, label: kind.title }}
      under={
        <>
          <ActiveMark active={account.active} />
          <span>{definition?.display_name ?? id}</span>
        </>
      }
      actions={
        may(`${kind.scope}.write`) && (
          <Actions kind={kind} account={account} canEdit={definition !== undefined} />
        )
      }
    >
      <Columns
        main={
          <>
            {definition && (
              <Credentials
                title={`Account at ${definition.display_name}`}
                known={definition.fields}
                kept={account.fields}
                secrets={account.secret_fields}
              />
            )}
            {account.webhook_url && kind.webhookHint && (
              <WebhookAddress url={account.webhook_url} hint={kind.webhookHint} />
            )}
          </>
        }
        side={
          <FactCard
            title="Details"
            facts={[
              ['Id', <Id key="id" value={account.id} isShort />],
              ...kind.facts(account),
              ['Created', <When key="created" at={account.created_at} />],
              ['Updated', <When key="changed" at={account.updated_at} />],
            ]}
          />
        }
      />
    </Page>
  )
}

function Actions<One extends Account>({
  kind,
  account,
  canEdit,
}: OneProps<One> & { readonly canEdit: boolean }) {
  const [act, setAct] = useState<'switch' | 'delete'>()
  const close = () => setAct(undefined)
  return (
    <>
      <Button onClick={() => setAct('delete')}>Delete</Button>
      <Button onClick={() => setAct('switch')}>{account.active ? 'Deactivate' : 'Activate'}</Button>
      {canEdit && (
        <LinkButton tone="main" to={`${kind.path}/${account.id}/edit`}>
          Edit
        </LinkButton>
      )}
      {act === 'switch' && <Switch kind={kind} account={account} onClose={close} />}
      {act === 'delete' && <Delete kind={kind} account={account} onClose={close} />}
    </>
  )
}

type ActProps<One extends Account> = OneProps<One> & { readonly onClose: () => void }

function Switch<One extends Account>({ kind, account, onClose }: ActProps<One>) {
  const { id, display_name: name, active } = account
  const verb = active ? 'Deactivate' : 'Activate'
  return (
    <Ask
      title={`${verb} ${name}`}
      verb={verb}
      says={active ? kind.whenInactive : kind.whenActive}
      send={() => kind.update(id, { active: !active })}
      outcome={`${name} is ${active ? 'inactive' : 'active'}`}
      onClose={onClose}
    />
  )
}

function Delete<One extends Account>({ kind, account, onClose }: ActProps<One>) {
  const { id, display_name: name } = account
  return (
    <Deletion
      id={id}
      name={name}
      says={kind.whenDeleted}
      send={() => kind.remove(id)}
      list={kind.path}
      onClose={onClose}
    />
  )
}

type SaveProps<One extends Account> = { readonly kind: Kind<One> }

function NewAccount<One extends Account>({ kind }: SaveProps<One>) {
  const { params } = useAddress()
  const definitions = kind.useDefinitions(true)
  const all = kind.useAll()
  return (
    <Loaded of={definitions}>
      {(items) => {
        const definition = items.find(({ id }) => id === params['definition'])
        if (!definition) return <NoDefinition />
        return (
          <Loaded of={all}>
            {(rows) => (
              <NewOf
                key={definition.id}
                kind={kind}
                definition={definition}
                isFirst={rows.every(({ active }) => !active)}
              />
            )}
          </Loaded>
        )
      }}
    </Loaded>
  )
}

/** An address that names no provider is answered as any other that leads nowhere. */
function NoDefinition() {
  const [error] = useState(
    () =>
      new ApiError({
        code: 'not_found',
        status: 404,
        message: '',
        details: [],
        requestId: null,
        retryAfterSeconds: null,
      }),
  )
  return (
    <div className="card">
      <Problem error={error} />
    </div>
  )
}

type NewProps<One extends Account> = SaveProps<One> & {
  readonly definition: Definition
  readonly isFirst: boolean
}

function NewOf<One extends Account>({ kind, definition, isFirst }: NewProps<One>) {
  const { go } = useAddress()
  return (
    <Page
      title={`New service: ${definition.display_name}`}
      back={{ to: `${kind.path}/new`, label: 'Providers' }}
    >
      <Section title="The service">
        <Form
          fields={[
            ...fieldsOf(kind, definition),
            field('flag', 'active', 'Activate now', { hint: kind.whenActive }),
          ]}
          // One can be active: a second one would be refused.
          initial={{ display_name: definition.display_name, active: isFirst }}
          verb="Create service"
          send={({ forgotten: _none, ...values }, idempotencyKey) => {
            const fields = entriesIn(definition.fields, values)
            const work = () => kind.create(definition.id, { ...values, fields }, idempotencyKey)
            return namingKeys({ fields }, work)
          }}
          onDone={({ id, display_name }) => {
            notify({ title: `${display_name} is connected` })
            go(`${kind.path}/${id}`)
          }}
          onCancel={() => go(kind.path)}
        />
      </Section>
    </Page>
  )
}

function EditAccount<One extends Account>({ kind }: SaveProps<One>) {
  const { params } = useAddress()
  const account = kind.useOne(params['id'] ?? '')
  const definitions = kind.useDefinitions(true)
  return (
    <Loaded of={account}>
      {(it) => (
        <Loaded of={definitions}>
          {(items) => {
            const definition = items.find(({ id }) => id === kind.definitionOf(it))
            return definition && <EditOf key={it.id} kind={kind} account={it} definition={definition} />
          }}
        </Loaded>
      )}
    </Loaded>
  )
}

type EditProps<One extends Account> = SaveProps<One> & {
  readonly account: One
  readonly definition: Definition
}

function EditOf<One extends Account>({ kind, account, definition }: EditProps<One>) {
  const { go } = useAddress()
  // What the person has seen, however often the page reads it again.
  const [seen] = useState(account)
  const back = `${kind.path}/${seen.id}`
  const initial: Values = { ...seen, ...initialOf(definition.fields, seen.fields) }
  return (
    <Page title={`Edit ${seen.display_name}`} back={{ to: back, label: seen.display_name }}>
      <Section title="The service">
        <Form
          fields={fieldsOf(kind, definition, seen.secret_fields)}
          initial={initial}
          verb="Save"
          send={({ forgotten, ...values }) => {
            const fields = entriesIn(definition.fields, { ...values, forgotten }, seen.fields)
            return namingKeys({ fields }, () => kind.update(seen.id, { ...values, fields }))
          }}
          onDone={({ display_name }) => {
            notify({ title: `${display_name} was changed` })
            go(back)
          }}
          onCancel={() => go(back)}
        />
      </Section>
    </Page>
  )
}

function fieldsOf<One extends Account>(
  kind: Kind<One>,
  definition: Definition,
  secrets?: readonly string[],
): readonly Field[] {
  return [
    field('text', 'display_name', 'Name', { isRequired: true, hint: 'Shown in lists.' }),
    ...questionsOf(definition.fields, { heading: `Account at ${definition.display_name}`, secrets }),
    ...kind.settings(definition),
  ]
}

/** An account at a provider of which one can be active: anti-fraud, gift cards. */
type Account = {
  readonly id: string
  readonly display_name: string
  readonly active: boolean
  readonly fields: readonly Entry[]
  readonly secret_fields: readonly string[]
  readonly webhook_url?: string
  readonly created_at: string
  readonly updated_at: string
}

type Definition = {
  readonly id: string
  readonly display_name: string
  readonly fields: readonly DefinitionField[]
  readonly supported_features: object
}

/** What is sent: settings beside the fields. */
type Settings = { readonly fields: Entry[]; readonly [name: string]: unknown }

/** What tells one kind of such accounts from another. */
type Kind<One extends Account> = {
  readonly path: string
  readonly title: string
  /** `anti-fraud service` */
  readonly one: string
  /** One sentence under the title. */
  readonly about: string
  readonly none: string
  /** Such as `anti-fraud-services`: with `.read` and `.write`, it is a permission. */
  readonly scope: string
  readonly definitionScope: string
  /** The settings of this kind, beside the name and the fields. */
  readonly settings: (definition: Definition) => readonly Field[]
  readonly facts: (account: One) => readonly (readonly [string, string])[]
  readonly note: (definition: Definition) => string
  readonly definitionOf: (account: One) => string
  readonly webhookHint?: string
  readonly whenActive: string
  readonly whenInactive: string
  readonly whenDeleted: string
  readonly useAll: () => UseQueryResult<readonly One[]>
  readonly useOne: (id: string) => UseQueryResult<One>
  readonly useDefinitions: (isWanted: boolean) => UseQueryResult<readonly Definition[]>
  readonly create: (definitionId: string, settings: Settings, idempotencyKey: string) => Promise<One>
  readonly update: (id: string, settings: Partial<Settings>) => Promise<One>
  readonly remove: (id: string) => Promise<unknown>
}
