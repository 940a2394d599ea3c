import type { SyncAnswer } from '#connectors/contract/connector.ts'
import type { Scope } from '#platform/database/db.ts'
import { type Finished, inFinalTransaction, type Once } from '#platform/idempotency/once.ts'
import { afterRequest, isTimeOver } from '#processing/attempts/ask-between-commits.ts'
import { concludeLate, type Kind, resolve } from '#processing/attempts/conclude.ts'
import * as attempts from '#processing/attempts/store.ts'
import { dueIfLeft, mayInquire } from '#processing/attempts/store.ts'
import type { Engine } from '#processing/engine.ts'
import type { Transaction } from '#resources/transactions/wire/transaction.ts'
import { lockPayment, PAYMENT_EFFECTS, type Subject } from '../conclude/conclude.ts'
import { findTransaction } from '../find.ts'
import { showTransaction } from '../show.ts'
import * as transactions from '../store/payments.ts'
import { audit } from '../tell.ts'
import { askToComplete, askToFollowUp, inquire } from './ask.ts'

/** For the job: resolves an attempt of a payment, then does what its outcome has queued. */
export async function resolvePayment(scope: Scope, engine: Engine, attempt: attempts.Attempt): Promise<void> {
  await resolveAndGoOn(scope, engine, attempts.ofPayment(attempt))
}

/** Resolves open attempts before another operation begins, unless another process waits for the answer. */
export async function resolveOpenOf(scope: Scope, engine: Engine, transactionId: string): Promise<void> {
  for (const attempt of await attempts.openOf(scope, transactionId)) {
    const isToAsk = mayInquire(attempt, scope.clock) && !attempts.isStray(attempt)
    if (isToAsk) await resolveAndGoOn(scope, engine, attempt)
  }
}

/** Gift cards are redeemed one after the other, so an answer may queue the next attempt. */
async function resolveAndGoOn(scope: Scope, engine: Engine, attempt: attempts.PaymentAttempt): Promise<void> {
  const { subject } = await resolve(scope, engine, PAYMENTS, attempt)
  if (subject.transaction.has_gift_card_redemptions)
    await doWhatIsQueued(scope, engine, attempt.transaction_id)
}

/**
 * Does at once what is queued for a payment: redemptions, a capture that follows, or reversals. Each of them
 * may queue the next. If the process dies, another one goes on. The job does what is put off until later.
 */
export async function doWhatIsQueued(scope: Scope, engine: Engine, transactionId: string): Promise<void> {
  while (!isTimeOver(scope, engine)) {
    const transaction = await transactions.find(scope, transactionId)
    const isLater = transaction?.document.order.async_capture === true
    const soon = dueIfLeft(scope.clock(), engine.providers.timeoutMs)
    const open = await attempts.openOf(scope, transactionId)
    const next = open.find(
      (attempt) =>
        attempt.state === 'queued' &&
        attempt.due_at !== null &&
        attempt.due_at <= soon &&
        !(isLater && attempt.kind === 'capture') &&
        !attempts.isStray(attempt),
    )
    if (!next) return
    await resolve(scope, engine, PAYMENTS, next)
  }
}

/** Concludes an answer for which the request no longer waited, then does what it has queued. */
export async function concludeLatePayment(
  scope: Scope,
  engine: Engine,
  attempt: attempts.PaymentAttempt,
  answer: SyncAnswer,
): Promise<void> {
  await concludeLate(scope, engine, PAYMENTS, { attempt, answer })
  await doWhatIsQueued(afterRequest(scope), engine, attempt.transaction_id)
}

/** How the engine asks about payments and concludes the answers. */
const PAYMENTS: Kind<Subject, SyncAnswer> = {
  ...PAYMENT_EFFECTS,
  find: async (scope, attempt) => {
    const transaction = await transactions.find(scope, attempts.ofPayment(attempt).transaction_id)
    if (!transaction) throw new Error('an attempt has no payment')
    return { transaction, service: undefined }
  },
  ask: (scope, engine, { transaction }, attempt) =>
    askToFollowUp(scope, engine, transaction, attempts.ofPayment(attempt)),
  inquire: (scope, engine, { transaction }, attempt) =>
    inquire(scope, engine, transaction, attempts.ofPayment(attempt)),
  complete: (scope, engine, { transaction }, attempt) =>
    askToComplete(scope, engine, transaction, attempts.ofPayment(attempt)),
  lock: (tx, attempt) => lockPayment(tx, attempts.ofPayment(attempt)),
  recordLate: (tx, { transaction }) => audit(tx, 'updated', transaction),
}

/**
 * Continues a payment whose process died, for a caller who retries with the same key. Answers with the
 * payment's state.
 */
export async function resume(
  scope: Scope,
  once: Once,
  engine: Engine,
  id: string,
): Promise<Finished<Transaction>> {
  await resolveOpenOf(scope, engine, id)
  return showAtLast(scope, once, id)
}

/** Does what is queued for a payment, and answers with the payment as it is then. */
export async function doQueuedAndShow(
  scope: Scope,
  once: Once,
  engine: Engine,
  id: string,
): Promise<Finished<Transaction>> {
  await doWhatIsQueued(scope, engine, id)
  return showAtLast(scope, once, id)
}

/** Answers with the payment as it is. */
export function showAtLast(scope: Scope, once: Once, id: string): Promise<Finished<Transaction>> {
  return inFinalTransaction(scope, once, async (tx) => showTransaction(tx, await findTransaction(tx, id)))
}
