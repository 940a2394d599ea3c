import type { Schemas } from '../../api/schema.d.ts'
import type { Tone } from '../parts/values.tsx'

type Status = Schemas['User']['status']

export const STATUSES: Readonly<Record<Status, readonly [Tone, string]>> = {
  pending: ['wait', 'Invited'],
  active: ['good', 'Active'],
  disabled: ['mute', 'Disabled'],
}

export function accountsText({ merchant_accounts }: Pick<Schemas['User'], 'merchant_accounts'>): string {
  return merchant_accounts.length === 0
    ? 'All'
    : merchant_accounts.map(({ display_name }) => display_name).join(', ')
}

export function rolesText({ roles }: Pick<Schemas['User'], 'roles'>): string {
  return roles.map(({ name }) => name).join(', ')
}
