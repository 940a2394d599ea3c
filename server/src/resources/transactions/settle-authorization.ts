import type { Scope, Tx } from '../../platform/db.ts'
import type { Engine } from '../../processing/engine.ts'
import * as events from '../events/store.ts'
import * as paymentMethods from '../payment-methods/store.ts'
import { factsOf, outcomeOf, referenceOf } from './answer.ts'
import { dueIfLeft } from './attempts/due.ts'
import * as attempts from './attempts/store.ts'
import { toCapture } from './captures/show.ts'
import * as captures from './captures/store.ts'
import { finishSession, forgetCard, keepCard } from './finish-card.ts'
import * as state from './state.ts'
import * as transactions from './store.ts'
import { tellStatus } from './tell.ts'

type Case = {
  readonly transaction: transactions.StoredTransaction
  readonly attempt: attempts.Attempt
  readonly answer: state.Decided
}

/** A payment that waited to be authorized is decided. */
export async function settleAuthorization(
  tx: Scope<Tx>,
  { vault, providers }: Engine,
  { transaction, attempt, answer }: Case,
): Promise<transactions.StoredTransaction> {
  const isDirectCapture = attempt.is_direct_capture
  const captureFollows = transaction.intent === 'capture' && !isDirectCapture
  const change = state.afterAuthorization(transaction, answer, { isDirectCapture, captureFollows })
  if (change.status === undefined) return transaction
  const isApproved = answer.outcome === 'approved'
  const now = tx.clock().toISOString()
  const stored = isApproved ? await keepCard(tx, vault, transaction) : null
  if (!isApproved) await forgetCard(tx, vault, transaction)
  const after = await transactions.change(tx, transaction, {
    ...change,
    ...(stored !== null && { payment_method_id: stored }),
    payment_service_transaction_id: referenceOf(answer),
    outcome: {
      ...outcomeOf(factsOf(answer)),
      ...(isApproved && { authorized_at: now }),
      ...(isApproved && isDirectCapture && { captured_at: now }),
    },
  })
  await finishSession(tx, vault, after, isApproved)
  if (isApproved) await rememberForSeries(tx, after)
  if (isApproved && after.intent === 'capture') await recordCapture(tx, after, attempt, providers.timeoutMs)
  await tellStatus(tx, transaction.status, after)
  return after
}

/** Money that was taken at once is a capture too; money that is to be taken next is one that waits to be sent. */
async function recordCapture(
  tx: Scope<Tx>,
  after: transactions.StoredTransaction,
  { is_direct_capture, payment_service_id }: attempts.Attempt,
  timeoutMs: number,
): Promise<void> {
  const capture = await captures.insert(tx, {
    transaction_id: after.id,
    amount: after.authorized_amount,
    is_final: true,
    status: is_direct_capture ? 'succeeded' : 'pending',
    ...(is_direct_capture && {
      payment_service_capture_id: after.payment_service_transaction_id,
      outcome: after.outcome,
    }),
  })
  if (is_direct_capture) return events.publish(tx, ['capture.succeeded'], toCapture(after, capture))
  await attempts.insert(tx, {
    transaction_id: after.id,
    operation: 'capture',
    subject_id: capture.id,
    payment_service_id,
    amount: capture.amount,
    state: 'queued',
    // Taken by this very request, unless the merchant did not want to wait for it, or the process dies first.
    dueAt: after.document.order['async_capture'] ? tx.clock() : dueIfLeft(tx.clock(), timeoutMs),
  })
}

/** Later payments with a stored card refer to the one that the buyer made. */
async function rememberForSeries(
  tx: Scope<Tx>,
  { payment_method_id, merchant_initiated, payment_method_scheme, outcome }: transactions.StoredTransaction,
): Promise<void> {
  if (payment_method_id === null || merchant_initiated || !outcome.scheme_transaction_id) return
  await paymentMethods.update(tx, payment_method_id, {
    scheme_transaction_id: outcome.scheme_transaction_id,
    scheme_transaction_id_scheme: payment_method_scheme as paymentMethods.StoredMethod['scheme'],
    ...(outcome.transaction_link_id && { transaction_link_id: outcome.transaction_link_id }),
  })
}
