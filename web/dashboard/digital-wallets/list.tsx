import { useState } from 'react'
import type { Schemas } from '../../api/schema.d.ts'
import { useAddress } from '../address.ts'
import { send, useRead } from '../api/client.ts'
import { useMay } from '../api/me.ts'
import { Ask } from '../parts/ask.tsx'
import { Button } from '../parts/controls.tsx'
import { type Column, Table } from '../parts/list/table.tsx'
import { Empty, Loaded, Page } from '../parts/page.tsx'
import { markOf, newFields, PATH, PROVIDERS, providerName, type Wallet } from './words.ts'

export function WalletList() {
  const may = useMay()
  const wallets = useRead('GET /digital-wallets', {})
  const [isAdding, setAdding] = useState(false)
  const taken = (wallets.data?.items ?? []).map(({ provider }) => provider)
  const isFull = taken.length >= Object.keys(PROVIDERS).length
  const add = may('digital-wallets.write') && wallets.data && !isFull && (
    <Button tone="main" icon="plus" onClick={() => setAdding(true)}>
      Register a wallet
    </Button>
  )
  return (
    <Page
      title="Digital wallets"
      under="Apple Pay, Google Pay and others: buyers pay without typing a card number."
      actions={add}
    >
      <Loaded of={wallets}>
        {({ items }) =>
          items.length === 0 ? (
            <div className="card">
              <Empty title="No wallets yet" action={add}>
                Register Apple Pay, Google Pay, Click to Pay or Paze for this merchant account. The guide{' '}
                <a href="/docs/guide/digital-wallets">Digital wallets</a> explains what each needs.
              </Empty>
            </div>
          ) : (
            <div className="card flush table-card">
              <Table
                label="Digital wallets: rows"
                rows={items}
                columns={COLUMNS}
                to={({ id }) => `${PATH}/${id}`}
              />
            </div>
          )
        }
      </Loaded>
      {isAdding && <Register taken={taken} onClose={() => setAdding(false)} />}
    </Page>
  )
}

const COLUMNS: readonly Column<Wallet>[] = [
  { id: 'provider', title: 'Wallet', cell: ({ provider }) => providerName(provider) },
  { id: 'status', title: 'Status', status: markOf },
  {
    id: 'merchant',
    title: 'Merchant',
    from: 'tablet',
    look: 'clip',
    text: ({ merchant_name }) => merchant_name,
  },
  {
    id: 'domains',
    title: 'Domains',
    from: 'desktop',
    look: 'clip',
    text: ({ domain_names }) => domain_names.join(', '),
  },
  { id: 'created_at', title: 'Registered', isTime: true, text: ({ created_at }) => created_at },
]

type RegisterProps = { readonly taken: readonly Wallet['provider'][]; readonly onClose: () => void }

function Register({ taken, onClose }: RegisterProps) {
  const { go } = useAddress()
  return (
    <Ask
      title="Register a wallet"
      verb="Register"
      isWide
      says="A merchant account can have one wallet of each type."
      fields={newFields(taken)}
      send={(body, idempotencyKey) =>
        send('POST /digital-wallets', { body: body as Schemas['CreateDigitalWallet'], idempotencyKey })
      }
      outcome={({ provider }) => ({ kind: 'done', title: `${providerName(provider)} is registered` })}
      onDone={({ id }) => go(`${PATH}/${id}`)}
      onClose={onClose}
    />
  )
}
