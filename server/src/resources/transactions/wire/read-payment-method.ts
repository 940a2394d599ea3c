import type { TSchema } from 'typebox'
import { REDIRECT_METHODS } from '#domain/payment-method.ts'
import { type ErrorDetail, inBody } from '#platform/http/errors.ts'
import {
  type GiftCardRequest,
  type NewTransactionGiftCard,
  PayWithNewGiftCard,
  PayWithStoredGiftCard,
} from './gift-card.ts'
import {
  type NewTransactionPaymentMethod,
  PAYMENT_METHOD_VARIANTS,
  type PaymentMethodKind,
  type PaymentMethodRequest,
} from './payment-method.ts'
import { complaintsIn } from './variants.ts'

const AT = '/payment_method'

const REDIRECTS: ReadonlySet<string> = new Set(REDIRECT_METHODS)

/** The methods that a request can name and that have one shape each. Click to Pay has two. */
const NAMED: ReadonlySet<string> = new Set<PaymentMethodKind>([
  'card',
  'id',
  'checkout-session',
  'applepay',
  'googlepay',
  'googlepay_pan_only',
  'paze',
  'network-token',
  'plaid',
  'bank',
])

/** Checks `payment_method` against the one shape that the caller meant. */
export function checkVariant(given: object): ErrorDetail[] {
  const variant = variantOf(given)
  if (variant) return complaintsIn(AT, variant.schema, given)
  const { method } = given as { method?: unknown }
  if (method === undefined) return [inBody(`${AT}/method`, 'value_error.missing', 'field required')]
  if (typeof method !== 'string') {
    return [inBody(`${AT}/method`, 'type_error.string', 'must be text')]
  }
  const known = [...NAMED, 'click-to-pay', ...REDIRECTS].join(', ')
  return [inBody(`${AT}/method`, 'type_error.enum', `must be one of ${known}`)]
}

/** Which shape the caller meant. Where `method` may be left out, the other fields tell. */
export function variantOf(given: object): { kind: PaymentMethodKind; schema: TSchema } | undefined {
  const kind = 'method' in given ? kindOfMethod(given.method, given) : kindWithoutMethod(given)
  return kind && { kind, schema: PAYMENT_METHOD_VARIANTS[kind] }
}

/** Reads a payment method. Call it only for what `checkVariant` accepts. */
export function readPaymentMethod(given: NonNullable<NewTransactionPaymentMethod>): PaymentMethodRequest {
  const variant = variantOf(given)
  if (!variant) throw new Error('a payment method was read before it was checked')
  return { kind: variant.kind, body: given } as PaymentMethodRequest
}

/** What is wrong with the entries of `gift_cards`. */
export function checkGiftCards(given: readonly (object | undefined)[]): ErrorDetail[] {
  return given.flatMap((entry, index) =>
    entry === undefined
      ? []
      : complaintsIn(
          `/gift_cards/${index}`,
          isStoredGiftCard(entry) ? PayWithStoredGiftCard : PayWithNewGiftCard,
          entry,
        ),
  )
}

/** Reads a gift card. Call it only for what `checkGiftCards` accepts. */
export function readGiftCard(given: NewTransactionGiftCard): GiftCardRequest {
  return isStoredGiftCard(given) ? { kind: 'stored', body: given } : { kind: 'new', body: given }
}

function kindOfMethod(method: unknown, given: object): PaymentMethodKind | undefined {
  if (typeof method !== 'string') return undefined
  if (NAMED.has(method)) return method as PaymentMethodKind
  if (method === 'click-to-pay') return 'number' in given ? 'click-to-pay-card' : 'click-to-pay'
  return REDIRECTS.has(method) ? 'redirect' : undefined
}

function kindWithoutMethod(given: object): PaymentMethodKind | undefined {
  if ('number' in given) return 'card'
  if ('account_holder' in given) return 'bank'
  if ('id' in given) return isForCheckoutSession(given) ? 'checkout-session' : 'id'
  if ('token' in given) return isForPlaid(given) ? 'plaid' : undefined
  // A card without its number: no other shape without `method` has an expiration date.
  return 'expiration_date' in given ? 'card' : undefined
}

/** Both a stored method and a checkout session have an id. Only the session's card can be stored for a buyer. */
function isForCheckoutSession(given: object): boolean {
  const isToBeStored =
    'external_identifier' in given || 'buyer_id' in given || 'buyer_external_identifier' in given
  return isToBeStored && !('security_code' in given)
}

/** All other tokens come with a method, so this is Plaid's, unless it has fields of another one. */
function isForPlaid(given: { readonly token: unknown }): boolean {
  return typeof given.token === 'string' && !('expiration_date' in given) && !('cryptogram' in given)
}

function isStoredGiftCard<Given extends object>(given: Given): given is Extract<Given, { id: string }> {
  return 'id' in given
}
