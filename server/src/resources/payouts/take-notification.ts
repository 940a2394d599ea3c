import type { Outcome, SyncAnswer } from '#connectors/contract/connector.ts'
import { inTransaction, type Scope } from '#platform/database/db.ts'
import { concludeHeld } from '#processing/attempts/conclude.ts'
import { findBySubject } from '#processing/attempts/history.ts'
import type { Engine } from '#processing/engine.ts'
import { recordOutcome, type Subject } from './conclude.ts'
import { PAYOUT } from './resolve.ts'

/** Takes the outcome of a payout from a provider. Returns whether we know the payout. */
export async function takePayoutNotification(
  scope: Scope,
  engine: Engine,
  paymentServiceId: string,
  { answer, ...subject }: Outcome,
): Promise<boolean> {
  const found = { serviceId: paymentServiceId, subject, kind: 'payout' } as const
  const attempt = await findBySubject(scope, found)
  if (!attempt) return false
  const isNews = attempt.due_at !== null || attempt.state !== answer.outcome
  if (!isNews) return true
  await inTransaction(scope, async (tx) => {
    const concluded = await concludeHeld<Subject, SyncAnswer>(tx, engine, PAYOUT, { attempt, answer })
    if (concluded.isNews) await recordOutcome(tx, concluded.subject)
  })
  return true
}
