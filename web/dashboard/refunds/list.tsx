import { CURRENCIES } from '../../../server/src/domain/currency.ts'
import { LinkButton } from '../parts/controls.tsx'
import type { Filter } from '../parts/list/filters.ts'
import { List, type RowOf } from '../parts/list/list.tsx'
import type { Column } from '../parts/list/table.tsx'
import type { QuickView } from '../parts/list/views.tsx'
import { Page } from '../parts/page.tsx'
import { Status } from '../parts/values.tsx'
import { plain } from '../transactions/words.ts'
import { REFUND_STATUSES } from './words.ts'

type Row = RowOf<'GET /refunds'>

export function RefundList() {
  return (
    <Page title="Refunds">
      <List
        name="refunds"
        route="GET /refunds"
        filters={FILTERS}
        views={VIEWS}
        columns={COLUMNS}
        to={({ id }) => `/refunds/${id}`}
        empty={{
          title: 'No refunds yet',
          text: 'To refund, open a captured payment and press Refund: in full or in part.',
          action: (
            <LinkButton to="/transactions" search={{ status: 'capture_succeeded' }}>
              Show captured payments
            </LinkButton>
          ),
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
    options: Object.entries(REFUND_STATUSES).map(([value, { label }]) => ({ value, label })),
  },
  { id: 'created_at', label: 'Created', kind: 'period', isUsual: true },
  {
    id: 'currency',
    label: 'Currency',
    kind: 'choice',
    isUsual: true,
    options: CURRENCIES.map((value) => ({ value, label: value })),
  },
  { id: 'external_identifier', label: 'Your reference', kind: 'text', isUsual: true, hint: 'refund-1234' },
  { id: 'transaction_id', label: 'Transaction id', kind: 'text' },
]

const VIEWS: readonly QuickView[] = [
  { label: 'All', search: {} },
  { label: 'Waiting', search: { status: 'processing' } },
  { label: 'Refunded', search: { status: 'succeeded' } },
  { label: 'Not refunded', search: { status: ['declined', 'failed'] } },
]

const COLUMNS: readonly Column<Row>[] = [
  { id: 'amount', title: 'Amount', money: (row) => row },
  { id: 'currency', title: 'Currency', isExtra: true, text: ({ currency }) => currency },
  {
    id: 'status',
    title: 'Status',
    cell: ({ status, error_code }) => (
      <>
        <Status tone={REFUND_STATUSES[status].tone}>{REFUND_STATUSES[status].label}</Status>
        {error_code && <span className="why">{plain(error_code)}</span>}
      </>
    ),
    text: ({ status }) => REFUND_STATUSES[status].label,
  },
  { id: 'reason', title: 'Reason', from: 'tablet', look: 'clip', text: ({ reason }) => reason },
  {
    id: 'payment',
    title: 'Payment',
    from: 'tablet',
    cell: (row) => (
      <span className="clip mono">{row.transaction_external_identifier ?? row.transaction_id}</span>
    ),
    text: ({ transaction_id }) => transaction_id,
  },
  { id: 'creator', title: 'By', from: 'desktop', look: 'clip', text: ({ creator }) => creator?.name },
  {
    id: 'settled',
    title: 'Settled',
    isExtra: true,
    cell: ({ settled }) => (settled ? 'Yes' : 'No'),
    text: ({ settled }) => settled,
  },
  {
    id: 'reference',
    title: 'Your reference',
    isExtra: true,
    look: 'clip mono',
    text: ({ external_identifier }) => external_identifier,
  },
  { id: 'id', title: 'Id', isExtra: true, look: 'mono', text: ({ id }) => id },
  { id: 'created_at', title: 'Created', isTime: true, text: ({ created_at }) => created_at },
]
