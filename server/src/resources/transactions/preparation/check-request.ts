import { type ErrorDetail, inBody } from '#platform/errors.ts'
import { type About, type Sound, soundParts } from '#platform/meaning.ts'
import { namedTwice } from '#resources/buyers/find-named.ts'
import { expirationComplaints, payingCardComplaints } from '#resources/payment-methods/read-card.ts'
import { splitComplaints } from '../gift-card-redemptions/check-split.ts'
import { unknownCodes } from '../wire/check-codes.ts'
import { guestComplaints } from '../wire/check-guest.ts'
import type { PaymentMethodKind, PaymentMethodRequest } from '../wire/payment-method.ts'
import { checkGiftCards, checkVariant, variantOf } from '../wire/read-payment-method.ts'
import { checkThreeDSecureData } from '../wire/read-three-d-secure.ts'
import type { TransactionCreate } from '../wire/transaction.ts'
import { browserComplaints } from './check-browser.ts'
import { checkCredentials } from './check-credentials.ts'
import { type ResolvedRequest, resolveRequest } from './resolve-request.ts'

const AT = '/payment_method'

/** Everything that is wrong with a payment as it is asked for, before anything is looked up. */
export function requestComplaints(request: Sound<TransactionCreate>, about: About): ErrorDetail[] {
  const { payment_method, gift_cards, three_d_secure_data } = request
  const shapes = [
    ...(payment_method ? checkVariant(payment_method) : []),
    ...checkGiftCards(gift_cards ?? []),
    ...(three_d_secure_data ? checkThreeDSecureData(three_d_secure_data) : []),
  ]
  const kind = payment_method ? variantOf(payment_method)?.kind : undefined
  const sound = soundParts(request, shapes) ?? {}
  return [
    ...shapes,
    ...(payment_method || gift_cards?.length ? [] : [inBody(AT, 'value_error.missing', 'field required')]),
    ...instrumentComplaints(kind, sound, about.now),
    ...splitComplaints(sound, about.isRight('/amount', '/gift_cards', AT)),
    ...unknownCodes(request),
    ...guestComplaints(request.buyer),
    ...namedTwice(request),
    ...namedTwice((sound.payment_method ?? {}) as Parameters<typeof namedTwice>[0], 'body', AT),
    ...withoutSession(sound as TransactionCreate, kind, about),
  ]
}

/** What a checkout session could still complete is judged once the session is found. */
function withoutSession(
  request: TransactionCreate,
  kind: PaymentMethodKind | undefined,
  { caller, isRight }: About,
): ErrorDetail[] {
  if (kind === 'checkout-session' || caller.pinned.checkout_session_id !== undefined) return []
  return [
    ...(isRight('/amount') ? browserComplaints(request, caller, undefined) : []),
    ...combinations(resolveRequest(request, undefined), kind, isRight),
  ]
}

/** The same about what a checkout session adds to the request. */
export function combinationComplaints(
  request: ResolvedRequest,
  method: PaymentMethodRequest | null,
): ErrorDetail[] {
  return combinations(request, method?.kind, () => true)
}

function instrumentComplaints(
  kind: PaymentMethodKind | undefined,
  { payment_method }: Sound<TransactionCreate>,
  now: Date,
): ErrorDetail[] {
  const given = (payment_method ?? {}) as Parameters<typeof payingCardComplaints>[0]
  if (kind === 'card' || kind === 'googlepay_pan_only' || kind === 'click-to-pay-card') {
    return payingCardComplaints(given, now, AT)
  }
  const isToken = kind === 'network-token' || kind === 'click-to-pay'
  return isToken ? expirationComplaints(given.expiration_date, now, AT) : []
}

const STORABLE: ReadonlySet<string> = new Set<PaymentMethodKind>([
  'card',
  'checkout-session',
  'googlepay_pan_only',
  'click-to-pay-card',
])
const CREDENTIALS = ['/payment_source', '/merchant_initiated', '/is_subsequent_payment', '/store', AT]

function combinations(
  request: ResolvedRequest,
  kind: PaymentMethodKind | undefined,
  isRight: About['isRight'],
): ErrorDetail[] {
  const isStorable = STORABLE.has(kind ?? '')
  const credentials = { ...request, isStored: kind === 'id', isStorable }
  const isJudged = kind !== 'checkout-session' && isRight(...CREDENTIALS)
  const details = isJudged ? checkCredentials(credentials) : []
  if (request.intent === 'capture' && request.amount === 0) {
    details.push(inBody('/amount', 'value_error.number.not_ge', 'must be above 0 to be captured at once'))
  }
  if (request.async_capture && request.intent !== 'capture' && isRight('/intent')) {
    details.push(inBody('/async_capture', 'value_error.conflict', 'only goes with the intent capture'))
  }
  if (request.store && kind !== 'id' && !isStorable && isRight(AT)) {
    details.push(inBody('/store', 'value_error.conflict', 'only cards can be stored'))
  }
  if (request.buyer && (request.buyer_id || request.buyer_external_identifier)) {
    details.push(inBody('/buyer', 'value_error.conflict', 'name a buyer or describe one, not both'))
  }
  return kind === 'redirect' ? [...details, ...redirects(request)] : details
}

/** A redirect method is for one currency and one country: the payment cannot be in others. */
function redirects({ payment_method, currency, country }: ResolvedRequest): ErrorDetail[] {
  const method = (payment_method ?? {}) as { readonly currency?: string; readonly country?: string }
  const details = unknownCodes({ country: method.country }, 'body', AT)
  const complain = (name: 'currency' | 'country') =>
    details.push(inBody(`${AT}/${name}`, 'value_error.conflict', `is not the ${name} of the payment`))
  if (method.currency && currency && method.currency !== currency) complain('currency')
  if (method.country && country && method.country !== country) complain('country')
  return details
}
