import type { SyncAnswer } from '#connectors/contract/connector.ts'
import { isOvertaken } from '#platform/database/database-errors.ts'
import { inTransaction, type Scope, type Tx } from '#platform/database/db.ts'
import {
  answerUnkeyed,
  type Finished,
  inFinalBriefTransaction,
  type Once,
} from '#platform/idempotency/once.ts'
import {
  askInTime,
  askInTimeBetweenCommits,
  isTimeOver,
  STILL_ASKED,
  type Stopped,
} from '#processing/attempts/ask-between-commits.ts'
import { closing, isRefusal } from '#processing/attempts/conclude.ts'
import { awaitingOrder, forgetOrder } from '#processing/attempts/kept-orders.ts'
import * as attempts from '#processing/attempts/store.ts'
import type { Engine } from '#processing/engine.ts'
import { lineTo } from '#processing/provider.ts'
import { paidOf } from '#processing/scores/score.ts'
import type { Transaction } from '#resources/transactions/wire/transaction.ts'
import { approvalExpiry, approvalUrl } from './approval.ts'
import { askToAuthorize, inquire } from './attempts/ask.ts'
import { concludeLatePayment, doQueuedAndShow } from './attempts/resolve.ts'
import { holdCardOf } from './begin.ts'
import { type ConcludedPayment, concludeAsRead, concludePayment } from './conclude/conclude.ts'
import { lockWithAttempt } from './find.ts'
import { recorded, refusalOf, shownAs } from './plan/instruments.ts'
import type { Plan } from './plan/plan.ts'
import { authenticationEvents } from './plan/three-ds-verdict.ts'
import { type CurrentAttempt, decideStep, type Refused, type Step, stoppedBy } from './retry.ts'
import type { ChosenService } from './routing/candidates.ts'
import { holdLimit, noteDecline, type Objection } from './routing/retry-advice.ts'
import { showTransaction, toTransaction } from './show.ts'
import * as state from './state.ts'
import { isForReview } from './state.ts'
import * as transactionEvents from './store/events.ts'
import * as transactions from './store/payments.ts'
import { answered, type RetryRule, tellStatus } from './tell.ts'

type StoredTransaction = transactions.StoredTransaction

type Charge = {
  readonly once: Once
  readonly plan: Plan
  readonly inFirstCommit?: typeof inTransaction
  /** Part of the first commit: puts the payment on record as one that is being authorized. Undefined: another process does that. */
  readonly begin: (tx: Scope<Tx>) => Promise<StoredTransaction | undefined>
}

/**
 * Charges by a plan: first commit, ask, second commit. Stops without an attempt if other payments with the card have used up a limit
 * meanwhile, or, with null, if another process charges the payment.
 */
export async function charge(
  scope: Scope,
  engine: Engine,
  given: Charge,
): Promise<Finished<Transaction> | Stopped<Objection | null>> {
  let known: StoredTransaction | undefined
  try {
    const ended = await authorize(scope, engine, given, (begun) => {
      known = begun
    })
    return 'stopped' in ended ? ended : await finish(scope, given.once, engine, ended)
  } catch (error) {
    return answerUnkeyed(given.once, error, known && toTransaction(known, undefined))
  }
}

/** The answer after which no other service is asked. */
type Answered = {
  readonly transaction: StoredTransaction
  readonly attempt: attempts.PaymentAttempt
  readonly answer: SyncAnswer
  /** The service that answered. */
  readonly service: ChosenService['service']
  /** Why services were not asked. */
  readonly events: readonly transactionEvents.NewEvent[]
}

/**
 * Asks one service after the other until an answer is final, or no service or no time is left. Each attempt is recorded
 * before it is sent. The caller concludes the last answer.
 */
async function authorize(
  scope: Scope,
  engine: Engine,
  given: Charge,
  noteBegun: (transaction: StoredTransaction) => void,
): Promise<Answered | Stopped<Objection | null>> {
  const { plan, inFirstCommit = inTransaction } = given
  const ask = async (current: CurrentAttempt) => {
    noteBegun(current.transaction)
    return askService(scope, engine, plan, current)
  }
  const concludeLate = ({ attempt }: CurrentAttempt, late: SyncAnswer) =>
    concludeLatePayment(scope, engine, attempt, late)
  const begin = (tx: Scope<Tx>) => beginFirst(tx, engine, given)
  let current = await askInTimeBetweenCommits(scope, engine, { begin, inFirstCommit, ask, concludeLate })
  for (;;) {
    if ('stopped' in current) return current
    learn(scope, engine, current)
    const answer = await lookUpIfLost(scope, engine, current)
    const { transaction, attempt, chosen } = current
    const ended = { transaction, attempt, answer, service: chosen.service, events: [] }
    if (!isRefusal(answer)) return ended
    const step = await decideStep(scope, engine, { plan, current, answer })
    if (step.go === 'end') return { ...ended, events: step.events }
    const refused = { plan, current, answer: step.answer }
    if (step.go === 'challenge')
      return { ...ended, ...(await askBuyer(scope, engine, refused, step.authenticated)) }
    const next = await askInTimeBetweenCommits(scope, engine, {
      begin: (tx) => beginNext(tx, engine, refused, step),
      ask,
      concludeLate,
    })
    if ('stopped' in next) return { ...ended, events: next.stopped ? stoppedBy(next.stopped, refused) : [] }
    current = next
  }
}

/** The first commit: the payment and its attempt are on record before any provider is asked for money. */
async function beginFirst(
  tx: Scope<Tx>,
  engine: Engine,
  { plan, begin }: Charge,
): Promise<CurrentAttempt | Stopped<Objection | null>> {
  const { retryAdvice, presented, threeDSecure, services } = plan
  const planned = { payment: plan.payment, now: tx.clock() }
  const over = retryAdvice && (await holdLimit(tx, { advice: retryAdvice, planned }))
  if (over) return { stopped: over }
  const transaction = await begin(tx)
  if (!transaction) return { stopped: null }
  await transactionEvents.record(tx, transaction.id, plan.events)
  const [chosen, ...waiting] = services
  const attempt = await beginAttempt(tx, engine, plan, { transaction, chosen, presented })
  const start = { besides: [], wasReplaced: false, times: 1 }
  return { transaction, attempt, presented, chosen, waiting, threeDSecure, ...start }
}

/**
 * Refuses one attempt and begins the next in one commit. Stops with null if the payment was decided meanwhile, with an objection if other
 * payments with the card have used up a limit.
 */
async function beginNext(
  tx: Scope<Tx>,
  engine: Engine,
  refused: RefusedAttempt,
  step: Extract<Step, { go: 'again' }>,
): Promise<CurrentAttempt | Stopped<Objection | null>> {
  const { plan, current, answer } = refused
  const { found, isSame, steppedUp, retryAdvice, retryRule } = step
  const { chosen, presented, others } = found
  const isAfterDecline = answer.outcome === 'declined'
  const planned = { payment: current.transaction, now: tx.clock(), isAfterDecline }
  const over = retryAdvice && (await holdLimit(tx, { advice: retryAdvice, planned }))
  if (over) return { stopped: over }
  const closed = await refuseAttempt(tx, engine, refused, retryRule)
  if (!closed) return { stopped: null }
  const authenticated = steppedUp?.by === 'us' ? steppedUp.authenticated : null
  const transaction = await transactions.change(tx, closed.transaction, {
    payment_service_id: chosen.service.id,
    outcome: { ...shownAs(presented), ...(authenticated && { three_d_secure: authenticated.summary }) },
  })
  const proof = authenticated ? authenticationEvents(authenticated) : []
  await transactionEvents.record(tx, transaction.id, [...step.events, ...proof])
  const attempt = await beginAttempt(tx, engine, plan, { transaction, chosen, presented })
  return {
    transaction,
    attempt,
    chosen,
    presented,
    waiting: others,
    threeDSecure: steppedUp ? (authenticated?.result ?? 'provider') : proofFor(refused, isSame),
    besides: isSame ? step.besides : [],
    wasReplaced: current.wasReplaced || step.isReplaced,
    times: isSame ? current.times + 1 : 1,
  }
}

type RefusedAttempt = Pick<Refused, 'plan' | 'current' | 'answer'>

/** The proof of our own server is good at every service. What one provider was to do, the next one decides by its own settings. */
function proofFor({ plan, current }: RefusedAttempt, isSame: boolean): CurrentAttempt['threeDSecure'] {
  if (isSame || current.threeDSecure !== 'provider') return current.threeDSecure
  return plan.threeDSecure
}

/**
 * Captures in one step if the connector can. Not with an asynchronous capture, with gift cards that pay after
 * it, or with a payment that a reviewer has to look at first.
 */
async function beginAttempt(
  tx: Scope<Tx>,
  { providers }: Engine,
  { isAsyncCapture }: Plan,
  { transaction, chosen, presented }: Pick<CurrentAttempt, 'transaction' | 'chosen' | 'presented'>,
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

function askService(
  scope: Scope,
  engine: Engine,
  { isPartialAllowed, connectionOptions }: Plan,
  { transaction, attempt, chosen, presented, threeDSecure }: CurrentAttempt,
): Promise<SyncAnswer> {
  const asked = { transaction, attempt, chosen, threeDSecure, isPartialAllowed, connectionOptions }
  return presented
    .open((instrument) => askToAuthorize(scope, engine, { ...asked, instrument }))
    .catch(refusalOf)
}

type Asked = CurrentAttempt & { readonly answer: SyncAnswer }

function learn(scope: Scope, engine: Engine, { transaction, chosen, answer }: Asked): void {
  engine.scores.learn(scope, { serviceId: chosen.service.id, paid: paidOf(transaction), answer })
}

/**
 * The answer of a service was lost. If another service could be asked, the provider is asked for the outcome at once, provided
 * that it can promise to have done nothing. Else the job asks after a minute: a question makes some providers refuse a request
 * that is still on its way.
 */
async function lookUpIfLost(
  scope: Scope,
  engine: Engine,
  { transaction, attempt, chosen, waiting, answer }: Asked,
): Promise<SyncAnswer> {
  const isLost = answer.outcome === 'unknown' && answer !== STILL_ASKED
  const { manifest, sync } = chosen.connector
  const canPromise = manifest.recovery.by === 'lookup' && sync !== undefined
  if (!isLost || waiting.length === 0 || !canPromise || isTimeOver(scope, engine)) return answer
  const asking = inquire(scope, engine, transaction, attempt)
  return askInTime(scope, engine, asking, (late) => concludeLatePayment(scope, engine, attempt, late))
}

/**
 * The issuer wants to ask the buyer before the service is asked again: the payment waits for the approval, and then goes on as one
 * that waited from the start. Returns nothing new if the payment was decided meanwhile.
 */
function askBuyer(
  scope: Scope,
  engine: Engine,
  refused: RefusedAttempt,
  authenticated: Extract<Step, { go: 'challenge' }>['authenticated'],
): Promise<Pick<Answered, 'transaction' | 'attempt'> | undefined> {
  const { plan } = refused
  return inTransaction(scope, async (tx) => {
    const closed = await refuseAttempt(tx, engine, refused, 'step_up')
    if (!closed) return undefined
    const { transaction: before, attempt } = closed
    const isHeld = await holdCardOf(tx, engine.vault, before, plan.source)
    const documented = await transactions.changeDocument(tx, before, {
      ...before.document,
      holds_card: before.document.holds_card || isHeld,
      challenge: {
        ...authenticated.challenge,
        payment_service_id: plan.paymentServiceId,
        is_partial_allowed: plan.isPartialAllowed,
      },
    })
    const url = approvalUrl(engine, before)
    const waiting = await transactions.change(tx, documented, {
      ...state.BUYER_ASKED,
      outcome: {
        three_d_secure: authenticated.summary,
        approval_url: url,
        approval_frame_url: url,
        approval_expires_at: approvalExpiry(tx.clock(), before).toISOString(),
      },
    })
    await transactionEvents.record(tx, waiting.id, authenticationEvents(authenticated))
    await tellStatus(tx, before.status, waiting)
    return { transaction: waiting, attempt }
  })
}

/** Under the lock of the payment, before it goes on. Undefined: another process has decided it. */
async function refuseAttempt(
  tx: Scope<Tx>,
  { vault }: Engine,
  { current, answer }: RefusedAttempt,
  retryRule: NonNullable<RetryRule>,
): Promise<Pick<Answered, 'transaction' | 'attempt'> | undefined> {
  const found = await lockWithAttempt(tx, current.attempt)
  if (!found || !state.isProcessing(found.transaction) || found.attempt.due_at === null) return undefined
  const { transaction } = found
  const attempt = await attempts.change(tx, found.attempt, closing(answer))
  await forgetOrder(tx, vault, found.attempt)
  const events = answered(attempt, answer, current.chosen.service, { retryRule, transaction })
  await transactionEvents.record(tx, transaction.id, events)
  await noteDecline(tx, transaction, { attempt, answer, isGoingOn: true })
  return { transaction, attempt }
}

/** The second commit, and what follows it before the caller is answered: redemptions of gift cards, a capture. */
async function finish(
  scope: Scope,
  once: Once,
  engine: Engine,
  ended: Answered,
): Promise<Finished<Transaction>> {
  const { transaction, attempt, answer } = ended
  const { id, intent, has_gift_card_redemptions } = transaction
  const isCaptureToDo = intent === 'capture' && !attempt.is_direct_capture
  const isMoreToDo = has_gift_card_redemptions || isCaptureToDo || isForReview(transaction)
  if (answer.outcome !== 'approved' || !isMoreToDo) {
    // A payment this new has hardly ever changed. Not locking it saves three round trips to the database.
    const concludeAndShow = showing(scope, once, ended)
    return concludeAndShow((tx) => concludeAsRead(tx, engine, ended)).catch((error: unknown) => {
      if (!isOvertaken(error)) throw error
      return concludeAndShow((tx) => concludePayment(tx, engine, ended))
    })
  }
  await inTransaction(scope, (tx) => concludePayment(tx, engine, ended))
  return doQueuedAndShow(scope, once, engine, id)
}

/** Concludes in the commit that also stores the answer to the caller. */
function showing(scope: Scope, once: Once, { service, events }: Answered) {
  return (conclude: (tx: Scope<Tx>) => Promise<ConcludedPayment>) =>
    inFinalBriefTransaction(scope, once, async (tx) => {
      const { transaction, isNews } = await conclude(tx)
      if (isNews) await transactionEvents.record(tx, transaction.id, events)
      return transaction.has_gift_card_redemptions
        ? showTransaction(tx, transaction)
        : toTransaction(transaction, service)
    })
}
