import { EVENT_NAMES } from '../../../server/src/domain/event-names.ts'
import type { Schemas } from '../../api/schema.d.ts'
import { send } from '../api/client.ts'
import { Ask } from '../parts/ask.tsx'
import type { Field, Typed, Values } from '../parts/fields.tsx'
import { AUTHENTICATION_OPTIONS } from './words.ts'

type Subscription = Schemas['WebhookSubscription']
type Request = Schemas['CreateWebhookSubscription']

/** Sent back, it keeps the secret that is stored. */
const STORED = '********'

const GROUPS = [...new Set(EVENT_NAMES.map((name) => `${name.slice(0, name.indexOf('.'))}.*`))]

/** Questions about a subscription. Which secrets it needs depends on how the receiver wants to be called. */
function fieldsOf(typed: Typed, stored: Subscription['authentication']): readonly Field[] {
  const kind = typed['authentication.kind']
  const isStored = stored !== null && stored.kind === kind
  return [
    {
      name: 'url',
      label: 'Address',
      kind: 'url',
      isRequired: true,
      placeholder: 'https://shop.example/webhooks',
    },
    {
      name: 'groups',
      label: 'Events',
      kind: 'choices',
      options: GROUPS.map((value) => ({ value, label: value })),
      hint: 'Choose none for all events, including new ones in later versions.',
    },
    {
      name: 'names',
      label: 'Single events',
      kind: 'lines',
      hint: 'One per line, such as refund.failed.',
    },
    {
      name: 'authentication.kind',
      label: 'Authentication',
      kind: 'choice',
      options: AUTHENTICATION_OPTIONS,
      hint: 'Every request is signed as well.',
    },
    ...(kind === 'basic' || kind === 'oauth_password' ? passwordFields(isStored) : []),
    ...(kind === 'oauth_client_credentials' || kind === 'oauth_password' ? clientFields(isStored) : []),
  ]
}

function passwordFields(isStored: boolean): Field[] {
  return [
    { name: 'authentication.username', label: 'User name', kind: 'text', isRequired: true, isHalf: true },
    secretField('password', 'Password', isStored),
  ]
}

function clientFields(isStored: boolean): Field[] {
  return [
    { name: 'authentication.token_url', label: 'Token URL', kind: 'url', isRequired: true },
    { name: 'authentication.client_id', label: 'Client id', kind: 'text', isRequired: true, isHalf: true },
    secretField('client_secret', 'Client secret', isStored),
    { name: 'authentication.scope', label: 'Scope', kind: 'text' },
  ]
}

function secretField(name: string, label: string, isStored: boolean): Field {
  return {
    name: `authentication.${name}`,
    label,
    kind: 'secret',
    isHalf: true,
    isRequired: !isStored,
    ...(isStored && { hint: 'Leave empty to keep the stored one.' }),
  }
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

export function NewSubscription({ onMade, onClose }: NewProps) {
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
      outcome={() => ({ kind: 'done', title: 'The subscription was created' })}
      onDone={onMade}
      onClose={onClose}
    />
  )
}

export function EditSubscription({
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
      outcome={() => ({ kind: 'done', title: 'The subscription was changed' })}
      onClose={onClose}
    />
  )
}
