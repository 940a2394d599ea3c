import type { Decided } from '#processing/attempts/answer.ts'
import type { PaymentAttempt } from '#processing/attempts/store.ts'
import type { StoredTransaction } from '../store/payments.ts'

/** An attempt with the answer that decides it, and its payment before that. */
export type Case = {
  readonly transaction: StoredTransaction
  readonly attempt: PaymentAttempt
  readonly answer: Decided
}
