import type { Capabilities } from '#connectors/contract/manifest.ts'
import type { Scope, Tx } from '#platform/database/db.ts'
import { errors, inBody } from '#platform/http/errors.ts'
import { type Finished, inFinalTransaction, type Once } from '#platform/idempotency/once.ts'
import type { Engine } from '#processing/engine.ts'
import * as merchantAccounts from '#resources/merchant-accounts/store.ts'
import type {
  Transaction,
  TransactionCapture,
  TransactionCaptureCreate,
} from '#resources/transactions/wire/transaction.ts'
import { refuseIfReauthorized } from '../begin.ts'
import { findTransaction } from '../find.ts'
import { isGiftCardsOnly, keepRedeemed, lockHeld } from '../gift-cards/redemptions.ts'
import { shippingOf, showTransaction } from '../show.ts'
import * as state from '../state.ts'
import * as captures from '../store/captures.ts'
import * as transactions from '../store/payments.ts'
import { audit, recordStatus } from '../tell.ts'
import { followUp } from './follow-up.ts'
import { reauthorizeIfExpired } from './reauthorize.ts'

type Wanted = {
  readonly id: string
  readonly once: Once
  readonly request: TransactionCaptureCreate
  readonly isReportWanted: boolean
}

/**
 * Captures an authorization, whole or in parts. Answers with the transaction, or with a report on the
 * capture.
 */
export async function captureTransaction(
  scope: Scope,
  engine: Engine,
  wanted: Wanted,
): Promise<Finished<Transaction | TransactionCapture>> {
  const { id, once, request, isReportWanted } = wanted
  const found = await transactions.find(scope, id)
  if (found && isGiftCardsOnly(found)) return captureGiftCards(scope, wanted)
  const renewed = await reauthorizeIfExpired(scope, engine, { id, once, request })
  if (renewed !== undefined) {
    return inFinalTransaction(scope, once, async (tx) => {
      const payment = await findTransaction(tx, renewed)
      return isReportWanted ? showRenewed(tx, payment) : showTransaction(tx, payment)
    })
  }
  return followUp<Transaction | TransactionCapture>(scope, engine, {
    operation: 'capture',
    transactionId: id,
    once,
    begin: (tx, transaction, capabilities) => reserve(tx, transaction, { request, capabilities }),
    show: async (tx, { transaction, attempt }) =>
      isReportWanted
        ? showCapture(tx, transaction, await captures.ofAttempt(tx, attempt))
        : showTransaction(tx, transaction),
  })
}

/** How much a request would capture. Without an amount, all that is left. */
export async function captureAmount(
  scope: Scope,
  id: string,
  { amount }: Pick<TransactionCaptureCreate, 'amount'>,
): Promise<number> {
  if (typeof amount === 'number') return amount
  const found = await transactions.find(scope, id)
  return found ? state.remainderOf(found) : 0
}

/** Captures what gift cards have paid, as a whole and in one commit. No payment service is asked. */
function captureGiftCards(
  scope: Scope,
  { id, once, request, isReportWanted }: Wanted,
): Promise<Finished<Transaction | TransactionCapture>> {
  return inFinalTransaction(scope, once, async (tx) => {
    const held = await lockHeld(tx, id, 'captured')
    if (typeof request.amount === 'number' && request.amount !== held.amount) {
      const message = `leave amount out: all that gift cards have paid, ${held.amount}, is captured at once`
      throw errors.invalid(inBody('/amount', 'value_error.conflict', message))
    }
    if (!request.final) {
      const message = 'leave final out: gift cards are captured once, as a whole'
      throw errors.invalid(inBody('/final', 'value_error.conflict', message))
    }
    const after = await keepRedeemed(tx, held)
    await audit(tx, 'captured', after)
    if (!isReportWanted) return showTransaction(tx, after)
    return { ...(await reportOn(tx, after, {})), ...NO_CAPTURE, status: 'succeeded', code: null }
  })
}

/** The fields of a report when no payment service captured anything. */
const NO_CAPTURE = { capture_id: null, payment_service_capture_id: null, external_identifier: null }

async function reserve(
  tx: Scope<Tx>,
  transaction: transactions.StoredTransaction,
  { request, capabilities }: Pick<Wanted, 'request'> & { readonly capabilities: Capabilities },
) {
  await refuseIfReauthorized(tx, transaction.id)
  const over = capabilities.overCapture
    ? await merchantAccounts.overCaptureOf(tx, tx.merchantAccountId)
    : { amount: null, percentage: null }
  const limit = state.captureLimit(transaction.authorized_amount, over)
  const amount = request.amount ?? state.capturable(transaction, transaction.authorized_amount)
  refuseAmount(transaction, amount, state.capturable(transaction, limit))
  if (!request.final && !capabilities.multipleCaptures) {
    const message = 'leave final out: the payment service takes one capture only'
    throw errors.invalid(inBody('/final', 'value_error.conflict', message))
  }
  const isFinal = request.final
  const change = state.beforeCapture(transaction, { amount, isFinal, limit })
  await recordStatus(tx, transaction.status, await transactions.change(tx, transaction, change))
  const capture = await captures.insert(tx, {
    transaction_id: transaction.id,
    amount,
    is_final: isFinal,
    status: 'pending',
    external_identifier: request.external_identifier ?? null,
    details: {
      ...(request.cart_items && { cart_items: request.cart_items }),
      ...(request.airline && { airline: request.airline }),
    },
  })
  await audit(tx, 'captured', transaction, amount)
  return { amount, subject_id: capture.id }
}

function refuseAmount(
  { authorized_amount }: transactions.StoredTransaction,
  amount: number,
  most: number,
): void {
  if (amount > most) {
    const message = `more than can be captured: ${most} is left`
    throw errors.invalid(inBody('/amount', 'value_error.number.not_le', message))
  }
  if (amount === 0 && authorized_amount > 0) {
    throw errors.invalid(inBody('/amount', 'value_error.number.not_ge', 'must be above 0'))
  }
}

async function showCapture(
  tx: Scope<Tx>,
  transaction: transactions.StoredTransaction,
  capture: captures.StoredCapture,
): Promise<TransactionCapture> {
  return {
    ...(await reportOn(tx, transaction, capture.outcome)),
    status: capture.status,
    code: capture.error_code,
    capture_id: capture.id,
    payment_service_capture_id: capture.payment_service_capture_id,
    external_identifier: capture.external_identifier,
  }
}

/** The report on a payment that replaces an expired one: its capture, or why there is none. */
async function showRenewed(
  tx: Scope<Tx>,
  renewed: transactions.StoredTransaction,
): Promise<TransactionCapture> {
  const [capture] = await captures.listOf(tx, renewed.id)
  if (capture) return showCapture(tx, renewed, capture)
  const ended = state.isDeclined(renewed) ? 'declined' : 'failed'
  return {
    ...(await reportOn(tx, renewed, renewed.outcome)),
    status: state.isUnpaid(renewed) ? ended : 'pending',
    code: renewed.error_code,
    ...NO_CAPTURE,
  }
}

async function reportOn(
  tx: Scope<Tx>,
  transaction: transactions.StoredTransaction,
  { raw_response_code, raw_response_description }: transactions.Outcome,
) {
  const { buyer, shipping_details } = transaction.document
  return {
    type: 'transaction-capture' as const,
    raw_response_code: raw_response_code ?? null,
    raw_response_description: raw_response_description ?? null,
    transaction: await showTransaction(tx, transaction),
    billing_details: buyer?.billing_details ?? null,
    shipping_details: shipping_details && shippingOf(shipping_details),
  }
}
