import { isCountry } from '../../../domain/country.ts'
import { isCurrency } from '../../../domain/currency.ts'
import { type ErrorDetail, errors, inBody } from '../../../platform/errors.ts'
import { addressComplaints, billingComplaints } from '../../buyers/check-details.ts'
import type { Order } from './store.ts'

/** Refuses what a schema cannot: codes that nobody uses, and details of the buyer that contradict each other. */
export function checkOrder({ currency, country, buyer }: Order): void {
  const complaints: ErrorDetail[] = []
  if (currency && !isCurrency(currency)) {
    complaints.push(inBody('/currency', 'type_error.enum', 'Unknown ISO 4217 currency code'))
  }
  if (country && !isCountry(country)) {
    complaints.push(inBody('/country', 'type_error.enum', 'Unknown ISO 3166-1 alpha-2 country code'))
  }
  complaints.push(
    ...billingComplaints('/buyer/billing_details', buyer?.billing_details),
    ...addressComplaints('/buyer/shipping_details/address', buyer?.shipping_details?.address),
  )
  if (complaints.length > 0) throw errors.invalid(...complaints)
}
