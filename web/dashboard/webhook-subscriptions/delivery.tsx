import { useState } from 'react'
import type { Schemas } from '../../api/schema.d.ts'
import { useAddress } from '../address.ts'
import { useRead } from '../api/client.ts'
import { useMay } from '../api/me.ts'
import { Button, Link } from '../parts/controls.tsx'
import { Columns, Loaded, Page, Section } from '../parts/page.tsx'
import { Facts, Id, Json, When } from '../parts/values.tsx'
import { Attempts } from './attempts.tsx'
import { DeliveryStatus } from './deliveries.tsx'
import { ReplayOne } from './replay.tsx'
import { outcomeText, parkedText } from './words.ts'

type Delivery = Schemas['WebhookDelivery']

/** How often a delivery that is on its way is read again. */
const OPEN_MS = 3_000

export function DeliveryDetail() {
  const { params } = useAddress()
  const path = { subscription_id: params['id'] ?? '', delivery_id: params['delivery'] ?? '' }
  const [everyMs, setEveryMs] = useState<number | false>(false)
  const delivery = useRead('GET /webhook-subscriptions/{subscription_id}/deliveries/{delivery_id}', {
    path,
    everyMs,
  })
  const wanted = delivery.data?.status === 'waiting' ? OPEN_MS : false
  if (wanted !== everyMs) setEveryMs(wanted)
  return <Loaded of={delivery}>{(it) => <Detail of={it} subscriptionId={path.subscription_id} />}</Loaded>
}

type Props = { readonly of: Delivery; readonly subscriptionId: string }

function Detail({ of: it, subscriptionId }: Props) {
  const may = useMay()
  const [isReplaying, setReplaying] = useState(false)
  const subscription = useRead('GET /webhook-subscriptions/{subscription_id}', {
    path: { subscription_id: subscriptionId },
    isWanted: may('webhook-deliveries.read'),
  })
  const isActive = subscription.data?.active !== false
  return (
    <Page
      title={it.event_name}
      back={{ to: `/developers/webhooks/${subscriptionId}`, label: 'Deliveries' }}
      under={
        <>
          <DeliveryStatus of={it} />
          <span>{outcomeText(it)}</span>
          {subscription.data && <span className="mono">{subscription.data.url}</span>}
        </>
      }
      actions={
        may('webhook-deliveries.write') &&
        isActive &&
        // One that waits is sent by itself: a replay would change nothing.
        it.status !== 'waiting' && (
          <Button tone="main" icon="sync" onClick={() => setReplaying(true)}>
            Replay
          </Button>
        )
      }
    >
      <Columns
        main={
          <>
            <Attempts subscriptionId={subscriptionId} delivery={it} />
            <Sent eventId={it.id} />
          </>
        }
        side={
          <Section title="Facts">
            <Facts
              facts={[
                ['Attempts', it.attempts],
                ['Next try', it.next_attempt_at && <When key="next" at={it.next_attempt_at} />],
                ['Given up because', parkedText(it)],
                ['Delivered', it.delivered_at && <When key="delivered" at={it.delivered_at} />],
                ['Created', <When key="created" at={it.created_at} />],
                [
                  'Event',
                  <Link key="event" to={`/developers/events/${it.id}`} className="text-link">
                    Show the event
                  </Link>,
                ],
                ['Id', <Id key="id" value={it.id} isShort />],
              ]}
            />
          </Section>
        }
      />
      {isReplaying && (
        <ReplayOne subscriptionId={subscriptionId} delivery={it} onClose={() => setReplaying(false)} />
      )}
    </Page>
  )
}

/** Every attempt sends the same body: the event. */
function Sent({ eventId }: { readonly eventId: string }) {
  const event = useRead('GET /events/{event_id}', { path: { event_id: eventId } })
  if (event.error) return null
  return (
    <Section title="Body of each request">
      <Loaded of={event}>{(it) => <Json value={it} openDepth={2} />}</Loaded>
    </Section>
  )
}
