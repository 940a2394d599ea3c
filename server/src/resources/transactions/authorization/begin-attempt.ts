import type { Scope, Tx } from '#platform/database/db.ts'
import { awaitingOrder } from '#processing/attempts/kept-orders.ts'
import * as attempts from '#processing/attempts/store.ts'
import type { Engine } from '#processing/engine.ts'
import { lineTo } from '#processing/patience.ts'
import type { ChosenService } from '../attempts/ask.ts'
import * as transactionEvents from '../events/store.ts'
import { isForReview } from '../review.ts'
import * as state from '../state.ts'
import type { StoredTransaction } from '../store.ts'
import { recorded } from './choose-instrument.ts'
import type { Presented } from './presented.ts'

type Begin = {
  readonly transaction: StoredTransaction
  readonly chosen: ChosenService
  readonly presented: Presented
  readonly isAsyncCapture: boolean
}

/**
 * Captures in one step if the connector can. Not with an asynchronous capture, with gift cards that pay after
 * it, or with a payment that a reviewer has to look at first.
 */
export async function beginAttempt(
  tx: Scope<Tx>,
  { providers }: Engine,
  { transaction, chosen, presented, isAsyncCapture }: Begin,
): Promise<attempts.PaymentAttempt> {
  const { capture, manifest } = chosen.connector
  const isSplit = isAsyncCapture || transaction.has_gift_card_redemptions || isForReview(transaction)
  const isDirect = manifest.capabilities.directCapture && !(isSplit && capture)
  await transactionEvents.record(tx, transaction.id, presented.events)
  return attempts.send(tx, lineTo(providers, chosen.connector, 'authorize'), {
    transaction_id: transaction.id,
    kind: 'authorize',
    service_id: chosen.service.id,
    amount: state.amountForMethod(transaction),
    is_direct_capture: transaction.intent === 'capture' && isDirect,
    ...recorded(presented),
    ...awaitingOrder(chosen.connector),
  })
}
