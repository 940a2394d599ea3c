import { useState } from 'react'
import type { Schemas } from '../../api/schema.d.ts'
import { useAddress } from '../address.ts'
import { send, useRead } from '../api/client.ts'
import { useMay } from '../api/me.ts'
import { Ask } from '../parts/ask.tsx'
import { Button } from '../parts/controls.tsx'
import { Columns, Loaded, Page, Section } from '../parts/page.tsx'
import { Facts, Id, When } from '../parts/values.tsx'
import { SETTINGS } from './fields.ts'
import { ThreeDS } from './three-ds.tsx'

type Account = Schemas['MerchantAccount']

export function AccountDetail() {
  const { params } = useAddress()
  const path = { merchant_account_id: params['id'] ?? '' }
  const account = useRead('GET /merchant-accounts/{merchant_account_id}', { path })
  return <Loaded of={account}>{(it) => <Detail account={it} />}</Loaded>
}

function Detail({ account }: { readonly account: Account }) {
  const may = useMay()
  const [isEditing, setEditing] = useState(false)
  const canChange = may('merchant-accounts.write')
  const { over_capture_amount: amount, over_capture_percentage: percentage } = account
  return (
    <Page
      title={account.display_name}
      back={{ to: '/settings/accounts', label: 'Merchant accounts' }}
      under={<Id value={account.id} />}
      actions={
        canChange && (
          <Button tone="main" onClick={() => setEditing(true)}>
            Edit
          </Button>
        )
      }
    >
      <Columns
        main={<ThreeDS accountId={account.id} canChange={canChange} />}
        side={
          <Section title="Details">
            <Facts
              facts={[
                ['Over-capture', percentage !== null && `${percentage} %`],
                ['Over-capture, in cents', amount !== null && String(amount)],
                ['Account updater', account.account_updater_enabled ? 'Yes' : 'No'],
                ['Provision network tokens', account.async_network_tokens_enabled ? 'Yes' : 'No'],
                ['Created', <When key="created" at={account.created_at} />],
                ['Updated', <When key="changed" at={account.updated_at} />],
              ]}
            />
          </Section>
        }
      />
      {isEditing && (
        <Ask
          title={`Edit ${account.display_name}`}
          verb="Save"
          says="Applies to new payments."
          fields={SETTINGS}
          initial={account}
          send={(body) =>
            send('PUT /merchant-accounts/{merchant_account_id}', {
              path: { merchant_account_id: account.id },
              body: body as Schemas['UpdateMerchantAccount'],
            })
          }
          outcome={({ display_name }) => ({ kind: 'done', title: `${display_name} was changed` })}
          onClose={() => setEditing(false)}
        />
      )}
    </Page>
  )
}
