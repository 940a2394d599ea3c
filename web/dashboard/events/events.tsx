import { EVENT_NAMES } from '../../../server/src/domain/event-names.ts'
import type { Schemas } from '../../api/schema.d.ts'
import { useAddress } from '../address.ts'
import { useRead } from '../api/client.ts'
import { useMay } from '../api/me.ts'
import { Link } from '../parts/controls.tsx'
import { List, type RowOf } from '../parts/list/list.tsx'
import { type Column, Table } from '../parts/list/table.tsx'
import { Columns, Loaded, Page, Section } from '../parts/page.tsx'
import { Facts, Id, Json, When } from '../parts/values.tsx'
import { DeliveryStatus, useDeliveriesOf } from '../webhook-subscriptions/deliveries.tsx'
import { outcomeText } from '../webhook-subscriptions/words.ts'
import { EventName, pathOfTarget, targetText } from './words.tsx'

export const pages = { '/': EventList, '/$id': EventDetail }

type Row = RowOf<'GET /events'>

/** What happened, as webhooks tell it. */
function EventList() {
  return (
    <Page title="Events">
      <List
        name="events"
        route="GET /events"
        filters={[
          {
            id: 'name',
            label: 'Event',
            kind: 'choice',
            isSingle: true,
            isUsual: true,
            options: EVENT_NAMES.map((value) => ({ value, label: value })),
          },
          {
            id: 'target_id',
            label: 'About',
            kind: 'text',
            hint: 'The id of a payment, a buyer…',
            isUsual: true,
          },
          { id: 'created_at', label: 'Created', kind: 'period', isUsual: true },
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
  {
    id: 'name',
    title: 'Event',
    cell: ({ name }) => <EventName name={name} />,
    text: ({ name }) => name,
  },
  { id: 'type', title: 'About', cell: targetText, text: ({ target }) => target.type, from: 'tablet' },
  { id: 'target_id', title: 'Object id', from: 'tablet', look: 'mono clip', text: ({ target }) => target.id },
  { id: 'sequence', title: 'Sequence', isExtra: true, isNumber: true, text: ({ sequence }) => sequence },
  { id: 'created_at', title: 'Created', isTime: true, text: ({ created_at }) => created_at },
]

type Event = Schemas['Event']

function EventDetail() {
  const { params } = useAddress()
  const event = useRead('GET /events/{event_id}', { path: { event_id: params['id'] ?? '' } })
  return <Loaded of={event}>{(it) => <Detail of={it} />}</Loaded>
}

function Detail({ of: it }: { readonly of: Event }) {
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
          <Section title="Details">
            <Facts
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
          </Section>
        }
      />
    </Page>
  )
}

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
          columns={[
            { id: 'url', title: 'Address', look: 'clip', text: ({ url }) => url },
            { id: 'status', title: 'Status', cell: (row) => <DeliveryStatus of={row} /> },
            { id: 'outcome', title: 'Last answer', cell: outcomeText, from: 'tablet' },
          ]}
          rows={deliveries}
          to={({ id, webhook_subscription_id }) =>
            `/developers/webhooks/${webhook_subscription_id}/deliveries/${id}`
          }
        />
      )}
    </Section>
  )
}
