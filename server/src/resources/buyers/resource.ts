import type { Resource } from '#resources/resource.ts'
import { buyerGiftCardRoutes } from './gift-cards/routes.ts'
import { buyerPaymentMethodRoutes } from './payment-methods/routes.ts'
import { buyerRoutes } from './routes.ts'
import { shippingDetailsRoutes } from './shipping-details/routes.ts'

export const buyerResource: Resource = {
  operations: (needs) => [
    ...buyerRoutes(needs),
    ...shippingDetailsRoutes(),
    ...buyerPaymentMethodRoutes(),
    ...buyerGiftCardRoutes(needs),
  ],
}
