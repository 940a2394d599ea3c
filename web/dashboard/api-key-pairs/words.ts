import type { Schemas } from '../../api/schema.d.ts'
import type { Tone } from '../parts/values.tsx'

type Key = Schemas['APIKeyPair']

const DAY_MS = 86_400_000
/** A key that was not used for so long is perhaps forgotten. */
const QUIET_MS = 90 * DAY_MS

/** Whether it works, and whether anything uses it. */
export function standingOf(
  { active, last_used_at, created_at }: Key,
  now: number,
): readonly [tone: Tone, label: string] {
  if (!active) return ['mute', 'Disabled']
  const isQuiet = now - Date.parse(last_used_at ?? created_at) > QUIET_MS
  return isQuiet ? ['wait', 'Unused for 90 days'] : ['good', 'Active']
}

export function rolesText({ roles }: Key): string {
  return roles.map(({ name }) => name).join(', ')
}

export function accountsText({ merchant_accounts }: Key): string {
  return merchant_accounts.length === 0
    ? 'All'
    : merchant_accounts.map(({ display_name }) => display_name).join(', ')
}
