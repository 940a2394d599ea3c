import type { Scope } from '#platform/database/db.ts'
import { type ErrorDetail, errors, inBody } from '#platform/http/errors.ts'
import type { Sound } from '#platform/http/meaning.ts'
import { guestComplaints } from '#resources/buyers/check-details.ts'
import * as paymentServices from '#resources/payment-services/store.ts'
import { unknownCodes } from '#resources/transactions/wire/check-codes.ts'
import type { UpdateCheckoutSession } from './schemas.ts'

/** Checks of a session's order that a schema cannot express. */
export function orderComplaints(order: Sound<UpdateCheckoutSession>): ErrorDetail[] {
  return [...unknownCodes(order), ...guestComplaints(order.buyer)]
}

export async function refuseUnknownService(
  scope: Scope,
  { payment_service_id: id }: UpdateCheckoutSession,
): Promise<void> {
  if (!id || (await paymentServices.find(scope, id))) return
  const message = 'there is no such payment service'
  throw errors.invalid(inBody('/payment_service_id', 'value_error.not_found', message))
}
