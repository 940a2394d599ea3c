import type { Schemas } from '../../api/schema.d.ts'
import type { Tone } from '../parts/values.tsx'

export const LINK_STATUSES: Readonly<
  Record<Schemas['PaymentLink']['status'], { readonly tone: Tone; readonly label: string }>
> = {
  active: { tone: 'info', label: 'Open' },
  processing: { tone: 'wait', label: 'Being paid' },
  completed: { tone: 'good', label: 'Paid' },
  expired: { tone: 'mute', label: 'Expired' },
}

export const LIST = { to: '/payment-links', label: 'Payment links' }
