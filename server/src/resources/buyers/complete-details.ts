import type { Address, BillingDetails, NewAddress, NewBillingDetails } from './schemas.ts'

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
