import type { DigitalWalletKey } from './schemas.ts'
import type { StoredKey } from './store.ts'

export function showKey({ private_key_token: _kept, ...key }: StoredKey, now: Date): DigitalWalletKey {
  return {
    type: 'digital-wallet-key',
    ...key,
    status: statusOf(key, now),
    expires_at: key.expires_at?.toISOString() ?? null,
    created_at: key.created_at.toISOString(),
    updated_at: key.updated_at.toISOString(),
  }
}

function statusOf(
  { purpose, expires_at }: Pick<StoredKey, 'purpose' | 'expires_at'>,
  now: Date,
): DigitalWalletKey['status'] {
  if (purpose === 'google-payment') return 'active'
  if (expires_at === null) return 'pending'
  return expires_at > now ? 'active' : 'expired'
}
