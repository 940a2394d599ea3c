import type pg from 'pg'
import { createIssuer, ISSUER_URL } from '#issuer/issuer.ts'
import type { Secrets } from '#platform/access/secrets.ts'
import { outsideTraces } from '#platform/observability/trace.ts'
import { fetchDirectly } from '#platform/outgoing/fetch.ts'
import type { Outgoing } from '#platform/outgoing/outgoing.ts'
import type { Clock } from '#platform/process/clock.ts'
import { registriesFor } from '#processing/connectors.ts'
import type { AskApple, Providers, WalletProviders } from '#processing/provider.ts'
import { APPLE_ROOT } from '#processing/wallet-tokens/authorities.ts'
import type { GoogleRootKey } from '#processing/wallet-tokens/open-google-pay.ts'
import type { Sandbox } from './open-sandbox.ts'

/** For connectors that do not say how long their provider may take. */
const TIMEOUT_MS = 10_000
/** Many clients and proxies give up after half a minute. */
const ANSWER_WITHIN_MS = 25_000

/** Ten times the size of a session of Apple Pay. */
const APPLE_ANSWER_BYTES_MAX = 64 * 1024

type Options = {
  /** Null in production. */
  readonly sandbox: Sandbox | null
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
  const { sandbox, outgoing, googlePayRootKeys } = options
  const issuer = createIssuer(options)
  const simulated = sandbox?.reachSimulators(options)
  // Production offers no field for an address. In a sandbox, who may write services must not reach into its network.
  const real = environment === 'production' ? fetchDirectly : outgoing.fetch
  const { appleRoots = [], googleRootKeys = [] } = simulated?.authorities ?? {}
  return {
    ...registriesFor(environment, { simulators: sandbox?.simulators, refuses: outgoing.complaintAbout }),
    environment,
    timeoutMs: TIMEOUT_MS,
    answerWithinMs: ANSWER_WITHIN_MS,
    walletAuthorities: {
      appleRoots: [APPLE_ROOT, ...appleRoots],
      googleRootKeys: [...googlePayRootKeys, ...googleRootKeys],
    },
    wallets: simulated?.wallets ?? realWallets(outgoing),
    fetch: (url, init) => {
      // What they do in the database is their own affair, as if they were elsewhere.
      if (url.startsWith(ISSUER_URL)) return outsideTraces(() => issuer.fetch(url, init))
      if (simulated?.isAt(url)) return outsideTraces(() => simulated.fetch(url, init))
      return real(url, init)
    },
  }
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
