import type { SyncAnswer, Unknown } from '#connectors/contract/connector.ts'
import type { TokenizeOrder } from '#connectors/contract/orders.ts'
import { inTransaction, type Scope } from '#platform/database/db.ts'
import { type Kind, resolve } from '#processing/attempts/conclude.ts'
import { ABANDONED, clearOrder, findSent, TOO_LATE } from '#processing/attempts/kept-orders.ts'
import type { Resolve } from '#processing/attempts/resolve-due.ts'
import * as attempts from '#processing/attempts/store.ts'
import { holdWhileAsked, mayInquire, nextCheckForAMonth } from '#processing/attempts/store.ts'
import type { Engine } from '#processing/engine.ts'
import { askProvider, lineTo } from '#processing/provider.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import { linkTo } from '#resources/payment-services/link.ts'
import * as paymentMethods from '../store.ts'
import { concludeTokenization, hearLateToken, isGivenUp, NO_ANSWER, waitForApproval } from './conclude.ts'
import * as tokens from './store.ts'

/** Requests for tokens. The token and its attempt have the same id. */
export const TOKENIZATION: Kind<tokens.StoredToken, SyncAnswer> = {
  find: async (scope, { id }) => present(await tokens.find(scope, id)),
  // The request itself asks, because the number of a card is not kept open longer. So it is never queued.
  ask: inquire,
  inquire,
  lock: async (tx, { id }) => {
    const { payment_method_id } = present(await tokens.find(tx, id))
    // A change of both locks the method first.
    await paymentMethods.lock(tx, payment_method_id)
    return { subject: present(await tokens.lock(tx, id)), attempt: present(await attempts.lock(tx, id)) }
  },
  decide: concludeTokenization,
  wait: waitForApproval,
  hearAgain: hearLateToken,
  nextCheck: nextCheckForAMonth,
  giveUp: NO_ANSWER,
  recordLate: (tx, { id, status }) =>
    auditLogs.record(tx, 'updated', { type: 'payment-service-token', id, name: status }),
  forget: overwriteToken,
}

export const resolveTokenization: Resolve = (scope, engine, attempt) =>
  resolve(scope, engine, TOKENIZATION, attempt)

/**
 * Inquires now, unless a request still waits for the provider's first answer. A buyer who returns after we had stopped
 * asking may have approved.
 */
export async function resolveNow(scope: Scope, engine: Engine, id: string): Promise<void> {
  const attempt = await attempts.find(scope, id)
  if (attempt && (mayInquire(attempt, scope.clock) || isGivenUp(attempt)))
    await resolveTokenization(scope, engine, attempt)
}

/** Asks the provider what became of a request for a token whose answer did not reach us, or did not decide it. */
async function inquire(
  scope: Scope,
  engine: Engine,
  token: tokens.StoredToken,
  attempt: attempts.Attempt,
): Promise<SyncAnswer> {
  const { id, payment_service_id } = token
  const link = await linkTo(scope, engine, payment_service_id, null)
  if (!link?.connector.sync) return { outcome: 'unknown', reason: 'the provider cannot be asked' }
  const { connector } = link
  const line = lineTo(engine.providers, connector, 'sync')
  if (!(await holdWhileAsked(scope, attempt, line))) return ABANDONED
  const about = { attempt, connector, onReveal: revealing(scope, token) }
  const sent = await findSent<TokenizeOrder>(scope, engine.vault, about)
  if (sent.outcome === 'never_sent') return { outcome: 'not_found' }
  if (sent.outcome === 'too_late') return TOO_LATE
  const { sentAt, order } = sent
  const { reference } = attempt
  const asked = { attemptId: id, transactionId: id, reference, ownReference: reference, sentAt, order }
  const inquiry = { ...asked, operation: 'tokenize' } as const
  const answer = await askProvider(line, link.connector.sync, inquiry, link).finally(() => clearOrder(order))
  return withToken(answer)
}

/** Audits that what was to be stored is opened again. */
export function revealing(scope: Scope, { payment_method_id: id }: tokens.StoredToken) {
  const opened = { type: auditLogs.OF_BUYERS.paymentMethod, id, name: 'tokenization' }
  return () => inTransaction(scope, (tx) => auditLogs.record(tx, 'revealed', opened))
}

/** An approval without a token proves nothing: we ask again. */
export function withToken<Answer extends SyncAnswer>(answer: Answer): Answer | Unknown {
  const isEmpty = answer.outcome === 'approved' && !answer.token
  return isEmpty ? { outcome: 'unknown', reason: 'the provider approved, but gave no token' } : answer
}

/** The bytes are not needed once the token is sealed. */
export function overwriteToken(answer: SyncAnswer): void {
  if (answer.outcome === 'approved') answer.token?.value.use((bytes) => bytes.fill(0))
}

function present<Found>(found: Found | undefined): Found {
  if (!found) throw new Error('a request for a token is not on record')
  return found
}
