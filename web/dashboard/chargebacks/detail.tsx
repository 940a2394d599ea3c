import type { Schemas } from '../../api/schema.d.ts'
import { useAddress } from '../address.ts'
import { useRead } from '../api/client.ts'
import { useMay } from '../api/me.ts'
import { Link, LinkButton } from '../parts/controls.tsx'
import { ShortList } from '../parts/list/list.tsx'
import type { Column } from '../parts/list/table.tsx'
import { Columns, Loaded, Page, Section } from '../parts/page.tsx'
import { Facts, Id, Money, moneyText, Status, When } from '../parts/values.tsx'
import { PaidWith } from '../transactions/paid-with.tsx'
import { buyerName } from '../transactions/who.ts'
import { Answers } from './answers.tsx'

type Movement = Schemas['Chargeback'] | Schemas['ChargebackReversal']
type Payment = Schemas['Transaction']

/** What a bank took of one payment, and what it gave back. The id is that of the payment. */
export function ChargebackDetail() {
  const { params } = useAddress()
  const payment = useRead('GET /transactions/{transaction_id}', {
    path: { transaction_id: params['id'] ?? '' },
  })
  return <Loaded of={payment}>{(it) => <Detail payment={it} />}</Loaded>
}

function Detail({ payment }: { readonly payment: Payment }) {
  const may = useMay()
  const request = { path: { transaction_id: payment.id } }
  const columns = columnsOf(may('payment-service-reports.read'), useReasons(payment.id))
  const buyer = buyerName(payment)
  return (
    <Page
      title={`Chargeback of ${moneyText(payment.amount, payment.currency)}`}
      heading={<Money amount={payment.amount} currency={payment.currency} />}
      back={{ to: '/chargebacks', label: 'Chargebacks' }}
      under={
        payment.disputed ? <Status tone="bad">Disputed</Status> : <Status tone="mute">Not disputed</Status>
      }
      actions={<LinkButton to={`/transactions/${payment.id}`}>Show the payment</LinkButton>}
    >
      <Columns
        main={
          <>
            {payment.disputed && <Answers paymentId={payment.id} />}
            <ShortList
              title="Charged back"
              route="GET /transactions/{transaction_id}/chargebacks"
              request={request}
              columns={columns}
              empty="This payment was not charged back."
            />
            <ShortList
              title="Returned to you"
              route="GET /transactions/{transaction_id}/chargeback-reversals"
              request={request}
              columns={columns}
              empty="Nothing was returned."
            />
          </>
        }
        side={
          <Section title="Payment">
            <Facts
              facts={[
                ['Id', <Id key="id" value={payment.id} isShort />],
                [
                  'Reference',
                  payment.external_identifier && <Id key="reference" value={payment.external_identifier} />,
                ],
                ['Buyer', buyer],
                ['Paid with', <PaidWith key="paid" of={payment} />],
                ['Service', payment.payment_service?.display_name],
                [
                  'Captured',
                  <Money key="captured" amount={payment.captured_amount} currency={payment.currency} />,
                ],
                [
                  'Refunded',
                  <Money key="refunded" amount={payment.refunded_amount} currency={payment.currency} />,
                ],
                ['Paid', <When key="created" at={payment.created_at} />],
              ]}
            />
          </Section>
        }
      />
    </Page>
  )
}

const TOLD: readonly string[] = [
  'payment-connector-report-chargeback-posted',
  'payment-connector-report-chargeback-reversal-posted',
]
const EVENTS_READ = 100

/** Why the bank took the money, or returned it, as the payment service says: the code of the scheme, and words. */
function useReasons(paymentId: string): (movement: Pick<Movement, 'id'>) => string {
  const { data } = useRead('GET /transactions/{transaction_id}/events', {
    path: { transaction_id: paymentId },
    query: { limit: EVENTS_READ },
  })
  const told = (data?.items ?? []).filter(({ name }) => TOLD.includes(name))
  const reasons = new Map(
    told.map(({ context: { id, code, description } }) => [
      id,
      [code, description].filter((one) => typeof one === 'string').join(' · '),
    ]),
  )
  return ({ id }) => reasons.get(id) ?? ''
}

function columnsOf(
  mayReadReports: boolean,
  reasonOf: (movement: Movement) => string,
): readonly Column<Movement>[] {
  return [
    { id: 'amount', title: 'Amount', money: (row) => row },
    {
      id: 'reason',
      title: 'Reason',
      cell: (movement) =>
        reasonOf(movement) ? (
          <span className="wrap">{reasonOf(movement)}</span>
        ) : (
          <span className="quiet-text">Not reported</span>
        ),
    },
    {
      id: 'commission',
      title: 'Fee',
      money: ({ commission, currency }) => ({ amount: commission, currency }),
    },
    {
      id: 'report',
      title: 'Source',
      from: 'tablet',
      cell: ({ payment_service_report_file_ids: files, payment_service_report_id: report }) =>
        files.length === 0 ? (
          <span className="quiet-text">Webhook of the service</span>
        ) : mayReadReports ? (
          <Link to={`/payment-service-reports/${report}`} className="text-link">
            Settlement file
          </Link>
        ) : (
          'Settlement file'
        ),
    },
    { id: 'posted_at', title: 'Posted', isTime: true, text: ({ posted_at }) => posted_at },
  ]
}
