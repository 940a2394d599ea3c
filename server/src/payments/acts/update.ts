import { inTransaction, type Scope, type Tx } from '#platform/database/db.ts'
import { errors, inBody } from '#platform/http/errors.ts'
import * as attempts from '#processing/attempts/store.ts'
import type { Engine } from '#processing/engine.ts'
import * as events from '#resources/events/store.ts'
import type { Transaction, TransactionUpdate } from '#resources/transactions/wire/transaction.ts'
import { resolveOpenOf } from '../attempts/resolve.ts'
import { finishSession, forgetUnpaid, keepCard } from '../conclude/finish.ts'
import { type Document, withoutNumbers } from '../document.ts'
import { lockTransaction } from '../find.ts'
import { forgetNumbers, skipRest } from '../gift-cards/redemptions.ts'
import { showTransaction, toCapture, toTarget } from '../show.ts'
import * as state from '../state.ts'
import * as captures from '../store/captures.ts'
import * as transactionEvents from '../store/events.ts'
import * as transactions from '../store/payments.ts'
import { audit, recordStatus } from '../tell.ts'

/**
 * Records a merchant's correction of what was done outside of this service. No provider is asked. The amounts
 * still have to add up.
 */
export async function updateTransaction(
  scope: Scope,
  engine: Engine,
  id: string,
  request: TransactionUpdate,
): Promise<Transaction> {
  const isDecision = DECIDING.some((name) => (request[name] ?? null) !== null)
  if (isDecision) await resolveOpenOf(scope, engine, id)
  return inTransaction(scope, async (tx) => {
    const before = await lockTransaction(tx, id)
    const closed = isDecision ? await closeOpen(tx, before, request) : {}
    // An unchanged status decides nothing, and may be outdated by now.
    const { status, ...rest } = request
    const change = {
      ...closed,
      ...changeOf({ ...before, ...closed }, status === before.status ? rest : request),
    }
    refuseStatus(before, { ...before, ...change })
    refuseWrongMoney({ ...before, ...change }, request)
    const stored = await finishCard(tx, engine, before, change)
    const corrected = await transactions.change(tx, before, { ...change, ...stored })
    const after = await correctDocument(tx, corrected, request)
    const fields = Object.keys(request)
    await recordStatus(tx, before.status, after)
    await transactionEvents.record(tx, id, [{ name: 'transaction-modified-event', context: { fields } }])
    await events.publish(tx, ['transaction.modified'], toTarget(after))
    await audit(tx, 'updated', after)
    return showTransaction(tx, after)
  })
}

const DECIDING = ['status', 'amount', 'authorized_amount', 'captured_amount'] as const

/** A merchant cannot set a payment back to a waiting status, or to authorized once part of it is captured. */
function refuseStatus(before: transactions.Row, after: transactions.Row): void {
  if (after.status === before.status) return
  if (state.isUndecided(after)) {
    throw errors.invalid(inBody('/status', 'value_error.conflict', 'cannot be set by hand'))
  }
  const captured = after.captured_amount + after.capturing_amount
  if (state.isAuthorized(after) && captured > 0) {
    throw errors.invalid(inBody('/status', 'value_error.conflict', 'a part of it is captured'))
  }
}

/**
 * The fields that tell the outcome of each kind of attempt. None tells that of refunds and gift cards: the
 * job resolves them.
 */
const SAID_BY: Readonly<Record<attempts.PaymentAttempt['kind'], readonly (typeof DECIDING)[number][]>> = {
  authorize: ['status'],
  cancel: ['status'],
  capture: ['status', 'captured_amount'],
  void: ['status', 'captured_amount'],
  increment: ['status', 'authorized_amount'],
  redeem: [],
  reverse: [],
  refund: [],
}
/** While one of these is open, there are no amounts to correct. */
const FIRST: readonly attempts.PaymentAttempt['kind'][] = ['authorize', 'cancel', 'redeem']
const CORRECTED = 'corrected_by_merchant'

/**
 * The merchant cannot correct what a provider may be doing right now. After three checks over an hour without
 * an outcome, the merchant's word counts: it may come from the provider's dashboard.
 */
async function closeOpen(
  tx: Scope<Tx>,
  before: transactions.StoredTransaction,
  request: TransactionUpdate,
): Promise<transactions.Change> {
  const said = DECIDING.filter((name) => (request[name] ?? null) !== null && request[name] !== before[name])
  const decided: attempts.PaymentAttempt[] = []
  for (const attempt of await attempts.openOf(tx, before.id)) {
    if (attempts.isStray(attempt)) continue
    const isSaid = SAID_BY[attempt.kind].some((name) => said.includes(name))
    if (!isSaid && !FIRST.includes(attempt.kind)) continue
    const isGivenUp =
      (attempt.state === 'unknown' || attempt.state === 'pending') && attempt.checks >= CHECKS_MIN
    // A refused void that waits for its retry has not been sent.
    const isPutOff = attempt.kind === 'void' && attempt.state === 'queued' && isLater(attempt, tx.clock())
    if (!isSaid || (!isGivenUp && !isPutOff)) {
      throw errors.tooEarly(
        `The outcome of an earlier operation (${attempt.kind}) is not known yet. Try again in a moment.`,
      )
    }
    decided.push(attempt)
  }
  const taking = decided.filter(({ kind }) => kind === 'capture')
  for (const attempt of decided) {
    if (attempt.kind !== 'capture') await close(tx, attempt, false)
  }
  const isReleaseOver = decided.some(({ kind }) => kind === 'void') && before.released_amount > 0
  return {
    ...(isReleaseOver && { released_amount: 0 }),
    ...(taking.length > 0 && (await closeCaptures(tx, before, taking, request))),
  }
}

async function close(tx: Scope<Tx>, attempt: attempts.PaymentAttempt, isDone: boolean): Promise<void> {
  const end = isDone
    ? ({ state: 'approved', error_code: null } as const)
    : ({ state: 'failed', error_code: CORRECTED } as const)
  await attempts.change(tx, attempt, { ...end, due_at: null })
}

/** The merchant says whether open captures took everything, or how much they took. Their reservations end. */
async function closeCaptures(
  tx: Scope<Tx>,
  before: transactions.StoredTransaction,
  taking: readonly attempts.PaymentAttempt[],
  { status, captured_amount }: TransactionUpdate,
): Promise<transactions.Change> {
  const asked = taking.reduce((sum, { amount }) => sum + amount, 0)
  const all = state.withCaptured(before, asked)
  const isTaken = status ? state.isCaptured({ status }) : false
  const captured = captured_amount ?? (isTaken ? all.captured_amount : before.captured_amount)
  const isNothing = captured === before.captured_amount && (!isTaken || typeof captured_amount === 'number')
  if (isNothing && isTaken) {
    throw errors.invalid(
      inBody(
        '/captured_amount',
        'value_error.conflict',
        'must be above the amount captured before, because status says captured',
      ),
    )
  }
  const isDone = !isNothing && captured === all.captured_amount
  let isFinal = false
  for (const attempt of taking) {
    const capture = await captures.ofAttempt(tx, attempt)
    await close(tx, attempt, isDone)
    const ended = await captures.change(tx, capture, {
      status: isDone ? 'succeeded' : 'failed',
      error_code: isDone ? null : CORRECTED,
    })
    await events.publish(tx, [isDone ? 'capture.succeeded' : 'capture.failed'], toCapture(before, ended))
    isFinal ||= capture.is_final
  }
  const capturing_amount = before.capturing_amount - asked
  return {
    capturing_amount,
    ...(isDone ? all : !isNothing && { captured_amount: captured, uncollected_amount: 0 }),
    ...(isFinal && isNothing && { is_capture_final: false }),
    ...(capturing_amount === 0 && (captured > 0 ? state.CAPTURED : state.AUTHORIZED)),
  }
}

/** After 1 minute, 5 minutes and 1 hour. */
const CHECKS_MIN = 3
const HOUR_MS = 3_600_000

function isLater({ due_at }: attempts.PaymentAttempt, now: Date): boolean {
  return due_at !== null && due_at.getTime() > now.getTime() + HOUR_MS
}

/** The merchant has decided the payment: its card is stored, or deleted from the vault. */
async function finishCard(
  tx: Scope<Tx>,
  engine: Engine,
  before: transactions.StoredTransaction,
  { status = before.status }: transactions.Change,
): Promise<transactions.Change> {
  const { vault } = engine
  if (!state.isUndecided(before) || state.isUndecided({ status })) return {}
  if (state.isUnpaid({ status })) {
    await forgetUnpaid(tx, vault, before)
    return {}
  }
  const id = await keepCard(tx, engine, before)
  await finishSession(tx, vault, before, true)
  if (before.has_gift_card_redemptions) {
    await skipRest(tx, before)
    await forgetNumbers(tx, vault, before)
  }
  return id === null ? {} : { payment_method_id: id }
}

/** Absent fields stay. Null clears fields that may be empty, and is ignored for the others. */
function changeOf(before: transactions.StoredTransaction, request: TransactionUpdate): transactions.Change {
  const { status, amount, authorized_amount, captured_amount } = request
  // Keep what over-capture adds.
  const added = before.capture_limit - before.authorized_amount
  return {
    ...(status && { status }),
    ...(typeof amount === 'number' && { amount }),
    ...(typeof authorized_amount === 'number' && {
      authorized_amount,
      capture_limit: authorized_amount + added,
    }),
    // The merchant's figure counts, also for what failed later.
    ...(typeof captured_amount === 'number' &&
      captured_amount !== before.captured_amount && { captured_amount, uncollected_amount: 0 }),
    ...(request.payment_service_transaction_id !== undefined && {
      payment_service_transaction_id: request.payment_service_transaction_id,
    }),
    ...(request.external_identifier !== undefined && { external_identifier: request.external_identifier }),
  }
}

/** The database refuses most of this, too. This check names the field. */
function refuseWrongMoney(after: transactions.Row, request: TransactionUpdate): void {
  const { authorized_amount: authorized, released_amount: released } = after
  const limit = after.capture_limit - released
  const captured = state.collectedOf(after) + after.capturing_amount
  const refunded = after.refunded_amount + after.refunding_amount
  const most = state.amountForMethod(after)
  if (most < 0) throw tooLittle('/amount', `less than gift cards pay: ${after.gift_card_amount}`)
  if (authorized > most) {
    throw typeof request.authorized_amount === 'number'
      ? tooMuch('/authorized_amount', `more than the amount: ${most}`)
      : tooLittle('/amount', `less than is authorized: ${authorized + after.gift_card_amount}`)
  }
  if (captured > limit) {
    throw typeof request.captured_amount === 'number'
      ? tooMuch('/captured_amount', `more than can be captured: ${limit}`)
      : tooLittle('/authorized_amount', `less than is captured or released: ${captured + released}`)
  }
  if (refunded > after.captured_amount) {
    throw tooLittle('/captured_amount', `less than is refunded: ${refunded}`)
  }
  const isVoid = state.isVoided(after) || state.isVoiding(after)
  if (isVoid && after.captured_amount + after.capturing_amount > 0) {
    const pointer = request.status ? '/status' : '/captured_amount'
    throw errors.invalid(inBody(pointer, 'value_error.conflict', 'what is captured cannot be voided'))
  }
}

function tooMuch(pointer: string, message: string): Error {
  return errors.invalid(inBody(pointer, 'value_error.number.not_le', message))
}

function tooLittle(pointer: string, message: string): Error {
  return errors.invalid(inBody(pointer, 'value_error.number.not_ge', message))
}

async function correctDocument(
  tx: Scope<Tx>,
  transaction: transactions.StoredTransaction,
  { metadata, connection_options }: TransactionUpdate,
): Promise<transactions.StoredTransaction> {
  if (metadata === undefined && connection_options === undefined) return transaction
  const document: Document = {
    ...transaction.document,
    ...(metadata !== undefined && { metadata }),
    ...(connection_options !== undefined && { connection_options: withoutNumbers(connection_options) }),
  }
  return transactions.changeDocument(tx, transaction, document)
}
