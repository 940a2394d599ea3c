import type { Tables } from '#platform/database/db.ts'
import type { KindName, PaymentKind } from './kinds.ts'

declare module '#platform/database/db.ts' {
  interface Tables {
    attempts: {
      id: string
      merchant_account_id: string
      kind: KindName
      /** The payment, if the attempt is about one. */
      transaction_id: string | null
      /** The capture, refund or redemption. For a void: the authorization of another service. */
      subject_id: string | null
      /** The service that we ask. Services take turns by it. */
      service_id: string
      is_direct_capture: boolean
      /** What is presented in place of what the payment says: a token of its stored card, and the token's id. */
      instrument_type: string | null
      instrument_id: string | null
      amount: number
      state: State
      reference: string | null
      error_code: string | null
      raw_response_code: string | null
      raw_response_description: string | null
      checks: number
      /** When the provider is asked, or asked again. Of a sent attempt: when it counts as abandoned, in real time. */
      due_at: Date | null
      /** The buyer has come back from the provider. From then on, the provider is asked to complete the attempt. */
      may_complete: boolean
      /** What the buyer's browser brought back, and how the buyer approves. Sealed, and gone once the attempt is decided. */
      returned: Buffer | null
      approval: Buffer | null
      /** Whether an order with a card was kept before it was sent: see `kept-orders.ts`. Null: it need not be kept. */
      order_state: 'awaited' | 'kept' | 'abandoned' | null
      /** When it was recorded, in real time. */
      sent_at: Date | null
      /** The trace of the request that began it, with which the job goes on. Null: it is not traced. */
      traceparent: string | null
      created_at: Date
      updated_at: Date
    }
  }
}

type State = 'queued' | 'sent' | 'unknown' | 'pending' | 'approved' | 'declined' | 'failed'
export type Attempt = Tables['attempts']
export type PaymentAttempt = Attempt & { readonly kind: PaymentKind; readonly transaction_id: string }

export const COLUMNS = [
  'id',
  'merchant_account_id',
  'kind',
  'transaction_id',
  'subject_id',
  'service_id',
  'is_direct_capture',
  'instrument_type',
  'instrument_id',
  'amount',
  'state',
  'reference',
  'error_code',
  'raw_response_code',
  'raw_response_description',
  'checks',
  'due_at',
  'may_complete',
  'returned',
  'approval',
  'order_state',
  'sent_at',
  'traceparent',
  'created_at',
  'updated_at',
] as const
