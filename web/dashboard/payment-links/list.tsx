import { CURRENCIES } from '../../../server/src/domain/currency.ts'
import { useMay } from '../api/me.ts'
import { nameOf } from '../buyers/words.ts'
import { LinkButton } from '../parts/controls.tsx'
import type { Filter } from '../parts/list/filters.ts'
import { List, type RowOf } from '../parts/list/list.tsx'
import type { Column } from '../parts/list/table.tsx'
import type { QuickView } from '../parts/list/views.tsx'
import { Page } from '../parts/page.tsx'
import { When } from '../parts/values.tsx'
import { LINK_STATUSES } from './words.ts'

type Row = RowOf<'GET /payment-links'>

export function PaymentLinkList() {
  const may = useMay()
  const add = may('payment-links.write') && (
    <LinkButton to="/payment-links/new" tone="main" icon="plus">
      New payment link
    </LinkButton>
  )
  return (
    <Page title="Payment links" actions={add}>
      <List
        name="payment-links"
        route="GET /payment-links"
        filters={FILTERS}
        views={VIEWS}
        columns={COLUMNS}
        to={({ id }) => `/payment-links/${id}`}
        empty={{
          title: 'No payment links yet',
          text: 'A payment link is a page where one person pays one amount. Create one, then send the link or show its QR code. No shop needed.',
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
    options: Object.entries(LINK_STATUSES).map(([value, { label }]) => ({ value, label })),
  },
  { id: 'created_at', label: 'Created', kind: 'period', isUsual: true },
  { id: 'amount', label: 'Amount', kind: 'amount', isUsual: true },
  {
    id: 'currency',
    label: 'Currency',
    kind: 'choice',
    isUsual: true,
    options: CURRENCIES.map((value) => ({ value, label: value })),
  },
  { id: 'buyer_search', label: 'Buyer', kind: 'text', isUsual: true, isMany: true, hint: 'Name, e-mail, id' },
  { id: 'updated_at', label: 'Updated', kind: 'period' },
]

const VIEWS: readonly QuickView[] = [
  { label: 'All', search: {} },
  ...Object.entries(LINK_STATUSES).map(([status, { label }]) => ({ label, search: { status } })),
]

const COLUMNS: readonly Column<Row>[] = [
  { id: 'amount', title: 'Amount', money: (row) => row },
  { id: 'currency', title: 'Currency', isExtra: true, text: ({ currency }) => currency },
  { id: 'status', title: 'Status', status: ({ status }) => LINK_STATUSES[status] },
  {
    id: 'reference',
    title: 'Your reference',
    from: 'tablet',
    look: 'clip mono',
    text: ({ external_identifier }) => external_identifier,
  },
  { id: 'buyer', title: 'Buyer', from: 'tablet', look: 'clip', text: ({ buyer }) => buyer && nameOf(buyer) },
  {
    id: 'expires_at',
    title: 'Expires',
    from: 'desktop',
    cell: ({ expires_at }) => expires_at && <When at={expires_at} />,
    text: ({ expires_at }) => expires_at,
  },
  { id: 'id', title: 'Id', isExtra: true, look: 'mono', text: ({ id }) => id },
  { id: 'created_at', title: 'Created', isTime: true, text: ({ created_at }) => created_at },
]
