import type { ErrorDetail } from '#platform/http/errors.ts'
import type { Sound } from '#platform/http/meaning.ts'
import { unknownCodes } from '#resources/transactions/wire/check-codes.ts'
import type { NewGuestBuyer } from '#resources/transactions/wire/order.ts'
import type { NewAddress, NewBillingDetails } from './schemas.ts'

/** Checks of billing details that a schema cannot express. `pointer` is their place in the body. */
export function billingComplaints(
  pointer: string,
  details: Sound<NewBillingDetails> | null | undefined,
): ErrorDetail[] {
  return addressComplaints(`${pointer}/address`, details?.address)
}

export function addressComplaints(
  pointer: string,
  address: Sound<NewAddress> | null | undefined,
): ErrorDetail[] {
  return unknownCodes({ country: address?.country }, 'body', pointer)
}

/** Checks of a buyer of one payment, under `/buyer`, that a schema cannot express. */
export function guestComplaints(guest: Sound<NewGuestBuyer> | null | undefined): ErrorDetail[] {
  return [
    ...billingComplaints('/buyer/billing_details', guest?.billing_details),
    ...addressComplaints('/buyer/shipping_details/address', guest?.shipping_details?.address),
  ]
}
