import type { AuthorizeAnswer } from '#connectors/contract/connector.ts'
import type { ThreeDSecureResult } from '#connectors/contract/orders.ts'
import { inTransaction, type Scope, type Tx } from '#platform/db.ts'
import { closing, isDecided } from '#processing/attempts/answer.ts'
import { askInTime, isTimeOver } from '#processing/attempts/in-time.ts'
import { awaitingOrder, forgetOrder } from '#processing/attempts/kept-orders.ts'
import * as attempts from '#processing/attempts/store.ts'
import type { Engine } from '#processing/engine.ts'
import { lineTo } from '#processing/patience.ts'
import { adviceAgainstRetry } from '#processing/scheme-advice.ts'
import { replaceIfDue } from '#resources/payment-methods/replace.ts'
import { askToAuthorize, type ChosenService } from '../attempts/ask.ts'
import { concludeLatePayment } from '../attempts/resolve.ts'
import * as transactionEvents from '../events/store.ts'
import { answered, type RetryRule } from '../events/tell.ts'
import { isForReview } from '../review.ts'
import * as state from '../state.ts'
import * as transactions from '../store.ts'
import type { InstrumentType } from '../wire/transaction.ts'
import { chooseInstrument, isTokenRefused, recorded, shownAs, TOKEN_TYPES } from './choose-instrument.ts'
import { findPresentable, type Presentable } from './find-presentable.ts'
import { type OpenableSource, refusalOf } from './open-instrument.ts'
import type { Presented } from './presented.ts'

export type Authorization = {
  readonly transaction: transactions.StoredTransaction
  readonly attempt: attempts.PaymentAttempt
  /** The service that the attempt is for, then the services to try next. */
  readonly chosen: readonly [ChosenService, ...ChosenService[]]
  readonly source: OpenableSource
  /** What the attempt presents. */
  readonly presented: Presented
  readonly threeDSecure: ThreeDSecureResult | null
  readonly isPartialAllowed: boolean
  readonly isAsyncCapture: boolean
  readonly connectionOptions: Readonly<Record<string, unknown>>
}

export type Answered = {
  readonly transaction: transactions.StoredTransaction
  readonly attempt: attempts.PaymentAttempt
  readonly answer: AuthorizeAnswer
  /** The service that answered. */
  readonly service: ChosenService['service']
}

/**
 * Asks one service after the other until an answer is final, or no service or no time is left. Each attempt is recorded
 * before it is sent. The caller concludes the last answer.
 */
export async function authorize(scope: Scope, engine: Engine, given: Authorization): Promise<Answered> {
  let { transaction, attempt } = given
  let waiting = given.chosen.slice(1)
  let chosen = given.chosen[0]
  let wasReplaced = false
  let { presented } = given
  let besides: InstrumentType[] = []
  for (;;) {
    const asked = { ...given, transaction, attempt, chosen }
    const asking = presented
      .open((instrument) => askToAuthorize(scope, engine, { ...asked, instrument }))
      .catch(refusalOf)
    const answer = await askInTime(scope, engine, asking, (late) =>
      concludeLatePayment(scope, engine, asked.attempt, late),
    )
    const advice = adviceAgainstRetry(transaction.payment_method_scheme, answer)
    const refused = !advice && isTokenRefused(presented, answer) ? presented.token : null
    const isReplaced: boolean =
      !refused && !wasReplaced && (await replaceCard(scope, engine, given.source, answer))
    const isRetriable = state.mayTryNext(answer) && !advice
    const isSame: boolean = refused !== null || isReplaced
    const { service } = chosen
    if ((!isSame && !isRetriable) || isTimeOver(scope, engine))
      return { transaction, attempt, answer, service }
    wasReplaced ||= isReplaced
    besides = refused ? [...besides, refused.type] : isSame ? besides : []
    // Tokens were made for the card as it was: the new details are tried themselves.
    const leftOut = wasReplaced ? TOKEN_TYPES : besides
    const found = await findNext(scope, engine, { ...asked, isSame, waiting }, leftOut)
    if (!found) return { transaction, attempt, answer, service }
    const retryRule = refused
      ? 'instrument_fallback'
      : isReplaced
        ? 'payment_method_replacement'
        : answer.outcome === 'declined'
          ? 'retriable_decline'
          : 'failure'
    const { chosen: next, presented: instrument } = found
    const begun = await tryNext(scope, engine, { ...asked, answer, next, presented: instrument, retryRule })
    if (!begun) return { transaction, attempt, answer, service }
    ;({ transaction, attempt } = begun)
    presented = instrument
    waiting = [...found.others]
    chosen = next
  }
}

type Next = Pick<Authorization, 'source' | 'transaction'> & {
  readonly chosen: ChosenService
  readonly waiting: readonly ChosenService[]
  readonly isSame: boolean
}

/** The same service with another instrument, or the next one that can be asked. */
async function findNext(
  scope: Scope,
  engine: Engine,
  { source, transaction, chosen, waiting, isSame }: Next,
  leftOut: readonly InstrumentType[],
): Promise<Presentable | undefined> {
  const asked = { source, isMerchantInitiated: transaction.merchant_initiated }
  if (!isSame) return findPresentable(scope, engine, { ...asked, candidates: waiting }, leftOut)
  const presented = await chooseInstrument(scope, engine, { ...asked, chosen }, leftOut)
  return { chosen, presented, others: waiting }
}

/** The issuer may have replaced a card that was declined for good. Then the new one is tried once. */
async function replaceCard(
  scope: Scope,
  { vault }: Engine,
  source: OpenableSource,
  answer: AuthorizeAnswer,
): Promise<boolean> {
  if (source.kind !== 'stored' || (answer.outcome !== 'declined' && answer.outcome !== 'failed')) return false
  return replaceIfDue(scope, vault, source.method.id, { kind: 'declined', code: answer.code })
}

type Step = Pick<Authorization, 'attempt' | 'isAsyncCapture'> & {
  readonly chosen: ChosenService
  readonly answer: AuthorizeAnswer
  readonly next: ChosenService
  readonly presented: Presented
  readonly retryRule: RetryRule
}

/**
 * Refuses one attempt and begins the next in one commit. Returns undefined if the payment was decided
 * meanwhile.
 */
function tryNext(scope: Scope, engine: Engine, { attempt, answer, next, ...step }: Step) {
  return inTransaction(scope, async (tx) => {
    const found = await transactions.lockWith(tx, attempt)
    if (!found || !state.isProcessing(found.transaction) || found.attempt.due_at === null) return undefined
    const { transaction: locked } = found
    if (!isDecided(answer)) return undefined
    const refused = await attempts.change(tx, found.attempt, closing(answer))
    await forgetOrder(tx, engine.vault, found.attempt)
    await transactionEvents.record(
      tx,
      locked.id,
      answered(refused, answer, step.chosen.service, { retryRule: step.retryRule, transaction: locked }),
    )
    const moved = await transactions.change(tx, locked, {
      payment_service_id: next.service.id,
      outcome: shownAs(step.presented),
    })
    const begun = await beginAttempt(tx, engine, {
      transaction: moved,
      chosen: next,
      presented: step.presented,
      isAsyncCapture: step.isAsyncCapture,
    })
    return { transaction: moved, attempt: begun }
  })
}

type Begin = {
  readonly transaction: transactions.StoredTransaction
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
