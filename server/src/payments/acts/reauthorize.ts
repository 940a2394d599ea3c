import { ANONYMOUS } from '#platform/access/auth.ts'
import type { Scope } from '#platform/database/db.ts'
import { errors, inBody } from '#platform/http/errors.ts'
import { type Once, UNKEYED, withoutAnswer } from '#platform/idempotency/once.ts'
import type { Engine } from '#processing/engine.ts'
import * as merchantAccounts from '#resources/merchant-accounts/store.ts'
import * as paymentMethods from '#resources/payment-methods/store.ts'
import type { TransactionCaptureCreate, TransactionCreate } from '#resources/transactions/wire/transaction.ts'
import { resolveOpenOf, resume } from '../attempts/resolve.ts'
import { isExpired } from '../begin.ts'
import { createTransaction } from '../pay.ts'
import { captureLimit, isVoiding } from '../state.ts'
import * as transactions from '../store/payments.ts'

type Wanted = { readonly id: string; readonly once: Once; readonly request: TransactionCaptureCreate }

/**
 * An expired authorization holds nothing any more. If the merchant asks for it, the stored method pays the
 * amount to capture again, as a new payment that points back. Returns the new payment's id; undefined when
 * the authorization has not expired.
 */
export async function reauthorizeIfExpired(
  scope: Scope,
  engine: Engine,
  { id, once, request }: Wanted,
): Promise<string | undefined> {
  if (!request.reauthorize_if_authorization_expired) return undefined
  if (once.begun) return takeUp(scope, engine, id, once.begun)
  const expired = await findExpired(scope, engine, id)
  if (!expired) return undefined
  if (expired.has_gift_card_redemptions) {
    // The card's part alone would not pay for the order.
    throw errors.refused(
      'Create a new transaction: the authorization has expired, and the gift cards have their money back.',
    )
  }
  const { payment_method_id: stored } = expired
  if (stored === null || !(await paymentMethods.find(scope, stored))) {
    throw errors.refused(
      'Create a new transaction: the authorization has expired, and its payment method is not stored.',
    )
  }
  await refuseAmount(scope, expired, request)
  // The capture answers the request, because it tells more than the payment.
  const paid = await createTransaction(scope, engine, {
    once: withoutAnswer(once),
    request: paymentOf(expired, stored, request),
    caller: ANONYMOUS,
    address: '',
    reauthorizedFrom: expired,
  })
  return paid.answer.id
}

/** Continues a request whose process died: it had begun either a new payment or an ordinary capture. */
async function takeUp(scope: Scope, engine: Engine, id: string, begun: string): Promise<string | undefined> {
  const renewed = await transactions.find(scope, begun)
  if (renewed?.reauthorized_from_transaction_id !== id) return undefined
  await resume(scope, UNKEYED, engine, begun)
  return begun
}

/** Resolves an open void first. Until the provider has released the hold, both payments could be captured. */
async function findExpired(
  scope: Scope,
  engine: Engine,
  id: string,
): Promise<transactions.StoredTransaction | undefined> {
  const found = await transactions.find(scope, id)
  if (!found || !isVoiding(found)) return found && isExpired(found) ? found : undefined
  if (found.error_code !== 'expired_authorization') return undefined
  await resolveOpenOf(scope, engine, id)
  const after = await transactions.find(scope, id)
  if (after && isVoiding(after)) {
    throw errors.tooEarly('The authorization has expired, and its void is not decided yet. Try again later.')
  }
  return after && isExpired(after) ? after : undefined
}

/** The buyer agreed to the authorized amount, so no more may be paid than could have been captured. */
async function refuseAmount(
  scope: Scope,
  { authorized_amount }: transactions.StoredTransaction,
  { amount }: TransactionCaptureCreate,
): Promise<void> {
  const over = await merchantAccounts.overCaptureOf(scope, scope.merchantAccountId)
  const limit = captureLimit(authorized_amount, over)
  if (typeof amount !== 'number' || amount <= limit) return
  const message = `more than can be captured: ${limit} is left`
  throw errors.invalid(inBody('/amount', 'value_error.number.not_le', message))
}

function paymentOf(
  { authorized_amount, currency, country, external_identifier, document }: transactions.StoredTransaction,
  paymentMethodId: string,
  request: TransactionCaptureCreate,
): TransactionCreate {
  return {
    ...document.order,
    amount: request.amount ?? authorized_amount,
    currency,
    country,
    external_identifier,
    metadata: document.metadata as Record<string, string> | null,
    connection_options: document.connection_options as NonNullable<
      TransactionCreate['connection_options']
    > | null,
    payment_method: {
      method: 'id',
      id: paymentMethodId,
      // A stored account needs an address, also if nobody is there who could be sent to it.
      ...(document.instrument_type === 'redirect_token' && { redirect_url: document.redirect_url }),
    },
    intent: 'capture',
    payment_source: 'card_on_file',
    merchant_initiated: true,
    is_subsequent_payment: true,
    store: false,
    async_capture: false,
    account_funding_transaction: false,
    allow_partial_authorization: false,
    ...(request.cart_items && { cart_items: request.cart_items }),
    ...(request.airline && { airline: request.airline }),
  }
}
