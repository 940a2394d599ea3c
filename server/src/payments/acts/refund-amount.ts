import type { Scope } from '#platform/database/db.ts'
import type { RefundCreate } from '#resources/transactions/wire/refund.ts'
import { restOf } from '../gift-cards/refund.ts'
import { refundable } from '../state.ts'
import * as transactions from '../store/payments.ts'
import * as redemptions from '../store/redemptions.ts'

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
