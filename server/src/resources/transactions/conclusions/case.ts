import type { Decided } from '#processing/attempts/answer.ts'
import type { PaymentAttempt } from '#processing/attempts/store.ts'
import type { StoredTransaction } from '../store.ts'

/** An attempt that an answer decides, and its payment as it was before. */
export type Case = {
  readonly transaction: StoredTransaction
  readonly attempt: PaymentAttempt
  readonly answer: Decided
}
