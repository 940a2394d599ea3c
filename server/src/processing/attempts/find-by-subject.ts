import type { Subject } from '#connectors/contract/connector.ts'
import { uuidOf } from '#domain/reconciliation-id.ts'
import type { Scope } from '#platform/database/db.ts'
import { isId } from '#platform/http/incoming.ts'
import * as history from './history.ts'
import type { KindName } from './kinds.ts'
import * as attempts from './store.ts'

type Sought = { readonly serviceId: string; readonly subject: Subject; readonly kind: KindName }

/**
 * Finds the attempt that a notification is about: by the provider's own id, by the id of the attempt, or by the
 * reconciliation id of its payment or payout.
 */
export async function findBySubject(scope: Scope, sought: Sought): Promise<attempts.Attempt | undefined> {
  return (
    (await byReference(scope, sought)) ??
    (await byAttempt(scope, sought, sought.subject.attemptId)) ??
    byReconciliation(scope, sought)
  )
}

async function byReference(scope: Scope, { serviceId, subject, kind }: Sought) {
  const { reference } = subject
  return reference === null ? undefined : history.findByReference(scope, { serviceId, reference, kind })
}

async function byAttempt(scope: Scope, { serviceId, kind }: Sought, id: string | null | undefined) {
  if (!id || !isId(id)) return undefined
  const found = await attempts.find(scope, id)
  return found?.service_id === serviceId && found.kind === kind ? found : undefined
}

async function byReconciliation(scope: Scope, sought: Sought) {
  const { serviceId, subject, kind } = sought
  const id = uuidOf(subject.reconciliationId ?? '')
  if (id === undefined) return undefined
  // A payout shares its id with its attempt.
  if (kind === 'payout') return byAttempt(scope, sought, id)
  const all = await history.listOfPayment(scope, { serviceId, transactionId: id, kind })
  const fitting = all.filter((attempt) => mayBe(attempt, subject))
  return only(fitting.filter(({ due_at }) => due_at !== null)) ?? only(fitting)
}

/** The provider calls an attempt by one id. So what has another one is something else. */
function mayBe({ reference }: attempts.Attempt, subject: Subject): boolean {
  return reference === null || subject.reference === null || reference === subject.reference
}

/** A payment may have several captures: which of them is meant, must not be guessed. */
function only(found: readonly attempts.Attempt[]): attempts.Attempt | undefined {
  return found.length === 1 ? found[0] : undefined
}
