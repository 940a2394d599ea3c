import { useMay } from '../api/me.ts'
import { nameOf } from '../buyers/words.ts'
import { LinkButton } from '../parts/button.tsx'
import type { Filter } from '../parts/list/filters.ts'
import { List, type RowOf } from '../parts/list/list.tsx'
import type { QuickView } from '../parts/list/quick-views.tsx'
import type { Column } from '../parts/list/table.tsx'
import { decimalText, Money } from '../parts/money.tsx'
import { Page } from '../parts/page.tsx'
import { Status } from '../parts/status.tsx'
import { When } from '../parts/when.tsx'
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
  {
    id: 'amount',
    title: 'Amount',
    cell: ({ amount, currency }) => <Money amount={amount} currency={currency} />,
    text: ({ amount, currency }) => decimalText(amount, currency),
  },
  {
    id: 'currency',
    title: 'Currency',
    isExtra: true,
    cell: ({ currency }) => currency,
    text: ({ currency }) => currency,
  },
  {
    id: 'status',
    title: 'Status',
    cell: ({ status }) => (
      <Status tone={PAYOUT_STATUSES[status].tone}>{PAYOUT_STATUSES[status].label}</Status>
    ),
    text: ({ status }) => PAYOUT_STATUSES[status].label,
  },
  {
    id: 'card',
    title: 'To',
    from: 'tablet',
    cell: ({ payment_method }) => <Instrument of={payment_method} />,
    text: ({ payment_method }) => instrumentText(payment_method),
  },
  {
    id: 'buyer',
    title: 'Buyer',
    from: 'tablet',
    cell: ({ buyer }) => <span className="clip">{buyer && nameOf(buyer)}</span>,
    text: ({ buyer }) => buyer && nameOf(buyer),
  },
  {
    id: 'reference',
    title: 'Your reference',
    from: 'desktop',
    cell: ({ external_identifier }) => <span className="clip mono">{external_identifier}</span>,
    text: ({ external_identifier }) => external_identifier,
  },
  {
    id: 'service',
    title: 'Service',
    from: 'desktop',
    cell: ({ payment_service }) => <span className="clip">{payment_service.display_name}</span>,
    text: ({ payment_service }) => payment_service.display_name,
  },
  {
    id: 'id',
    title: 'Id',
    isExtra: true,
    cell: ({ id }) => <span className="mono">{id}</span>,
    text: ({ id }) => id,
  },
  {
    id: 'created_at',
    title: 'Created',
    isNumber: true,
    cell: ({ created_at }) => <When at={created_at} />,
    text: ({ created_at }) => created_at,
  },
]
