import type { SyncAnswer } from '#connectors/contract/connector.ts'
import type { Scope, Tx } from '#platform/database/db.ts'
import { closing, type Decided, type Effects, endOf, referenceOf } from '#processing/attempts/conclude.ts'
import * as attempts from '#processing/attempts/store.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import * as events from '#resources/events/store.ts'
import { type Service, toTarget } from './show.ts'
import * as payouts from './store.ts'

export type Subject = { readonly payout: payouts.StoredPayout; readonly service: Service }

/** What a payment service's answer changes about a payout. */
export const PAYOUT_EFFECTS: Effects<Subject, SyncAnswer> = {
  decide: (tx, _engine, { subject, attempt, answer }) => end(tx, subject, attempt, answer),
  wait: async (tx, _engine, { subject, attempt, before }) => {
    const { reference } = attempt
    const isNew = reference !== null && reference !== subject.payout.payment_service_payout_id
    const payout = isNew
      ? await payouts.change(tx, subject.payout, { payment_service_payout_id: reference })
      : subject.payout
    // Subscribers are told once that the payout is pending.
    if (before.state !== 'sent') return { ...subject, payout }
    await events.publish(tx, ['payout.pending'], toTarget(payout, subject.service, attempt))
    return { ...subject, payout }
  },
  hearAgain: async (tx, _engine, { subject, attempt, answer }) => {
    // The money has left after all, and cannot be called back: a payout that looks refused would be made twice.
    if (answer.outcome !== 'approved' || attempt.state === 'approved') return subject
    const corrected = await attempts.change(tx, attempt, closing(answer))
    await recordOutcome(tx, subject)
    return end(tx, subject, corrected, answer)
  },
}

async function end(
  tx: Scope<Tx>,
  { payout, service }: Subject,
  attempt: attempts.Attempt,
  answer: Decided,
): Promise<Subject> {
  const reference = referenceOf(answer)
  const ended = await payouts.change(tx, payout, {
    status: endOf(answer),
    ...(reference !== null && { payment_service_payout_id: reference }),
  })
  await events.publish(tx, [`payout.${endOf(answer)}`], toTarget(ended, service, attempt))
  return { payout: ended, service }
}

/** An outcome that we learn after the request was answered gets its own audit entry. */
export function recordOutcome(tx: Scope<Tx>, { payout }: Pick<Subject, 'payout'>): Promise<void> {
  return auditLogs.record(tx, 'updated', named(payout))
}

/** The payout as the audit log names it. */
export function named({ id, currency, amount }: payouts.StoredPayout) {
  return { type: 'payout', id, name: `${currency} ${amount}` }
}
