import { useState } from 'react'
import type { Schemas } from '../../api/schema.d.ts'
import { useMay } from '../api/me.ts'
import { useServiceNow } from '../api/service-time.ts'
import { Button } from '../parts/controls.tsx'
import { List, type RowOf } from '../parts/list/list.tsx'
import type { Column } from '../parts/list/table.tsx'
import { Page } from '../parts/page.tsx'
import { Status, When } from '../parts/values.tsx'
import { NewKey, PrivateKey } from './new.tsx'
import { accountsText, rolesText, standingOf } from './words.ts'

type Row = RowOf<'GET /api-key-pairs'>

export function KeyList() {
  const may = useMay()
  const [isMaking, setMaking] = useState(false)
  const [made, setMade] = useState<Schemas['APIKeyPair']>()
  const add = may('api-key-pairs.write') && (
    <Button tone="main" icon="plus" onClick={() => setMaking(true)}>
      New API key
    </Button>
  )
  return (
    <Page title="API keys" actions={add}>
      <List
        name="api-keys"
        route="GET /api-key-pairs"
        columns={COLUMNS}
        to={({ id }) => `/developers/keys/${id}`}
        empty={{ title: 'No keys', text: 'Your backend needs a key to sign its access tokens.' }}
      />
      {isMaking && <NewKey onMade={setMade} onClose={() => setMaking(false)} />}
      {made && <PrivateKey made={made} onClose={() => setMade(undefined)} />}
    </Page>
  )
}

const COLUMNS: readonly Column<Row>[] = [
  { id: 'display_name', title: 'Name', look: 'clip', text: ({ display_name }) => display_name },
  {
    id: 'active',
    title: 'Status',
    cell: (row) => <KeyStatus of={row} />,
    text: ({ active }) => (active ? 'Active' : 'Disabled'),
  },
  { id: 'roles', title: 'Roles', from: 'tablet', text: rolesText },
  { id: 'merchant_accounts', title: 'Merchant accounts', from: 'desktop', text: accountsText },
  { id: 'algorithm', title: 'Algorithm', isExtra: true, text: ({ algorithm }) => algorithm },
  { id: 'creator', title: 'Created by', from: 'desktop', text: ({ creator }) => creator?.name },
  {
    id: 'last_used_at',
    title: 'Last used',
    isNumber: true,
    cell: ({ last_used_at }) => (last_used_at ? <When at={last_used_at} /> : 'Never'),
    text: ({ last_used_at }) => last_used_at,
    from: 'tablet',
  },
]

export function KeyStatus({ of: it }: { readonly of: Row }) {
  const [tone, label] = standingOf(it, useServiceNow())
  return <Status tone={tone}>{label}</Status>
}
