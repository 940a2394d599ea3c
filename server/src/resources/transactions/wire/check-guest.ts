import type { ErrorDetail } from '#platform/errors.ts'
import type { Sound } from '#platform/meaning.ts'
import { addressComplaints, billingComplaints } from '#resources/buyers/check-details.ts'
import type { NewGuestBuyer } from './order.ts'

/** What a schema cannot check about a buyer of one order, described under `/buyer`. */
export function guestComplaints(guest: Sound<NewGuestBuyer> | null | undefined): ErrorDetail[] {
  return [
    ...billingComplaints('/buyer/billing_details', guest?.billing_details),
    ...addressComplaints('/buyer/shipping_details/address', guest?.shipping_details?.address),
  ]
}
