import type { Answer, Unknown } from './connector.ts'

/** What was done at the provider, as `activity` lists it. */
export type ListedOperation = {
  readonly operation: 'authorize' | 'capture' | 'void' | 'cancel' | 'refund' | 'increment'
  /** Our ids, if the provider repeats them. Null: a person did it at the provider, or another system. */
  readonly attemptId: string | null
  readonly transactionId: string | null
  /** The provider's own id of the authorization that it is about. Of an authorization: its own. */
  readonly authorization: string
  /** What was asked for. Null: the provider does not say it of this operation alone. */
  readonly amount: number | null
  /** Of an increment without an amount: what is authorized by now. The authorization lists the same amount then. */
  readonly total?: number
  readonly currency: string
  /** Of an authorization: captured in the same step. Of a capture: no other one follows. */
  readonly isFinal: boolean
  readonly at: Date
  /** What became of it, as the provider knows it now. */
  readonly answer: Exclude<Answer, Unknown>
  /** What the buyer knows the card by. Null if the provider does not say. */
  readonly card: { readonly scheme: string | null; readonly last4: string | null } | null
}

export type ActivityOrder = {
  readonly from: Date
  readonly until: Date
  /** `next` of the page before. Null: the first page. */
  readonly after: string | null
}

export type ActivityAnswer =
  /** `next` is null after the last page. Pages may repeat an operation, and show more than the window. */
  | { readonly outcome: 'listed'; readonly operations: readonly ListedOperation[]; readonly next: string | null }
  | { readonly outcome: 'unreachable'; readonly message: string }
