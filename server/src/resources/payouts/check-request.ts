import { type ErrorDetail, inBody } from '#platform/http/errors.ts'
import { type About, type Sound, soundParts } from '#platform/http/validation.ts'
import { addressComplaints, guestComplaints } from '#resources/buyers/details.ts'
import { describedAndNamed, namedTwice } from '#resources/buyers/find-named.ts'
import { cardComplaints } from '#resources/payment-methods/read-card.ts'
import { unknownCodes } from '#resources/transactions/wire/check-codes.ts'
import { complaintsIn } from '#resources/transactions/wire/variants.ts'
import { PayOutToCard, PayOutToStoredCard, type PayoutCreate } from './schemas.ts'

const AT = '/payment_method'

/** Everything that is wrong with a request, judged by the request alone. */
export function requestComplaints(request: Sound<PayoutCreate>, about: About): ErrorDetail[] {
  const { payment_method } = request
  const shapes = payment_method ? methodComplaints(payment_method) : []
  const method = soundParts(request, shapes)?.payment_method ?? {}
  return [
    ...shapes,
    ...(isTyped(method) ? cardComplaints(method, about.now, AT) : []),
    ...(request.amount === 0
      ? [inBody('/amount', 'value_error.number.not_ge', 'must be at least 1: a payout moves money')]
      : []),
    ...unknownCodes({ currency: request.currency }),
    ...guestComplaints(request.buyer),
    ...describedAndNamed(request),
    ...namedTwice(request),
    ...addressComplaints('/merchant/address', request.merchant?.address),
  ]
}

type Method = PayoutCreate['payment_method']

/** Whether the caller meant a card by its number. Where `method` is left out, the other fields tell. */
export function isTyped<Given extends Sound<Method>>(
  given: Given,
): given is Extract<Given, Sound<PayOutToCard>> {
  const { method } = given as { readonly method?: unknown }
  return method === undefined ? !('id' in given) : method === 'card'
}

/** Checks `payment_method` against the one shape that the caller meant. */
function methodComplaints(given: Sound<Method>): ErrorDetail[] {
  const { method = 'card' } = given as { readonly method?: unknown }
  if (method === 'card' || method === 'id') {
    return complaintsIn(AT, isTyped(given) ? PayOutToCard : PayOutToStoredCard, given)
  }
  const message = 'must be card, or id for a stored card: payouts go to cards only'
  return [inBody(`${AT}/method`, 'type_error.enum', message)]
}
