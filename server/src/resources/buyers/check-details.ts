import { isCountry } from '../../domain/country.ts'
import { type ErrorDetail, inBody } from '../../platform/errors.ts'
import type { NewAddress, NewBillingDetails } from './schemas.ts'

/** What a schema cannot say about billing details. `pointer` is where they are in the body. */
export function billingComplaints(
  pointer: string,
  details: NewBillingDetails | null | undefined,
): ErrorDetail[] {
  return addressComplaints(`${pointer}/address`, details?.address)
}

export function addressComplaints(pointer: string, address: NewAddress | null | undefined): ErrorDetail[] {
  const { country } = address ?? {}
  if (!country || isCountry(country)) return []
  return [inBody(`${pointer}/country`, 'type_error.enum', 'Unknown ISO 3166-1 alpha-2 country code')]
}
