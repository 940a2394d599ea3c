import { inTransaction, type Scope, type Tx } from '#platform/database/db.ts'
import { ApiError } from '#platform/http/errors.ts'
import { answerUnkeyed, type Finished, inFinalTransaction, type Once } from '#platform/idempotency/once.ts'
import { askBetweenCommits, askInTime } from '#processing/attempts/ask-between-commits.ts'
import type { PaymentAttempt } from '#processing/attempts/store.ts'
import type { Engine } from '#processing/engine.ts'
import type { Refund, RefundAllCreate, RefundCreate, Refunds } from '#resources/transactions/wire/refund.ts'
import { askToFollowUp } from '../attempts/ask.ts'
import { concludeLatePayment, resolveOpenOf } from '../attempts/resolve.ts'
import { concludePayment } from '../conclude/conclude.ts'
import { findTransaction, lockTransaction } from '../find.ts'
import { reserveGiftCardRefund, restOf } from '../gift-cards/refund.ts'
import { toRefund } from '../show.ts'
import { refundable } from '../state.ts'
import type * as transactions from '../store/payments.ts'
import * as redemptions from '../store/redemptions.ts'
import * as refunds from '../store/refunds.ts'
import { refuseByState, refuseWhileOpen, requireSupport, send } from './follow-up.ts'
import { reserveRefund } from './refund.ts'

type Started = { readonly refund: refunds.StoredRefund; readonly attempt: PaymentAttempt }
type Begun = {
  readonly transaction: transactions.StoredTransaction
  readonly started: readonly Started[]
}

/** Refunds all that is left, to every instrument that paid. Either all refunds are recorded, or none is. */
export async function refundAll(scope: Scope, engine: Engine, wanted: Wanted): Promise<Finished<Refunds>> {
  const { transactionId, once } = wanted
  // A process that died may have recorded refunds for this request.
  const earlier = once.begun ? once.begun.split(' ') : []
  await resolveOpenOf(scope, engine, transactionId)
  const {
    transaction,
    started,
    answer: ends,
  } = await askBetweenCommits(scope, {
    begin: (tx) => beginAll(tx, engine, wanted, earlier),
    ask: (begun) => askForAll(scope, engine, begun),
  }).catch(async (error: unknown) => {
    // Refunds that this request recorded before are its answer, even if no more can be refunded now.
    if (earlier.length === 0 || !(error instanceof ApiError) || error.status !== 400) throw error
    return { transaction: await findTransaction(scope, transactionId), started: [], answer: [] }
  })
  const ids = [...earlier, ...started.map(({ refund }) => refund.id)]
  try {
    for (const end of ends) if (end.status === 'rejected') throw end.reason
    return await inFinalTransaction(scope, once, async (tx) => {
      const all = await refunds.listOf(tx, transactionId)
      const own = all.filter(({ id }) => ids.includes(id)).reverse()
      return collectionOf(own.map((refund) => toRefund(transaction, refund)))
    })
  } catch (error) {
    const known = collectionOf(started.map(({ refund }) => toRefund(transaction, refund)))
    return answerUnkeyed(once, error, started.length > 0 ? known : undefined)
  }
}

/** Returns not before all are done: the request holds its key, and the process waits for its end. */
function askForAll(
  scope: Scope,
  engine: Engine,
  { transaction, started }: Begun,
): Promise<PromiseSettledResult<void>[]> {
  return Promise.allSettled(
    started.map(async ({ attempt }) => {
      const asking = askToFollowUp(scope, engine, transaction, attempt)
      const answer = await askInTime(scope, engine, asking, (late) =>
        concludeLatePayment(scope, engine, attempt, late),
      )
      await inTransaction(scope, (tx) => concludePayment(tx, engine, { attempt, answer }))
    }),
  )
}

type Wanted = { readonly transactionId: string; readonly once: Once; readonly request: RefundAllCreate }

/**
 * The first commit. All targets are decided under one lock, so that none is refunded if another cannot be.
 */
async function beginAll(
  tx: Scope<Tx>,
  engine: Engine,
  { transactionId, once, request }: Wanted,
  earlier: readonly string[],
): Promise<Begun> {
  const transaction = await lockTransaction(tx, transactionId)
  await refuseWhileOpen(tx, transaction, 'refund')
  const started: Started[] = []
  for (const target of await targetsOf(tx, transaction)) {
    started.push(await beginOne(tx, engine, transaction, { ...request, ...target }))
  }
  const ids = [...earlier, ...started.map(({ refund }) => refund.id)]
  if (started.length > 0) await once.begin(tx, ids.join(' '))
  return { transaction, started }
}

async function beginOne(
  tx: Scope<Tx>,
  engine: Engine,
  transaction: transactions.StoredTransaction,
  request: RefundCreate,
): Promise<Started> {
  const { refund, asked } =
    request.target_type === 'gift-card-redemption'
      ? await reserveGiftCardRefund(tx, transaction, request)
      : await reserveOfMethod(tx, engine, transaction, request)
  return { refund, attempt: await send(tx, engine, transaction, { kind: 'refund', ...asked }) }
}

async function reserveOfMethod(
  tx: Scope<Tx>,
  engine: Engine,
  transaction: transactions.StoredTransaction,
  request: RefundCreate,
) {
  const capabilities = await requireSupport(tx, engine, transaction, 'refund')
  refuseByState(transaction, 'refund')
  return reserveRefund(tx, transaction, { request, capabilities })
}

type Target = Pick<RefundCreate, 'target_type' | 'target_id'>

/**
 * The targets with something left: the payment method first, then gift cards in the order in which they paid.
 */
async function targetsOf(tx: Scope<Tx>, transaction: transactions.StoredTransaction): Promise<Target[]> {
  const paid = transaction.has_gift_card_redemptions ? await redemptions.listOf(tx, transaction.id) : []
  const giftCards = paid
    .filter((redemption) => restOf(redemption) > 0)
    .map(({ id }): Target => ({ target_type: 'gift-card-redemption', target_id: id }))
  const isGiftCardsOnly = paid.length > 0 && transaction.document.payment_method === null
  // If nothing was captured, the refund to the payment method is refused, and all others with it.
  const isMethodLeft = transaction.captured_amount === 0 || refundable(transaction) > 0
  return isGiftCardsOnly || !isMethodLeft ? giftCards : [{ target_type: 'payment-method' }, ...giftCards]
}

function collectionOf(items: Refund[]): Refunds {
  return { items, limit: 20, next_cursor: null, previous_cursor: null }
}
