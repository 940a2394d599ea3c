import type { Schemas } from '../../api/schema.d.ts'
import type { Marks } from '../parts/values.tsx'

export const METHOD_STATUSES: Marks<Schemas['PaymentMethod']['status']> = {
  processing: { tone: 'wait', label: 'Storing' },
  buyer_approval_required: { tone: 'info', label: 'Awaiting buyer' },
  succeeded: { tone: 'good', label: 'Stored' },
  failed: { tone: 'bad', label: 'Not stored' },
}

export const TOKEN_STATUSES: Marks<Schemas['NetworkToken']['status']> = {
  active: { tone: 'good', label: 'Active' },
  inactive: { tone: 'wait', label: 'Inactive' },
  suspended: { tone: 'info', label: 'Suspended' },
  deleted: { tone: 'mute', label: 'Deleted' },
}

export const LIST = { to: '/payment-methods', label: 'Payment methods' }
