import { useState } from 'react'
import type { Schemas } from '../../api/schema.d.ts'
import { useAddress } from '../address.ts'
import { send } from '../api/client.ts'
import { useMay } from '../api/me.ts'
import { Ask } from '../parts/ask.tsx'
import { Button } from '../parts/controls.tsx'
import { List, type RowOf } from '../parts/list/list.tsx'
import type { Column } from '../parts/list/table.tsx'
import { Page } from '../parts/page.tsx'
import { SETTINGS } from './fields.ts'

type Row = RowOf<'GET /merchant-accounts'>

export function AccountList() {
  const may = useMay()
  const [isCreating, setCreating] = useState(false)
  return (
    <Page
      title="Merchant accounts"
      actions={
        may('merchant-accounts.write') && (
          <Button tone="main" icon="plus" onClick={() => setCreating(true)}>
            New account
          </Button>
        )
      }
    >
      <List
        name="merchant-accounts"
        route="GET /merchant-accounts"
        columns={COLUMNS}
        to={({ id }) => `/settings/accounts/${id}`}
        empty={{ title: 'No merchant accounts' }}
      />
      {isCreating && <Create onClose={() => setCreating(false)} />}
    </Page>
  )
}

const COLUMNS: readonly Column<Row>[] = [
  { id: 'display_name', title: 'Name', text: ({ display_name }) => display_name },
  { id: 'id', title: 'Id', cell: ({ id }) => <code>{id}</code>, text: ({ id }) => id },
  { id: 'created_at', title: 'Created', from: 'tablet', isTime: true, text: ({ created_at }) => created_at },
]

function Create({ onClose }: { readonly onClose: () => void }) {
  const { go } = useAddress()
  return (
    <Ask
      title="New merchant account"
      verb="Create"
      says="Each account has its own payments, buyers and services. Users and keys can be limited to certain accounts."
      fields={[
        {
          name: 'id',
          label: 'Id',
          kind: 'text',
          isRequired: true,
          hint: 'Lowercase letters, digits and hyphens. It cannot be changed later.',
        },
        ...SETTINGS,
      ]}
      send={(body, idempotencyKey) =>
        send('POST /merchant-accounts', { body: body as Schemas['CreateMerchantAccount'], idempotencyKey })
      }
      outcome={({ display_name }) => ({ kind: 'done', title: `${display_name} was created` })}
      onDone={({ id }) => go(`/settings/accounts/${id}`)}
      onClose={onClose}
    />
  )
}
