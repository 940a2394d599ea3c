import { useState } from 'react'
import { useMay } from '../api/me.ts'
import { nameOf } from '../buyers/words.ts'
import { Button } from '../parts/controls.tsx'
import type { Filter } from '../parts/list/filters.ts'
import { List, type RowOf } from '../parts/list/list.tsx'
import type { Column } from '../parts/list/table.tsx'
import { Page } from '../parts/page.tsx'
import { When } from '../parts/values.tsx'
import { Activate, Issue, Store } from './acts.tsx'

type Row = RowOf<'GET /gift-cards'>

const ACTS = { issue: Issue, activate: Activate, store: Store }

export function GiftCardList() {
  const may = useMay()
  const [act, setAct] = useState<keyof typeof ACTS>()
  const Act = act && ACTS[act]
  const buttons = may('gift-cards.write') && (
    <>
      <Button onClick={() => setAct('store')}>Store</Button>
      <Button onClick={() => setAct('activate')}>Activate</Button>
      <Button tone="main" icon="plus" onClick={() => setAct('issue')}>
        Issue a card
      </Button>
    </>
  )
  return (
    <Page title="Gift cards" actions={buttons}>
      <List
        name="gift-cards"
        route="GET /gift-cards"
        filters={FILTERS}
        columns={COLUMNS}
        to={({ id }) => `/gift-cards/${id}`}
        empty={{
          title: 'No stored gift cards',
          text: (
            <>
              Cards that buyers have stored are listed here. Issue one to get an address that shows a new
              card, activate one that was sold, or store one for a buyer. The guide{' '}
              <a href="/docs/guide/gift-cards">Gift cards</a> explains each.
            </>
          ),
        }}
      />
      {Act && <Act onClose={() => setAct(undefined)} />}
    </Page>
  )
}

const FILTERS: readonly Filter[] = [
  {
    id: 'buyer_external_identifier',
    label: 'Buyer’s reference',
    kind: 'text',
    isUsual: true,
    hint: 'customer-1234',
  },
  { id: 'buyer_id', label: 'Buyer id', kind: 'text', isUsual: true },
]

const COLUMNS: readonly Column<Row>[] = [
  {
    id: 'card',
    title: 'Card',
    cell: ({ last4 }) => <span className="number">•••• {last4}</span>,
    text: ({ last4 }) => last4,
  },
  {
    id: 'buyer',
    title: 'Buyer',
    cell: ({ buyer }) => (
      <span className="clip">{buyer ? nameOf(buyer) : <span className="quiet-text">None</span>}</span>
    ),
    text: ({ buyer }) => buyer && nameOf(buyer),
  },
  {
    id: 'service',
    title: 'Service',
    from: 'desktop',
    look: 'clip',
    text: ({ gift_card_service }) => gift_card_service.display_name,
  },
  {
    id: 'expires',
    title: 'Expires',
    from: 'tablet',
    cell: ({ expiration_date }) => expiration_date && <When at={expiration_date} />,
    text: ({ expiration_date }) => expiration_date,
  },
  {
    id: 'usage_count',
    title: 'Payments',
    from: 'tablet',
    isNumber: true,
    text: ({ usage_count }) => usage_count,
  },
  {
    id: 'last_used_at',
    title: 'Last used',
    from: 'desktop',
    isTime: true,
    text: ({ last_used_at }) => last_used_at,
  },
  { id: 'created_at', title: 'Stored', isTime: true, text: ({ created_at }) => created_at },
]
