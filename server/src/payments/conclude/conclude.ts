import type { SyncAnswer } from '#connectors/contract/connector.ts'
import type { Scope, Tx } from '#platform/database/db.ts'
import { type AnsweredAttempt, conclude, type Effects, type Open } from '#processing/attempts/conclude.ts'
import { ofPayment, type PaymentAttempt, type PaymentKind } from '#processing/attempts/store.ts'
import type { Engine } from '#processing/engine.ts'
import * as events from '#resources/events/store.ts'
import * as paymentServices from '#resources/payment-services/store.ts'
import { lockWithAttempt } from '../find.ts'
import { toTarget } from '../show.ts'
import * as state from '../state.ts'
import * as transactionEvents from '../store/events.ts'
import type * as transactions from '../store/payments.ts'
import { answered } from '../tell.ts'
import { concludeAuthorization, learnMissing, waitForAuthorization } from './authorization.ts'
import { concludeCancel } from './cancel.ts'
import { concludeCapture, concludeIncrement, tellCapturePending } from './capture.ts'
import type { DecidedAttempt } from './finish.ts'
import { noteContradiction } from './note-contradiction.ts'
import { concludeRedemption, concludeReversal } from './redemption.ts'
import { concludeRefund, tellRefundPending } from './refund.ts'
import { concludeVoid } from './void.ts'

export type Subject = {
  readonly transaction: transactions.StoredTransaction
  readonly service: paymentServices.WorkingService | undefined
}

export type ConcludedPayment = Subject & {
  /** As it is now. Another process may have concluded it already. */
  readonly attempt: PaymentAttempt
  /** Whether this answer decided the attempt. */
  readonly isNews: boolean
}

type Conclusion = {
  readonly attempt: PaymentAttempt
  readonly answer: SyncAnswer
  /** Given if the caller has it already. */
  readonly service?: Subject['service']
}

/** The second commit of every attempt about a payment, under the payment's lock. */
export async function concludePayment(
  tx: Scope<Tx>,
  engine: Engine,
  { attempt, answer, service }: Conclusion,
): Promise<ConcludedPayment> {
  const { subject, attempt: current } = await lockPayment(tx, attempt, service)
  return concludeAsRead(tx, engine, { ...subject, attempt: current, answer })
}

/** Locks a payment and one of its attempts, and reads both as they are now. */
export async function lockPayment(
  tx: Scope<Tx>,
  attempt: PaymentAttempt,
  service?: Subject['service'],
): Promise<{ readonly subject: Subject; readonly attempt: PaymentAttempt }> {
  const { service_id: id } = attempt
  const asked = service ?? (await paymentServices.findMany(tx, [id])).get(id)
  const locked = await lockWithAttempt(tx, attempt)
  if (!locked) throw new Error('an attempt has no payment')
  return { subject: { transaction: locked.transaction, service: asked }, attempt: locked.attempt }
}

/**
 * The same without the lock, for a caller that has the payment and the attempt as they were last written. If
 * another process has changed them, nothing is written, and the transaction ends with `Overtaken`.
 */
export async function concludeAsRead(
  tx: Scope<Tx>,
  engine: Engine,
  { transaction, service, attempt, answer }: Conclusion & Pick<Subject, 'transaction'>,
): Promise<ConcludedPayment> {
  const subject = { transaction, service }
  const concluded = await conclude(tx, engine, PAYMENT_EFFECTS, { subject, attempt, answer })
  return { ...concluded.subject, attempt: ofPayment(concluded.attempt), isNews: concluded.isNews }
}

type Conclude = (
  tx: Scope<Tx>,
  engine: Engine,
  found: DecidedAttempt,
) => Promise<transactions.StoredTransaction>

const CONCLUDE: Readonly<Record<PaymentKind, Conclude>> = {
  authorize: concludeAuthorization,
  capture: concludeCapture,
  void: concludeVoid,
  cancel: concludeCancel,
  refund: concludeRefund,
  increment: concludeIncrement,
  redeem: concludeRedemption,
  reverse: concludeReversal,
}

export const PAYMENT_EFFECTS: Effects<Subject, SyncAnswer> = {
  decide: async (tx, engine, { subject, attempt: decided, answer }) => {
    const { transaction, service } = subject
    const attempt = ofPayment(decided)
    const history = answered(attempt, answer, service, { retryRule: null, transaction })
    await transactionEvents.record(tx, transaction.id, history)
    return {
      service,
      transaction: await CONCLUDE[attempt.kind](tx, engine, { transaction, attempt, answer }),
    }
  },
  hearAgain: async (tx, engine, { subject, attempt: decided, answer }) => {
    const attempt = ofPayment(decided)
    const again = { transaction: subject.transaction, attempt, answer }
    const isSame = attempt.kind === 'authorize' && attempt.state === 'approved'
    const transaction = isSame ? await learnMissing(tx, again) : await noteContradiction(tx, engine, again)
    return { ...subject, transaction }
  },
  wait,
}

/** Nothing is decided yet. Subscribers are told once that the operation is pending. */
async function wait(
  tx: Scope<Tx>,
  engine: Engine,
  { subject, attempt: waiting, before, answer }: Waiting,
): Promise<Subject> {
  const { transaction } = subject
  const attempt = ofPayment(waiting)
  if (attempt.kind === 'authorize') {
    return { ...subject, transaction: await waitForAuthorization(tx, engine, transaction, answer) }
  }
  const isNews = before.state === 'sent' || before.state === 'queued'
  if (!isNews) return subject
  if (attempt.kind === 'capture') await tellCapturePending(tx, transaction, attempt)
  if (attempt.kind === 'refund') await tellRefundPending(tx, transaction, attempt)
  // Other voids release a hold of a failed payment or of another service.
  const isVoiding = attempt.kind === 'void' && state.isVoiding(transaction)
  if (isVoiding) await events.publish(tx, ['transaction.void-pending'], toTarget(transaction))
  return subject
}

type Waiting = AnsweredAttempt<Subject, Open> & { readonly before: AnsweredAttempt<Subject, Open>['attempt'] }
