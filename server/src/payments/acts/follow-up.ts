import type { SyncAnswer } from '#connectors/contract/connector.ts'
import { type Capabilities, type CaptureWay, NO_CAPABILITIES } from '#connectors/contract/manifest.ts'
import { inTransaction, type Scope, type Tx } from '#platform/database/db.ts'
import { ApiError, errors } from '#platform/http/errors.ts'
import { answerUnkeyed, type Finished, inFinalTransaction, type Once } from '#platform/idempotency/once.ts'
import { askInTimeBetweenCommits } from '#processing/attempts/ask-between-commits.ts'
import { isDecided } from '#processing/attempts/conclude.ts'
import type { Attempt } from '#processing/attempts/store.ts'
import * as attempts from '#processing/attempts/store.ts'
import type { Engine } from '#processing/engine.ts'
import * as paymentServices from '#resources/payment-services/store.ts'
import { askToFollowUp } from '../attempts/ask.ts'
import { concludeLatePayment, doWhatIsQueued, resolveOpenOf } from '../attempts/resolve.ts'
import { type ConcludedPayment, concludePayment } from '../conclude/conclude.ts'
import { lockTransaction } from '../find.ts'
import { isFailed, isTooEarly, objectionTo } from '../state.ts'
import * as transactions from '../store/payments.ts'

type Operation = 'capture' | 'void' | 'cancel' | 'refund' | 'increment'

type FollowUp<Answer> = {
  readonly operation: Operation
  readonly transactionId: string
  readonly once: Once
  /** Runs under the payment's lock: refuses what does not fit, and reserves what does. Returns what is asked. */
  readonly begin: (
    tx: Scope<Tx>,
    transaction: transactions.StoredTransaction,
    capabilities: Capabilities,
  ) => Promise<Reserved>
  readonly show: (tx: Scope<Tx>, concluded: ConcludedPayment) => Promise<Answer>
  /** The answer for a caller without an idempotency key when the second commit fails. */
  readonly meanwhile?: () => Answer | undefined
  /** Set when no payment service is asked, so that its capabilities do not matter. */
  readonly isOfGiftCard?: true
  /** The API has no status for an undecided operation, so the caller is told that no answer came. */
  readonly isDecisionNeeded?: true
}

type Reserved = {
  readonly amount: number
  /** The capture or the refund that the attempt is about. */
  readonly subject_id?: string
  /** Absent: the payment service of the payment. */
  readonly service_id?: string
}

/**
 * The steps that all operations on an authorized payment share: resolve open attempts, commit the new
 * attempt, ask the provider, commit its answer.
 */
export async function followUp<Answer>(
  scope: Scope,
  engine: Engine,
  asked: FollowUp<Answer>,
): Promise<Finished<Answer>> {
  const { operation, transactionId, once, begin, show, isOfGiftCard, isDecisionNeeded } = asked
  if (once.begun) return takeUp(scope, engine, once.begun, asked)

  await resolveOpenOf(scope, engine, transactionId)
  const { transaction, attempt, answer } = await askInTimeBetweenCommits(scope, engine, {
    begin: async (tx) => {
      const locked = await lockTransaction(tx, transactionId)
      const capabilities = isOfGiftCard
        ? NO_CAPABILITIES
        : await requireSupport(tx, engine, locked, operation)
      await refuseWhileOpen(tx, locked, operation)
      if (!isOfGiftCard) refuseByState(locked, operation)
      const recorded = await send(tx, engine, locked, {
        kind: operation,
        ...(await begin(tx, locked, capabilities)),
      })
      await once.begin(tx, recorded.id)
      return { transaction: locked, attempt: recorded }
    },
    ask: (begun) => askToFollowUp(scope, engine, begun.transaction, begun.attempt),
    concludeLate: (begun, late) => concludeLatePayment(scope, engine, begun.attempt, late),
  })
  if (isDecisionNeeded && !isDecided(answer)) {
    await inTransaction(scope, (tx) => concludePayment(tx, engine, { attempt, answer }))
    throw noAnswer()
  }
  if (operation === 'void' && transaction.has_gift_card_redemptions) {
    return concludeWithGiftCards(scope, engine, { attempt, answer, once, show })
  }
  return inFinalTransaction(scope, once, async (tx) =>
    show(tx, await concludePayment(tx, engine, { attempt, answer })),
  ).catch((error: unknown) => answerUnkeyed(once, error, asked.meanwhile?.()))
}

/** The first commit records the attempt that asks for it. */
export function send(
  tx: Scope<Tx>,
  { providers }: Engine,
  { id: transaction_id, payment_service_id }: transactions.StoredTransaction,
  asked: Reserved & { readonly kind: Operation },
): Promise<attempts.PaymentAttempt> {
  const { kind, subject_id = null, service_id = payment_service_id, amount } = asked
  if (service_id === null) throw new Error('an authorized payment has no service')
  return attempts.send(tx, providers, { transaction_id, kind, subject_id, service_id, amount })
}

type Asked<Answer> = Pick<FollowUp<Answer>, 'once' | 'show'> & {
  readonly attempt: attempts.PaymentAttempt
  readonly answer: SyncAnswer
}

/** Gives back what gift cards paid before it answers the caller. */
async function concludeWithGiftCards<Answer>(
  scope: Scope,
  engine: Engine,
  { attempt, answer, once, show }: Asked<Answer>,
): Promise<Finished<Answer>> {
  const concluded = await inTransaction(scope, (tx) => concludePayment(tx, engine, { attempt, answer }))
  await doWhatIsQueued(scope, engine, attempt.transaction_id)
  return inFinalTransaction(scope, once, (tx) => show(tx, concluded))
}

/** Continues a request whose process died. */
async function takeUp<Answer>(
  scope: Scope,
  engine: Engine,
  attemptId: string,
  { once, show, isDecisionNeeded }: Pick<FollowUp<Answer>, 'once' | 'show' | 'isDecisionNeeded'>,
): Promise<Finished<Answer>> {
  const begun = await findAttempt(scope, attemptId)
  await resolveOpenOf(scope, engine, begun.transaction_id)
  return inFinalTransaction(scope, once, async (tx) => {
    const transaction = await transactions.find(tx, begun.transaction_id)
    const attempt = await findAttempt(tx, attemptId)
    if (!transaction) throw errors.notFound()
    if (isDecisionNeeded && attempt.due_at !== null) throw noAnswer()
    return show(tx, { transaction, attempt, service: undefined, isNews: false })
  })
}

async function findAttempt(scope: Scope, id: string): Promise<attempts.PaymentAttempt> {
  const found = await attempts.find(scope, id)
  if (!found) throw errors.notFound()
  return attempts.ofPayment(found)
}

/** A retry with the same idempotency key asks the provider again, and answers with the outcome. */
function noAnswer(): ApiError {
  const message =
    'The payment service did not answer. The operation may still have succeeded; check the transaction.'
  return new ApiError('gateway_timeout', { message, headers: { 'retry-after': '1' } })
}

const PAST = {
  capture: 'captured',
  void: 'voided',
  cancel: 'cancelled',
  refund: 'refunded',
  increment: 'incremented',
} as const

/** Refuses an operation that the payment's state does not allow, with the reason. */
export function refuseByState(transaction: transactions.StoredTransaction, operation: Operation): void {
  const objection = objectionTo(operation, transaction)
  if (!objection) return
  const message = `The transaction cannot be ${PAST[operation]}: ${objection}.`
  throw isTooEarly(operation, transaction)
    ? errors.tooEarly(message, PENDING_PAUSE_SECONDS)
    : errors.refused(message)
}

/** A provider that decides later takes minutes or days. */
const PENDING_PAUSE_SECONDS = 60

/** Refunds may run side by side. Every other operation must know the outcome of the one before it. */
export async function refuseWhileOpen(
  tx: Scope<Tx>,
  { id, status }: transactions.StoredTransaction,
  operation: Operation | 'review',
): Promise<void> {
  // Providers are told the new total of an increment, so each must know the one before it. A review decides on the whole amount.
  const needsAmount = operation === 'increment' || operation === 'review'
  // The release of a hold may take days, and blocks nothing: the status of a failed payment refuses
  // everything else, and a hold at another service does not concern this one.
  const isInTheWay = (attempt: attempts.PaymentAttempt) =>
    attempt.kind !== 'refund' &&
    (attempt.state !== 'pending' || (needsAmount && attempt.kind === 'increment')) &&
    !(attempt.kind === 'void' && isFailed({ status })) &&
    !attempts.isStray(attempt)
  const blocking = (await attempts.openOf(tx, id)).find(isInTheWay)
  if (!blocking) return
  throw errors.tooEarly(
    `The outcome of an earlier operation (${blocking.kind}) is not known yet. Try again in a moment.`,
  )
}

/** Refuses an operation that the payment service does not support, or that its settings forbid. */
export async function requireSupport(
  scope: Scope,
  { providers }: Engine,
  { payment_service_id: id }: transactions.StoredTransaction,
  operation: Operation | 'sync',
): Promise<Capabilities> {
  if (id === null) throw errors.refused('The transaction has not reached any payment service.')
  const service = (await paymentServices.findMany(scope, [id])).get(id)
  const connector = service && providers.connectors.find(service.payment_service_definition_id)
  // A deleted service can still be asked how an attempt ended, and can release its holds.
  const isGone = service?.deleted_at !== null && operation !== 'sync' && operation !== 'void'
  if (!service || isGone) throw errors.refused('The payment service of the transaction was deleted.')
  if (!connector) {
    const definition = service.payment_service_definition_id
    throw errors.refused(`This installation has no connector ${definition} any more. Ask its operator.`)
  }
  const { capabilities } = connector.manifest
  if (!connector[operation] || !isAllowed(capabilities, operation, service.fields)) {
    throw errors.refused(`${service.display_name} does not support the operation: ${operation}.`)
  }
  if (!capabilities.operationNeeds) return capabilities
  const can = (way: CaptureWay) => capabilities[way] && isAllowed(capabilities, way, service.fields)
  return { ...capabilities, multipleCaptures: can('multipleCaptures'), overCapture: can('overCapture') }
}

/** A connector that cannot tell does not allow it. */
function isAllowed(
  { operationNeeds }: Capabilities,
  operation: Operation | 'sync' | CaptureWay,
  fields: Readonly<Record<string, string>>,
): boolean {
  try {
    return operationNeeds?.[operation]?.(fields) ?? true
  } catch {
    return false
  }
}

type Report = {
  readonly status: 'succeeded' | 'pending' | 'declined' | 'failed'
  readonly code: string | null
  readonly raw_response_code: string | null
  readonly raw_response_description: string | null
}

/** Of an operation that no provider is asked for. */
export const DONE = {
  status: 'succeeded',
  code: null,
  raw_response_code: null,
  raw_response_description: null,
} as const satisfies Report

/** The result of an operation, in the words of the API. An unknown outcome is pending. */
export function reportOn(attempt: Attempt): Report {
  const { state, error_code, raw_response_code, raw_response_description } = attempt
  const isDecided = state === 'approved' || state === 'declined' || state === 'failed'
  const status = !isDecided ? 'pending' : state === 'approved' ? 'succeeded' : state
  return { status, code: error_code, raw_response_code, raw_response_description }
}
