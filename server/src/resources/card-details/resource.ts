import { cardOfPaymentMethod } from '#resources/payment-methods/card-of.ts'
import type { Resource } from '#resources/resource.ts'
import { cardDetailRoutes } from './routes.ts'

export const cardDetailResource: Resource = {
  operations: (needs) => cardDetailRoutes({ ...needs, cardOfPaymentMethod }),
}
