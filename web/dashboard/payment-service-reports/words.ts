import type { Schemas } from '../../api/schema.d.ts'
import type { Tone } from '../parts/values.tsx'

type File = Schemas['PaymentServiceReportFile']
type Line = Schemas['PaymentServiceReportLine']

export const FILE_STATUSES: Readonly<
  Record<File['status'], { readonly tone: Tone; readonly label: string }>
> = {
  applying: { tone: 'wait', label: 'Being read' },
  applied: { tone: 'good', label: 'Applied' },
  refused: { tone: 'bad', label: 'Rejected' },
  abandoned: { tone: 'mute', label: 'Replaced' },
}

export const LINE_KINDS: Readonly<Record<Line['kind'], string>> = {
  settlement: 'Payment',
  refund_settlement: 'Refund',
  chargeback: 'Chargeback',
  chargeback_reversal: 'Chargeback reversal',
  other: 'Other',
}

/** Why a line belongs to no payment. */
export const UNMATCHED: Readonly<Record<NonNullable<Line['unmatched_because']>, string>> = {
  unknown_reference: 'No payment with this reference',
  not_decided: 'The payment is still processing',
  not_succeeded: 'The payment did not succeed',
  other_currency: 'The payment has another currency',
  duplicate: 'Duplicate of another line',
  differs: 'It differs from an earlier line',
  late_sale: 'Arrived too late',
  unreadable: 'The line cannot be read',
}

/** What does not add up although the payment is known. */
export const FLAGS: Readonly<Record<NonNullable<Line['flag']>, string>> = {
  below_expected: 'Less than was captured',
  above_expected: 'More than was captured',
  other_exchange: 'Different exchange rate',
}

/** By its newest file. What only notifications have told of has none. */
export function reportName({ files, external_identifier }: Schemas['PaymentServiceReport']): string {
  return files.at(-1)?.names[0] ?? external_identifier ?? 'From notifications'
}

export const LIST = { to: '/payment-service-reports', label: 'Settlements' }
