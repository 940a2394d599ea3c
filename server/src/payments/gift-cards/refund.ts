import type { Scope, Tx } from '#platform/database/db.ts'
import { errors, inBody } from '#platform/http/errors.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import * as giftCardServices from '#resources/gift-card-services/store.ts'
import type { RefundCreate } from '#resources/transactions/wire/refund.ts'
import { isCaptured } from '../state.ts'
import type { StoredTransaction } from '../store/payments.ts'
import * as redemptions from '../store/redemptions.ts'
import * as refunds from '../store/refunds.ts'

/** Refunds to a gift card what it paid, whole or in parts. */
export async function reserveGiftCardRefund(
  tx: Scope<Tx>,
  transaction: StoredTransaction,
  request: RefundCreate,
) {
  const redemption = await findRedemption(tx, transaction, request)
  await refuseIfDeleted(tx, redemption)
  const amount = readAmount(request, restOf(redemption))
  const given = { transaction, redemption, amount }
  const refund = await insertGiftCardRefund(tx, given, request)
  return { refund, asked: askedFor(refund, given) }
}

export type GiftCardRefund = {
  readonly transaction: StoredTransaction
  readonly redemption: redemptions.Redemption
  readonly amount: number
}

/** The amount counts as refunded from now on. */
export async function insertGiftCardRefund(
  tx: Scope<Tx>,
  { transaction, redemption, amount }: GiftCardRefund,
  { reason, external_identifier }: Pick<RefundCreate, 'reason' | 'external_identifier'> = {},
): Promise<refunds.StoredRefund> {
  await redemptions.change(tx, redemption, { refunding_amount: redemption.refunding_amount + amount })
  const refund = await refunds.insert(tx, {
    transaction_id: transaction.id,
    payment_service_id: null,
    amount,
    currency: transaction.currency,
    target_type: 'gift-card-redemption',
    target_id: redemption.id,
    reason: reason ?? null,
    external_identifier: external_identifier ?? null,
  })
  await auditLogs.record(tx, 'created', {
    type: 'refund',
    id: refund.id,
    name: `${transaction.currency} ${amount}`,
  })
  return refund
}

export function askedFor(
  { id, amount }: refunds.StoredRefund,
  { redemption }: Pick<GiftCardRefund, 'redemption'>,
) {
  return { subject_id: id, service_id: redemption.gift_card_service_id, amount }
}

/** The secrets of a deleted service are removed soon, and then its provider cannot be asked any more. */
async function refuseIfDeleted(
  tx: Scope<Tx>,
  { gift_card_service_id: id }: redemptions.Redemption,
): Promise<void> {
  const service = (await giftCardServices.findMany(tx, [id])).get(id)
  if (service?.deleted_at === null) return
  throw errors.refused('The gift card service that redeemed the gift card was deleted.')
}

/** A refund that is on its way counts as done. */
export function restOf({ amount, status, is_reversed, ...given }: redemptions.Redemption): number {
  if (status !== 'succeeded' || is_reversed) return 0
  return amount - given.refunded_amount - given.refunding_amount
}

async function findRedemption(
  tx: Scope<Tx>,
  { id, status }: StoredTransaction,
  { target_id }: RefundCreate,
): Promise<redemptions.Redemption> {
  if (!target_id) {
    throw errors.invalid(inBody('/target_id', 'value_error.missing', 'name the redemption to refund'))
  }
  const found = (await redemptions.listOf(tx, id)).find((redemption) => redemption.id === target_id)
  if (!found) {
    const message = 'the transaction has no such gift card redemption'
    throw errors.invalid(inBody('/target_id', 'value_error.not_found', message))
  }
  if (!isCaptured({ status })) {
    throw errors.refused(`The transaction cannot be refunded: its status is ${status}.`)
  }
  return found
}

/** The amount that the caller names, or all that is left. */
export function readAmount({ amount }: Pick<RefundCreate, 'amount'>, rest: number): number {
  const wanted = amount ?? rest
  if (wanted > rest || wanted === 0) {
    const message = rest === 0 ? 'nothing is left to refund' : `more than is left to refund: ${rest}`
    throw errors.invalid(inBody('/amount', 'value_error.number.not_le', message))
  }
  return wanted
}
