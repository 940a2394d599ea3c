import type { Schemas } from '../../api/schema.d.ts'
import type { Tone } from '../parts/values.tsx'

export const REFUND_STATUSES: Readonly<
  Record<Schemas['Refund']['status'], { readonly tone: Tone; readonly label: string }>
> = {
  processing: { tone: 'wait', label: 'Waiting' },
  succeeded: { tone: 'good', label: 'Refunded' },
  declined: { tone: 'bad', label: 'Declined' },
  failed: { tone: 'bad', label: 'Failed' },
  voided: { tone: 'mute', label: 'Voided' },
}

export const LIST = { to: '/refunds', label: 'Refunds' }
