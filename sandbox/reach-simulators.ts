import type pg from 'pg'
import type { Secrets } from '#platform/access/secrets.ts'
import type { Clock } from '#platform/process/clock.ts'
import type { AskApple, WalletProviders } from '#processing/provider.ts'
import type { WalletAuthorities } from '#processing/wallet-tokens/authorities.ts'
import { ANTI_FRAUD_URL } from './simulator/anti-fraud/answer.ts'
import { GIFT_CARDS_URL } from './simulator/gift-cards/answer.ts'
import { TOKENS_URL } from './simulator/network-tokens/answer.ts'
import { createSimulator, SIMULATOR_URL, type Simulator } from './simulator/simulator.ts'
import { WALLETS_URL } from './simulator/wallets/answer.ts'
import { appleTestRoot } from './simulator/wallets/make-apple-token.ts'
import { googleTestKey } from './simulator/wallets/make-google-token.ts'

const URLS = [SIMULATOR_URL, GIFT_CARDS_URL, ANTI_FRAUD_URL, WALLETS_URL, TOKENS_URL]

type Options = {
  readonly pool: pg.Pool
  readonly clock: Clock
  readonly secrets: Secrets
  readonly publicUrl: string
  readonly onError: (error: unknown) => void
}

/** The simulated providers, in this process. */
export function reachSimulators({ secrets, ...options }: Options) {
  const simulator = createSimulator({
    ...options,
    mac: (input) => secrets.mac('gift-card-simulator', input),
  })
  return {
    isAt: (url: string) => URLS.some((start) => url.startsWith(start)),
    fetch: simulator.fetch,
    wallets: simulatedWallets(simulator),
    /** Anyone can sign with the test authority, because its keys are in the source. So only a sandbox trusts it. */
    authorities: {
      appleRoots: [appleTestRoot()],
      googleRootKeys: [{ key: googleTestKey(), expiresAt: null }],
    } satisfies WalletAuthorities,
  }
}

/** The certificate comes in a header, as from a proxy that has ended TLS. */
function simulatedWallets(simulator: Simulator): WalletProviders {
  const askApple: AskApple = async ({ url, identity, body, signal }) => {
    const answer = await simulator.fetch(`${WALLETS_URL}apple-pay${new URL(url).pathname}`, {
      method: 'POST',
      headers: { 'x-client-certificate': encodeURIComponent(identity.certificate) },
      body,
      signal,
    })
    return { status: answer.status, body: await answer.text() }
  }
  return { askApple, clickToPayUrl: `${WALLETS_URL}click-to-pay`, pazeUrl: `${WALLETS_URL}paze` }
}
