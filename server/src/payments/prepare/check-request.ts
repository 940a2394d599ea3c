import { type ErrorDetail, inBody } from '#platform/http/errors.ts'
import { type About, type Sound, soundParts } from '#platform/http/meaning.ts'
import { guestComplaints } from '#resources/buyers/details.ts'
import { describedAndNamed, namedTwice } from '#resources/buyers/find-named.ts'
import { expirationComplaints, payingCardComplaints } from '#resources/payment-methods/read-card.ts'
import { unknownCodes } from '#resources/transactions/wire/check-codes.ts'
import type { PaymentSource } from '#resources/transactions/wire/order.ts'
import type { PaymentMethodKind, PaymentMethodRequest } from '#resources/transactions/wire/payment-method.ts'
import { checkGiftCards, checkVariant, variantOf } from '#resources/transactions/wire/read-payment-method.ts'
import { checkThreeDSecureData } from '#resources/transactions/wire/read-three-d-secure.ts'
import type { TransactionCreate } from '#resources/transactions/wire/transaction.ts'
import { type Order, resolve } from './resolve.ts'
import { browserComplaints } from './who-may-set.ts'

const AT = '/payment_method'

/** Everything that is wrong with a payment request, judged by the request alone. */
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

const CARDS_MAX = 10

/** Checks how gift cards and the payment method share the amount, judged by the request alone. */
function splitComplaints(request: Sound<TransactionCreate>, isWhole: boolean): ErrorDetail[] {
  const given = request.gift_cards ?? []
  if (given.length === 0) return []
  if (given.length > CARDS_MAX) {
    return [inBody('/gift_cards', 'value_error.list.max_items', `must have at most ${CARDS_MAX} items`)]
  }
  const nothing = given.flatMap((card, index) =>
    card?.amount === 0
      ? [inBody(`/gift_cards/${index}/amount`, 'value_error.number.not_ge', 'must be above 0')]
      : [],
  )
  const amounts = given.flatMap((card) => card?.amount ?? [])
  const isKnown = isWhole && nothing.length === 0 && amounts.length === given.length
  const paid = amounts.reduce((sum, amount) => sum + amount, 0)
  return isKnown && request.amount !== undefined ? sharesOf(request, request.amount, paid) : nothing
}

/** Together they pay the whole amount, and each pays a part of it. */
function sharesOf({ payment_method }: Sound<TransactionCreate>, amount: number, paid: number): ErrorDetail[] {
  if (paid > amount) {
    const message = 'lower what the gift cards pay: it is more than the amount'
    return [inBody('/gift_cards', 'value_error.number.not_le', message)]
  }
  if (paid < amount && !payment_method) {
    const message = 'name a payment method: the gift cards do not pay the whole amount'
    return [inBody('/payment_method', 'value_error.missing', message)]
  }
  if (paid === amount && payment_method) {
    const message = 'leave payment_method out: the gift cards pay for everything'
    return [inBody('/payment_method', 'value_error.conflict', message)]
  }
  return []
}

const STORABLE: ReadonlySet<string> = new Set<PaymentMethodKind>([
  'card',
  'checkout-session',
  'googlepay_pan_only',
  'click-to-pay-card',
])
const CREDENTIALS = ['/payment_source', '/merchant_initiated', '/is_subsequent_payment', '/store', AT]

/**
 * Contradictions between parts of an order, whether they come from the request, the checkout session or a
 * default.
 */
export function orderComplaints(order: Order, isRight: About['isRight'] = () => true): ErrorDetail[] {
  const { method, details } = order
  const isStorable = STORABLE.has(method?.kind ?? '')
  const complaints = isRight(...CREDENTIALS)
    ? checkCredentials({ ...order, isStored: isStored(order), isStorable })
    : []
  if (order.intent === 'capture' && order.amount === 0) {
    complaints.push(inBody('/amount', 'value_error.number.not_ge', 'must be above 0 with the intent capture'))
  }
  if (details.async_capture && order.intent !== 'capture' && isRight('/intent')) {
    complaints.push(inBody('/async_capture', 'value_error.conflict', 'allowed only with the intent capture'))
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

type Credentials = {
  readonly payment_source: PaymentSource
  readonly merchant_initiated: boolean
  readonly is_subsequent_payment: boolean
  readonly store: boolean
  /** The payment method is stored already. */
  readonly isStored: boolean
  /** The payment method could be stored. */
  readonly isStorable: boolean
}

/** The card schemes' rules for cards on file: who may initiate a payment, and when the card has to be stored. */
export function checkCredentials(given: Credentials): ErrorDetail[] {
  const { payment_source: source, merchant_initiated, is_subsequent_payment, store } = given
  const isSeries = source === 'recurring' || source === 'installment'
  if (merchant_initiated && !isSeries && source !== 'card_on_file') {
    return [
      inBody(
        '/is_subsequent_payment',
        'value_error.conflict',
        'use the source recurring, installment or card_on_file: a merchant cannot initiate payments of this one',
      ),
    ]
  }
  if (merchant_initiated && isSeries && !is_subsequent_payment) {
    return [
      inBody(
        '/is_subsequent_payment',
        'value_error.conflict',
        'leave merchant_initiated out: the buyer initiates the first payment of a series',
      ),
    ]
  }
  if (given.isStored && store) {
    return [inBody('/store', 'value_error.conflict', 'leave store out: the payment method is already stored')]
  }
  // Some methods have nothing to store: a token for each payment, or a page where the buyer pays.
  const isKept = store || given.isStored || !given.isStorable
  if (isSeries && !merchant_initiated && !is_subsequent_payment && !isKept) {
    return [
      inBody(
        '/store',
        'value_error.conflict',
        'set store to true: the first payment of a series has to store the card',
      ),
    ]
  }
  return []
}

type Redirect = Extract<PaymentMethodRequest, { kind: 'redirect' }>['body']

/** A redirect method names its currency and country, and the payment must have the same. */
function redirects({ currency, country }: Order, method: Partial<Redirect>): ErrorDetail[] {
  const details = unknownCodes({ country: method.country }, 'body', AT)
  const complain = (name: 'currency' | 'country') =>
    details.push(inBody(`${AT}/${name}`, 'value_error.conflict', `is not the ${name} of the payment`))
  if (method.currency && currency && method.currency !== currency) complain('currency')
  if (method.country && country && method.country !== country) complain('country')
  return details
}
