import type { SyncAnswer } from '#connectors/contract/connector.ts'
import type { Scope } from '#platform/database/db.ts'
import { type Kind, resolve } from '#processing/attempts/conclude.ts'
import * as attempts from '#processing/attempts/store.ts'
import type { Engine } from '#processing/engine.ts'
import { inquire } from './ask.ts'
import { PAYOUT_EFFECTS, recordOutcome, type Subject } from './conclude.ts'
import { findService } from './show.ts'
import * as payouts from './store.ts'

/** The payout and its attempt have the same id. */
export const PAYOUT: Kind<Subject, SyncAnswer> = {
  ...PAYOUT_EFFECTS,
  find: async (scope, { id }) => subjectOf(scope, await payouts.find(scope, id)),
  // The request itself sends the payout, because a typed card is not kept longer. So it is never queued.
  ask: (scope, engine, { payout }, attempt) => inquire(scope, engine, payout, attempt),
  inquire: (scope, engine, { payout }, attempt) => inquire(scope, engine, payout, attempt),
  lock: async (tx, { id }) => {
    const subject = await subjectOf(tx, await payouts.lock(tx, id))
    const attempt = await attempts.lock(tx, id)
    if (!attempt) throw new Error('a payout has no attempt')
    return { subject, attempt }
  },
  recordLate: recordOutcome,
}

export function resolvePayout(scope: Scope, engine: Engine, attempt: attempts.Attempt) {
  return resolve(scope, engine, PAYOUT, attempt)
}

async function subjectOf(scope: Scope, payout: payouts.StoredPayout | undefined): Promise<Subject> {
  if (!payout) throw new Error('an attempt has no payout')
  return { payout, service: await findService(scope, payout) }
}
