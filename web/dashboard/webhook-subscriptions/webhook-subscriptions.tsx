import { DeliveryDetail } from './delivery.tsx'
import { SubscriptionDetail } from './detail.tsx'
import { SubscriptionList } from './list.tsx'

export const pages = {
  '/': SubscriptionList,
  '/$id': SubscriptionDetail,
  '/$id/deliveries/$delivery': DeliveryDetail,
}
