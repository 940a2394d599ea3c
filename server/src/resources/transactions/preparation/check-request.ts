import { isCountry } from '../../../domain/country.ts'
import { isCurrency } from '../../../domain/currency.ts'
import { type ErrorDetail, errors, inBody } from '../../../platform/errors.ts'
import { guestComplaints } from '../order/check-guest.ts'
import { checkGiftCards, checkVariant, readPaymentMethod } from '../payment-method/read.ts'
import type { PaymentMethodRequest } from '../payment-method/schemas.ts'
import type { TransactionCreate } from '../schemas.ts'
import { checkThreeDSecureData } from '../three-d-secure/read.ts'
import { checkCredentials } from './check-credentials.ts'
import type { ResolvedRequest } from './resolve-request.ts'

/** Tells apart how the buyer pays what gift cards do not, and refuses what is no way to pay. */
export function readMethod(request: TransactionCreate): PaymentMethodRequest | null {
  const { payment_method, gift_cards, three_d_secure_data } = request
  const shapes = [
    ...(payment_method ? checkVariant(payment_method) : []),
    ...checkGiftCards(gift_cards ?? []),
    ...(three_d_secure_data ? checkThreeDSecureData(three_d_secure_data) : []),
  ]
  if (shapes.length > 0) throw errors.invalid(...shapes)
  if (!payment_method && !gift_cards?.length) {
    throw errors.invalid(inBody('/payment_method', 'value_error.missing', 'field required'))
  }
  return payment_method ? readPaymentMethod(payment_method) : null
}

/** What cannot be meant, as far as it shows before anything is looked up. */
export function requestComplaints(
  request: ResolvedRequest,
  method: PaymentMethodRequest | null,
): ErrorDetail[] {
  return [...codes(request), ...guestComplaints(request.buyer), ...combinations(request, method)]
}

function codes({ currency, country }: TransactionCreate): ErrorDetail[] {
  const details: ErrorDetail[] = []
  if (!isCurrency(currency)) {
    details.push(inBody('/currency', 'type_error.enum', `Unknown ISO 4217 currency code: ${currency}`))
  }
  if (country && !isCountry(country)) {
    details.push(inBody('/country', 'type_error.enum', `Unknown ISO 3166-1 country code: ${country}`))
  }
  return details
}

const STORABLE: ReadonlySet<string> = new Set([
  'card',
  'checkout-session',
  'googlepay_pan_only',
  'click-to-pay-card',
])

function combinations(request: ResolvedRequest, method: PaymentMethodRequest | null): ErrorDetail[] {
  const isStorable = STORABLE.has(method?.kind ?? '')
  const credentials = { ...request, isStored: method?.kind === 'id', isStorable }
  // What is in a checkout session is known when it is looked up.
  const details = method?.kind === 'checkout-session' ? [] : checkCredentials(credentials)
  if (request.intent === 'capture' && request.amount === 0) {
    details.push(inBody('/amount', 'value_error.number.not_ge', 'must be above 0 to be captured at once'))
  }
  if (request.async_capture && request.intent !== 'capture') {
    details.push(inBody('/async_capture', 'value_error.conflict', 'only goes with the intent capture'))
  }
  if (request.store && method?.kind !== 'id' && !isStorable) {
    details.push(inBody('/store', 'value_error.conflict', 'only cards can be stored'))
  }
  if (request.buyer && (request.buyer_id || request.buyer_external_identifier)) {
    details.push(inBody('/buyer', 'value_error.conflict', 'name a buyer or describe one, not both'))
  }
  return method ? [...details, ...redirects(request, method)] : details
}

/** A redirect method is for one currency and one country: the payment cannot be in others. */
function redirects(request: TransactionCreate, method: PaymentMethodRequest): ErrorDetail[] {
  if (method.kind !== 'redirect') return []
  const details: ErrorDetail[] = []
  if (method.body.currency !== request.currency) {
    details.push(
      inBody('/payment_method/currency', 'value_error.conflict', 'is not the currency of the payment'),
    )
  }
  const { country } = method.body
  if (!isCountry(country)) {
    const message = `Unknown ISO 3166-1 country code: ${country}`
    details.push(inBody('/payment_method/country', 'type_error.enum', message))
  } else if (request.country && country !== request.country) {
    details.push(
      inBody('/payment_method/country', 'value_error.conflict', 'is not the country of the payment'),
    )
  }
  return details
}
