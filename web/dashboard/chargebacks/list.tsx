import type { Filter } from '../parts/list/filters.ts'
import { List, type RowOf } from '../parts/list/list.tsx'
import type { Column } from '../parts/list/table.tsx'
import { decimalText, Money } from '../parts/money.tsx'
import { Page } from '../parts/page.tsx'
import { When } from '../parts/when.tsx'
import { PaidWith, paidWithText } from '../transactions/paid-with.tsx'
import { buyerName } from '../transactions/who.ts'

type Row = RowOf<'GET /transactions'>

const DISPUTED = { query: { disputed: true } }

/** Payments of which a bank has taken money back, also if it has given it back since. */
export function ChargebackList() {
  return (
    <Page title="Chargebacks" under="Payments that the buyer’s bank has taken back, or had.">
      <List
        name="chargebacks"
        route="GET /transactions"
        request={DISPUTED}
        filters={FILTERS}
        columns={COLUMNS}
        to={({ id }) => `/chargebacks/${id}`}
        empty={{
          title: 'No chargebacks',
          text: (
            <>
              When a buyer disputes a payment at their bank, it appears here. The guide{' '}
              <a href="/docs/guide/settlements#chargebacks">Settlements and chargebacks</a> makes one in a
              sandbox.
            </>
          ),
        }}
      />
    </Page>
  )
}

const FILTERS: readonly Filter[] = [
  { id: 'search', label: 'Search', kind: 'search', hint: 'Id, reference, buyer’s id…' },
  { id: 'created_at', label: 'Paid', kind: 'period', isUsual: true },
  { id: 'buyer_search', label: 'Buyer', kind: 'text', isUsual: true, isMany: true, hint: 'Name, e-mail, id' },
  { id: 'payment_method_label', label: 'Last four digits', kind: 'text', hint: '1111' },
]

const COLUMNS: readonly Column<Row>[] = [
  {
    id: 'amount',
    title: 'Payment',
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
    id: 'buyer',
    title: 'Buyer',
    cell: (row) => (
      <span className="clip">{buyerName(row) ?? <span className="quiet-text">Guest</span>}</span>
    ),
    text: (row) => buyerName(row),
  },
  {
    id: 'paid_with',
    title: 'Paid with',
    from: 'tablet',
    cell: (row) => <PaidWith of={row} />,
    text: paidWithText,
  },
  {
    id: 'refunded_amount',
    title: 'Refunded',
    from: 'desktop',
    isNumber: true,
    cell: ({ refunded_amount, currency }) => <Money amount={refunded_amount} currency={currency} />,
    text: ({ refunded_amount, currency }) => decimalText(refunded_amount, currency),
  },
  {
    id: 'reference',
    title: 'Reference',
    from: 'tablet',
    cell: ({ external_identifier }) => <span className="clip mono">{external_identifier}</span>,
    text: ({ external_identifier }) => external_identifier,
  },
  {
    id: 'updated_at',
    title: 'Changed',
    from: 'desktop',
    isNumber: true,
    cell: ({ updated_at }) => <When at={updated_at} />,
    text: ({ updated_at }) => updated_at,
  },
  {
    id: 'created_at',
    title: 'Paid',
    isNumber: true,
    cell: ({ created_at }) => <When at={created_at} />,
    text: ({ created_at }) => created_at,
  },
]
