import type { ErrorDetail } from '#platform/http/errors.ts'
import type { Sound } from '#platform/http/validation.ts'
import { unknownCodes } from '#resources/transactions/wire/check-codes.ts'
import type { NewGuestBuyer } from '#resources/transactions/wire/order.ts'
import type { Address, BillingDetails, NewAddress, NewBillingDetails } from './schemas.ts'

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

/** Answers show every field, even unset ones. */
export function completeBillingDetails(given: NewBillingDetails): BillingDetails {
  return {
    type: 'billing-details',
    first_name: given.first_name ?? null,
    last_name: given.last_name ?? null,
    email_address: given.email_address ?? null,
    phone_number: given.phone_number ?? null,
    address: given.address ? completeAddress(given.address) : null,
    tax_id: given.tax_id ? { value: given.tax_id.value, kind: given.tax_id.kind } : null,
  }
}

export function completeAddress(given: NewAddress): Address {
  return {
    city: given.city ?? null,
    country: given.country ?? null,
    postal_code: given.postal_code ?? null,
    state: given.state ?? null,
    state_code: given.state_code ?? null,
    house_number_or_name: given.house_number_or_name ?? null,
    line1: given.line1 ?? null,
    line2: given.line2 ?? null,
    organization: given.organization ?? null,
  }
}
