import type { Scope } from '#platform/database/db.ts'
import { openApproval, type Returned } from '#processing/attempts/conclude.ts'
import * as attempts from '#processing/attempts/store.ts'
import type { Engine } from '#processing/engine.ts'
import * as paymentServices from '#resources/payment-services/store.ts'
import { hasExpired } from '../approval.ts'
import { doWhatIsQueued, resolveOpenOf } from '../attempts/resolve.ts'
import { complete } from '../attempts/take-notification.ts'
import { giveUpApproval } from '../conclude/fail-approval.ts'
import { isBuyerAsked } from '../state.ts'
import * as transactions from '../store/payments.ts'

/**
 * The buyer comes back from the provider, with parameters that only the provider's connector understands. It completes
 * the payment with them, or is asked for the outcome if it has nothing to complete. Returns the address at which the
 * provider wants a further approval, or null.
 */
export async function takeReturn(
  scope: Scope,
  engine: Engine,
  waiting: transactions.StoredTransaction,
  returned: Returned,
): Promise<string | null> {
  const { id } = waiting
  const open = await attempts.openOf(scope, id)
  const authorization = open.find(({ kind }) => kind === 'authorize')
  if (!authorization || !(await canComplete(scope, engine, authorization))) {
    await resolveOpenOf(scope, engine, id)
    return null
  }
  if (hasExpired(waiting, scope.clock()) && !authorization.may_complete) {
    await giveUpApproval(scope, engine, waiting, open)
    await doWhatIsQueued(scope, engine, id)
    return null
  }
  await complete(scope, engine, authorization, returned)
  return furtherApproval(scope, engine, { waiting, authorization })
}

async function canComplete(
  scope: Scope,
  { providers }: Engine,
  { service_id }: attempts.PaymentAttempt,
): Promise<boolean> {
  const service = (await paymentServices.findMany(scope, [service_id])).get(service_id)
  const connector = service && providers.connectors.find(service.payment_service_definition_id)
  return connector?.complete !== undefined
}

type Before = {
  readonly waiting: transactions.StoredTransaction
  readonly authorization: attempts.PaymentAttempt
}

/** A provider that asks for the same approval again does so because the buyer has not given it. */
async function furtherApproval(
  scope: Scope,
  { secrets }: Engine,
  { waiting, authorization }: Before,
): Promise<string | null> {
  const after = await transactions.find(scope, waiting.id)
  const attempt = await attempts.find(scope, authorization.id)
  if (!after || !attempt || !isBuyerAsked(after)) return null
  const asked = (payment: transactions.StoredTransaction, by: attempts.Attempt) =>
    JSON.stringify([payment.outcome.approval_url, openApproval(secrets, by)])
  const isSame = asked(waiting, authorization) === asked(after, attempt)
  return isSame ? null : (after.outcome.approval_url ?? null)
}
