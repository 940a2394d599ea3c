import { useState } from 'react'
import type { Schemas } from '../../api/schema.d.ts'
import { send, useRead } from '../api/client.ts'
import { useMay } from '../api/me.ts'
import { Ask } from '../parts/ask.tsx'
import { Button, Link, LinkButton } from '../parts/controls.tsx'
import { field } from '../parts/fields.tsx'
import { type Filter, filterBy } from '../parts/list/filters.ts'
import { List, ShortList } from '../parts/list/list.tsx'
import { type Column, column } from '../parts/list/table.tsx'
import type { QuickView } from '../parts/list/views.tsx'
import { Columns, FactCard, Loaded, Notice, type Of, Page, pageOf, Section } from '../parts/page.tsx'
import { Id, type Marks, Money, moneyText, optionsOf, Status, When } from '../parts/values.tsx'
import { PaidWith } from '../transactions/payments-of.tsx'
import { buyerName } from '../transactions/words.ts'

export const pages = { '/': ChargebackList, '/$id': pageOf('GET /transactions/{transaction_id}', Detail) }

type Case = Schemas['ChargebackCase']

const CASE_STATUSES: Marks<Case['status']> = {
  open: { tone: 'bad', label: 'Open' },
  answered: { tone: 'wait', label: 'Answered' },
  expired: { tone: 'mute', label: 'Expired' },
  returned: { tone: 'good', label: 'Returned' },
}

/** Why the bank took the money: the code of the scheme, and words. */
function reasonOf({ reason_code, reason_description }: Case): string {
  return [reason_code, reason_description].filter(Boolean).join(' · ')
}

/** What banks have taken back, each with how it stands. */
function ChargebackList() {
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
  filterBy('choice', 'status', 'Status', {
    isSingle: true,
    isUsual: true,
    options: optionsOf(CASE_STATUSES),
  }),
  filterBy('period', 'posted_at', 'Posted', { isUsual: true }),
  filterBy('text', 'transaction_id', 'Transaction id'),
]

const VIEWS: readonly QuickView[] = [
  { label: 'All', search: {} },
  { label: 'Open', search: { status: 'open' } },
  { label: 'Answered', search: { status: 'answered' } },
  { label: 'Returned', search: { status: 'returned' } },
  { label: 'Expired', search: { status: 'expired' } },
]

const COLUMNS: readonly Column<Case>[] = [
  column('amount', 'Amount', { money: (row) => row }),
  column('currency', 'Currency', { isExtra: true, text: 'currency' }),
  column('status', 'Status', { status: ({ status }) => CASE_STATUSES[status] }),
  column('respond_by', 'Answer by', {
    cell: ({ respond_by, status }) =>
      respond_by ? (
        <When at={respond_by} />
      ) : (
        status === 'open' && <span className="quiet-text">Not reported</span>
      ),
    text: 'respond_by',
  }),
  column('reason', 'Reason', {
    from: 'tablet',
    cell: (row) => (
      <span className="clip">{reasonOf(row) || <span className="quiet-text">Not reported</span>}</span>
    ),
    text: reasonOf,
  }),
  column('answer', 'Answered by', {
    from: 'desktop',
    cell: ({ answer }) => answer && <span className="clip">{answer.author.name}</span>,
    text: ({ answer }) => answer?.author.name,
  }),
  column('reference', 'Reference', {
    from: 'desktop',
    look: 'clip mono',
    text: 'transaction_external_identifier',
  }),
  column('posted_at', 'Posted', { from: 'tablet', isTime: true, text: 'posted_at' }),
]

type Movement = Schemas['Chargeback'] | Schemas['ChargebackReversal']
type Payment = Schemas['Transaction']

/** What a bank took of one payment, and what it gave back. The id is that of the payment. */
function Detail({ of: payment }: Of<Payment>) {
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
          <FactCard
            title="Payment"
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
    column('amount', 'Amount', { money: (row) => row }),
    column('reason', 'Reason', {
      cell: (movement) =>
        reasonOf(movement) ? (
          <span className="wrap">{reasonOf(movement)}</span>
        ) : (
          <span className="quiet-text">Not reported</span>
        ),
    }),
    column('commission', 'Fee', { money: ({ commission, currency }) => ({ amount: commission, currency }) }),
    column('report', 'Source', {
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
    }),
    column('posted_at', 'Posted', { isTime: true, text: 'posted_at' }),
  ]
}

/** How the chargebacks of a payment stand, and what is left to do about each. */
function Answers({ paymentId }: { readonly paymentId: string }) {
  const cases = useRead('GET /chargebacks', { query: { transaction_id: paymentId } })
  return (
    <Loaded of={cases}>
      {({ items }) => (
        <>
          {items.map((one) => (
            <Answer key={one.id} of={one} isOnly={items.length === 1} />
          ))}
        </>
      )}
    </Loaded>
  )
}

type Props = { readonly of: Case; readonly isOnly: boolean }

function Answer({ of: it, isOnly }: Props) {
  const mayAnswer = useMay()('transactions.follow-ups.write')
  const [act, setAct] = useState<'note' | 'reopen'>()
  const amount = moneyText(it.amount, it.currency)
  const close = () => setAct(undefined)
  return (
    <Section
      title={isOnly ? 'Your answer' : `Your answer to ${amount}`}
      actions={
        mayAnswer &&
        it.status !== 'returned' && (
          <>
            {it.answer && (
              <Button tone="quiet" onClick={() => setAct('reopen')}>
                Reopen
              </Button>
            )}
            <Button tone={it.status === 'open' ? 'main' : 'quiet'} onClick={() => setAct('note')}>
              {it.answer ? 'Edit note' : 'Mark as answered'}
            </Button>
          </>
        )
      }
    >
      <Standing of={it} />
      {act === 'note' && <NoteAnswer of={it} amount={amount} onClose={close} />}
      {act === 'reopen' && <Reopen of={it} amount={amount} onClose={close} />}
    </Section>
  )
}

function Standing({ of: { status, answer, respond_by, returned_at } }: { readonly of: Case }) {
  if (status === 'returned')
    return (
      <Notice tone="good" title="The bank has returned the money">
        {returned_at && (
          <>
            It did so <When at={returned_at} />.{' '}
          </>
        )}
        The payment stays marked as disputed, because it was.
      </Notice>
    )
  if (answer)
    return (
      <Notice tone="wait" title={`Answered by ${answer.author.name}`}>
        <p className="written">{answer.note ?? 'The note was removed when the buyer was erased.'}</p>
        <When at={answer.created_at} />
      </Notice>
    )
  if (status === 'expired')
    return (
      <Notice tone="mute" title="The deadline has passed">
        {respond_by ? (
          <>
            The payment service accepted answers until <When at={respond_by} />.
          </>
        ) : (
          'Card schemes accept no answer after 45 days.'
        )}
      </Notice>
    )
  return (
    <Notice tone="info" title="Answer this dispute at the payment service">
      {respond_by ? (
        <>
          It takes answers until{' '}
          <strong>
            <When at={respond_by} />
          </strong>
          .
        </>
      ) : (
        'The service has not reported a deadline: check it there first.'
      )}{' '}
      Collect the order, the delivery and what you wrote with the buyer, and send them there in time. Do not
      refund it as well: the bank has taken the money already.
    </Notice>
  )
}

type ActProps = { readonly of: Case; readonly amount: string; readonly onClose: () => void }

function NoteAnswer({ of: { id, answer }, amount, onClose }: ActProps) {
  return (
    <Ask
      title={`Answered: chargeback of ${amount}`}
      verb="Save"
      says="Shows your team that you have answered at the payment service, and removes the chargeback from the home page. Nothing is sent to the payment service."
      fields={[
        field('long-text', 'note', 'What you sent', {
          isRequired: true,
          hint: 'For your team, up to 1,000 characters. Your name and the time are added.',
        }),
      ]}
      initial={{ note: answer?.note ?? '' }}
      send={(body) =>
        send('PUT /chargebacks/{chargeback_id}/answer', {
          path: { chargeback_id: id },
          body: { note: String(body['note']) },
        })
      }
      outcome={`The chargeback of ${amount} is marked as answered`}
      onClose={onClose}
    />
  )
}

function Reopen({ of: { id }, amount, onClose }: ActProps) {
  return (
    <Ask
      title={`Reopen the chargeback of ${amount}`}
      verb="Reopen"
      says="The note is removed, and the chargeback needs an answer again. The audit log keeps a record."
      send={() => send('DELETE /chargebacks/{chargeback_id}/answer', { path: { chargeback_id: id } })}
      outcome={`The chargeback of ${amount} is open again`}
      onClose={onClose}
    />
  )
}
