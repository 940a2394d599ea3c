import type { Schemas } from '../../api/schema.d.ts'
import type { Tone } from '../parts/values.tsx'
import { plain } from '../transactions/words.ts'

type Report = Schemas['Report']
type Execution = Schemas['ReportExecution']

export const LIST = { to: '/reports', label: 'Reports' } as const

type Model = { readonly label: string; readonly says: string }

export const MODELS: Readonly<Record<Report['spec']['model'], Model>> = {
  transactions: { label: 'Payments', says: 'One line per payment, with the columns you choose.' },
  transaction_retries: {
    label: 'Authorization attempts',
    says: 'One line per attempt: the payment service and its response.',
  },
  detailed_settlement: {
    label: 'Settlement details',
    says: 'One line per entry in settlement files, with fees.',
  },
  accounts_receivables: {
    label: 'Receivables',
    says: 'One line per captured payment that is not fully settled yet.',
  },
  ai_insights: {
    label: 'Performance summary',
    says: 'Approval by service, scheme and reason, compared with the previous period. Calculated, not written by a language model.',
  },
}

export const SCHEDULES: Readonly<Record<Report['schedule'], string>> = {
  once: 'Once',
  daily: 'Every day',
  weekly: 'Every week',
  monthly: 'Every month',
}

export const EXECUTION_STATUSES: Readonly<
  Record<Execution['status'], { readonly tone: Tone; readonly label: string }>
> = {
  pending: { tone: 'wait', label: 'Waiting' },
  dispatched: { tone: 'wait', label: 'Starting' },
  processing: { tone: 'wait', label: 'In progress' },
  succeeded: { tone: 'good', label: 'Ready' },
  failed: { tone: 'bad', label: 'Failed' },
}

export function isUnderWay({ status }: Pick<Execution, 'status'>): boolean {
  return status !== 'succeeded' && status !== 'failed'
}

/** `captured_at` as “Captured at”. */
export function columnName(name: string): string {
  const text = plain(name).replace(/^billing details /, 'buyer: ')
  return text.slice(0, 1).toUpperCase() + text.slice(1)
}
