import { useState } from 'react'
import { useRead } from '../api/client.ts'
import { useMay, useMe } from '../api/me.ts'
import { Button, Dialog } from '../parts/controls.tsx'
import type { Filter } from '../parts/list/filters.ts'
import { List, type RowOf } from '../parts/list/list.tsx'
import type { Column } from '../parts/list/table.tsx'
import { Page } from '../parts/page.tsx'
import { exactText, Facts, Id, When } from '../parts/values.tsx'
import { ChainCheck } from './chain-check.tsx'
import { KINDS, kindText, nameText } from './words.ts'

export const pages = { '/': AuditLog }

type Row = RowOf<'GET /audit-logs'>

const ACTIONS: Readonly<Record<Row['action'], string>> = {
  created: 'Created',
  updated: 'Changed',
  deleted: 'Deleted',
  voided: 'Voided',
  canceled: 'Canceled',
  captured: 'Captured',
}

/** Who did what, and when. */
function AuditLog() {
  const may = useMay()
  const users = useRead('GET /users', { query: { limit: 100 }, isWanted: may('users.read') })
  const { is_unrestricted } = useMe()
  const [shown, setShown] = useState<Row>()
  const [isChecking, setChecking] = useState(false)
  return (
    <Page
      title="Audit log"
      actions={
        // The chain goes over all merchant accounts.
        is_unrestricted && (
          <Button icon="shield" onClick={() => setChecking(true)}>
            Check the chain
          </Button>
        )
      }
    >
      <List
        name="audit-log"
        route="GET /audit-logs"
        filters={filters(users.data?.items ?? [])}
        columns={columns(setShown)}
        empty={{ title: 'No entries yet', text: 'What people and keys change appears here.' }}
      />
      {isChecking && <ChainCheck onClose={() => setChecking(false)} />}
      {shown && <Entry entry={shown} onClose={() => setShown(undefined)} />}
    </Page>
  )
}

function filters(users: readonly { readonly id: string; readonly name: string }[]): readonly Filter[] {
  return [
    { id: 'timestamp', label: 'When', kind: 'period', isUsual: true },
    {
      id: 'category',
      label: 'About',
      kind: 'choice',
      isSingle: true,
      isUsual: true,
      options: [
        { value: 'configuration', label: 'Settings and access' },
        { value: 'payments', label: 'Payments and buyers' },
      ],
    },
    {
      id: 'action',
      label: 'Action',
      kind: 'choice',
      isSingle: true,
      isUsual: true,
      options: optionsOf(ACTIONS),
    },
    {
      id: 'resource_type',
      label: 'Kind',
      kind: 'choice',
      isSingle: true,
      isUsual: true,
      options: optionsOf(KINDS).toSorted((one, other) => one.label.localeCompare(other.label)),
    },
    {
      id: 'user_id',
      label: 'Who',
      kind: 'choice',
      isSingle: true,
      isUsual: true,
      options: users.map(({ id, name }) => ({ value: id, label: name })),
    },
  ]
}

function optionsOf(words: Readonly<Record<string, string>>) {
  return Object.entries(words).map(([value, label]) => ({ value, label }))
}

function columns(show: (row: Row) => void): readonly Column<Row>[] {
  return [
    {
      id: 'timestamp',
      title: 'When',
      cell: ({ timestamp }) => <When at={timestamp} />,
      text: ({ timestamp }) => timestamp,
    },
    { id: 'user', title: 'Who', text: ({ user }) => user.name },
    {
      id: 'action',
      title: 'Action',
      cell: ({ action }) => ACTIONS[action],
      text: ({ action }) => action,
    },
    {
      id: 'resource_type',
      title: 'Kind',
      cell: ({ resource }) => kindText(resource.type),
      text: ({ resource }) => resource.type,
      from: 'tablet',
    },
    { id: 'resource', title: 'What', from: 'tablet', text: ({ resource }) => nameText(resource) },
    {
      id: 'merchant_account_id',
      title: 'Merchant account',
      cell: ({ merchant_account_id }) => merchant_account_id ?? 'All',
      text: ({ merchant_account_id }) => merchant_account_id,
      isExtra: true,
    },
    {
      id: 'more',
      title: 'More',
      isNumber: true,
      cell: (row) => (
        <Button
          tone="quiet"
          icon="info"
          aria-label={`Details of ${nameText(row.resource)}`}
          onClick={() => show(row)}
        />
      ),
    },
  ]
}

function Entry({ entry, onClose }: { readonly entry: Row; readonly onClose: () => void }) {
  const { user, resource } = entry
  return (
    <Dialog title={`${ACTIONS[entry.action]}: ${nameText(resource)}`} onClose={onClose}>
      <div className="dialog-body">
        <Facts
          facts={[
            ['When', exactText(entry.timestamp)],
            ['Who', user.name],
            ['E-mail address', user.email_address],
            ['Who, by id', user.id && <Id key="user" value={user.id} isShort />],
            ['Kind', kindText(resource.type)],
            ['Type in the API', <code key="type">{resource.type}</code>],
            ['Thing', <Id key="thing" value={resource.id} isShort />],
            ['Merchant account', entry.merchant_account_id ?? 'All'],
            ['Entry', <Id key="entry" value={entry.id} isShort />],
          ]}
        />
      </div>
    </Dialog>
  )
}
