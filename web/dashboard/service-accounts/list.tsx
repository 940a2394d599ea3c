import { useMay } from '../api/me.ts'
import { LinkButton } from '../parts/controls.tsx'
import { Table } from '../parts/list/table.tsx'
import { Empty, Loaded, Page } from '../parts/page.tsx'
import { Status } from '../parts/values.tsx'
import { Catalogue } from './catalogue.tsx'
import type { Account, Kind } from './kind.ts'

type Props<One extends Account> = { readonly kind: Kind<One> }

export function AccountList<One extends Account>({ kind }: Props<One>) {
  const may = useMay()
  const accounts = kind.useAll()
  const definitions = kind.useDefinitions(may(`${kind.definitionScope}.read`)).data ?? []
  const providerOf = (one: One) => {
    const id = kind.definitionOf(one)
    return definitions.find((definition) => definition.id === id)?.display_name ?? id
  }
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
            <div className="card">
              <Empty title={`No ${kind.one} yet`} action={add}>
                {kind.none}
              </Empty>
            </div>
          ) : (
            <div className="card flush table-card">
              <Table
                label={`${kind.title}: rows`}
                rows={rows}
                to={({ id }) => `${kind.path}/${id}`}
                columns={[
                  { id: 'name', title: 'Service', look: 'clip', text: ({ display_name }) => display_name },
                  { id: 'status', title: 'Status', cell: ({ active }) => <ActiveMark active={active} /> },
                  { id: 'provider', title: 'Provider', from: 'tablet', cell: providerOf },
                  { id: 'created_at', title: 'Created', isTime: true, text: ({ created_at }) => created_at },
                ]}
              />
            </div>
          )
        }
      </Loaded>
    </Page>
  )
}

export function ActiveMark({ active }: { readonly active: boolean }) {
  return <Status tone={active ? 'good' : 'mute'}>{active ? 'Active' : 'Inactive'}</Status>
}

export function AccountCatalogue<One extends Account>({ kind }: Props<One>) {
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
