import type { Schemas } from '../../api/schema.d.ts'
import { LinkButton } from '../parts/controls.tsx'
import { type Filter, filterBy } from '../parts/list/filters.ts'
import { List } from '../parts/list/list.tsx'
import { type Column, column, Table } from '../parts/list/table.tsx'
import type { QuickView } from '../parts/list/views.tsx'
import { Columns, FactCard, type Of, Page, pageOf, Section } from '../parts/page.tsx'
import { decimalText, Id, Marked, type Marks, Money, moneyText, optionsOf, When } from '../parts/values.tsx'
import { useServices } from '../payment-service-reports/use-services.ts'
import { Answer } from './answer.tsx'

export const pages = { '/': DisputeList, '/$id': pageOf('GET /disputes/{dispute_id}', Detail) }

type Dispute = Schemas['Dispute']
type Step = Schemas['DisputeStep']

const STAGES: Marks<Dispute['stage']> = {
  inquiry: { tone: 'wait', label: 'Inquiry' },
  early_fraud_warning: { tone: 'wait', label: 'Fraud warning' },
  notification: { tone: 'bad', label: 'Chargeback announced' },
  chargeback: { tone: 'bad', label: 'Chargeback' },
  second_chargeback: { tone: 'bad', label: 'Second chargeback' },
  arbitration: { tone: 'bad', label: 'Arbitration' },
  won: { tone: 'good', label: 'Won' },
  lost: { tone: 'mute', label: 'Lost' },
  expired: { tone: 'mute', label: 'Expired' },
}

/** The code of the scheme, and words. */
function reasonOf({ reason_code, reason_description }: Dispute | Step): string {
  return [reason_code, reason_description].filter(Boolean).join(' · ')
}

const reasonColumn = <Row extends Dispute | Step>() =>
  column<Row>('reason', 'Reason', {
    from: 'tablet',
    cell: (row) => (
      <span className="clip">{reasonOf(row) || <span className="quiet-text">Not reported</span>}</span>
    ),
    text: reasonOf,
  })

/** What is disputed. Some payment services do not say. */
function priceOf({ amount, currency }: Dispute | Step) {
  return amount === null || currency === null ? null : { amount, currency }
}

const amountColumn = <Row extends Dispute | Step>() =>
  column<Row>('amount', 'Amount', {
    isNumber: true,
    cell: (row) => {
      const price = priceOf(row)
      return price ? <Money {...price} /> : <span className="quiet-text">Not reported</span>
    },
    text: (row) => {
      const price = priceOf(row)
      return price && `${decimalText(price.amount, price.currency)} ${price.currency}`
    },
  })

/** What payment services tell of disputes, whether money has moved or not. */
function DisputeList() {
  return (
    <Page
      title="Disputes"
      under="What buyers’ banks ask and decide about payments, from the first question on."
    >
      <List
        name="disputes"
        route="GET /disputes"
        filters={FILTERS}
        views={VIEWS}
        columns={COLUMNS}
        to={({ id }) => `/disputes/${id}`}
        empty={{
          title: 'No disputes',
          text: (
            <>
              When a buyer’s bank asks about a payment or disputes it, it appears here. The guide{' '}
              <a href="/docs/guide/settlements#disputes">Settlements and chargebacks</a> tells what each stage
              means.
            </>
          ),
        }}
      />
    </Page>
  )
}

const FILTERS: readonly Filter[] = [
  filterBy('choice', 'stage', 'Stage', { isSingle: true, isUsual: true, options: optionsOf(STAGES) }),
  filterBy('text', 'transaction_id', 'Transaction id'),
]

const VIEWS: readonly QuickView[] = [
  { label: 'All', search: {} },
  { label: 'Inquiries', search: { stage: 'inquiry' } },
  { label: 'Announced', search: { stage: 'notification' } },
  { label: 'Chargebacks', search: { stage: 'chargeback' } },
  { label: 'Won', search: { stage: 'won' } },
  { label: 'Lost', search: { stage: 'lost' } },
]

const COLUMNS: readonly Column<Dispute>[] = [
  amountColumn(),
  column('stage', 'Stage', { status: ({ stage }) => STAGES[stage] }),
  column('respond_by', 'Answer by', {
    cell: ({ respond_by }) => respond_by && <When at={respond_by} />,
    text: 'respond_by',
  }),
  reasonColumn(),
  column('reference', 'Id at the service', {
    from: 'desktop',
    look: 'clip mono',
    text: 'external_identifier',
  }),
  column('opened_at', 'Opened', { from: 'tablet', isTime: true, text: 'opened_at' }),
]

/** One dispute, with all that was told of it. */
function Detail({ of: dispute }: Of<Dispute>) {
  const { nameOf } = useServices()
  const price = priceOf(dispute)
  const title = price ? `Dispute of ${moneyText(price.amount, price.currency)}` : 'Dispute'
  return (
    <Page
      title={title}
      {...(price && { heading: <Money {...price} /> })}
      back={{ to: '/disputes', label: 'Disputes' }}
      under={<Marked of={STAGES[dispute.stage]} />}
      actions={<LinkButton to={`/transactions/${dispute.transaction_id}`}>Show the payment</LinkButton>}
    >
      <Columns
        main={
          <>
            <Answer of={dispute} />
            <Section title="Steps" isFlush>
              <Table label="Steps of the dispute" columns={STEP_COLUMNS} rows={dispute.steps.toReversed()} />
            </Section>
          </>
        }
        side={
          <FactCard
            title="Dispute"
            facts={[
              ['Reason', reasonOf(dispute)],
              ['Service', nameOf(dispute.payment_service_id)],
              [
                'Id at the service',
                dispute.external_identifier && <Id key="external" value={dispute.external_identifier} />,
              ],
              ['Opened', <When key="opened" at={dispute.opened_at} />],
              ['Id', <Id key="id" value={dispute.id} isShort />],
            ]}
          />
        }
      />
    </Page>
  )
}

const STEP_COLUMNS: readonly Column<Step>[] = [
  column('stage', 'Stage', {
    cell: ({ stage }) =>
      stage ? <Marked of={STAGES[stage]} /> : <span className="quiet-text">As before</span>,
    text: ({ stage }) => (stage ? STAGES[stage].label : ''),
  }),
  column('provider_stage', 'The service’s word', { look: 'clip mono', text: 'provider_stage' }),
  amountColumn(),
  reasonColumn(),
  column('respond_by', 'Answer by', {
    from: 'desktop',
    cell: ({ respond_by }) => respond_by && <When at={respond_by} />,
    text: 'respond_by',
  }),
  column('posted_at', 'When', { isTime: true, text: 'posted_at' }),
]
