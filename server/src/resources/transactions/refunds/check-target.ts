import type { Scope } from '#platform/db.ts'
import { errors, inBody } from '#platform/errors.ts'
import { findTransaction } from '../find.ts'
import * as redemptions from '../gift-card-redemptions/store.ts'

/** A refund to the payment method may name that method. Whoever names something else would be refunded elsewhere. */
export async function refuseOtherTarget(scope: Scope, transactionId: string, target: string): Promise<void> {
  const { payment_method_id: own } = await findTransaction(scope, transactionId)
  if (target === own) return
  const paid = await redemptions.listOf(scope, transactionId)
  if (paid.some((redemption) => redemption.id === target)) {
    const message = 'is a gift card redemption; send target_type gift-card-redemption to refund it'
    throw errors.invalid(inBody('/target_id', 'value_error.conflict', message))
  }
  const message =
    own === null
      ? 'the payment method of the transaction is not stored and has no id; leave target_id out'
      : 'is not the payment method of the transaction; send its id, or leave target_id out'
  throw errors.invalid(inBody('/target_id', 'value_error.not_found', message))
}
