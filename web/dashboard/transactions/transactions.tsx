import { List, type RowOf } from '../parts/list/list.tsx'
import { type Column, column } from '../parts/list/table.tsx'
import { Page } from '../parts/page.tsx'
import { decimalText, Money, Status } from '../parts/values.tsx'
import { useServices } from '../payment-service-reports/use-services.ts'
import { TransactionDetail } from './detail.tsx'
import { filtersOf, VIEWS } from './filters.ts'
import { PaidWith, paidWithText } from './payments-of.tsx'
import { buyerName, markOf, plain } from './words.ts'
import './transactions.css'

export const pages = { '/': TransactionList, '/$id': TransactionDetail }

type Row = RowOf<'GET /transactions'>

function TransactionList() {
  const { options } = useServices()
  return (
    <Page title="Transactions">
      <List
        name="transactions"
        route="GET /transactions"
        filters={filtersOf(options)}
        views={VIEWS}
        savedAs="transactions"
        columns={COLUMNS}
        to={({ id }) => `/transactions/${id}`}
        empty={{
          title: 'No payments yet',
          text: (
            <>
              Payments appear here as soon as your shop sends them. The guide{' '}
              <a href="/docs/guide/take-a-card">Take a card</a> makes the first one.
            </>
          ),
        }}
      />
    </Page>
  )
}

const COLUMNS: readonly Column<Row>[] = [
  column('amount', 'Amount', {
    cell: (row) => (
      <>
        <Money amount={row.amount} currency={row.currency} />
        <span className="on-phone">{whoAndWhat(row)}</span>
      </>
    ),
    text: ({ amount, currency }) => decimalText(amount, currency),
  }),
  column('currency', 'Currency', { isExtra: true, text: 'currency' }),
  column('status', 'Status', { cell: (row) => <StatusCell row={row} />, text: (row) => markOf(row).label }),
  column('error_code', 'Reason', {
    isExtra: true,
    cell: ({ error_code }) => error_code && plain(error_code),
    text: 'error_code',
  }),
  column('paid_with', 'Paid with', {
    from: 'tablet',
    cell: (row) => <PaidWith of={row} />,
    text: paidWithText,
  }),
  column('buyer', 'Buyer', {
    from: 'tablet',
    cell: (row) => (
      <span className="clip">{buyerName(row) ?? <span className="quiet-text">Guest</span>}</span>
    ),
    text: buyerName,
  }),
  column('reference', 'Reference', { from: 'desktop', look: 'clip mono', text: 'external_identifier' }),
  column('service', 'Service', {
    from: 'desktop',
    look: 'clip',
    text: ({ payment_service }) => payment_service?.display_name,
  }),
  amountColumn('authorized_amount', 'Authorized'),
  amountColumn('captured_amount', 'Captured'),
  amountColumn('refunded_amount', 'Refunded'),
  column('country', 'Country', { isExtra: true, text: 'country' }),
  column('id', 'Id', { isExtra: true, look: 'mono', text: 'id' }),
  column('created_at', 'Created', { isTime: true, text: 'created_at' }),
]

/** What the columns say for which a phone has no room. */
function whoAndWhat(row: Row): string {
  return [buyerName(row), paidWithText(row), row.external_identifier].filter(Boolean).join(' · ')
}

function StatusCell({ row }: { readonly row: Row }) {
  const { tone, label } = markOf(row)
  return (
    <>
      <Status tone={tone}>{label}</Status>
      {tone === 'bad' && row.error_code && <span className="why">{plain(row.error_code)}</span>}
    </>
  )
}

function amountColumn(
  id: 'authorized_amount' | 'captured_amount' | 'refunded_amount',
  title: string,
): Column<Row> {
  return {
    id,
    title,
    isExtra: true,
    isNumber: true,
    cell: (row) => <Money amount={row[id]} currency={row.currency} />,
    text: (row) => decimalText(row[id], row.currency),
  }
}
