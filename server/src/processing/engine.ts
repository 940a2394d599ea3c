import type { Secrets } from '#platform/access/secrets.ts'
import type { Metrics } from '#platform/observability/metrics.ts'
import type { Tracer } from '#platform/observability/trace.ts'
import type { Afterwards } from '#platform/process/afterwards.ts'
import type { Vault } from '#vault'
import type { ExchangeLog } from './exchanges/transcribe.ts'
import type { Providers } from './provider.ts'
import type { Scoreboard } from './scores/board.ts'

/** What is needed to ask providers. */
export type Engine = {
  readonly vault: Vault
  readonly secrets: Secrets
  readonly publicUrl: string
  /** Where the pages of buyers are, if they have a host of their own. */
  readonly checkoutUrl?: string | null
  /** The host of frames with scripts of wallets. Null: none is loaded. */
  readonly walletUrl?: string | null
  readonly providers: Providers
  /** What goes on after its request was answered. */
  readonly afterwards: Afterwards
  /** What was said to providers, and what they answered, for merchants. */
  readonly exchanges: ExchangeLog
  /** How payment services have fared lately. */
  readonly scores: Scoreboard
  readonly metrics: Metrics
  /** Undefined: nothing is traced. */
  readonly tracer?: Tracer | undefined
}

export type Addresses = Pick<Engine, 'publicUrl' | 'checkoutUrl'>

/** Where links for buyers begin. */
export function buyerUrl({ publicUrl, checkoutUrl }: Addresses): string {
  return checkoutUrl ?? publicUrl
}
