import { useRead } from '../api/client.ts'
import { type DeliveryTo, useDeliveriesOf } from '../webhook-subscriptions/deliveries-of.ts'

export type Delivery = DeliveryTo

/** Where the events of a payment were sent. */
export function useDeliveries(transactionId: string, isWanted: boolean): readonly Delivery[] {
  const events = useRead('GET /events', { query: { target_id: transactionId, limit: 100 }, isWanted })
  return useDeliveriesOf(events.data?.items.map(({ id }) => id) ?? [], isWanted)
}
