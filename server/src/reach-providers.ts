import type pg from 'pg'
import { createIssuer, ISSUER_URL } from '#issuer/issuer.ts'
import type { Secrets } from '#platform/access/secrets.ts'
import { outsideTraces } from '#platform/observability/trace.ts'
import type { Outgoing } from '#platform/outgoing/outgoing.ts'
import type { Clock } from '#platform/process/clock.ts'
import { registriesFor } from '#processing/connectors.ts'
import type { Providers } from '#processing/provider.ts'
import type { AskApple, WalletProviders } from '#processing/wallet-providers.ts'
import { APPLE_ROOT } from '#processing/wallet-tokens/apple-root.ts'
import type { WalletAuthorities } from '#processing/wallet-tokens/authorities.ts'
import type { GoogleRootKey } from '#processing/wallet-tokens/open-google-pay.ts'
import { ANTI_FRAUD_URL } from '#sandbox/simulator/anti-fraud/answer.ts'
import { GIFT_CARDS_URL } from '#sandbox/simulator/gift-cards/answer.ts'
import { TOKENS_URL } from '#sandbox/simulator/network-tokens/answer.ts'
import { createSimulator, SIMULATOR_URL, type Simulator } from '#sandbox/simulator/simulator.ts'
import { WALLETS_URL } from '#sandbox/simulator/wallets/answer.ts'
import { appleTestRoot } from '#sandbox/simulator/wallets/make-apple-token.ts'
import { googleTestKey } from '#sandbox/simulator/wallets/make-google-token.ts'

/** For connectors that do not say how long their provider may take. */
const TIMEOUT_MS = 10_000
/** Many clients and proxies give up after half a minute. */
const ANSWER_WITHIN_MS = 25_000

const SIMULATED_URLS = [SIMULATOR_URL, GIFT_CARDS_URL, ANTI_FRAUD_URL, WALLETS_URL, TOKENS_URL]
/** Ten times the size of a session of Apple Pay. */
const APPLE_ANSWER_BYTES_MAX = 64 * 1024

type Options = {
  readonly pool: pg.Pool
  readonly clock: Clock
  readonly secrets: Secrets
  readonly publicUrl: string
  /** The root signing keys of Google Pay, as the operator has set them. */
  readonly googlePayRootKeys: readonly GoogleRootKey[]
  readonly outgoing: Outgoing
  readonly onError: (error: unknown) => void
}

/**
 * Reaches payment providers. Requests to the issuer of gift cards stay in this process, and so do, in a
 * sandbox, those to the simulated providers.
 */
export function reachProviders(environment: 'sandbox' | 'production', options: Options): Providers {
  const issuer = createIssuer(options)
  const simulator = environment === 'sandbox' ? simulatorOf(options) : null
  return {
    ...registriesFor(environment, undefined, options.outgoing.complaintAbout),
    environment,
    timeoutMs: TIMEOUT_MS,
    answerWithinMs: ANSWER_WITHIN_MS,
    walletAuthorities: walletAuthoritiesOf(environment, options),
    wallets: simulator ? simulatedWallets(simulator) : realWallets(options.outgoing),
    fetch: (url, init) => {
      // What they do in the database is their own affair, as if they were elsewhere.
      if (url.startsWith(ISSUER_URL)) return outsideTraces(() => issuer.fetch(url, init))
      const isSimulated = SIMULATED_URLS.some((start) => url.startsWith(start))
      if (simulator && isSimulated) return outsideTraces(() => simulator.fetch(url, init))
      // Production offers no field for an address. In a sandbox, who may write services must not reach into its network.
      if (environment === 'production') return fetch(url, init)
      return options.outgoing.admit(url).then((admitted) => fetch(admitted, init))
    },
  }
}

/** Anyone can sign with the test authority, because its keys are in the source. So only a sandbox trusts it. */
function walletAuthoritiesOf(
  environment: 'sandbox' | 'production',
  { googlePayRootKeys }: Options,
): WalletAuthorities {
  if (environment === 'production') return { appleRoots: [APPLE_ROOT], googleRootKeys: googlePayRootKeys }
  return {
    appleRoots: [APPLE_ROOT, appleTestRoot()],
    googleRootKeys: [...googlePayRootKeys, { key: googleTestKey(), expiresAt: null }],
  }
}

function simulatorOf({ secrets, ...options }: Options) {
  return createSimulator({ ...options, mac: (input) => secrets.mac('gift-card-simulator', input) })
}

/** Click to Pay and Paze have no connection to the real ones yet. */
function realWallets(outgoing: Outgoing): WalletProviders {
  const askApple: AskApple = async ({ url, identity, body }) => {
    const answer = await outgoing.send({
      url,
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body,
      clientCertificate: identity,
      deadlineMs: TIMEOUT_MS,
      answerMaxBytes: APPLE_ANSWER_BYTES_MAX,
    })
    if (answer.isCut) throw new Error('Apple’s answer was cut short')
    return answer
  }
  return { askApple, clickToPayUrl: null, pazeUrl: null }
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
