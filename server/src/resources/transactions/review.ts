import type { NewEvent } from './events/store.ts'
import { isAuthorized } from './state.ts'
import type { AntiFraudDecision, Status } from './wire/transaction.ts'

/** What an anti-fraud service thought of a payment, and whether somebody has looked at it since. */
export type AntiFraud = {
  readonly service_id: string
  readonly decision: AntiFraudDecision
  /** Null: nobody has to look at it. */
  readonly review: 'awaited' | 'accepted' | 'rejected' | null
}

/** The same as long as the payment is not on record, with what its history is to say. */
export type Judged = { readonly antiFraud: AntiFraud; readonly event: NewEvent }

type Payment = { readonly outcome: { readonly anti_fraud?: AntiFraud } }

/** Its money is held first, and taken or let go of when somebody has decided. */
export function isForReview({ outcome }: Payment): boolean {
  return (outcome.anti_fraud?.review ?? null) !== null
}

/** No money is taken for it, at least for now. */
export function isHeldBack({ outcome }: Payment): boolean {
  return outcome.anti_fraud?.review === 'awaited' || isRejected({ outcome })
}

export function isRejected({ outcome }: Payment): boolean {
  return outcome.anti_fraud?.review === 'rejected'
}

/** Only of a payment whose money is held: nobody has to look at others any more, or yet. */
export function isPendingReview({ status, outcome }: Payment & { readonly status: Status }): boolean {
  return isAuthorized({ status }) && outcome.anti_fraud?.review === 'awaited'
}
