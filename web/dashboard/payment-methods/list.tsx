import { nameOf } from '../buyers/names.tsx'
import { type Filter, filterBy } from '../parts/list/filters.ts'
import { List, type RowOf } from '../parts/list/list.tsx'
import { type Column, column } from '../parts/list/table.tsx'
import type { QuickView } from '../parts/list/views.tsx'
import { Page } from '../parts/page.tsx'
import { optionsOf } from '../parts/values.tsx'
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
  filterBy('choice', 'status', 'Status', { isUsual: true, options: optionsOf(METHOD_STATUSES) }),
  filterBy('text', 'buyer_external_identifier', 'Buyer’s reference', {
    isUsual: true,
    hint: 'customer-1234',
  }),
  filterBy('text', 'external_identifier', 'Your reference', { isUsual: true, hint: 'card-1234' }),
  filterBy('text', 'buyer_id', 'Buyer id'),
]

const VIEWS: readonly QuickView[] = [
  { label: 'All', search: {} },
  { label: 'Stored', search: { status: 'succeeded' } },
  { label: 'Awaiting buyer', search: { status: 'buyer_approval_required' } },
  { label: 'Not stored', search: { status: 'failed' } },
]

export const METHOD_COLUMNS: readonly Column<Row>[] = [
  column('method', 'Method', { cell: (row) => <Instrument of={row} />, text: instrumentText }),
  column('status', 'Status', { status: ({ status }) => METHOD_STATUSES[status] }),
  column('buyer', 'Buyer', {
    from: 'tablet',
    cell: ({ buyer }) => (
      <span className="clip">{buyer ? nameOf(buyer) : <span className="quiet-text">None</span>}</span>
    ),
    text: ({ buyer }) => buyer && nameOf(buyer),
  }),
  column('expiry', 'Expires', {
    from: 'tablet',
    cell: ({ expiration_date }) => <Expiry of={expiration_date} />,
    text: 'expiration_date',
  }),
  column('usage_count', 'Payments', { from: 'desktop', isNumber: true, text: 'usage_count' }),
  column('last_used_at', 'Last used', { from: 'desktop', isTime: true, text: 'last_used_at' }),
  column('reference', 'Your reference', { isExtra: true, look: 'clip mono', text: 'external_identifier' }),
  column('id', 'Id', { isExtra: true, look: 'mono', text: 'id' }),
  column('created_at', 'Created', { isTime: true, text: 'created_at' }),
]
