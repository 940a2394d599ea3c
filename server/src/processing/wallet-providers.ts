import type { ClientCertificate } from '#platform/outgoing/outgoing.ts'

/** How the providers of digital wallets are reached. In a sandbox, simulators answer. */
export type WalletProviders = {
  readonly askApple: AskApple
  /** Null: there is no connection to Click to Pay. */
  readonly clickToPayUrl: string | null
  /** Null: there is no connection to Paze. */
  readonly pazeUrl: string | null
}

/** Sends JSON to Apple in the name of a merchant. Throws if no answer comes. */
export type AskApple = (request: {
  /** One of Apple's own, which the caller has checked. */
  readonly url: string
  readonly identity: ClientCertificate
  readonly body: string
  readonly signal: AbortSignal
}) => Promise<{ readonly status: number; readonly body: string }>
