import { isCountry } from '../../domain/country.ts'
import { taxIdFault } from '../../domain/tax-id.ts'
import { type ErrorDetail, inBody } from '../../platform/errors.ts'
import type { NewAddress, NewBillingDetails } from './schemas.ts'

/** What a schema cannot say about billing details. `pointer` is where they are in the body. */
export function billingComplaints(
  pointer: string,
  details: NewBillingDetails | null | undefined,
): ErrorDetail[] {
  const { address, tax_id } = details ?? {}
  const fault = tax_id && taxIdFault(tax_id.kind, tax_id.value)
  return [
    ...addressComplaints(`${pointer}/address`, address),
    ...(fault ? [inBody(`${pointer}/tax_id/value`, 'value_error.str.regex', fault)] : []),
  ]
}

export function addressComplaints(pointer: string, address: NewAddress | null | undefined): ErrorDetail[] {
  const { country, state_code } = address ?? {}
  if (!country) return []
  if (!isCountry(country)) {
    return [inBody(`${pointer}/country`, 'type_error.enum', 'Unknown ISO 3166-1 alpha-2 country code')]
  }
  if (!state_code || state_code.startsWith(`${country}-`)) return []
  return [inBody(`${pointer}/state_code`, 'value_error.conflict', 'is not a state of the country given')]
}
