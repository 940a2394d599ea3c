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
import { checkCredentials } from './check-credentials.ts'
import { type Order, resolve } from './resolve.ts'
import { browserComplaints } from './who-may-set.ts'

const AT = '/payment_method'

/** Everything that is wrong with a request to pay, as far as the request alone tells. */
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
    ...describedAndNamed(request),
    ...namedTwice(request),
    ...namedTwice((sound.payment_method ?? {}) as Parameters<typeof namedTwice>[0], 'body', AT),
    ...withoutSession(sound as TransactionCreate, kind, about),
  ]
}

/** With a checkout session, these checks run in `prepare.ts`: the session may fill the gaps. */
function withoutSession(
  request: TransactionCreate,
  kind: PaymentMethodKind | undefined,
  { caller, isRight }: About,
): ErrorDetail[] {
  if (kind === 'checkout-session' || caller.pinned.checkout_session_id !== undefined) return []
  const method = kind ? ({ kind, body: request.payment_method ?? {} } as PaymentMethodRequest) : null
  return [
    ...(isRight('/amount') ? browserComplaints(request, caller, undefined) : []),
    ...orderComplaints(resolve(request, { method, session: undefined }), isRight),
  ]
}

function describedAndNamed(request: Sound<TransactionCreate>): ErrorDetail[] {
  const isNamed = request.buyer_id || request.buyer_external_identifier
  if (!request.buyer || !isNamed) return []
  return [inBody('/buyer', 'value_error.conflict', 'name a buyer or describe one, not both')]
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

/** Parts of an order that contradict each other, wherever they come from: request, checkout session or default. */
export function orderComplaints(order: Order, isRight: About['isRight'] = () => true): ErrorDetail[] {
  const { method, details } = order
  const isStorable = STORABLE.has(method?.kind ?? '')
  const complaints = isRight(...CREDENTIALS)
    ? checkCredentials({ ...order, isStored: isStored(order), isStorable })
    : []
  if (order.intent === 'capture' && order.amount === 0) {
    complaints.push(inBody('/amount', 'value_error.number.not_ge', 'must be above 0 to be captured at once'))
  }
  if (details.async_capture && order.intent !== 'capture' && isRight('/intent')) {
    complaints.push(inBody('/async_capture', 'value_error.conflict', 'only goes with the intent capture'))
  }
  if (order.store && method?.kind !== 'id' && !isStorable && isRight(AT)) {
    complaints.push(inBody('/store', 'value_error.conflict', 'only cards can be stored'))
  }
  return method?.kind === 'redirect' ? [...complaints, ...redirects(order, method.body)] : complaints
}

function isStored({ method, session }: Order): boolean {
  if (method?.kind === 'checkout-session') return (session?.payment_method_id ?? null) !== null
  return method?.kind === 'id'
}

type Redirect = Extract<PaymentMethodRequest, { kind: 'redirect' }>['body']

/** A redirect method names its currency and country. The payment has to be in the same ones. */
function redirects({ currency, country }: Order, method: Partial<Redirect>): ErrorDetail[] {
  const details = unknownCodes({ country: method.country }, 'body', AT)
  const complain = (name: 'currency' | 'country') =>
    details.push(inBody(`${AT}/${name}`, 'value_error.conflict', `is not the ${name} of the payment`))
  if (method.currency && currency && method.currency !== currency) complain('currency')
  if (method.country && country && method.country !== country) complain('country')
  return details
}
