import { useQueries } from '@tanstack/react-query'
import type { Schemas } from '../../api/schema.d.ts'
import { selectedAccount } from '../api/account.ts'
import { send } from '../api/client.ts'
import { useRead } from '../api/read.ts'

/** A webhook about a payment, with the address that it goes to. */
export type Delivery = Schemas['WebhookDelivery'] & { readonly url: string }

/** Where the events of a payment were sent. A delivery has the id of its event. */
export function useDeliveries(transactionId: string, isWanted: boolean): readonly Delivery[] {
  const events = useRead('GET /events', { query: { target_id: transactionId, limit: 100 }, isWanted })
  const subscriptions = useRead('GET /webhook-subscriptions', { query: { limit: 100 }, isWanted })
  const ids = events.data?.items.map(({ id }) => id) ?? []
  const receivers = ids.length > 0 ? (subscriptions.data?.items ?? []) : []
  const found = useQueries({
    queries: receivers.map(({ id, url }) => ({
      queryKey: ['deliveries', selectedAccount(), id, ids],
      queryFn: async ({ signal }: { readonly signal: AbortSignal }) => {
        const path = { subscription_id: id }
        const query = { event_id: ids, limit: 100 }
        const route = 'GET /webhook-subscriptions/{subscription_id}/deliveries'
        const { items } = await send(route, { path, query, signal })
        return items.map((item): Delivery => ({ ...item, url }))
      },
    })),
  })
  return found.flatMap(({ data }) => data ?? [])
}
