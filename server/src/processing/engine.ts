import type { Secrets } from '#platform/secrets.ts'
import type { Vault } from '#vault'
import type { AccountUpdater } from './account-updater.ts'
import type { Providers } from './provider.ts'
import type { ThreeDSecureServer } from './three-d-secure.ts'

/** What providers are asked with. */
export type Engine = {
  readonly vault: Vault
  readonly secrets: Secrets
  readonly publicUrl: string
  readonly providers: Providers
  /** Null where none is configured: cards are then not authenticated. */
  readonly threeDSecure: ThreeDSecureServer | null
  /** Null where none is configured: replaced cards are then not found. */
  readonly accountUpdater: AccountUpdater | null
}
