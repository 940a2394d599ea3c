import type { Context } from '#platform/database/db.ts'
import type { Job } from '#platform/process/jobs.ts'
import { registriesFor } from '#processing/connectors.ts'
import { TAKERS } from '#resources/payment-services/notifications/takers.ts'
import type { JobNeeds, Resource } from '#resources/resource.ts'
import type { Vault } from '#vault'
import { mockAccountUpdater } from './connectors/mock-account-updater/connector.ts'
import { mockAntiFraud } from './connectors/mock-anti-fraud/connector.ts'
import { mockCard } from './connectors/mock-card/connector.ts'
import { mockGiftCard } from './connectors/mock-gift-card/connector.ts'
import { mockNetworkToken } from './connectors/mock-network-token/connector.ts'
import { mockPayPal } from './connectors/mock-paypal/connector.ts'
import { mockDebit, mockMethods } from './connectors/mock-paypal/methods.ts'
import { mockThreeDS } from './connectors/mock-three-ds/connector.ts'
import { simulatedNotificationJob } from './deliver-notifications.ts'
import {
  connectGiftCardSimulator,
  connectSimulator,
  makeFirstGiftCardService,
  makeFirstKey,
  makeFirstService,
} from './first-start.ts'
import { reachSimulators } from './reach-simulators.ts'
import { sandboxChargebackRoutes } from './resources/chargebacks/routes.ts'
import { moveClock } from './resources/clock/move.ts'
import { sandboxClockRoutes } from './resources/clock/routes.ts'
import { sandboxFillRoutes } from './resources/fill/routes.ts'
import { runFill, type Surroundings } from './resources/fill/run.ts'
import { sandboxNextOutcomeRoutes } from './resources/next-outcomes/routes.ts'
import { sandboxNotificationRoutes } from './resources/notifications/routes.ts'
import { serveSimulatedApprovals } from './wallet-page/approval-page.ts'

const resource: Resource = {
  operations: ({ engine }) => [
    ...sandboxChargebackRoutes(engine),
    ...sandboxNextOutcomeRoutes(engine),
    ...sandboxNotificationRoutes(engine),
    ...sandboxClockRoutes(),
    ...sandboxFillRoutes(),
  ],
  jobs: [simulatedNotificationJob(TAKERS)],
  servePages: (app, { engine }) => serveSimulatedApprovals(app, engine.providers),
}

const simulators = {
  connectors: [mockCard, mockPayPal, ...mockMethods, mockDebit(mockCard as Required<typeof mockCard>)],
  giftCards: [mockGiftCard],
  antiFraud: [mockAntiFraud],
  threeDSecure: [mockThreeDS],
  accountUpdaters: [mockAccountUpdater],
  networkTokens: [mockNetworkToken],
}

/** The one door: everything that a sandbox adds to the service. */
export const sandbox = {
  resource,
  simulators,
  reachSimulators,
  makeFirstKey,
  makeFirstServices: async (context: Context, vault: Vault): Promise<void> => {
    const registries = registriesFor('sandbox', { simulators })
    await makeFirstService(context, vault, registries)
    await makeFirstGiftCardService(context, vault, registries)
  },
  connectSimulator,
  connectGiftCardSimulator,
  /** Move the clock, and fill the sandbox with payments. On the way they run all other jobs where these fall due. */
  jobsAround: (surroundings: Surroundings<JobNeeds>): readonly Job<JobNeeds>[] => [
    {
      name: 'move-sandbox-clock',
      everyMs: 250,
      run: (needs, stopping) => moveClock(needs, surroundings.jobs, stopping),
    },
    {
      name: 'fill-sandbox',
      everyMs: 1_000,
      run: (needs, stopping) => runFill(needs, surroundings, stopping),
    },
  ],
} as const
