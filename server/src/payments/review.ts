import type { AntiFraudDecision, Status } from '#resources/transactions/wire/transaction.ts'
import { isAuthorized } from './state.ts'
import type { NewEvent } from './store/events.ts'

/** What an anti-fraud service said about a payment, and what a reviewer has decided since. */
export type AntiFraud = {
  readonly service_id: string
  readonly decision: AntiFraudDecision
  /** Null: no reviewer has to look at it. */
  readonly review: 'awaited' | 'accepted' | 'rejected' | null
}

/** The same before the payment is on record, with an event for its history. */
export type Judged = { readonly antiFraud: AntiFraud; readonly event: NewEvent }

type Payment = { readonly outcome: { readonly anti_fraud?: AntiFraud } }

/** Whether the money is held first, then captured or released when a reviewer has decided. */
export function isForReview({ outcome }: Payment): boolean {
  return (outcome.anti_fraud?.review ?? null) !== null
}

/** Whether no money may be taken, at least for now. */
export function isHeldBack({ outcome }: Payment): boolean {
  return outcome.anti_fraud?.review === 'awaited' || isRejected({ outcome })
}

export function isRejected({ outcome }: Payment): boolean {
  return outcome.anti_fraud?.review === 'rejected'
}

/** Only a payment whose money is held waits for a reviewer. */
export function isPendingReview({ status, outcome }: Payment & { readonly status: Status }): boolean {
  return isAuthorized({ status }) && outcome.anti_fraud?.review === 'awaited'
}
