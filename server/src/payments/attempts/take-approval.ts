import type { Approvable } from '#connectors/contract/connector.ts'
import type { Scope } from '#platform/database/db.ts'
import { findBySubject } from '#processing/attempts/find-by-subject.ts'
import * as attempts from '#processing/attempts/store.ts'
import type { Engine } from '#processing/engine.ts'
import { complete } from './complete.ts'

/**
 * A provider says that the buyer has approved, who may never come back to us. Returns whether we know the payment. Until the
 * answer is on record that asked for the approval, we do not.
 */
export async function takeApproval(
  scope: Scope,
  engine: Engine,
  paymentServiceId: string,
  subject: Approvable,
): Promise<boolean> {
  const found = await findBySubject(scope, { serviceId: paymentServiceId, subject, kind: 'authorize' })
  if (!found) return false
  if (found.due_at === null) return true
  if (found.state !== 'pending') return false
  await complete(scope, engine, attempts.ofPayment(found), null)
  return true
}
