import { CURRENCIES } from '../../../server/src/domain/currency.ts'
import type { Schemas } from '../../api/schema.d.ts'
import { LinkButton } from '../parts/controls.tsx'
import { type Filter, filterBy } from '../parts/list/filters.ts'
import { List, type RowOf } from '../parts/list/list.tsx'
import { type Column, column } from '../parts/list/table.tsx'
import type { QuickView } from '../parts/list/views.tsx'
import { Columns, FactCard, JsonCard, Notice, type Of, Page, pageOf } from '../parts/page.tsx'
import { type Fact, Id, Marked, type Marks, Money, moneyText, optionsOf, When } from '../parts/values.tsx'
import { refundReasonFor } from '../transactions/reasons.ts'
import { answerOf } from '../transactions/standing.ts'
import { plain } from '../transactions/words.ts'

export const pages = { '/': RefundList, '/$id': pageOf('GET /refunds/{refund_id}', Detail) }

const REFUND_STATUSES: Marks<Schemas['Refund']['status']> = {
  processing: { tone: 'wait', label: 'Waiting' },
  succeeded: { tone: 'good', label: 'Refunded' },
  declined: { tone: 'bad', label: 'Declined' },
  failed: { tone: 'bad', label: 'Failed' },
  voided: { tone: 'mute', label: 'Voided' },
}

const LIST = { to: '/refunds', label: 'Refunds' }

type Row = RowOf<'GET /refunds'>

function RefundList() {
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
  filterBy('choice', 'status', 'Status', { isUsual: true, options: optionsOf(REFUND_STATUSES) }),
  filterBy('period', 'created_at', 'Created', { isUsual: true }),
  filterBy('choice', 'currency', 'Currency', {
    isUsual: true,
    options: CURRENCIES.map((value) => ({ value, label: value })),
  }),
  filterBy('text', 'external_identifier', 'Your reference', { isUsual: true, hint: 'refund-1234' }),
  filterBy('text', 'transaction_id', 'Transaction id'),
]

const VIEWS: readonly QuickView[] = [
  { label: 'All', search: {} },
  { label: 'Waiting', search: { status: 'processing' } },
  { label: 'Refunded', search: { status: 'succeeded' } },
  { label: 'Not refunded', search: { status: ['declined', 'failed'] } },
]

const COLUMNS: readonly Column<Row>[] = [
  column('amount', 'Amount', { money: (row) => row }),
  column('currency', 'Currency', { isExtra: true, text: 'currency' }),
  column('status', 'Status', {
    cell: ({ status, error_code }) => (
      <>
        <Marked of={REFUND_STATUSES[status]} />
        {error_code && <span className="why">{plain(error_code)}</span>}
      </>
    ),
    text: ({ status }) => REFUND_STATUSES[status].label,
  }),
  column('reason', 'Reason', { from: 'tablet', look: 'clip', text: 'reason' }),
  column('payment', 'Payment', {
    from: 'tablet',
    cell: (row) => (
      <span className="clip mono">{row.transaction_external_identifier ?? row.transaction_id}</span>
    ),
    text: 'transaction_id',
  }),
  column('creator', 'By', { from: 'desktop', look: 'clip', text: ({ creator }) => creator?.name }),
  column('settled', 'Settled', {
    isExtra: true,
    cell: ({ settled }) => (settled ? 'Yes' : 'No'),
    text: 'settled',
  }),
  column('reference', 'Your reference', { isExtra: true, look: 'clip mono', text: 'external_identifier' }),
  column('id', 'Id', { isExtra: true, look: 'mono', text: 'id' }),
  column('created_at', 'Created', { isTime: true, text: 'created_at' }),
]

type Refund = Schemas['Refund']

function Detail({ of: refund }: Of<Refund>) {
  return (
    <Page
      title={`Refund of ${moneyText(refund.amount, refund.currency)}`}
      heading={<Money amount={refund.amount} currency={refund.currency} />}
      back={LIST}
      under={
        <>
          <Marked of={REFUND_STATUSES[refund.status]} />
          <When at={refund.created_at} />
        </>
      }
      actions={<LinkButton to={`/transactions/${refund.transaction_id}`}>Show the payment</LinkButton>}
    >
      <Columns
        main={
          <>
            <Explained refund={refund} />
            <FactCard title="Refund" facts={factsOf(refund)} />
          </>
        }
        side={<JsonCard of={refund} />}
      />
    </Page>
  )
}

/** What the status means for the buyer who waits for the money. */
function Explained({ refund }: { readonly refund: Refund }) {
  if (refund.status === 'processing')
    return (
      <Notice tone="wait" title="Waiting for the payment service">
        We keep asking for the outcome. Do not refund a second time.
      </Notice>
    )
  if (refund.status !== 'declined' && refund.status !== 'failed') return null
  const code = refund.error_code
  return (
    <Notice
      tone="bad"
      title={`${REFUND_STATUSES[refund.status].label}: ${plain(code ?? 'no reason was given')}`}
    >
      The buyer has not received this money.{' '}
      {(code && refundReasonFor(code)) ?? 'Refund again from the payment, or pay the buyer back another way.'}
      {answerOf(refund) && (
        <small className="raw-answer">
          The payment service answered <code>{answerOf(refund)}</code>
        </small>
      )}
    </Notice>
  )
}

function factsOf(refund: Refund): readonly Fact[] {
  return [
    ['Id', <Id key="id" value={refund.id} />],
    [
      'Your reference',
      refund.external_identifier && <Id key="reference" value={refund.external_identifier} />,
    ],
    ['Reason', refund.reason],
    ['To', refund.target_type === 'payment-method' ? 'The payment method' : 'The gift card'],
    ['Requested by', refund.creator?.name],
    ['Payment', <Id key="payment" value={refund.transaction_external_identifier ?? refund.transaction_id} />],
    ['Reconciliation id', <Id key="reconciliation" value={refund.reconciliation_id} />],
    [
      'Id at the service',
      refund.payment_service_refund_id && <Id key="service" value={refund.payment_service_refund_id} />,
    ],
    [
      'Settled',
      refund.settled && refund.settled_currency !== null && (
        <Money key="settled" amount={refund.settled_amount} currency={refund.settled_currency} />
      ),
    ],
    ['Updated', <When key="changed" at={refund.updated_at} />],
  ]
}
