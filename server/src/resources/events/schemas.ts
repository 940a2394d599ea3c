import { EVENT_NAMES } from '#domain/event-names.ts'
import { DateTime, Kind, Nullable, OneOf, Strict, Uuid } from '#platform/http/schemas.ts'
import { type Static, Type } from '#platform/http/type.ts'
import { CollectionOf, pageParameters } from '#platform/listing/pagination.ts'

export const Event = Strict(
  {
    type: Kind('event'),
    id: Uuid({ description: 'Webhooks carry the same id, also when they are sent again.' }),
    name: OneOf(EVENT_NAMES),
    created_at: DateTime(),
    merchant_account_id: Nullable(
      Type.String({ description: 'Null for an event of the whole installation.' }),
    ),
    instance_id: Type.String({ description: 'The installation that sent the event (`INSTANCE_ID`).' }),
    environment: Type.String({ enum: ['sandbox', 'production'] }),
    sequence: Type.Integer({
      description: 'Increases with each event of the same resource.',
    }),
    target: Type.Object(
      { type: Type.String(), id: Type.String() },
      {
        additionalProperties: true,
        description: 'The resource as it was after the change, or before it was deleted.',
      },
    ),
  },
  {
    title: 'Event',
    examples: [
      {
        type: 'event',
        id: '0199f3a0-5d3b-7c00-8a11-3f1f7f1f0001',
        name: 'buyer.created',
        created_at: '2026-11-15T09:30:00.000Z',
        merchant_account_id: 'default',
        instance_id: 'eu-1',
        environment: 'sandbox',
        sequence: 1,
        target: { type: 'buyer', id: '0199f3a0-5d3b-7c00-8a11-3f1f7f1f0002', display_name: 'Jane Doe' },
      },
    ],
  },
)
export type Event = Static<typeof Event>

export const Events = CollectionOf(Event, 'Events')

export const EventFilters = Strict({
  ...pageParameters(),
  name: Type.Optional(OneOf(EVENT_NAMES, { description: 'Only events of this name.' })),
  target_id: Type.Optional(Uuid({ description: 'Only events of this resource.' })),
  created_at_gte: Type.Optional(
    DateTime({ description: 'Only those created at this time or after. With a time zone, URL encoded.' }),
  ),
  created_at_lte: Type.Optional(
    DateTime({ description: 'Only those created at this time or before. With a time zone, URL encoded.' }),
  ),
})
export type EventFilters = Static<typeof EventFilters>
