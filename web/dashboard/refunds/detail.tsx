import type { Schemas } from '../../api/schema.d.ts'
import { useAddress } from '../address.ts'
import { useRead } from '../api/client.ts'
import { LinkButton } from '../parts/controls.tsx'
import { Columns, Loaded, Notice, Page, Section } from '../parts/page.tsx'
import { type Fact, Facts, Id, Json, Money, moneyText, Status, When } from '../parts/values.tsx'
import { refundReasonFor } from '../transactions/reasons.ts'
import { answerOf } from '../transactions/standing.ts'
import { plain } from '../transactions/words.ts'
import { LIST, REFUND_STATUSES } from './words.ts'

type Refund = Schemas['Refund']

export function RefundDetail() {
  const { params } = useAddress()
  const refund = useRead('GET /refunds/{refund_id}', { path: { refund_id: params['id'] ?? '' } })
  return <Loaded of={refund}>{(it) => <Detail refund={it} />}</Loaded>
}

function Detail({ refund }: { readonly refund: Refund }) {
  const { tone, label } = REFUND_STATUSES[refund.status]
  return (
    <Page
      title={`Refund of ${moneyText(refund.amount, refund.currency)}`}
      heading={<Money amount={refund.amount} currency={refund.currency} />}
      back={LIST}
      under={
        <>
          <Status tone={tone}>{label}</Status>
          <When at={refund.created_at} />
        </>
      }
      actions={<LinkButton to={`/transactions/${refund.transaction_id}`}>Show the payment</LinkButton>}
    >
      <Columns
        main={
          <>
            <Explained refund={refund} />
            <Section title="Refund">
              <Facts facts={factsOf(refund)} />
            </Section>
          </>
        }
        side={
          <Section title="JSON">
            <Json value={refund} openDepth={0} />
          </Section>
        }
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
