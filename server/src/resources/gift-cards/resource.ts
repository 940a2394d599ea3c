import type { Resource } from '#resources/resource.ts'
import { giftCardActivationRoutes } from './activations/routes.ts'
import { giftCardBalanceRoutes } from './balances/routes.ts'
import { giftCardIssuanceRoutes } from './issuances/routes.ts'
import { serveIssuedCards } from './issued-page.ts'
import { giftCardJobs } from './jobs.ts'
import { giftCardRoutes } from './routes.ts'

export const giftCardResource: Resource = {
  operations: (needs) => [
    ...giftCardRoutes(needs),
    ...giftCardBalanceRoutes(needs),
    ...giftCardActivationRoutes(needs.engine),
    ...giftCardIssuanceRoutes(needs.engine),
  ],
  jobs: giftCardJobs,
  servePages: (app, { engine }) => serveIssuedCards(app, engine.providers),
}
