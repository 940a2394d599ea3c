import type { Scope } from '#platform/database/db.ts'
import { errors } from '#platform/http/errors.ts'
import type { WalletProvider } from '../schemas.ts'
import type { StoredWallet } from '../store.ts'
import * as wallets from '../store.ts'

export const WALLET_NAMES = {
  apple: 'Apple Pay',
  google: 'Google Pay',
  'click-to-pay': 'Click to Pay',
  paze: 'Paze',
} as const

/** The wallet that a session is opened for. */
export async function findWallet(scope: Scope, provider: WalletProvider): Promise<StoredWallet> {
  const wallet = await wallets.find(scope, { provider })
  if (wallet) return wallet
  throw errors.refused(
    `This merchant account has no wallet of ${WALLET_NAMES[provider]}. Register one with POST /digital-wallets.`,
  )
}

/** The name that buyers see. */
export function displayNameOf({ merchant_display_name, merchant_name }: StoredWallet): string {
  return merchant_display_name || merchant_name
}

/** A name of the provider for the merchant account, if the merchant has set one. */
export function settingOf({ extra_configuration }: StoredWallet, name: string): string | undefined {
  const value = extra_configuration?.[name]
  return typeof value === 'string' ? value : undefined
}
