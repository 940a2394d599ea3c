import type { Caller } from '#platform/access/auth.ts'
import { type ErrorDetail, inBody } from '#platform/http/errors.ts'
import { isSameValue } from '#platform/http/read-call.ts'
import { type About, type Sound, soundParts } from '#platform/http/validation.ts'
import { guestComplaints } from '#resources/buyers/details.ts'
import { describedAndNamed, namedTwice } from '#resources/buyers/find-named.ts'
import type { StoredSession } from '#resources/checkout/sessions/store.ts'
import { expirationComplaints, payingCardComplaints } from '#resources/payment-methods/read-card.ts'
import { unknownCodes } from '#resources/transactions/wire/check-codes.ts'
import { checkGiftCards } from '#resources/transactions/wire/gift-card.ts'
import type { PaymentSource } from '#resources/transactions/wire/order.ts'
import {
  checkVariant,
  type PaymentMethodKind,
  type PaymentMethodRequest,
  variantOf,
} from '#resources/transactions/wire/payment-method.ts'
import { checkThreeDSecureData } from '#resources/transactions/wire/three-d-secure.ts'
import type { TransactionCreate } from '#resources/transactions/wire/transaction.ts'
import { type Order, resolve } from './order.ts'

const AT = '/payment_method'

/** Everything that is wrong with a payment request, judged by the request alone. */
export function requestComplaints(request: Sound<TransactionCreate>, about: About): ErrorDetail[] {
  const { payment_method, gift_cards, three_d_secure_data } = request
  const shapes = [
    ...(payment_method ? checkVariant(payment_method) : []),
    ...(gift_cards?.length ? checkGiftCards(gift_cards) : []),
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

type Field = keyof TransactionCreate

/** What a page may set if neither its token nor its checkout session sets the field. */
type PageRule = {
  /** In the words of the guide. */
  readonly words: string
  /** JSON pointers, below the field, to what a page may not set. An empty pointer is the field itself. */
  readonly refused: (said: unknown, request: TransactionCreate) => readonly string[]
}

type FieldRule = {
  /** Whether the checkout session can set it, too. */
  readonly session: boolean
  readonly page: PageRule
}

const ITSELF = ['']
const ANYTHING: PageRule = { words: 'yes', refused: () => [] }
const NOTHING: PageRule = { words: 'no', refused: () => ITSELF }
/** Checked when the buyer is looked up: a page finds only the buyer that its token pins. */
const OWN_BUYER: PageRule = { words: 'its own buyer’s', refused: () => [] }
const FALSE: PageRule = { words: '`false`', refused: (said) => (said === false ? [] : ITSELF) }

/** Mail and telephone orders are not authenticated. */
const NOT_MOTO: PageRule = { words: 'all but `moto`', refused: (said) => (said === 'moto' ? ITSELF : []) }

/** An authentication of a smaller amount does not cover the whole. */
const WHOLE_AMOUNT: PageRule = {
  words: 'for the whole amount',
  refused: (said, { amount }) =>
    ((said as TransactionCreate['three_d_secure'])?.amount ?? amount) === amount ? [] : ['/amount'],
}

/** Options that skip or steer 3-D Secure, send money elsewhere, or are passed to the provider unread. */
const SERVER_OPTIONS: ReadonlySet<string> = new Set([
  'additionalData',
  'additional_data',
  'attemptAuthentication',
  'error_on_requires_action',
  'meta_key_merchant_id',
  'order_update_callback_config',
  'skipThreeDSecure',
  'splits',
  'stripe_connect',
  'threeDSRequestorChallengeInd',
  'three_ds_auth_status',
  'three_dsecure_force',
])
const HARMLESS_OPTIONS: PageRule = {
  words: 'all but 3-D Secure, splits and free-form data',
  refused: (said) => serverOptionsIn(said, ''),
}

const session = (page: PageRule): FieldRule => ({ session: true, page })
const alone = (page: PageRule): FieldRule => ({ session: false, page })

/**
 * Who sets each field when a page pays. The merchant's server may set everything. Values from the browser
 * token or the checkout session cannot be changed. The page may set the rest, except what would weaken the
 * merchant's protection.
 */
export const WHO_MAY_SET: Readonly<Record<Field, FieldRule>> = {
  amount: session(ANYTHING),
  currency: session(ANYTHING),
  country: session(ANYTHING),
  payment_method: alone(ANYTHING),
  gift_cards: alone(ANYTHING),
  external_identifier: alone(ANYTHING),
  intent: session(ANYTHING),
  payment_source: session(NOT_MOTO),
  merchant_initiated: session(FALSE),
  is_subsequent_payment: session(ANYTHING),
  store: alone(ANYTHING),
  async_capture: alone(ANYTHING),
  account_funding_transaction: alone(FALSE),
  allow_partial_authorization: alone(FALSE),
  buyer: session(ANYTHING),
  buyer_id: alone(OWN_BUYER),
  buyer_external_identifier: alone(OWN_BUYER),
  shipping_details_id: alone(OWN_BUYER),
  metadata: session(ANYTHING),
  description: alone(ANYTHING),
  cart_items: session(ANYTHING),
  airline: session(ANYTHING),
  statement_descriptor: alone(ANYTHING),
  recipient: alone(ANYTHING),
  browser_info: alone(ANYTHING),
  installment_count: alone(ANYTHING),
  tax_amount: alone(ANYTHING),
  amount_includes_tax: alone(ANYTHING),
  merchant_tax_id: alone(ANYTHING),
  purchase_order_number: alone(ANYTHING),
  customer_reference_number: alone(ANYTHING),
  supplier_order_number: alone(ANYTHING),
  duty_amount: alone(ANYTHING),
  shipping_amount: alone(ANYTHING),
  payment_service_id: session(NOTHING),
  connection_options: alone(HARMLESS_OPTIONS),
  three_d_secure: alone(WHOLE_AMOUNT),
  three_d_secure_data: alone(NOTHING),
  previous_scheme_transaction_id: alone(NOTHING),
  previous_transaction_link_id: alone(NOTHING),
  anti_fraud_fingerprint: alone(ANYTHING),
  integration_client: alone(ANYTHING),
  approval_expires_at: alone(ANYTHING),
}

/**
 * Refuses what a page may not set, or sets differently from its checkout session. `read-call.ts` has already
 * compared the request with the token.
 */
export function browserComplaints(
  request: Partial<TransactionCreate>,
  { isEmbed, pinned }: Caller,
  session: StoredSession | undefined,
): ErrorDetail[] {
  if (!isEmbed) return []
  return (Object.keys(WHO_MAY_SET) as Field[]).flatMap((name) => {
    const said = request[name] ?? null
    if (said === null) return []
    const rule = WHO_MAY_SET[name]
    const fixed = rule.session ? (session?.[name as keyof StoredSession] ?? null) : null
    if (fixed !== null) {
      const message = 'leave it out, or send the checkout session’s value'
      return isSameValue(said, fixed) ? [] : [inBody(`/${name}`, 'value_error.conflict', message)]
    }
    if (Object.hasOwn(pinned, name)) return []
    return rule.page
      .refused(said, request as TransactionCreate)
      .map((below) =>
        inBody(
          `/${name}${below}`,
          'value_error.conflict',
          'not allowed with a browser token; send it from your server',
        ),
      )
  })
}

function serverOptionsIn(value: unknown, at: string): string[] {
  if (value === null || typeof value !== 'object') return []
  return Object.entries(value).flatMap(([name, inner]) => {
    if (inner === null) return []
    return SERVER_OPTIONS.has(name) ? [`${at}/${name}`] : serverOptionsIn(inner, `${at}/${name}`)
  })
}
