import { createdAt } from '#domain/ids.ts'
import type { Context, Tx } from '#platform/database/db.ts'
import { type Key, notePending } from './store.ts'

/** Facts of payments older than this are written. By then, nearly all are decided. */
export const SETTLED_MS = 15 * 60_000

/** What the facts of a payment tell and may change after its authorization is decided. */
type CountedPayment = Key & {
  readonly status: string
  readonly amount: number
  readonly error_code: string | null
  readonly payment_service_id: string | null
  readonly outcome: {
    readonly raw_response_code?: unknown
    readonly three_d_secure?: unknown
    readonly instrument_type?: unknown
  }
  readonly document: {
    readonly metadata: unknown
    readonly instrument_type: unknown
    readonly payment_method: { readonly details: unknown } | null
  }
}

const UNDECIDED: readonly string[] = ['processing', 'buyer_approval_pending']
const UNPAID: readonly string[] = ['authorization_declined', 'authorization_failed']

/**
 * A payment that is recorded long after its id was made may have been passed over. So may any payment of a sandbox whose
 * clock is moved: it can jump by days before this payment is committed.
 */
export async function noteLate(tx: Context<Tx>, payment: Key): Promise<void> {
  const age = tx.clock().getTime() - createdAt(payment.id).getTime()
  if (tx.clock.isMoved?.() || age > SETTLED_MS / 2) await notePending(tx, payment)
}

/**
 * A decision is told once. Corrections, increments and refused captures change what a decided payment tells. The
 * usual captures, voids and refunds do not, and write nothing here.
 */
export async function noteChange(
  tx: Context<Tx>,
  before: CountedPayment,
  after: CountedPayment,
): Promise<void> {
  if (!UNDECIDED.includes(before.status) && tells(before) !== tells(after)) await notePending(tx, before)
}

function tells({
  status,
  amount,
  error_code,
  payment_service_id,
  outcome,
  document,
}: CountedPayment): string {
  const { raw_response_code, three_d_secure, instrument_type } = outcome
  const isAuthorized = !UNPAID.includes(status)
  return JSON.stringify([
    isAuthorized,
    amount,
    error_code,
    payment_service_id,
    raw_response_code,
    three_d_secure,
    instrument_type,
    document.metadata,
    document.instrument_type,
    document.payment_method?.details,
  ])
}
