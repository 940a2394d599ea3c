import { EVENT_NAMES } from '../../../server/src/domain/event-names.ts'
import type { Schemas } from '../../api/schema.d.ts'
import { useMay } from '../api/me.ts'
import { Link } from '../parts/controls.tsx'
import { filterBy } from '../parts/list/filters.ts'
import { List, type RowOf } from '../parts/list/list.tsx'
import { type Column, column, Table } from '../parts/list/table.tsx'
import { Columns, FactCard, type Of, Page, pageOf, Section } from '../parts/page.tsx'
import { Id, Json, When } from '../parts/values.tsx'
import { type DeliveryTo, useDeliveriesOf } from '../webhook-subscriptions/deliveries.tsx'
import { outcomeText, statusOf } from '../webhook-subscriptions/words.ts'
import { EventName, pathOfTarget, targetText } from './words.tsx'

export const pages = { '/': EventList, '/$id': pageOf('GET /events/{event_id}', Detail) }

type Row = RowOf<'GET /events'>

/** What happened, as webhooks tell it. */
function EventList() {
  return (
    <Page title="Events">
      <List
        name="events"
        route="GET /events"
        filters={[
          filterBy('choice', 'name', 'Event', {
            isSingle: true,
            isUsual: true,
            options: EVENT_NAMES.map((value) => ({ value, label: value })),
          }),
          filterBy('text', 'target_id', 'About', { hint: 'The id of a payment, a buyer…', isUsual: true }),
          filterBy('period', 'created_at', 'Created', { isUsual: true }),
        ]}
        columns={COLUMNS}
        to={({ id }) => `/developers/events/${id}`}
        empty={{
          title: 'No events yet',
          text: (
            <>
              A payment, a buyer or a refund makes the first one. The guide{' '}
              <a href="/docs/guide/events">Events</a> lists all of them.
            </>
          ),
        }}
      />
    </Page>
  )
}

const COLUMNS: readonly Column<Row>[] = [
  column('name', 'Event', { cell: ({ name }) => <EventName name={name} />, text: 'name' }),
  column('type', 'About', { cell: targetText, text: ({ target }) => target.type, from: 'tablet' }),
  column('target_id', 'Object id', { from: 'tablet', look: 'mono clip', text: ({ target }) => target.id }),
  column('sequence', 'Sequence', { isExtra: true, isNumber: true, text: 'sequence' }),
  column('created_at', 'Created', { isTime: true, text: 'created_at' }),
]

type Event = Schemas['Event']

function Detail({ of: it }: Of<Event>) {
  const path = pathOfTarget(it)
  return (
    <Page
      title={it.name}
      back={{ to: '/developers/events', label: 'Events' }}
      under={
        <>
          <EventName name={it.name} />
          <When at={it.created_at} />
        </>
      }
    >
      <Columns
        main={
          <>
            <Section title={`${targetText(it)} at that time`}>
              <Json value={it.target} openDepth={2} />
            </Section>
            <Told event={it} />
          </>
        }
        side={
          <FactCard
            title="Details"
            facts={[
              [
                'About',
                path ? (
                  <Link key="about" to={path} className="text-link">
                    {targetText(it)}
                  </Link>
                ) : (
                  targetText(it)
                ),
              ],
              ['Object id', <Id key="target" value={it.target.id} isShort />],
              [
                'Related events',
                <Link
                  key="more"
                  to="/developers/events"
                  search={{ target_id: it.target.id }}
                  className="text-link"
                >
                  Show all
                </Link>,
              ],
              ['Sequence', it.sequence],
              ['Merchant account', it.merchant_account_id ?? 'All'],
              ['Environment', it.environment],
              ['Installation', it.instance_id],
              ['Event', <Id key="id" value={it.id} isShort />],
            ]}
          />
        }
      />
    </Page>
  )
}

const DELIVERIES: readonly Column<DeliveryTo>[] = [
  column('url', 'Address', { look: 'clip', text: 'url' }),
  column('status', 'Status', { status: statusOf }),
  column('outcome', 'Last answer', { from: 'tablet', text: outcomeText }),
]

/** Where the event was sent. */
function Told({ event }: { readonly event: Event }) {
  const may = useMay()
  const isWanted = may('webhook-deliveries.read')
  const deliveries = useDeliveriesOf([event.id], isWanted)
  if (!isWanted) return null
  return (
    <Section title="Webhooks" isFlush>
      {deliveries.length === 0 ? (
        <p className="nothing">Not sent: no active subscription covers this event.</p>
      ) : (
        <Table
          label="Webhooks: rows"
          columns={DELIVERIES}
          rows={deliveries}
          to={({ id, webhook_subscription_id }) =>
            `/developers/webhooks/${webhook_subscription_id}/deliveries/${id}`
          }
        />
      )}
    </Section>
  )
}
