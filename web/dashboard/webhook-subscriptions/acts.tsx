import { useState } from 'react'
import type { Schemas } from '../../api/schema.d.ts'
import { useAddress } from '../address.ts'
import { send } from '../api/client.ts'
import { Ask } from '../parts/ask.tsx'
import { Button, Icon, Menu, Popover } from '../parts/controls.tsx'
import { EditSubscription } from './form.tsx'
import { SecretDialog } from './secret.tsx'

type Subscription = Schemas['WebhookSubscription']
type ActProps = { readonly of: Subscription; readonly onClose: () => void }

const ACTS = { edit: EditSubscription, test: SendTest, switch: Switch, delete: Delete } as const

/** What can be done with a subscription. */
export function SubscriptionActs({ of: it }: { readonly of: Subscription }) {
  const [act, setAct] = useState<keyof typeof ACTS | 'rotate'>()
  const [secret, setSecret] = useState<{ readonly text: string | null }>()
  const close = () => setAct(undefined)
  const Act = act && act !== 'rotate' ? ACTS[act] : undefined
  return (
    <>
      {it.active && (
        <Button icon="event" onClick={() => setAct('test')}>
          Send a test event
        </Button>
      )}
      <Button onClick={() => setAct('edit')}>Edit</Button>
      <Popover className="button plain icon-only" label="More" side="end" button={<Icon name="more" />}>
        {(shut) => (
          <Menu
            close={shut}
            items={[
              { label: it.active ? 'Disable' : 'Enable', onChoose: () => setAct('switch') },
              { label: 'Rotate the secret', icon: 'sync', onChoose: () => setAct('rotate') },
              { label: 'Delete', icon: 'close', onChoose: () => setAct('delete') },
            ]}
          />
        )}
      </Popover>
      {Act && <Act of={it} onClose={close} />}
      {act === 'rotate' && (
        <Rotate of={it} onClose={close} onRotated={(made) => setSecret({ text: made.secret })} />
      )}
      {secret && <SecretDialog secret={secret.text} onClose={() => setSecret(undefined)} />}
    </>
  )
}

function SendTest({ of: { id, url }, onClose }: ActProps) {
  const path = { subscription_id: id }
  return (
    <Ask
      title="Send a test event"
      verb="Send"
      says={`An event “webhook-subscription.test” goes to ${url}, signed like all others.`}
      send={(_body, idempotencyKey) =>
        send('POST /webhook-subscriptions/{subscription_id}/test', { path, idempotencyKey })
      }
      outcome={() => ({ kind: 'done', title: 'The test event was sent' })}
      onClose={onClose}
    />
  )
}

function Switch({ of: { id, active, url }, onClose }: ActProps) {
  return (
    <Ask
      title={active ? 'Disable the subscription' : 'Enable the subscription'}
      verb={active ? 'Disable' : 'Enable'}
      isDangerous={active}
      says={
        active
          ? `No more events are sent to ${url}. You can replay missed events later.`
          : `Events are sent to ${url} from now on. Replay missed events if you need them.`
      }
      send={() =>
        send('PUT /webhook-subscriptions/{subscription_id}', {
          path: { subscription_id: id },
          body: { active: !active },
        })
      }
      outcome={() => ({
        kind: 'done',
        title: active ? 'The subscription is disabled' : 'The subscription is enabled',
      })}
      onClose={onClose}
    />
  )
}

function Rotate({
  of: { id },
  onClose,
  onRotated,
}: ActProps & { readonly onRotated: (made: Subscription) => void }) {
  const path = { subscription_id: id }
  return (
    <Ask
      title="Rotate the secret"
      verb="Rotate"
      says="Events are signed with a new secret from now on, which you see next. For a while they are also signed with the old one, so that your server can switch."
      fields={[
        {
          name: 'delta',
          label: 'Minutes until the old secret expires',
          kind: 'number',
          min: 0,
          max: 525_600,
          isRequired: true,
        },
      ]}
      initial={{ delta: 60 }}
      send={(body, idempotencyKey) =>
        send('POST /webhook-subscriptions/{subscription_id}/rotate-secret', { path, body, idempotencyKey })
      }
      outcome={() => ({ kind: 'done', title: 'The secret was rotated' })}
      onDone={onRotated}
      onClose={onClose}
    />
  )
}

function Delete({ of: { id, url }, onClose }: ActProps) {
  const { go } = useAddress()
  return (
    <Ask
      title="Delete the subscription"
      verb="Delete"
      isDangerous
      says={`No more events are sent to ${url}, and its deliveries are no longer shown. To pause it, disable it instead.`}
      send={() => send('DELETE /webhook-subscriptions/{subscription_id}', { path: { subscription_id: id } })}
      outcome={() => ({ kind: 'done', title: 'The subscription was deleted' })}
      onDone={() => go('/developers/webhooks')}
      deletedId={id}
      onClose={onClose}
    />
  )
}
