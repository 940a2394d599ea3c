import { useMay } from '../api/me.ts'
import { nameOf } from '../buyers/words.ts'
import { LinkButton } from '../parts/controls.tsx'
import type { Filter } from '../parts/list/filters.ts'
import { List, type RowOf } from '../parts/list/list.tsx'
import type { Column } from '../parts/list/table.tsx'
import type { QuickView } from '../parts/list/views.tsx'
import { Page } from '../parts/page.tsx'
import { Instrument, instrumentText } from '../payment-methods/instrument.tsx'
import { PAYOUT_STATUSES } from './words.ts'

type Row = RowOf<'GET /payouts'>

export function PayoutList() {
  const may = useMay()
  const add = may('payouts.write') && may('payment-methods.read') && (
    <LinkButton to="/payouts/new" tone="main" icon="plus">
      New payout
    </LinkButton>
  )
  return (
    <Page title="Payouts" actions={add}>
      <List
        name="payouts"
        route="GET /payouts"
        filters={FILTERS}
        views={VIEWS}
        columns={COLUMNS}
        to={({ id }) => `/payouts/${id}`}
        empty={{
          title: 'No payouts yet',
          text: 'A payout sends money to a card: winnings, earnings, or a refund without a payment. Choose a stored card to start.',
          action: add,
        }}
      />
    </Page>
  )
}

const FILTERS: readonly Filter[] = [
  {
    id: 'status',
    label: 'Status',
    kind: 'choice',
    isUsual: true,
    options: Object.entries(PAYOUT_STATUSES).map(([value, { label }]) => ({ value, label })),
  },
  { id: 'created_at', label: 'Created', kind: 'period', isUsual: true },
  { id: 'external_identifier', label: 'Your reference', kind: 'text', isUsual: true, hint: 'payout-1234' },
  { id: 'payment_service_payout_id', label: 'Id at the service', kind: 'text' },
  { id: 'updated_at', label: 'Updated', kind: 'period' },
]

const VIEWS: readonly QuickView[] = [
  { label: 'All', search: {} },
  { label: 'Sent', search: { status: 'succeeded' } },
  { label: 'Waiting', search: { status: 'pending' } },
  { label: 'Not sent', search: { status: ['declined', 'failed'] } },
]

const COLUMNS: readonly Column<Row>[] = [
  { id: 'amount', title: 'Amount', money: (row) => row },
  { id: 'currency', title: 'Currency', isExtra: true, text: ({ currency }) => currency },
  { id: 'status', title: 'Status', status: ({ status }) => PAYOUT_STATUSES[status] },
  {
    id: 'card',
    title: 'To',
    from: 'tablet',
    cell: ({ payment_method }) => <Instrument of={payment_method} />,
    text: ({ payment_method }) => instrumentText(payment_method),
  },
  { id: 'buyer', title: 'Buyer', from: 'tablet', look: 'clip', text: ({ buyer }) => buyer && nameOf(buyer) },
  {
    id: 'reference',
    title: 'Your reference',
    from: 'desktop',
    look: 'clip mono',
    text: ({ external_identifier }) => external_identifier,
  },
  {
    id: 'service',
    title: 'Service',
    from: 'desktop',
    look: 'clip',
    text: ({ payment_service }) => payment_service.display_name,
  },
  { id: 'id', title: 'Id', isExtra: true, look: 'mono', text: ({ id }) => id },
  { id: 'created_at', title: 'Created', isTime: true, text: ({ created_at }) => created_at },
]
