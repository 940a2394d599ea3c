import { useState } from 'react'
import type { Schemas } from '../../api/schema.d.ts'
import { useAddress } from '../address.ts'
import { useMay } from '../api/me.ts'
import { Button } from '../parts/controls.tsx'
import { List, type RowOf } from '../parts/list/list.tsx'
import type { Column } from '../parts/list/table.tsx'
import { Page } from '../parts/page.tsx'
import { Status, When } from '../parts/values.tsx'
import { NewSubscription } from './form.tsx'
import { SecretDialog } from './secret.tsx'
import { authenticationText, eventsText, healthOf } from './words.ts'

type Row = RowOf<'GET /webhook-subscriptions'>

export function SubscriptionList() {
  const may = useMay()
  const { go } = useAddress()
  const [isMaking, setMaking] = useState(false)
  const [made, setMade] = useState<Schemas['WebhookSubscription']>()
  const add = may('webhook-subscriptions.write') && (
    <Button tone="main" icon="plus" onClick={() => setMaking(true)}>
      New subscription
    </Button>
  )
  return (
    <Page title="Webhooks" actions={add}>
      <List
        name="webhook-subscriptions"
        route="GET /webhook-subscriptions"
        columns={COLUMNS}
        to={({ id }) => `/developers/webhooks/${id}`}
        empty={{
          title: 'No subscriptions yet',
          text: (
            <>
              Your server hears of payments, refunds and more as they happen. The guide{' '}
              <a href="/docs/guide/webhooks">Webhooks</a> has a receiver to begin with.
            </>
          ),
        }}
      />
      {isMaking && <NewSubscription onMade={setMade} onClose={() => setMaking(false)} />}
      {made && <SecretDialog secret={made.secret} onClose={() => go(`/developers/webhooks/${made.id}`)} />}
    </Page>
  )
}

const COLUMNS: readonly Column<Row>[] = [
  { id: 'url', title: 'Address', look: 'clip', text: ({ url }) => url },
  {
    id: 'active',
    title: 'Status',
    cell: (row) => <Health of={row} />,
    text: (row) => healthOf(row)[1],
  },
  {
    id: 'last_delivered_at',
    title: 'Last taken',
    cell: ({ last_delivered_at: at }) => (at ? <When at={at} /> : 'Never'),
    text: ({ last_delivered_at }) => last_delivered_at,
    from: 'tablet',
  },
  {
    id: 'events',
    title: 'Events',
    cell: ({ events }) => <span className="clip">{eventsText(events)}</span>,
    text: ({ events }) => events?.join(' ') ?? 'all',
    from: 'tablet',
  },
  {
    id: 'authentication',
    title: 'Authentication',
    cell: ({ authentication }) => authenticationText(authentication),
    text: ({ authentication }) => authentication?.kind,
    from: 'desktop',
  },
  {
    id: 'merchant_account_id',
    title: 'Merchant account',
    cell: ({ merchant_account_id }) => merchant_account_id ?? 'All',
    text: ({ merchant_account_id }) => merchant_account_id,
    isExtra: true,
  },
  { id: 'creator', title: 'Made by', from: 'desktop', text: ({ creator }) => creator?.name },
]

/** Whether events are sent, and whether the receiver takes them. */
export function Health({ of }: { readonly of: Pick<Row, 'active' | 'failing_since'> }) {
  const [tone, label] = healthOf(of)
  return (
    <>
      <Status tone={tone}>{label}</Status>
      {of.active && of.failing_since && (
        <small className="quiet-text">
          {' '}
          since <When at={of.failing_since} />
        </small>
      )}
    </>
  )
}
