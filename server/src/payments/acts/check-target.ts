import type { Scope } from '#platform/database/db.ts'
import { errors, inBody } from '#platform/http/errors.ts'
import { findTransaction } from '../find.ts'
import * as redemptions from '../store/redemptions.ts'

/**
 * Refuses another target than the payment method. A caller who names something else expects the money
 * elsewhere.
 */
export async function refuseOtherTarget(scope: Scope, transactionId: string, target: string): Promise<void> {
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
