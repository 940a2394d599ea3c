import { CHECKED_URL, DateTime, Kind, Nullable, OneOf, Strict, Uuid } from '#platform/http/schemas.ts'
import { type Static, Type } from '#platform/http/type.ts'
import { CollectionOf, pageParameters } from '#platform/listing/pagination.ts'
import { UNREACHABLE_REASONS } from '#platform/outgoing/outgoing.ts'
import { Creator } from '#resources/api-key-pairs/show-creator.ts'

const URL_MAX = 2_048
const AUTHENTICATION_KINDS = ['basic', 'oauth_client_credentials', 'oauth_password'] as const
/** Shown instead of a password. If it is sent back, the stored password stays. */
export const MASK = '********'
const DELTA_MAX = 2_147_483_647

const Text = (description: string) =>
  Type.Optional(Nullable(Type.String({ minLength: 1, maxLength: 1_000, description })))

const Authentication = Strict(
  {
    kind: Type.Optional(
      OneOf(AUTHENTICATION_KINDS, {
        description:
          '`basic` (the default) takes a username and a password. `oauth_client_credentials` takes a client id, a client secret and ' +
          'a token URL, where a token is fetched. `oauth_password` takes all of them.',
      }),
    ),
    username: Text('For `basic` and `oauth_password`.'),
    password: Text(
      'For `basic` and `oauth_password`. Never shown again; `********` keeps the stored one, as long as the URL keeps its origin.',
    ),
    client_id: Text('For the OAuth kinds.'),
    client_secret: Text(
      'For the OAuth kinds. Never shown again; `********` keeps the stored one, as long as the URL keeps its origin.',
    ),
    token_url: Type.Optional(
      Nullable(Type.String({ minLength: 1, maxLength: URL_MAX, description: 'For the OAuth kinds.' })),
    ),
    scope: Text('For the OAuth kinds: the scope to request with the token, if any.'),
    type: Type.Optional(Kind('webhook-authentication')),
  },
  { title: 'NewWebhookAuthentication' },
)
export type NewAuthentication = Static<typeof Authentication>

const Url = Type.String({
  format: CHECKED_URL,
  minLength: 1,
  maxLength: URL_MAX,
  description:
    'Where events are sent: https in production, http or https in a sandbox, without credentials, and not a private ' +
    'address unless `WEBHOOK_ALLOW_CIDRS` allows it.',
})

/** More than there are names and groups. The table has the same limit. */
const EVENTS_MAX = 100

const Events = Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
  minItems: 1,
  maxItems: EVENTS_MAX,
  description:
    'The events that are sent: names such as `refund.failed`, and groups such as `transaction.*`. Null: all events.',
})

export const CreateWebhookSubscription = Strict(
  {
    active: Type.Optional(Type.Boolean({ default: true, description: 'Whether events are sent.' })),
    url: Url,
    authentication: Type.Optional(Nullable(Authentication)),
    events: Type.Optional(Nullable(Events)),
  },
  {
    title: 'CreateWebhookSubscription',
    examples: [
      {
        url: 'https://shop.example/webhooks',
        active: true,
        authentication: { kind: 'basic', username: 'switchyard', password: 'correct-horse' },
        events: ['transaction.*', 'refund.failed'],
      },
    ],
  },
)
export type CreateWebhookSubscription = Static<typeof CreateWebhookSubscription>

export const UpdateWebhookSubscription = Strict(
  {
    active: Type.Optional(Nullable(Type.Boolean())),
    url: Type.Optional(Nullable(Url)),
    authentication: Type.Optional(Nullable(Authentication)),
    events: Type.Optional(Nullable(Events)),
  },
  { title: 'UpdateWebhookSubscription', examples: [{ active: false }] },
)
export type UpdateWebhookSubscription = Static<typeof UpdateWebhookSubscription>

export const RotateWebhookSecret = Strict(
  {
    delta: Type.Optional(
      Nullable(
        Type.Integer({
          minimum: 0,
          maximum: DELTA_MAX,
          description: 'For how many minutes the old secret also signs. Default 0: it ends at once.',
        }),
      ),
    ),
  },
  { title: 'RotateWebhookSecret', examples: [{ delta: 60 }] },
)
export type RotateWebhookSecret = Static<typeof RotateWebhookSecret>

const Secret = Type.Literal(MASK)
const ShownAuthentication = Type.Unsafe<
  { type: 'webhook-authentication' } & StoredAuthentication & {
      password?: typeof MASK
      client_secret?: typeof MASK
    }
>(
  Strict(
    {
      type: Kind('webhook-authentication'),
      kind: OneOf(AUTHENTICATION_KINDS),
      username: Type.Optional(Type.String()),
      password: Type.Optional(Secret),
      client_id: Type.Optional(Type.String()),
      client_secret: Type.Optional(Secret),
      token_url: Type.Optional(Type.String()),
      scope: Type.Optional(Nullable(Type.String())),
    },
    { title: 'WebhookAuthentication' },
  ),
)

/** How to authenticate at a URL, without the secrets. */
export type StoredAuthentication = {
  readonly kind: (typeof AUTHENTICATION_KINDS)[number]
  readonly username?: string
  readonly client_id?: string
  readonly token_url?: string
  readonly scope?: string | null
}

export const WebhookSubscription = Strict(
  {
    type: Kind('webhook-subscription'),
    id: Uuid(),
    merchant_account_id: Nullable(
      Type.String({ description: 'Null: the subscription gets the events of all merchant accounts.' }),
    ),
    active: Type.Boolean({ description: 'When false, no events are sent to the URL.' }),
    url: Type.String({ format: 'uri' }),
    authentication: Nullable(ShownAuthentication),
    secret: Nullable(
      Type.String({
        description:
          'Signs each request. The guide to webhooks shows how to verify it. Null in the answers of an update and of a ' +
          'rotation to a token without `webhook-subscriptions.read`.',
      }),
    ),
    rotating: Type.Boolean({ description: 'True while a former secret also signs.' }),
    creator: Nullable(Creator),
    events: Nullable(Type.Array(Type.String(), { description: 'The events that are sent. Null: all.' })),
    failing_since: Nullable(
      DateTime({
        description: 'Since when every attempt has failed. Null: the last one was taken, or there was none.',
      }),
    ),
    last_delivered_at: Nullable(
      DateTime({ description: 'When the receiver last took an event, up to a minute early. Null: never.' }),
    ),
  },
  {
    title: 'WebhookSubscription',
    examples: [
      {
        type: 'webhook-subscription',
        id: '0199a3c1-52f0-7c31-9d0a-5e1f0c7a2b11',
        merchant_account_id: 'default',
        active: true,
        url: 'https://shop.example/webhooks',
        authentication: {
          type: 'webhook-authentication',
          kind: 'basic',
          username: 'switchyard',
          password: MASK,
        },
        secret: 'bM0x6ZgNn1yC7cU8nAqG3cQe0YwXl2mXxq1vJk5tJb8oZr4sPwT9uVh6aLdE2fKiR7yBn3mQpXc5gWzHjUoSvA',
        rotating: false,
        creator: { id: '0199f3a0-5d3b-7c00-8a11-3f1f7f1f0001', name: 'Shop server', email_address: '' },
        events: ['transaction.*', 'refund.failed'],
        failing_since: null,
        last_delivered_at: '2026-11-15T09:30:00.000Z',
      },
    ],
  },
)
export type WebhookSubscription = Static<typeof WebhookSubscription>

export const WebhookSubscriptions = CollectionOf(WebhookSubscription, 'WebhookSubscriptions')

export const WebhookSubscriptionFilters = Strict(pageParameters())
export type WebhookSubscriptionFilters = Static<typeof WebhookSubscriptionFilters>

const OUTCOMES = [
  'delivered',
  'refused',
  'timed_out',
  'unreachable',
  'answer_broken',
  'address_refused',
  'token_refused',
] as const
export type Outcome = (typeof OUTCOMES)[number]

const EXAMPLE_ID = '0199a3c1-52f0-7c31-9d0a-5e1f0c7a2b11'
const EXAMPLE_TIME = '2026-11-15T09:30:00.000Z'
const DELIVERY_STATUSES = ['waiting', 'delivered', 'parked'] as const
const REASONS = ['schedule_ended', 'subscription_inactive', 'subscription_deleted'] as const

export const WebhookDelivery = Strict(
  {
    type: Kind('webhook-delivery'),
    id: Uuid({ description: 'The id of the event, which the receiver sees as the id of the webhook.' }),
    webhook_subscription_id: Uuid(),
    event_name: Type.String(),
    status: OneOf(DELIVERY_STATUSES, {
      description:
        '`waiting` for an attempt, `delivered`, or `parked`: not tried again until it is replayed.',
    }),
    attempts: Type.Integer({ minimum: 0 }),
    next_attempt_at: Nullable(DateTime({ description: 'Null when none is planned.' })),
    outcome: Nullable(OneOf(OUTCOMES, { description: 'The outcome of the last attempt.' })),
    response_status_code: Nullable(Type.Integer({ description: 'The status code of the last attempt.' })),
    parked_because: Nullable(OneOf(REASONS)),
    delivered_at: Nullable(DateTime()),
    created_at: DateTime(),
    updated_at: DateTime(),
  },
  {
    title: 'WebhookDelivery',
    examples: [
      {
        type: 'webhook-delivery',
        id: '0199f3a0-5d3b-7c00-8a11-3f1f7f1f0001',
        webhook_subscription_id: EXAMPLE_ID,
        event_name: 'transaction.captured',
        status: 'waiting',
        attempts: 1,
        next_attempt_at: '2026-11-15T09:30:05.412Z',
        outcome: 'refused',
        response_status_code: 503,
        parked_because: null,
        delivered_at: null,
        created_at: EXAMPLE_TIME,
        updated_at: EXAMPLE_TIME,
      },
    ],
  },
)
export type WebhookDelivery = Static<typeof WebhookDelivery>

export const WebhookDeliveries = CollectionOf(WebhookDelivery, 'WebhookDeliveries')

export const WebhookDeliveryFilters = Strict({
  ...pageParameters(),
  status: Type.Optional(OneOf(DELIVERY_STATUSES, { description: 'Only deliveries in this status.' })),
  event_id: Type.Optional(
    Type.Array(Uuid(), {
      maxItems: 100,
      description: 'Only deliveries of these events, such as those of a payment.',
    }),
  ),
})
export type WebhookDeliveryFilters = Static<typeof WebhookDeliveryFilters>

export const WebhookAttempts = Strict(
  {
    items: Type.Array(
      Strict(
        {
          type: Kind('webhook-attempt'),
          number: Type.Integer({ minimum: 1 }),
          outcome: OneOf(OUTCOMES),
          reason: Nullable(
            OneOf(UNREACHABLE_REASONS, {
              description: 'Why no connection could be made, if `outcome` is `unreachable`.',
            }),
          ),
          response_status_code: Nullable(Type.Integer()),
          response_body: Nullable(
            Type.String({ description: 'The first 20 kB of the answer, without long numbers.' }),
          ),
          duration_ms: Type.Integer({ minimum: 0 }),
          created_at: DateTime(),
        },
        {
          title: 'WebhookAttempt',
          examples: [
            {
              type: 'webhook-attempt',
              number: 1,
              outcome: 'refused',
              reason: null,
              response_status_code: 503,
              response_body: 'out of order',
              duration_ms: 41,
              created_at: EXAMPLE_TIME,
            },
          ],
        },
      ),
    ),
  },
  { title: 'WebhookAttempts' },
)
export type WebhookAttempts = Static<typeof WebhookAttempts>

export const ReplayWebhooks = Strict(
  {
    since: Type.Optional(DateTime({ description: 'Events from this time on.' })),
    until: Type.Optional(DateTime({ description: 'Events before this time.' })),
    status: Type.Optional(
      OneOf(['parked'], {
        description:
          'Only deliveries that were given up. Default: also those that arrived or were never sent.',
      }),
    ),
  },
  { title: 'ReplayWebhooks', examples: [{ since: '2026-11-14T00:00:00.000Z' }] },
)
export type ReplayWebhooks = Static<typeof ReplayWebhooks>

export const WebhookReplay = Strict(
  {
    type: Kind('webhook-replay'),
    webhook_subscription_id: Uuid(),
    count: Type.Integer({ minimum: 0, description: 'How many deliveries were queued.' }),
    next_since: Nullable(
      DateTime({
        description:
          'One request queues at most 10,000 deliveries. If there are more, continue with this `since`.',
      }),
    ),
  },
  {
    title: 'WebhookReplay',
    examples: [{ type: 'webhook-replay', webhook_subscription_id: EXAMPLE_ID, count: 214, next_since: null }],
  },
)
export type WebhookReplay = Static<typeof WebhookReplay>
