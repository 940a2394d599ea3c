import type { Context } from '#platform/database/db.ts'
import type { Job } from '#platform/process/jobs.ts'
import type { Engine } from '#processing/engine.ts'
import type { Resource } from '#resources/resource.ts'
import { giftCardActivationRoutes } from './activations/routes.ts'
import { serveIssuedCards } from './issued-page.ts'
import { giftCardBalanceRoutes, giftCardIssuanceRoutes, giftCardRoutes } from './routes.ts'
import { addUpUses } from './uses/store.ts'

const giftCardJobs: Job<Needs>[] = [
  {
    name: 'add-up-gift-card-uses',
    everyMs: 5_000,
    run: ({ context }) => addUpUses(context),
  },
]

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

type Needs = { readonly context: Context; readonly engine: Engine }
