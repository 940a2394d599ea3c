import { nameOf } from '../buyers/names.tsx'
import type { Filter } from '../parts/list/filters.ts'
import { List, type RowOf } from '../parts/list/list.tsx'
import type { Column } from '../parts/list/table.tsx'
import type { QuickView } from '../parts/list/views.tsx'
import { Page } from '../parts/page.tsx'
import { Expiry, Instrument, instrumentText } from './instrument.tsx'
import { METHOD_STATUSES } from './words.ts'

type Row = RowOf<'GET /payment-methods'>

export function PaymentMethodList() {
  return (
    <Page title="Payment methods">
      <List
        name="payment-methods"
        route="GET /payment-methods"
        filters={METHOD_FILTERS}
        views={VIEWS}
        columns={METHOD_COLUMNS}
        to={({ id }) => `/payment-methods/${id}`}
        empty={{
          title: 'No stored payment methods yet',
          text: (
            <>
              Send a payment with <code>"store": true</code> to store its card in the vault for later
              payments. The guide <a href="/docs/guide/payment-methods">Payment methods</a> shows how.
            </>
          ),
        }}
      />
    </Page>
  )
}

export const METHOD_FILTERS: readonly Filter[] = [
  {
    id: 'status',
    label: 'Status',
    kind: 'choice',
    isUsual: true,
    options: Object.entries(METHOD_STATUSES).map(([value, { label }]) => ({ value, label })),
  },
  {
    id: 'buyer_external_identifier',
    label: 'Buyer’s reference',
    kind: 'text',
    isUsual: true,
    hint: 'customer-1234',
  },
  { id: 'external_identifier', label: 'Your reference', kind: 'text', isUsual: true, hint: 'card-1234' },
  { id: 'buyer_id', label: 'Buyer id', kind: 'text' },
]

const VIEWS: readonly QuickView[] = [
  { label: 'All', search: {} },
  { label: 'Stored', search: { status: 'succeeded' } },
  { label: 'Awaiting buyer', search: { status: 'buyer_approval_required' } },
  { label: 'Not stored', search: { status: 'failed' } },
]

export const METHOD_COLUMNS: readonly Column<Row>[] = [
  { id: 'method', title: 'Method', cell: (row) => <Instrument of={row} />, text: instrumentText },
  { id: 'status', title: 'Status', status: ({ status }) => METHOD_STATUSES[status] },
  {
    id: 'buyer',
    title: 'Buyer',
    from: 'tablet',
    cell: ({ buyer }) => (
      <span className="clip">{buyer ? nameOf(buyer) : <span className="quiet-text">None</span>}</span>
    ),
    text: ({ buyer }) => buyer && nameOf(buyer),
  },
  {
    id: 'expiry',
    title: 'Expires',
    from: 'tablet',
    cell: ({ expiration_date }) => <Expiry of={expiration_date} />,
    text: ({ expiration_date }) => expiration_date,
  },
  {
    id: 'usage_count',
    title: 'Payments',
    from: 'desktop',
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
