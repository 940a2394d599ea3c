import { useState } from 'react'
import { EVENT_NAMES } from '../../../server/src/domain/event-names.ts'
import type { Schemas } from '../../api/schema.d.ts'
import { useAddress } from '../address.ts'
import { send } from '../api/client.ts'
import { useMay } from '../api/me.ts'
import { proveAgain } from '../api/session.ts'
import { Ask, Deletion } from '../parts/ask.tsx'
import { Button, CopyButton, Dialog, Icon, Menu, Popover } from '../parts/controls.tsx'
import { type Field, field, type Typed, type Values } from '../parts/fields.tsx'
import { List, type RowOf } from '../parts/list/list.tsx'
import { type Column, column } from '../parts/list/table.tsx'
import { Columns, FactCard, Notice, type Of, Page, pageOf } from '../parts/page.tsx'
import { Id, Marked, When } from '../parts/values.tsx'
import { notify } from '../shell/notices.tsx'
import { Deliveries, DeliveryDetail, ReplayMany } from './deliveries.tsx'
import { AUTHENTICATION_OPTIONS, authenticationText, eventsText, healthOf, nameOf } from './words.ts'

export const pages = {
  '/': SubscriptionList,
  '/$id': pageOf('GET /webhook-subscriptions/{subscription_id}', Detail),
  '/$id/deliveries/$delivery': DeliveryDetail,
}

type Row = RowOf<'GET /webhook-subscriptions'>

function SubscriptionList() {
  const may = useMay()
  const { go } = useAddress()
  const [isMaking, setMaking] = useState(false)
  const [made, setMade] = useState<Schemas['WebhookSubscription']>()
  const add = may('webhook-subscriptions.write') && (
    <Button tone="main" icon="plus" onClick={() => setMaking(true)}>
      New subscription
    </Button>
  )
  return (
    <Page title="Webhooks" actions={add}>
      <List
        name="webhook-subscriptions"
        route="GET /webhook-subscriptions"
        columns={COLUMNS}
        to={({ id }) => `/developers/webhooks/${id}`}
        empty={{
          title: 'No subscriptions yet',
          text: (
            <>
              Your server hears of payments, refunds and more as they happen. The guide{' '}
              <a href="/docs/guide/webhooks">Webhooks</a> has a receiver to begin with.
            </>
          ),
        }}
      />
      {isMaking && <NewSubscription onMade={setMade} onClose={() => setMaking(false)} />}
      {made && <SecretDialog secret={made.secret} onClose={() => go(`/developers/webhooks/${made.id}`)} />}
    </Page>
  )
}

const COLUMNS: readonly Column<Row>[] = [
  column('url', 'Address', { look: 'clip', text: 'url' }),
  column('active', 'Status', { cell: (row) => <Health of={row} />, text: (row) => healthOf(row).label }),
  column('last_delivered_at', 'Last taken', {
    cell: ({ last_delivered_at: at }) => (at ? <When at={at} /> : 'Never'),
    text: 'last_delivered_at',
    from: 'tablet',
  }),
  column('events', 'Events', {
    cell: ({ events }) => <span className="clip">{eventsText(events)}</span>,
    text: ({ events }) => events?.join(' ') ?? 'all',
    from: 'tablet',
  }),
  column('authentication', 'Authentication', {
    cell: ({ authentication }) => authenticationText(authentication),
    text: ({ authentication }) => authentication?.kind,
    from: 'desktop',
  }),
  column('merchant_account_id', 'Merchant account', {
    cell: ({ merchant_account_id }) => merchant_account_id ?? 'All',
    text: 'merchant_account_id',
    isExtra: true,
  }),
  column('creator', 'Made by', { from: 'desktop', text: ({ creator }) => creator?.name }),
]

/** Whether events are sent, and whether the receiver takes them. */
function Health({ of }: { readonly of: Pick<Row, 'active' | 'failing_since'> }) {
  return (
    <>
      <Marked of={healthOf(of)} />
      {of.active && of.failing_since && (
        <small className="quiet-text">
          {' '}
          since <When at={of.failing_since} />
        </small>
      )}
    </>
  )
}

type Subscription = Schemas['WebhookSubscription']

function Detail({ of: it }: Of<Subscription>) {
  const may = useMay()
  return (
    <Page
      title={nameOf(it.url)}
      back={{ to: '/developers/webhooks', label: 'Webhooks' }}
      under={
        <>
          <Health of={it} />
          <span className="mono">{it.url}</span>
        </>
      }
      actions={may('webhook-subscriptions.write') && <SubscriptionActs of={it} />}
    >
      {it.active && it.failing_since && (
        <Notice tone="bad" title="The receiver takes nothing">
          Every attempt since <When at={it.failing_since} /> has failed. Open a delivery to see the answer.
          Events are tried again for six days.
        </Notice>
      )}
      {!it.active && (
        <Notice tone="wait" title="Nothing is sent while the subscription is disabled">
          Events of this time are not lost: make it active, then replay them.
        </Notice>
      )}
      <Columns
        main={
          <section aria-label="Deliveries">
            <div className="card-head">
              <h2>Deliveries</h2>
              <div className="actions">
                {may('webhook-deliveries.write') && it.active && <ReplayMany subscriptionId={it.id} />}
              </div>
            </div>
            <Deliveries subscriptionId={it.id} />
          </section>
        }
        side={<AboutSubscription of={it} />}
      />
    </Page>
  )
}

function AboutSubscription({ of: it }: { readonly of: Subscription }) {
  const may = useMay()
  return (
    <FactCard
      title="Facts"
      facts={[
        [
          'Events',
          it.events && it.events.length > 3 ? (
            <EventNames key="events" names={it.events} />
          ) : (
            eventsText(it.events)
          ),
        ],
        ['Authentication', authenticationText(it.authentication)],
        ['User name', it.authentication?.username],
        ['Client id', it.authentication?.client_id],
        ['Tokens from', it.authentication?.token_url],
        ['Secret', may('webhook-subscriptions.read') && <ShowSecret key="secret" subscriptionId={it.id} />],
        ['Rotating', it.rotating && 'The former secret signs, too'],
        ['Merchant account', it.merchant_account_id ?? 'All'],
        ['Last taken', it.last_delivered_at ? <When key="taken" at={it.last_delivered_at} /> : 'Never'],
        ['Made by', it.creator?.name],
        ['Id', <Id key="id" value={it.id} isShort />],
      ]}
    />
  )
}

function EventNames({ names }: { readonly names: readonly string[] }) {
  return (
    <ul>
      {names.map((name) => (
        <li key={name}>{name}</li>
      ))}
    </ul>
  )
}

type ActProps = { readonly of: Subscription; readonly onClose: () => void }

const ACTS = { edit: EditSubscription, test: SendTest, switch: Switch, delete: Delete } as const

/** What can be done with a subscription. */
function SubscriptionActs({ of: it }: { readonly of: Subscription }) {
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
      outcome="The test event was sent"
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
      outcome={active ? 'The subscription is disabled' : 'The subscription is enabled'}
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
        field('number', 'delta', 'Minutes until the old secret expires', {
          min: 0,
          max: 525_600,
          isRequired: true,
        }),
      ]}
      initial={{ delta: 60 }}
      send={(body, idempotencyKey) =>
        send('POST /webhook-subscriptions/{subscription_id}/rotate-secret', { path, body, idempotencyKey })
      }
      outcome="The secret was rotated"
      onDone={onRotated}
      onClose={onClose}
    />
  )
}

function Delete({ of: { id, url }, onClose }: ActProps) {
  return (
    <Deletion
      id={id}
      name="The subscription"
      title="Delete the subscription"
      says={`No more events are sent to ${url}, and its deliveries are no longer shown. To pause it, disable it instead.`}
      send={() => send('DELETE /webhook-subscriptions/{subscription_id}', { path: { subscription_id: id } })}
      list="/developers/webhooks"
      onClose={onClose}
    />
  )
}

type Props = { readonly secret: string | null; readonly onClose: () => void }

/** Signing secret. It lives in a variable of the page, and goes with the dialog. */
function SecretDialog({ secret, onClose }: Props) {
  return (
    <Dialog title="Signing secret" onClose={onClose}>
      <div className="dialog-body secret">
        {secret === null ? (
          <Notice tone="info" title="Your roles do not allow you to see the secret">
            Ask an administrator for it.
          </Notice>
        ) : (
          <>
            <p>
              Your server verifies each request with it: the guide{' '}
              <a href="/docs/guide/webhooks#verify" className="text-link">
                Webhooks
              </a>{' '}
              shows how. Keep it as you keep a password.
            </p>
            <p className="mono secret-text">{secret}</p>
            <CopyButton tone="plain" text={secret} label="Copy the secret" />
          </>
        )}
      </div>
      <div className="dialog-actions">
        <Button tone="main" onClick={onClose}>
          Done
        </Button>
      </div>
    </Dialog>
  )
}

/** Asks for the secret when a person wants to see it. */
function ShowSecret({ subscriptionId }: { readonly subscriptionId: string }) {
  const [shown, setShown] = useState<{ readonly secret: string | null }>()
  const show = async () => {
    const path = { subscription_id: subscriptionId }
    try {
      const read = () => send('GET /webhook-subscriptions/{subscription_id}', { path })
      const found = await read()
      // The server leaves it out while the last proof of the person is old.
      if (found.secret !== null) setShown(found)
      else if (await proveAgain()) setShown(await read())
    } catch {
      notify({ title: 'The secret could not be read', text: 'Try again in a moment.' })
    }
  }
  return (
    <>
      <button type="button" className="text-link" onClick={() => void show()}>
        Show it
      </button>
      {shown && <SecretDialog secret={shown.secret} onClose={() => setShown(undefined)} />}
    </>
  )
}

type Request = Schemas['CreateWebhookSubscription']

/** Sent back, it keeps the secret that is stored. */
const STORED = '********'

const GROUPS = [...new Set(EVENT_NAMES.map((name) => `${name.slice(0, name.indexOf('.'))}.*`))]

/** Questions about a subscription. Which secrets it needs depends on how the receiver wants to be called. */
function fieldsOf(typed: Typed, stored: Subscription['authentication']): readonly Field[] {
  const kind = typed['authentication.kind']
  const isStored = stored !== null && stored.kind === kind
  return [
    field('url', 'url', 'Address', { isRequired: true, placeholder: 'https://shop.example/webhooks' }),
    field('choices', 'groups', 'Events', {
      options: GROUPS.map((value) => ({ value, label: value })),
      hint: 'Choose none for all events, including new ones in later versions.',
    }),
    field('lines', 'names', 'Single events', { hint: 'One per line, such as refund.failed.' }),
    field('choice', 'authentication.kind', 'Authentication', {
      options: AUTHENTICATION_OPTIONS,
      hint: 'Every request is signed as well.',
    }),
    ...(kind === 'basic' || kind === 'oauth_password' ? passwordFields(isStored) : []),
    ...(kind === 'oauth_client_credentials' || kind === 'oauth_password' ? clientFields(isStored) : []),
  ]
}

function passwordFields(isStored: boolean): Field[] {
  return [
    field('text', 'authentication.username', 'User name', { isRequired: true, isHalf: true }),
    secretField('password', 'Password', isStored),
  ]
}

function clientFields(isStored: boolean): Field[] {
  return [
    field('url', 'authentication.token_url', 'Token URL', { isRequired: true }),
    field('text', 'authentication.client_id', 'Client id', { isRequired: true, isHalf: true }),
    secretField('client_secret', 'Client secret', isStored),
    field('text', 'authentication.scope', 'Scope'),
  ]
}

function secretField(name: string, label: string, isStored: boolean): Field {
  return field('secret', `authentication.${name}`, label, {
    isHalf: true,
    isRequired: !isStored,
    ...(isStored && { hint: 'Leave empty to keep the stored one.' }),
  })
}

/** The body of the operation, from what the fields mean. */
function requestOf(body: Record<string, unknown>, stored: Subscription['authentication']): Request {
  const {
    url,
    groups = [],
    names = [],
    authentication,
  } = body as {
    url: string
    groups?: string[]
    names?: string[]
    authentication?: NonNullable<Request['authentication']>
  }
  const events = [...groups, ...names]
  const kept = stored?.kind === authentication?.kind ? secretsOf(stored) : {}
  return {
    url,
    events: events.length > 0 ? events : null,
    authentication: authentication?.kind ? { ...kept, ...authentication } : null,
  }
}

function secretsOf(stored: Subscription['authentication']) {
  return {
    ...(stored?.password && { password: STORED }),
    ...(stored?.client_secret && { client_secret: STORED }),
  }
}

type NewProps = { readonly onMade: (made: Subscription) => void; readonly onClose: () => void }

function NewSubscription({ onMade, onClose }: NewProps) {
  return (
    <Ask
      title="New webhook subscription"
      verb="Subscribe"
      isWide
      says="Events of this merchant account are sent to the URL, signed with a secret that you see next."
      fields={(typed) => fieldsOf(typed, null)}
      send={(body, idempotencyKey) =>
        send('POST /webhook-subscriptions', { body: requestOf(body, null), idempotencyKey })
      }
      outcome="The subscription was created"
      onDone={onMade}
      onClose={onClose}
    />
  )
}

function EditSubscription({
  of: { id, url, events, authentication },
  onClose,
}: {
  readonly of: Subscription
  readonly onClose: () => void
}) {
  const isGroup = (name: string) => GROUPS.includes(name)
  const initial: Values = {
    url,
    groups: (events ?? []).filter(isGroup),
    names: (events ?? []).filter((name) => !isGroup(name)),
    'authentication.kind': authentication?.kind,
    'authentication.username': authentication?.username,
    'authentication.client_id': authentication?.client_id,
    'authentication.token_url': authentication?.token_url,
    'authentication.scope': authentication?.scope,
  }
  return (
    <Ask
      title="Edit the subscription"
      verb="Save"
      isWide
      says="Pending deliveries also go to the new URL. For another domain, enter the password or client secret again."
      fields={(typed) => fieldsOf(typed, authentication)}
      initial={initial}
      send={(body) =>
        send('PUT /webhook-subscriptions/{subscription_id}', {
          path: { subscription_id: id },
          body: requestOf(body, authentication),
        })
      }
      outcome="The subscription was changed"
      onClose={onClose}
    />
  )
}
