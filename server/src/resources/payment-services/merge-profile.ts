import type { CardScheme } from '#domain/card-scheme.ts'
import type { MerchantProfile, MerchantProfileSummary } from './schemas.ts'

/**
 * Sets the named schemes, or removes them by null; the others stay. Null instead of a profile removes all.
 */
export function mergeProfile(
  before: MerchantProfileSummary | null,
  given: MerchantProfile | null,
  now: Date,
): MerchantProfileSummary | null {
  if (given === null) return null
  const merged: MerchantProfileSummary = { ...before }
  for (const [name, profile] of Object.entries(given)) {
    const scheme = name as CardScheme
    const created_at = before?.[scheme]?.created_at ?? now.toISOString()
    if (profile) merged[scheme] = { ...profile, created_at }
    else delete merged[scheme]
  }
  return Object.keys(merged).length > 0 ? merged : null
}
