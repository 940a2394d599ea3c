import type { Resource } from '#resources/resource.ts'
import { eraseBuyersJob } from './erasure/jobs.ts'
import { buyerErasureRoutes } from './erasure/routes.ts'
import { buyerExportRoutes } from './export/routes.ts'
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
    ...buyerErasureRoutes(),
    ...buyerExportRoutes(),
  ],
  jobs: [eraseBuyersJob],
}
