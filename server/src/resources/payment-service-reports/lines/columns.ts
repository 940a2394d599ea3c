import type { ReportLineKind } from '#connectors/contract/reports.ts'
import type { Tables } from '#platform/database/db.ts'

declare module '#platform/database/db.ts' {
  interface Tables {
    payment_service_report_lines: {
      merchant_account_id: string
      id: string
      payment_service_id: string
      report_id: string
      file_id: string | null
      line_number: number | null
      kind: ReportLineKind
      external_identifier: string | null
      /** Null for lines about no payment. */
      provider_reference: string | null
      own_reference: string | null
      currency: string
      /** Large numbers, which the driver reads as text. */
      amount: string
      original_amount: string | null
      original_currency: string | null
      exchange_rate: number | null
      commission: string
      interchange: string | null
      markup: string | null
      scheme_fee: string | null
      reason_code: string | null
      reason_description: string | null
      posted_at: Date
      ingested_at: Date
      transaction_id: string | null
      refund_id: string | null
      unmatched_because: UnmatchedBecause | null
      flag: Flag | null
      checks: number
      due_at: Date | null
      /** What a notification said of a chargeback without an id. */
      notice: string | null
      /** Of a chargeback: until when the provider takes an answer. */
      respond_by: Date | null
      answered_at: Date | null
      answered_by: string | null
      answered_by_name: string | null
      answer_note: string | null
      updated_at: Date
    }
  }
}

export const UNMATCHED_BECAUSE = [
  'unknown_reference',
  'not_decided',
  'not_succeeded',
  'other_currency',
  'duplicate',
  'differs',
  'late_sale',
  'unreadable',
] as const
export type UnmatchedBecause = (typeof UNMATCHED_BECAUSE)[number]

/** Lines without a payment that miss none: they repeat another line, or tell of a sale that we refund. */
export const EXPLAINED: readonly (UnmatchedBecause | null)[] = ['duplicate', 'late_sale']

export const FLAGS = ['below_expected', 'above_expected', 'other_exchange'] as const
export type Flag = (typeof FLAGS)[number]

export type StoredLine = Tables['payment_service_report_lines']

/** No person has answered yet. */
export const UNANSWERED = {
  answered_at: null,
  answered_by: null,
  answered_by_name: null,
  answer_note: null,
} as const satisfies Partial<StoredLine>

export const COLUMNS = [
  'merchant_account_id',
  'id',
  'payment_service_id',
  'report_id',
  'file_id',
  'line_number',
  'kind',
  'external_identifier',
  'provider_reference',
  'own_reference',
  'currency',
  'amount',
  'original_amount',
  'original_currency',
  'exchange_rate',
  'commission',
  'interchange',
  'markup',
  'scheme_fee',
  'reason_code',
  'reason_description',
  'posted_at',
  'ingested_at',
  'transaction_id',
  'refund_id',
  'unmatched_because',
  'flag',
  'checks',
  'due_at',
  'notice',
  'respond_by',
  'answered_at',
  'answered_by',
  'answered_by_name',
  'answer_note',
  'updated_at',
] as const
