import { useState } from 'react'
import { useAddress } from '../address.ts'
import { ApiError } from '../api/client.ts'
import { Form } from '../parts/ask.tsx'
import type { Field, Values } from '../parts/fields.tsx'
import { Loaded, Page, Problem, Section } from '../parts/page.tsx'
import { notify } from '../shell/notices.tsx'
import { entriesIn, initialOf, namingKeys, questionsOf } from './entries.ts'
import type { Account, Definition, Kind } from './kind.ts'

type Props<One extends Account> = { readonly kind: Kind<One> }

export function NewAccount<One extends Account>({ kind }: Props<One>) {
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

type NewProps<One extends Account> = Props<One> & {
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
            { name: 'active', label: 'Activate now', kind: 'flag', hint: kind.whenActive },
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

export function EditAccount<One extends Account>({ kind }: Props<One>) {
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

type EditProps<One extends Account> = Props<One> & {
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
    { name: 'display_name', label: 'Name', kind: 'text', isRequired: true, hint: 'Shown in lists.' },
    ...questionsOf(definition.fields, { heading: `Account at ${definition.display_name}`, secrets }),
    ...kind.settings(definition),
  ]
}
