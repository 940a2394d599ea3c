import type { Schemas } from '../../api/schema.d.ts'
import type { Tone } from '../parts/values.tsx'

export type Case = Schemas['ChargebackCase']

export const CASE_STATUSES: Readonly<
  Record<Case['status'], { readonly tone: Tone; readonly label: string }>
> = {
  open: { tone: 'bad', label: 'Open' },
  answered: { tone: 'wait', label: 'Answered' },
  expired: { tone: 'mute', label: 'Expired' },
  returned: { tone: 'good', label: 'Returned' },
}

/** Why the bank took the money: the code of the scheme, and words. */
export function reasonOf({ reason_code, reason_description }: Case): string {
  return [reason_code, reason_description].filter(Boolean).join(' · ')
}
