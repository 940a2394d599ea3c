import type { Schemas } from '../../api/schema.d.ts'
import type { Tone } from '../parts/values.tsx'

export const PAYOUT_STATUSES: Readonly<
  Record<Schemas['Payout']['status'], { readonly tone: Tone; readonly label: string }>
> = {
  pending: { tone: 'wait', label: 'Waiting' },
  succeeded: { tone: 'good', label: 'Sent' },
  declined: { tone: 'bad', label: 'Declined' },
  failed: { tone: 'bad', label: 'Failed' },
}

export const LIST = { to: '/payouts', label: 'Payouts' }
