import type { Schemas } from '../../api/schema.d.ts'
import type { Tone } from '../parts/values.tsx'

type Mark = { readonly tone: Tone; readonly label: string }

export const METHOD_STATUSES: Readonly<Record<Schemas['PaymentMethod']['status'], Mark>> = {
  processing: { tone: 'wait', label: 'Storing' },
  buyer_approval_required: { tone: 'info', label: 'Awaiting buyer' },
  succeeded: { tone: 'good', label: 'Stored' },
  failed: { tone: 'bad', label: 'Not stored' },
}

export const TOKEN_STATUSES: Readonly<Record<Schemas['NetworkToken']['status'], Mark>> = {
  active: { tone: 'good', label: 'Active' },
  inactive: { tone: 'wait', label: 'Inactive' },
  suspended: { tone: 'info', label: 'Suspended' },
  deleted: { tone: 'mute', label: 'Deleted' },
}

export const LIST = { to: '/payment-methods', label: 'Payment methods' }
