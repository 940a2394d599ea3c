import { isCountry } from '../../../domain/country.ts'
import { isCurrency } from '../../../domain/currency.ts'
import type { Scope } from '../../../platform/db.ts'
import { type ErrorDetail, errors, inBody } from '../../../platform/errors.ts'
import * as paymentServices from '../../payment-services/store.ts'
import { guestComplaints } from '../../transactions/order/check-guest.ts'
import type { Order } from './store.ts'

/** Refuses what a schema cannot: codes that nobody uses, a service that is not there, a buyer at odds with itself. */
export async function checkOrder(scope: Scope, order: Order): Promise<void> {
  const { currency, country, buyer, payment_service_id: serviceId } = order
  const complaints: ErrorDetail[] = []
  if (currency && !isCurrency(currency)) {
    complaints.push(inBody('/currency', 'type_error.enum', 'Unknown ISO 4217 currency code'))
  }
  if (country && !isCountry(country)) {
    complaints.push(inBody('/country', 'type_error.enum', 'Unknown ISO 3166-1 alpha-2 country code'))
  }
  complaints.push(...guestComplaints(buyer))
  if (serviceId && !(await paymentServices.find(scope, serviceId))) {
    complaints.push(
      inBody('/payment_service_id', 'value_error.not_found', 'there is no such payment service'),
    )
  }
  if (complaints.length > 0) throw errors.invalid(...complaints)
}
