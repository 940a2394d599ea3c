// Made by tools/client.ts. Do not edit.

import type { Connection, Options } from '../connect.ts'
import { type List, list as listOf } from '../list.ts'
import { path } from '../path.ts'
import { send } from '../send.ts'
import type * as T from './types.ts'

export * as actions from './transactions/actions.ts'
export * as attempts from './transactions/attempts.ts'
export * as authorization from './transactions/authorization.ts'
export * as captures from './transactions/captures.ts'
export * as chargebackReversals from './transactions/chargeback-reversals.ts'
export * as chargebacks from './transactions/chargebacks.ts'
export * as decision from './transactions/decision.ts'
export * as events from './transactions/events.ts'
export * as exchanges from './transactions/exchanges.ts'
export * as refundSettlements from './transactions/refund-settlements.ts'
export * as refunds from './transactions/refunds.ts'
export * as session from './transactions/session.ts'
export * as settlements from './transactions/settlements.ts'
export { void_ as void }

/**
 * List transactions
 *
 * Newest first. Lists the transactions that match all filters.
 *
 * Requires the scope `transactions.read`.
 */
export function list(
  connection: Connection,
  query?: T.ListTransactionsQuery,
  options?: Options,
): List<T.Transactions> {
  return listOf(connection, '/transactions', query, options)
}

/**
 * Create transaction
 *
 * A declined or failed payment is answered with 201, too: see `status` and `error_code`. A payment stays `processing` while its outcome is unknown.
 *
 * Requires the scope `transactions.write`, or a browser token with `embed`.
 */
export function create(
  connection: Connection,
  body: T.TransactionCreate,
  options?: Options,
): Promise<T.Transaction> {
  return send(connection, { method: 'POST', path: '/transactions', body }, options)
}

/**
 * Get transaction
 *
 * Requires the scope `transactions.read`.
 */
export function get(
  connection: Connection,
  transactionId: string,
  options?: Options,
): Promise<T.Transaction> {
  return send(connection, { method: 'GET', path: path`/transactions/${transactionId}` }, options)
}

/**
 * Update transaction
 *
 * Records what was done outside of this service. No provider is asked and no money moves. The amounts still have to add up. `metadata` is replaced as a whole.
 *
 * Requires the scope `transactions.write`.
 */
export function update(
  connection: Connection,
  transactionId: string,
  body: T.TransactionUpdate,
  options?: Options,
): Promise<T.Transaction> {
  return send(connection, { method: 'PUT', path: path`/transactions/${transactionId}`, body }, options)
}

/**
 * Capture transaction
 *
 * Captures the authorized amount, whole or in parts. A capture is final unless `final` is false. The final capture releases the rest.
 *
 * Requires the scope `transactions.write` or `transactions.follow-ups.write`.
 */
export function capture(
  connection: Connection,
  transactionId: string,
  body: T.TransactionCaptureCreate,
  options: Options & { readonly prefer: 'resource=transaction-capture' },
): Promise<T.TransactionCapture>
export function capture(
  connection: Connection,
  transactionId: string,
  body: T.TransactionCaptureCreate,
  options?: Options & { readonly prefer?: 'resource=transaction' },
): Promise<T.Transaction>
export function capture(
  connection: Connection,
  transactionId: string,
  body: T.TransactionCaptureCreate,
  options?: Options,
): Promise<T.Transaction | T.TransactionCapture> {
  return send(connection, { method: 'POST', path: path`/transactions/${transactionId}/capture`, body }, options)
}

/**
 * Void transaction
 *
 * Releases the authorized amount that is not captured. The captured part stays captured.
 *
 * Requires the scope `transactions.write` or `transactions.follow-ups.write`.
 */
function void_(
  connection: Connection,
  transactionId: string,
  options: Options & { readonly prefer: 'resource=transaction-void' },
): Promise<T.TransactionVoid>
function void_(
  connection: Connection,
  transactionId: string,
  options?: Options & { readonly prefer?: 'resource=transaction' },
): Promise<T.Transaction>
function void_(
  connection: Connection,
  transactionId: string,
  options?: Options,
): Promise<T.Transaction | T.TransactionVoid> {
  return send(connection, { method: 'POST', path: path`/transactions/${transactionId}/void` }, options)
}

/**
 * Cancel transaction
 *
 * Cancels a payment that is not decided yet, if the payment service supports it.
 *
 * Requires the scope `transactions.write` or `transactions.follow-ups.write`.
 */
export function cancel(
  connection: Connection,
  transactionId: string,
  options?: Options,
): Promise<T.TransactionCancel> {
  return send(connection, { method: 'POST', path: path`/transactions/${transactionId}/cancel` }, options)
}

/**
 * Review transaction
 *
 * Accepts or rejects a payment whose `pending_review` is true, in place of its anti-fraud service. The first decision counts.
 *
 * Requires the scope `transactions.write`.
 */
export function review(
  connection: Connection,
  transactionId: string,
  body: T.TransactionReviewCreate,
  options?: Options,
): Promise<T.Transaction> {
  return send(connection, { method: 'POST', path: path`/transactions/${transactionId}/review`, body }, options)
}

/**
 * Sync transaction
 *
 * Asks the payment service now for the outcome of open operations, if it supports that. We also ask without a sync: after 1 minute, 5 minutes, 1 hour, then daily. An outcome that is found is recorded like any other. The audit log names the caller, whose roles must allow `transactions.follow-ups.write` or `transactions.write`.
 *
 * Requires the scope `transactions.read`.
 */
export function sync(
  connection: Connection,
  transactionId: string,
  options?: Options,
): Promise<T.Transaction> {
  return send(connection, { method: 'POST', path: path`/transactions/${transactionId}/sync` }, options)
}
