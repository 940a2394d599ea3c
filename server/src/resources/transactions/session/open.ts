import { accountOf, completionUrl, hasExpired } from '#payments/approval.ts'
import { isBuyerAsked } from '#payments/state.ts'
import * as transactions from '#payments/store/payments.ts'
import type { Context, Scope } from '#platform/database/db.ts'
import { errors } from '#platform/http/errors.ts'
import { type Finished, inFinalTransaction, type Once } from '#platform/idempotency/once.ts'
import * as attempts from '#processing/attempts/store.ts'
import type { Engine } from '#processing/engine.ts'
import { inquire } from '#resources/payment-service-definitions/inquire.ts'
import { linkTo } from '#resources/payment-services/link.ts'
import type { TransactionSession } from './schemas.ts'

type Asked = {
  readonly id: string
  readonly token: string | undefined
  readonly payload: Readonly<Record<string, unknown>>
}

/** Opens the provider's session of a payment that waits for its buyer. Nothing changes, and no money moves. */
export async function openTransactionSession(
  context: Context,
  once: Once,
  engine: Engine,
  { id, token, payload }: Asked,
): Promise<Finished<TransactionSession>> {
  const waiting = await findWaiting(context, engine, { id, token })
  if (!waiting) throw errors.notFound()
  const scope: Scope = { ...context, merchantAccountId: waiting.merchant_account_id }
  const attempt = (await attempts.openOf(scope, id)).find(({ kind }) => kind === 'authorize')
  const options = waiting.document.connection_options
  const link = attempt && (await linkTo(scope, engine, attempt.service_id, options))
  const session = link?.connector.session
  const { payment_service_transaction_id: reference } = waiting
  // The service was deleted, or the provider's decision is just being recorded.
  if (!attempt || !link || !session || reference === null) throw errors.notFound()

  const { amount } = attempt
  const payment = { transactionId: id, reference, amount, currency: waiting.currency }
  const answer = await inquire(engine.providers, link.fields, (line) => session({ payload, payment }, line))
  if (answer.outcome === 'failed') {
    throw errors.refused('the payment service refused to open a session: check the payload')
  }
  return inFinalTransaction(context, once, async () => ({
    session_data: { ...answer.body },
    default_completion_url: completionUrl(engine, waiting),
    integration_client: waiting.document.order.integration_client ?? 'redirect',
  }))
}

/**
 * The payment that a token opens, while its buyer may still approve. Undefined for any other token and in any other state, so
 * that a caller cannot tell which it is.
 */
export async function findWaiting(
  context: Context,
  { secrets }: Pick<Engine, 'secrets'>,
  { id, token }: { readonly id: string; readonly token: string | undefined },
): Promise<transactions.StoredTransaction | undefined> {
  const merchantAccountId = token === undefined ? undefined : accountOf(secrets, id, token)
  if (merchantAccountId === undefined) return undefined
  const waiting = await transactions.find({ ...context, merchantAccountId }, id)
  if (waiting?.outcome.session_token !== token) return undefined
  return waiting && isBuyerAsked(waiting) && !hasExpired(waiting, context.clock()) ? waiting : undefined
}
