import { useState } from 'react'
import type { Schemas } from '../../api/schema.d.ts'
import { send } from '../api/client.ts'
import { serviceNow } from '../api/service-time.ts'
import { Ask, type Outcome } from '../parts/ask.tsx'
import { Button } from '../parts/controls.tsx'

type Props = { readonly subscriptionId: string; readonly onClose: () => void }

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

function ReplayFailed({ subscriptionId, onClose }: Props) {
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

function ReplaySince({ subscriptionId, onClose }: Props) {
  return (
    <Ask
      title="Replay events since a time"
      verb="Replay"
      says="Every event since then is sent again, including delivered ones and those missed while the subscription was disabled. Your server can recognise repeated events by their id."
      fields={[
        { name: 'since', label: 'From', kind: 'moment', isRequired: true, isHalf: true },
        { name: 'until', label: 'Until', kind: 'moment', isHalf: true, hint: 'Leave empty for now.' },
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

type OneProps = Props & { readonly delivery: Schemas['WebhookDelivery'] }

export function ReplayOne({ subscriptionId, delivery, onClose }: OneProps) {
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
      outcome={() => ({ kind: 'done', title: 'The event is on its way' })}
      onClose={onClose}
    />
  )
}
