import { useQueries } from '@tanstack/react-query'
import type { Schemas } from '../../api/schema.d.ts'
import { selectedAccount } from '../api/account.ts'
import { send, useRead } from '../api/client.ts'

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
