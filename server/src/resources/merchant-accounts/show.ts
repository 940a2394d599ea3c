import type { MerchantAccount } from './schemas.ts'
import { type Account, KEY_FIELDS } from './store.ts'

const MASK = '********'

/** Keys of outside services are never shown, only that they are set. */
export function showAccount({ created_at, updated_at, ...settings }: Account): MerchantAccount {
  const masked = Object.fromEntries(
    KEY_FIELDS.map((field) => [field, settings[field] === null ? null : MASK]),
  )
  return {
    type: 'merchant-account',
    ...settings,
    ...masked,
    created_at: created_at.toISOString(),
    updated_at: updated_at.toISOString(),
  }
}

/** A client that sends back the mask keeps the stored key. */
export function isMask(value: unknown): boolean {
  return value === MASK
}
