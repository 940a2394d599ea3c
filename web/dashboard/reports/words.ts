import type { Schemas } from '../../api/schema.d.ts'
import type { Tone } from '../parts/status.tsx'
import { plain } from '../transactions/words.ts'

type Report = Schemas['Report']
type Execution = Schemas['ReportExecution']

export const LIST = { to: '/reports', label: 'Reports' } as const

type Model = { readonly label: string; readonly says: string }

export const MODELS: Readonly<Record<Report['spec']['model'], Model>> = {
  transactions: { label: 'Payments', says: 'A line for each payment, with the columns that you choose.' },
  transaction_retries: {
    label: 'Tries to authorize',
    says: 'A line for each try: which service was asked, and what it answered.',
  },
  detailed_settlement: {
    label: 'Settlement in detail',
    says: 'A line for each movement in the files of payment services, with fees.',
  },
  accounts_receivables: {
    label: 'Receivables',
    says: 'A line for each captured payment that its service still owes, or part of it.',
  },
  ai_insights: {
    label: 'Performance summary',
    says: 'Approval by service, scheme and reason, against as long a time before. It is counted, not written by a language model.',
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
  dispatched: { tone: 'wait', label: 'Beginning' },
  processing: { tone: 'wait', label: 'Being written' },
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
