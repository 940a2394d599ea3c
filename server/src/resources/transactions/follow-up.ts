import { inFinalTransaction, inTransaction, type Scope, type Tx } from '../../platform/db.ts'
import { errors } from '../../platform/errors.ts'
import type { Engine } from '../../processing/engine.ts'
import * as paymentServices from '../payment-services/store.ts'
import { askToFollowUp } from './ask.ts'
import * as attempts from './attempts/store.ts'
import { resolveOpenOf } from './reconcile.ts'
import { type Settled, settle } from './settle.ts'
import { objectionTo } from './state.ts'
import * as transactions from './store.ts'

type Operation = 'capture' | 'void' | 'cancel' | 'refund' | 'increment'

type FollowUp<Answer> = {
  readonly operation: Operation
  readonly transactionId: string
  /** Under the payment's lock: refuses what does not fit, reserves what does, and writes the attempt down. */
  readonly begin: (tx: Scope<Tx>, transaction: transactions.StoredTransaction) => Promise<attempts.Attempt>
  readonly show: (tx: Scope<Tx>, settled: Settled) => Promise<Answer>
}

/**
 * What every operation on an authorized payment has in common: first what is open is resolved, then the operation is
 * committed as asked for, then the provider is asked, then its answer is committed.
 */
export async function followUp<Answer>(
  scope: Scope,
  engine: Engine,
  { operation, transactionId, begin, show }: FollowUp<Answer>,
): Promise<Answer> {
  const finish = (attempt: attempts.Attempt, answer: Parameters<typeof settle>[3]) =>
    inFinalTransaction(scope, async (tx) => show(tx, await settle(tx, engine, attempt, answer)))
  if (scope.begun) return takeUp(scope, engine, scope.begun, show)

  await resolveOpenOf(scope, engine, transactionId)
  const { transaction, attempt } = await inTransaction(scope, async (tx) => {
    const locked = await transactions.lock(tx, transactionId)
    if (!locked) throw errors.notFound()
    await refuseUnsupported(tx, engine, locked, operation)
    await refuseWhileOpen(tx, locked)
    const objection = objectionTo(operation, locked)
    if (objection) throw errors.refused(`The transaction cannot be ${PAST[operation]}: ${objection}.`)
    const begun = await begin(tx, locked)
    await scope.begin?.(tx.db, begun.id)
    return { transaction: locked, attempt: begun }
  })
  return finish(attempt, await askToFollowUp(scope, engine, transaction, attempt))
}

/** The same request had been begun by a process that died. */
async function takeUp<Answer>(
  scope: Scope,
  engine: Engine,
  attemptId: string,
  show: FollowUp<Answer>['show'],
): Promise<Answer> {
  const begun = await attempts.find(scope, attemptId)
  if (!begun) throw errors.notFound()
  await resolveOpenOf(scope, engine, begun.transaction_id)
  return inFinalTransaction(scope, async (tx) => {
    const transaction = await transactions.find(tx, begun.transaction_id)
    const attempt = await attempts.find(tx, attemptId)
    if (!transaction || !attempt) throw errors.notFound()
    return show(tx, { transaction, attempt })
  })
}

const PAST = {
  capture: 'captured',
  void: 'voided',
  cancel: 'cancelled',
  refund: 'refunded',
  increment: 'incremented',
} as const

/** Refunds stand beside each other; everything else has to know how the last thing went. */
async function refuseWhileOpen(tx: Scope<Tx>, { id }: transactions.StoredTransaction): Promise<void> {
  const open = await attempts.openOf(tx, id)
  const blocking = open.find(({ operation, state }) => operation !== 'refund' && state !== 'pending')
  if (!blocking) return
  throw errors.tooEarly(
    `The outcome of an earlier operation (${blocking.operation}) is not known yet. Try again in a moment.`,
  )
}

/** What the payment service cannot do, or is not allowed to by its settings, is refused by name. */
export async function refuseUnsupported(
  scope: Scope,
  { providers }: Engine,
  { payment_service_id: id }: transactions.StoredTransaction,
  operation: Operation | 'sync',
): Promise<void> {
  if (id === null) throw errors.refused('The transaction has not reached any payment service.')
  const service = (await paymentServices.findMany(scope, [id])).get(id)
  const connector = service && providers.connectors.find(service.payment_service_definition_id)
  if (!service || service.deleted_at !== null || !connector) {
    throw errors.refused('The payment service of the transaction was deleted.')
  }
  const isAllowed = connector.manifest.capabilities.operationNeeds?.[operation]?.(service.fields) ?? true
  if (connector[operation] && isAllowed) return
  throw errors.refused(`${service.display_name} does not support the operation: ${operation}.`)
}
