import type { Schemas } from '../../api/schema.d.ts'
import { useAddress } from '../address.ts'
import { useRead } from '../api/client.ts'
import { useMay } from '../api/me.ts'
import { Link } from '../parts/controls.tsx'
import { Table } from '../parts/list/table.tsx'
import { Columns, Loaded, Page, Section } from '../parts/page.tsx'
import { Facts, Id, Json, When } from '../parts/values.tsx'
import { DeliveryStatus } from '../webhook-subscriptions/deliveries.tsx'
import { useDeliveriesOf } from '../webhook-subscriptions/deliveries-of.ts'
import { outcomeText } from '../webhook-subscriptions/words.ts'
import { EventName } from './list.tsx'
import { pathOfTarget, targetText } from './words.ts'

type Event = Schemas['Event']

export function EventDetail() {
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
