import { useQueries } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import type { Schemas } from '../../api/schema.d.ts'
import { useAddress } from '../address.ts'
import { selectedAccount } from '../api/account.ts'
import { send, useRead } from '../api/client.ts'
import { useMay } from '../api/me.ts'
import { serviceNow } from '../api/service-time.ts'
import { Ask, type Outcome } from '../parts/ask.tsx'
import { Button, CopyButton, Link } from '../parts/controls.tsx'
import { field } from '../parts/fields.tsx'
import { filterBy } from '../parts/list/filters.ts'
import { List, type RowOf } from '../parts/list/list.tsx'
import { type Column, column } from '../parts/list/table.tsx'
import { Columns, FactCard, Loaded, Page, Section } from '../parts/page.tsx'
import { exactClockText, exactText, Id, Json, Marked, optionsOf, Status, When } from '../parts/values.tsx'
import { outcomeText, parkedText, reasonText, STATUSES, statusOf, toneOf } from './words.ts'

type Row = RowOf<'GET /webhook-subscriptions/{subscription_id}/deliveries'>

/** What was sent to the address of a subscription, or waits to be. */
export function Deliveries({ subscriptionId }: { readonly subscriptionId: string }) {
  const request = useMemo(() => ({ path: { subscription_id: subscriptionId } }), [subscriptionId])
  return (
    <List
      name="webhook-deliveries"
      route="GET /webhook-subscriptions/{subscription_id}/deliveries"
      request={request}
      filters={[filterBy('text', 'event_id', 'Event', { isMany: true, hint: 'Its id' }), STATUS]}
      views={VIEWS}
      columns={COLUMNS}
      to={({ id }) => `/developers/webhooks/${subscriptionId}/deliveries/${id}`}
      empty={{
        title: 'Nothing was sent yet',
        text: 'The next event of this merchant account appears here. Send a test event to see one at once.',
      }}
    />
  )
}

const STATUS = filterBy('choice', 'status', 'Status', { isSingle: true, options: optionsOf(STATUSES) })

const VIEWS = [
  { label: 'All', search: {} },
  ...Object.entries(STATUSES).map(([status, { label }]) => ({ label, search: { status } })),
]

const COLUMNS: readonly Column<Row>[] = [
  column('event_name', 'Event', { text: 'event_name' }),
  column('status', 'Status', { status: statusOf }),
  column('outcome', 'Last answer', { from: 'tablet', text: outcomeText }),
  column('attempts', 'Attempts', { from: 'tablet', isNumber: true, text: 'attempts' }),
  column('next_attempt_at', 'Next try', { isExtra: true, isTime: true, text: 'next_attempt_at' }),
  column('created_at', 'Created', { isTime: true, text: 'created_at' }),
]

type Delivery = Schemas['WebhookDelivery']

/** How often a delivery that is on its way is read again. */
const OPEN_MS = 3_000

export function DeliveryDetail() {
  const { params } = useAddress()
  const path = { subscription_id: params['id'] ?? '', delivery_id: params['delivery'] ?? '' }
  const delivery = useRead('GET /webhook-subscriptions/{subscription_id}/deliveries/{delivery_id}', {
    path,
    everyMs: (found) => found?.status === 'waiting' && OPEN_MS,
  })
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
          <Marked of={statusOf(it)} />
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
          <FactCard
            title="Facts"
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

type Attempt = Schemas['WebhookAttempt']
type AttemptsProps = { readonly subscriptionId: string; readonly delivery: Schemas['WebhookDelivery'] }

/** Each attempt to deliver an event, with what the receiver answered. */
function Attempts({ subscriptionId, delivery }: AttemptsProps) {
  const attempts = useRead('GET /webhook-subscriptions/{subscription_id}/deliveries/{delivery_id}/attempts', {
    path: { subscription_id: subscriptionId, delivery_id: delivery.id },
  })
  const { refetch } = attempts
  // The delivery is read again while it waits. When it has been tried, so are its attempts.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when there was another attempt
  useEffect(() => void refetch(), [refetch, delivery.updated_at, delivery.attempts])
  return (
    <Section title="Attempts">
      <Loaded of={attempts}>
        {({ items }) =>
          items.length === 0 ? (
            <p className="quiet-text">None yet: the first one follows within seconds.</p>
          ) : (
            <ul className="exchanges">
              {items.map((one, index) => (
                <li key={one.number}>
                  <OneAttempt of={one} isOpen={index === 0} />
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Section>
  )
}

function OneAttempt({ of: it, isOpen }: { readonly of: Attempt; readonly isOpen: boolean }) {
  const reason = reasonText(it)
  return (
    <details className="exchange" open={isOpen}>
      <summary>
        <b>{`Attempt ${it.number}`}</b>
        <Status tone={toneOf(it.outcome)}>{outcomeText(it)}</Status>
        <span className="quiet-text number">{it.duration_ms} ms</span>
        <time dateTime={it.created_at} title={exactText(it.created_at)}>
          {exactClockText(it.created_at)}
        </time>
      </summary>
      {reason && <p className="quiet-text">{reason}</p>}
      <h3>Answer of the receiver</h3>
      <Answer of={it} />
    </details>
  )
}

/** As a tree if it is JSON, else as text. */
function Answer({ of: { number, response_body: body } }: { readonly of: Attempt }) {
  if (body === null) return <p className="quiet-text">There was none.</p>
  if (body === '') return <p className="quiet-text">It had no body.</p>
  const value = jsonOf(body)
  if (value !== undefined) return <Json value={value} openDepth={2} label={`Answer to attempt ${number}`} />
  return (
    <div className="json">
      <CopyButton text={body} />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reached by keyboard */}
      <pre className="json-tree mono" tabIndex={0}>
        {body}
      </pre>
    </div>
  )
}

function jsonOf(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' ? value : undefined
  } catch {
    return undefined
  }
}

type ReplayProps = { readonly subscriptionId: string; readonly onClose: () => void }

const HOUR_MS = 3_600_000

/** Sends again what a receiver has missed: all that was given up, or everything since a time. */
export function ReplayMany({ subscriptionId }: { readonly subscriptionId: string }) {
  const [act, setAct] = useState<'failed' | 'since'>()
  const props = { subscriptionId, onClose: () => setAct(undefined) }
  return (
    <>
      <Button onClick={() => setAct('failed')}>Replay failed</Button>
      <Button onClick={() => setAct('since')}>Replay since…</Button>
      {act === 'failed' && <ReplayFailed {...props} />}
      {act === 'since' && <ReplaySince {...props} />}
    </>
  )
}

function ReplayFailed({ subscriptionId, onClose }: ReplayProps) {
  return (
    <Ask
      title="Replay failed events"
      verb="Replay"
      says="Every event whose delivery was given up is sent again, with the same id. Events still being retried are not affected."
      send={(_body, idempotencyKey) => replay(subscriptionId, { status: 'parked' }, idempotencyKey)}
      outcome={tellReplay}
      onClose={onClose}
    />
  )
}

function ReplaySince({ subscriptionId, onClose }: ReplayProps) {
  return (
    <Ask
      title="Replay events since a time"
      verb="Replay"
      says="Every event since then is sent again, including delivered ones and those missed while the subscription was disabled. Your server can recognise repeated events by their id."
      fields={[
        field('moment', 'since', 'From', { isRequired: true, isHalf: true }),
        field('moment', 'until', 'Until', { isHalf: true, hint: 'Leave empty for now.' }),
      ]}
      initial={{ since: new Date(serviceNow().getTime() - HOUR_MS).toISOString() }}
      send={(body, idempotencyKey) => replay(subscriptionId, body, idempotencyKey)}
      outcome={tellReplay}
      onClose={onClose}
    />
  )
}

function replay(id: string, body: Schemas['ReplayWebhooks'], idempotencyKey: string) {
  const path = { subscription_id: id }
  return send('POST /webhook-subscriptions/{subscription_id}/replay', { path, body, idempotencyKey })
}

function tellReplay({ count, next_since }: Schemas['WebhookReplay']): Outcome {
  if (count === 0) return { kind: 'done', title: 'There was nothing to replay' }
  if (next_since !== null)
    return {
      kind: 'shown',
      title: `${count} events are on their way`,
      text: `There are more: replay again from ${next_since}.`,
    }
  return { kind: 'done', title: count === 1 ? 'One event is on its way' : `${count} events are on their way` }
}

type OneProps = ReplayProps & { readonly delivery: Schemas['WebhookDelivery'] }

function ReplayOne({ subscriptionId, delivery, onClose }: OneProps) {
  const path = { subscription_id: subscriptionId, delivery_id: delivery.id }
  return (
    <Ask
      title={`Replay ${delivery.event_name}`}
      verb="Replay"
      says={`The event is sent again with the same id, to the address that the subscription has now.${
        delivery.status === 'delivered' ? ' Your server has taken it before.' : ''
      }`}
      send={(_body, idempotencyKey) =>
        send('POST /webhook-subscriptions/{subscription_id}/deliveries/{delivery_id}/replay', {
          path,
          idempotencyKey,
        })
      }
      outcome="The event is on its way"
      onClose={onClose}
    />
  )
}

/** A webhook about a thing, with the address that it goes to. */
export type DeliveryTo = Schemas['WebhookDelivery'] & { readonly url: string }

/** Where events were sent: at most a hundred of them. A delivery has the id of its event. */
export function useDeliveriesOf(eventIds: readonly string[], isWanted: boolean): readonly DeliveryTo[] {
  const subscriptions = useRead('GET /webhook-subscriptions', { query: { limit: 100 }, isWanted })
  const receivers = eventIds.length > 0 ? (subscriptions.data?.items ?? []) : []
  const found = useQueries({
    queries: receivers.map(({ id, url }) => ({
      queryKey: ['deliveries', selectedAccount(), id, eventIds],
      queryFn: async ({ signal }: { readonly signal: AbortSignal }) => {
        const path = { subscription_id: id }
        const query = { event_id: [...eventIds], limit: 100 }
        const route = 'GET /webhook-subscriptions/{subscription_id}/deliveries'
        const { items } = await send(route, { path, query, signal })
        return items.map((item): DeliveryTo => ({ ...item, url }))
      },
    })),
  })
  return found.flatMap(({ data }) => data ?? [])
}
