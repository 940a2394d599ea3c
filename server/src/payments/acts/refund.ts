import type { Capabilities } from '#connectors/contract/manifest.ts'
import type { Scope, Tx } from '#platform/database/db.ts'
import { errors, inBody } from '#platform/http/errors.ts'
import type { Finished, Once } from '#platform/idempotency/once.ts'
import type { Engine } from '#processing/engine.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import type { Refund, RefundCreate } from '#resources/transactions/wire/refund.ts'
import { findTransaction } from '../find.ts'
import { readAmount, reserveGiftCardRefund, restOf } from '../gift-cards/refund.ts'
import { toRefund } from '../show.ts'
import { collectedOf, refundable } from '../state.ts'
import * as captures from '../store/captures.ts'
import * as transactions from '../store/payments.ts'
import * as redemptions from '../store/redemptions.ts'
import * as refunds from '../store/refunds.ts'
import { followUp } from './follow-up.ts'

type Wanted = { readonly transactionId: string; readonly once: Once; readonly request: RefundCreate }

/** Refunds what was captured, whole or in parts. */
export async function createRefund(
  scope: Scope,
  engine: Engine,
  { transactionId, once, request }: Wanted,
): Promise<Finished<Refund>> {
  const isOfGiftCard = request.target_type === 'gift-card-redemption'
  // A refund that has begun under the same key is not refused afterwards.
  if (!isOfGiftCard && request.target_id && !once.begun) {
    await refuseOtherTarget(scope, transactionId, request.target_id)
  }
  let begun: Refund | undefined
  return followUp(scope, engine, {
    operation: 'refund',
    transactionId,
    once,
    ...(isOfGiftCard && { isOfGiftCard }),
    begin: async (tx, transaction, capabilities) => {
      const { refund, asked } = isOfGiftCard
        ? await reserveGiftCardRefund(tx, transaction, request)
        : await reserveRefund(tx, transaction, { request, capabilities })
      begun = toRefund(transaction, refund)
      return asked
    },
    show: async (tx, { transaction, attempt }) => toRefund(transaction, await refunds.ofAttempt(tx, attempt)),
    meanwhile: () => begun,
  })
}

type Begin = { readonly request: RefundCreate; readonly capabilities: Capabilities }

/**
 * A refund that is on its way counts as done. Of many refunds at once, only those begin that fit together.
 */
export async function reserveRefund(
  tx: Scope<Tx>,
  transaction: transactions.StoredTransaction,
  { request, capabilities }: Begin,
) {
  const { id, currency, payment_service_id, refunding_amount } = transaction
  const amount = readAmount(request, refundable(transaction))
  const whole = collectedOf(transaction)
  if (amount < whole && !capabilities.partialRefunds) {
    const message = `must be ${whole}: the payment service does not support partial refunds`
    throw errors.invalid(inBody('/amount', 'value_error.conflict', message))
  }
  const capture = await chooseCapture(tx, id, amount)
  await transactions.change(tx, transaction, { refunding_amount: refunding_amount + amount })
  const refund = await refunds.insert(tx, {
    transaction_id: id,
    payment_service_id,
    amount,
    currency,
    target_type: 'payment-method',
    target_id: transaction.payment_method_id,
    reason: request.reason ?? null,
    external_identifier: request.external_identifier ?? null,
    capture_id: capture?.id ?? null,
  })
  await auditLogs.record(tx, 'created', { type: 'refund', id: refund.id, name: `${currency} ${amount}` })
  return { refund, asked: { amount, subject_id: refund.id } }
}

/**
 * Refuses another target than the payment method. A caller who names something else expects the money
 * elsewhere.
 */
async function refuseOtherTarget(scope: Scope, transactionId: string, target: string): Promise<void> {
  const { payment_method_id: own } = await findTransaction(scope, transactionId)
  if (target === own) return
  const paid = await redemptions.listOf(scope, transactionId)
  if (paid.some((redemption) => redemption.id === target)) {
    const message = 'send target_type gift-card-redemption to refund a gift card redemption'
    throw errors.invalid(inBody('/target_id', 'value_error.conflict', message))
  }
  const message =
    own === null
      ? 'leave target_id out: the transaction’s payment method is not stored and has no id'
      : 'send the id of the transaction’s payment method, or leave target_id out'
  throw errors.invalid(inBody('/target_id', 'value_error.not_found', message))
}

/**
 * The oldest capture from which enough is left for a refund. The caller holds the payment's lock. Null if no single
 * capture has enough left.
 */
async function chooseCapture(
  tx: Scope<Tx>,
  transactionId: string,
  amount: number,
): Promise<captures.StoredCapture | null> {
  const made = (await captures.listOf(tx, transactionId))
    .filter(({ status }) => status === 'succeeded')
    .reverse()
  const given = (await refunds.listOf(tx, transactionId)).filter(isTaken)
  const of = (id: string | null) => sumOf(given.filter((refund) => refund.capture_id === id))
  // Refunds that name no capture count against the oldest ones.
  let unnamed = of(null)
  for (const capture of made) {
    const rest = capture.amount - of(capture.id)
    const taken = Math.min(Math.max(rest, 0), unnamed)
    unnamed -= taken
    if (rest - taken >= amount && capture.payment_service_capture_id !== null) return capture
  }
  return null
}

/** A refund that is on its way counts as done. Those of gift cards come from no capture. */
function isTaken({ status, target_type }: refunds.StoredRefund): boolean {
  return target_type === 'payment-method' && (status === 'processing' || status === 'succeeded')
}

function sumOf(given: readonly refunds.StoredRefund[]): number {
  return given.reduce((sum, { amount }) => sum + amount, 0)
}

/** `all`: one refund for each instrument that paid, each of all that is left. */
type Asked = 'all' | Pick<RefundCreate, 'amount' | 'target_type' | 'target_id'>

/** How much a request would refund. Without an amount, all that is left. */
export async function refundAmount(scope: Scope, transactionId: string, request: Asked): Promise<number> {
  if (request !== 'all' && typeof request.amount === 'number') return request.amount
  const transaction = await transactions.find(scope, transactionId)
  if (!transaction) return 0
  const ofMethod = refundable(transaction)
  const isOfMethod = request !== 'all' && request.target_type !== 'gift-card-redemption'
  if (isOfMethod || !transaction.has_gift_card_redemptions) return ofMethod
  const paid = await redemptions.listOf(scope, transactionId)
  if (request === 'all') return paid.reduce((sum, redemption) => sum + restOf(redemption), ofMethod)
  const target = paid.find(({ id }) => id === request.target_id)
  return target ? restOf(target) : 0
}
