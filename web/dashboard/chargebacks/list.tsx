import { useMay } from '../api/me.ts'
import { LinkButton } from '../parts/controls.tsx'
import type { Filter } from '../parts/list/filters.ts'
import { List } from '../parts/list/list.tsx'
import type { Column } from '../parts/list/table.tsx'
import type { QuickView } from '../parts/list/views.tsx'
import { Page } from '../parts/page.tsx'
import { When } from '../parts/values.tsx'
import { CASE_STATUSES, type Case, reasonOf } from './words.ts'

/** What banks have taken back, each with how it stands. */
export function ChargebackList() {
  const may = useMay()
  return (
    <Page
      title="Chargebacks"
      under="Payments that buyers’ banks have charged back."
      actions={
        may('transactions.read') && (
          <LinkButton to="/transactions" search={{ disputed: 'true' }}>
            Search disputed payments
          </LinkButton>
        )
      }
    >
      <List
        name="chargebacks"
        route="GET /chargebacks"
        filters={FILTERS}
        views={VIEWS}
        columns={COLUMNS}
        to={({ transaction_id }) => `/chargebacks/${transaction_id}`}
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
  {
    id: 'status',
    label: 'Status',
    kind: 'choice',
    isSingle: true,
    isUsual: true,
    options: Object.entries(CASE_STATUSES).map(([value, { label }]) => ({ value, label })),
  },
  { id: 'posted_at', label: 'Posted', kind: 'period', isUsual: true },
  { id: 'transaction_id', label: 'Transaction id', kind: 'text' },
]

const VIEWS: readonly QuickView[] = [
  { label: 'All', search: {} },
  { label: 'Open', search: { status: 'open' } },
  { label: 'Answered', search: { status: 'answered' } },
  { label: 'Returned', search: { status: 'returned' } },
  { label: 'Expired', search: { status: 'expired' } },
]

const COLUMNS: readonly Column<Case>[] = [
  { id: 'amount', title: 'Amount', money: (row) => row },
  { id: 'currency', title: 'Currency', isExtra: true, text: ({ currency }) => currency },
  { id: 'status', title: 'Status', status: ({ status }) => CASE_STATUSES[status] },
  {
    id: 'respond_by',
    title: 'Answer by',
    cell: ({ respond_by, status }) =>
      respond_by ? (
        <When at={respond_by} />
      ) : (
        status === 'open' && <span className="quiet-text">Not reported</span>
      ),
    text: ({ respond_by }) => respond_by,
  },
  {
    id: 'reason',
    title: 'Reason',
    from: 'tablet',
    cell: (row) => (
      <span className="clip">{reasonOf(row) || <span className="quiet-text">Not reported</span>}</span>
    ),
    text: reasonOf,
  },
  {
    id: 'answer',
    title: 'Answered by',
    from: 'desktop',
    cell: ({ answer }) => answer && <span className="clip">{answer.author.name}</span>,
    text: ({ answer }) => answer?.author.name,
  },
  {
    id: 'reference',
    title: 'Reference',
    from: 'desktop',
    look: 'clip mono',
    text: ({ transaction_external_identifier: reference }) => reference,
  },
  { id: 'posted_at', title: 'Posted', from: 'tablet', isTime: true, text: ({ posted_at }) => posted_at },
]
