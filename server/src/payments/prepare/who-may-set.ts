import type { Caller } from '#platform/access/auth.ts'
import { type ErrorDetail, inBody } from '#platform/http/errors.ts'
import { isSameValue } from '#platform/http/pinned.ts'
import type { StoredSession } from '#resources/checkout/sessions/store.ts'
import type { TransactionCreate } from '#resources/transactions/wire/transaction.ts'

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
 * Refuses what a page may not set, or sets differently from its checkout session. `pinned.ts` has already
 * compared the request with the token.
 */
export function browserComplaints(
  request: TransactionCreate,
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
      .refused(said, request)
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
