import type { Secrets } from '#platform/access/secrets.ts'
import { fieldsAtGoogle } from './google-gateway.ts'
import type { CertificateCounts } from './keys/store.ts'
import type { DigitalWallet } from './schemas.ts'
import type { StoredWallet } from './store.ts'

export function showWallet(
  secrets: Secrets,
  wallet: StoredWallet,
  certificates: CertificateCounts,
): DigitalWallet {
  const { created_at, updated_at, ...rest } = wallet
  return {
    type: 'digital-wallet',
    ...rest,
    active_certificate_count: certificates.active,
    pending_certificate_count: certificates.pending,
    expired_certificate_count: certificates.expired,
    fields: wallet.provider === 'google' ? fieldsAtGoogle(secrets, wallet.merchant_account_id) : null,
    created_at: created_at.toISOString(),
    updated_at: updated_at.toISOString(),
  }
}
