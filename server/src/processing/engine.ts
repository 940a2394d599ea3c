import type { Secrets } from '#platform/secrets.ts'
import type { Vault } from '#vault'
import type { Providers } from './provider.ts'
import type { ThreeDSecureServer } from './three-d-secure.ts'

/** What payments are made with. */
export type Engine = {
  readonly vault: Vault
  readonly secrets: Secrets
  readonly publicUrl: string
  readonly providers: Providers
  /** Null where none is configured: cards are then not authenticated. */
  readonly threeDSecure: ThreeDSecureServer | null
}
