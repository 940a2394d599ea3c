import type { Caller } from '#platform/access/auth.ts'
import type { Secrets } from '#platform/access/secrets.ts'
import { errors } from '#platform/http/errors.ts'
import { type Operation, operation } from '#platform/http/operation.ts'
import { Strict, Uuid } from '#platform/http/schemas.ts'
import { findEvent, listEvents } from './list.ts'
import { Event, EventFilters, Events } from './schemas.ts'
import { showEvent } from './show.ts'

type Needs = { readonly secrets: Secrets; readonly instanceId: string; readonly environment: string }

const TAG = 'Events'

export function eventRoutes(needs: Needs): Operation[] {
  return [
    operation({
      id: 'list_events',
      route: 'GET /events',
      tag: TAG,
      summary: 'List events',
      description:
        'Events as webhooks carry them, newest first. Events of the whole installation, such as those ' +
        'of API keys, are in the list of all merchant accounts (`*`), for keys that can reach all of them. Events of API ' +
        'keys also need `webhook-subscriptions.read` or `api-key-pairs.read`.',
      scope: 'events.read',
      orScope: 'webhook-subscriptions.read',
      concerns: 'merchant-account',
      isList: true,
      query: EventFilters,
      responses: { 200: Events },
      handler: async ({ context, caller, reach, query }) => {
        const sight = { reach, seesKeys: seesKeys(caller) }
        const page = await listEvents(context, needs.secrets, sight, query)
        return { ...page, items: page.items.map((row) => showEvent(row, needs)) }
      },
    }),

    operation({
      id: 'get_event',
      route: 'GET /events/:event_id',
      tag: TAG,
      summary: 'Get event',
      scope: 'events.read',
      orScope: 'webhook-subscriptions.read',
      concerns: 'merchant-account',
      params: Strict({ event_id: Uuid() }),
      responses: { 200: Event },
      handler: async ({ context, caller, reach, callerReach, params }) => {
        const sight = { reach, callerReach, seesKeys: seesKeys(caller) }
        const row = await findEvent(context, sight, params.event_id)
        if (!row) throw errors.notFound()
        return showEvent(row, needs)
      },
    }),
  ]
}

/** Roles that only read payments see events of payments, but not of API keys. */
function seesKeys(caller: Caller): boolean {
  return caller.may('webhook-subscriptions.read') || caller.may('api-key-pairs.read')
}
