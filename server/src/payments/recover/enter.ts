import type { ListedOperation } from '#connectors/contract/connector.ts'
import { type Context, inTransaction, type Scope, type Tx } from '#platform/database/db.ts'
import { closing } from '#processing/attempts/conclude.ts'
import * as attempts from '#processing/attempts/store.ts'
import type { Engine } from '#processing/engine.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import { concludePayment } from '../conclude/conclude.ts'
import * as state from '../state.ts'
import * as captures from '../store/captures.ts'
import * as transactionEvents from '../store/events.ts'
import * as transactions from '../store/payments.ts'
import * as refunds from '../store/refunds.ts'
import { answered, audit } from '../tell.ts'
import { type Finding, findNamed, isRefused, type Missing } from './compare.ts'
import { insertLost } from './new-payment.ts'

export type Entered = {
  readonly missing: Missing
  readonly operations: readonly ListedOperation[]
  readonly refused: readonly Finding[]
}

/** Thrown to undo a rehearsal. */
class Rehearsed extends Error {
  readonly entered: Entered

  constructor(entered: Entered) {
    super('nothing is kept of a rehearsal')
    this.entered = entered
  }
}

/**
 * Enters what is missing of one payment, in one transaction. A rehearsal does the same and takes it back, so that the list
 * shows what the rules and constraints would refuse.
 */
export async function enter(
  context: Context,
  engine: Engine,
  missing: Missing,
  { isRehearsal }: { readonly isRehearsal: boolean },
): Promise<Entered> {
  const scope = { ...context, merchantAccountId: missing.merchantAccountId }
  try {
    return await inTransaction(scope, async (tx) => {
      const entered = await enterAll(tx, engine, missing)
      if (isRehearsal) throw new Rehearsed(entered)
      return entered
    })
  } catch (error) {
    if (error instanceof Rehearsed) return error.entered
    const constraint = constraintIn(error)
    if (constraint === undefined) throw error
    const reason = `a rule of the database refuses it: ${constraint}`
    return {
      missing,
      operations: [],
      refused: missing.operations.map((one) => finding(missing, one, reason)),
    }
  }
}

function constraintIn(error: unknown): string | undefined {
  return error instanceof Error && 'constraint' in error && typeof error.constraint === 'string'
    ? error.constraint
    : undefined
}

function finding({ service }: Missing, operation: ListedOperation, reason: string): Finding {
  return { operation, services: [service], reason }
}

async function enterAll(tx: Scope<Tx>, engine: Engine, missing: Missing): Promise<Entered> {
  const done: ListedOperation[] = []
  const refused: Finding[] = []
  const payment = { current: await transactions.lock(tx, missing.transactionId) }
  for (const operation of missing.operations.toSorted(byTurn)) {
    const reason = await enterOne(tx, engine, { missing, payment, operation })
    if (reason === 'known') continue
    if (reason === undefined) done.push(operation)
    else refused.push(finding(missing, operation, reason))
  }
  const context = {
    source: 'recover',
    payment_service_id: missing.service.id,
    operations: done.map(({ operation, answer }) => ({ operation, reference: answer.reference })),
  }
  if (done.length > 0)
    await transactionEvents.record(tx, missing.transactionId, [{ name: 'transaction-sync-event', context }])
  return { missing, operations: done, refused }
}

/** Refused authorizations first: another service was asked after them. */
function byTurn(one: ListedOperation, other: ListedOperation): number {
  const turn = ({ operation, answer }: ListedOperation) =>
    TURNS[operation] + (operation === 'authorize' && !isRefused(answer) ? 1 : 0)
  return turn(one) - turn(other) || one.at.getTime() - other.at.getTime()
}

const TURNS = { authorize: 0, increment: 2, capture: 3, refund: 4, void: 5, cancel: 5 } as const

type Step = {
  readonly missing: Missing
  readonly payment: { current: transactions.StoredTransaction | undefined }
  readonly operation: ListedOperation
}

/** Returns why it cannot be entered. `known`: another run has entered it, or it moved nothing. */
async function enterOne(tx: Scope<Tx>, engine: Engine, step: Step): Promise<string | undefined> {
  const { missing, payment, operation } = step
  const { service } = missing
  const known =
    (operation.attemptId === null ? undefined : await attempts.find(tx, operation.attemptId)) ??
    (await findNamed(tx, { operation, services: [service] }))
  if (known && (known.due_at === null || operation.answer.outcome !== 'approved')) return 'known'
  if (known) {
    const asked = { attempt: attempts.ofPayment(known), answer: operation.answer, service }
    payment.current = (await concludePayment(tx, engine, asked)).transaction
    await audit(tx, 'updated', payment.current)
    return undefined
  }
  if (operation.operation === 'authorize') return enterAuthorization(tx, engine, step)
  // A refused capture, void or refund has moved nothing.
  if (isRefused(operation.answer)) return 'known'
  const { current } = payment
  if (!current) return 'its authorization cannot be entered'
  // The payment has failed by it, which its authorization says.
  if (operation.operation === 'cancel' && state.isUnpaid(current)) return 'known'
  if (operation.currency !== current.currency) return `its payment is in ${current.currency} here`
  const objection = state.objectionTo(operation.operation, current)
  if (objection !== undefined) return objection
  const amount = operation.amount ?? amountByTotal(operation, current)
  if (amount === null) return 'the provider does not say its amount'
  const reserved = await RESERVE[operation.operation](tx, current, { amount, operation })
  await conclude(tx, engine, step, { kind: operation.operation, amount, ...reserved })
  return undefined
}

/** Of several increments without amounts, the first takes all that is authorized and not here. The sum is right. */
function amountByTotal({ total }: ListedOperation, current: transactions.StoredTransaction): number | null {
  return total === undefined ? null : Math.max(0, total - current.authorized_amount)
}

async function enterAuthorization(
  tx: Scope<Tx>,
  engine: Engine,
  { missing, payment, operation }: Step,
): Promise<string | undefined> {
  const { service, transactionId: id, operations } = missing
  if (missing.isKnown) return `its payment is here without it: its status is ${payment.current?.status}`
  const amount = operation.amount
  const manifest = engine.providers.connectors.find(service.payment_service_definition_id)?.manifest
  if (amount === null || !manifest) return 'the provider does not say its amount'
  payment.current ??= await insertLost(tx, {
    id,
    serviceId: service.id,
    manifest,
    authorization: operation,
    amount,
  })
  const isLast =
    operations
      .filter((one) => one.operation === 'authorize')
      .toSorted(byTurn)
      .at(-1) === operation
  const asked = { kind: 'authorize', amount, is_direct_capture: operation.isFinal } as const
  if (isLast) await conclude(tx, engine, { missing, payment, operation }, asked)
  else await closeRefused(tx, engine, { missing, payment, operation }, asked)
  return undefined
}

type Asked = Pick<attempts.PaymentAttempt, 'kind' | 'amount'> &
  Partial<Pick<attempts.PaymentAttempt, 'subject_id' | 'is_direct_capture'>>

/** The attempt under the id that the provider repeats, so that the books of both agree. */
function send(tx: Scope<Tx>, { providers }: Engine, { missing, operation }: Step, asked: Asked) {
  return attempts.send(tx, providers, {
    ...(operation.attemptId !== null && { id: operation.attemptId }),
    transaction_id: missing.transactionId,
    service_id: missing.service.id,
    sent_at: operation.at,
    ...asked,
  })
}

async function conclude(tx: Scope<Tx>, engine: Engine, step: Step, asked: Asked): Promise<void> {
  const attempt = await send(tx, engine, step, asked)
  const { answer } = step.operation
  const told = { attempt, answer, service: step.missing.service }
  step.payment.current = (await concludePayment(tx, engine, told)).transaction
}

/** Another service was asked after this one, so it did not decide the payment. */
async function closeRefused(tx: Scope<Tx>, engine: Engine, step: Step, asked: Asked): Promise<void> {
  const { answer } = step.operation
  if (!step.payment.current || answer.outcome === 'pending') return
  const attempt = await attempts.change(tx, await send(tx, engine, step, asked), closing(answer))
  const more = { retryRule: null, transaction: step.payment.current }
  await transactionEvents.record(
    tx,
    attempt.transaction_id,
    answered(attempt, answer, step.missing.service, more),
  )
}

type Wanted = { readonly amount: number; readonly operation: ListedOperation }
type Reserve = (
  tx: Scope<Tx>,
  current: transactions.StoredTransaction,
  wanted: Wanted,
) => Promise<Pick<Asked, 'subject_id'>>

/** What the first commit of each operation writes, for amounts that the provider has moved already. */
const RESERVE: Readonly<Record<Exclude<ListedOperation['operation'], 'authorize'>, Reserve>> = {
  capture: async (tx, current, { amount, operation }) => {
    const { isFinal } = operation
    const taken = state.collectedOf(current) + current.capturing_amount + amount
    const limit = Math.max(current.capture_limit, taken)
    await transactions.change(tx, current, state.beforeCapture(current, { amount, isFinal, limit }))
    const capture = await captures.insert(tx, {
      transaction_id: current.id,
      amount,
      is_final: isFinal,
      status: 'pending',
    })
    await audit(tx, 'captured', current, amount)
    return { subject_id: capture.id }
  },
  void: async (tx, current, { amount }) => {
    const isRemainder = current.captured_amount > 0
    const released = { released_amount: state.remainderOf(current), capture_limit: current.authorized_amount }
    await transactions.change(tx, current, isRemainder ? released : state.VOIDING)
    await audit(tx, 'voided', current, amount)
    return {}
  },
  cancel: async () => ({}),
  increment: async () => ({}),
  refund: async (tx, current, { amount }) => {
    const { id, currency, payment_service_id, payment_method_id: target_id } = current
    await transactions.change(tx, current, { refunding_amount: current.refunding_amount + amount })
    const refund = await refunds.insert(tx, {
      transaction_id: id,
      payment_service_id,
      amount,
      currency,
      target_type: 'payment-method',
      target_id,
      reason: null,
      external_identifier: null,
    })
    await auditLogs.record(tx, 'created', { type: 'refund', id: refund.id, name: `${currency} ${amount}` })
    return { subject_id: refund.id }
  },
}
