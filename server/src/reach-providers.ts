import type pg from 'pg'
import { createSimulator, SIMULATOR_URL } from '../../simulator/simulator.ts'
import type { Clock } from './platform/clock.ts'
import { connectorsFor } from './processing/connectors.ts'
import { giftCardConnectorsFor } from './processing/gift-card-connectors.ts'
import type { Providers } from './processing/provider.ts'

/** A provider that takes longer is as good as away, and a buyer is waiting. */
const TIMEOUT_MS = 10_000

type Options = {
  readonly pool: pg.Pool
  readonly clock: Clock
  readonly onError: (error: unknown) => void
}

/** The way to payment providers. In a sandbox, what is meant for the simulated processor stays in this process. */
export function reachProviders(environment: 'sandbox' | 'production', options: Options): Providers {
  const providers = {
    connectors: connectorsFor(environment),
    giftCards: giftCardConnectorsFor(environment),
    fetch,
    timeoutMs: TIMEOUT_MS,
  }
  if (environment === 'production') return providers
  const simulator = createSimulator(options)
  return {
    ...providers,
    fetch: (url, init) => (url.startsWith(SIMULATOR_URL) ? simulator.fetch(url, init) : fetch(url, init)),
  }
}
