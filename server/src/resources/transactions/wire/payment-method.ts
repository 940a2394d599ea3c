import { BUYER_FIELDS, type BuyerField } from '#connectors/contract/buyer-fields.ts'
import { CARD_TYPES } from '#domain/card.ts'
import { CARD_SCHEMES, type CardScheme } from '#domain/card-scheme.ts'
import { PAYMENT_METHODS, REDIRECT_METHODS } from '#domain/payment-method.ts'
import { WRITTEN } from '#domain/written-forms.ts'
import { type ErrorDetail, inBody } from '#platform/http/errors.ts'
import { DateTime, Kind, Nullable, OneOf, RedirectUrl, Strict, Uuid } from '#platform/http/schemas.ts'
import { type Static, type TSchema, Type } from '#platform/http/type.ts'
import { PaymentMethodSummary } from '#resources/payment-methods/schemas.ts'
import { optional } from './order.ts'
import { complaintsIn, NullableVariants } from './variants.ts'

/** Every method that a transaction can name. */
export const METHODS: readonly string[] = [
  ...new Set([...Object.keys(PAYMENT_METHODS), ...REDIRECT_METHODS, 'bank', 'paze', 'plaid']),
]

const Scheme = OneOf(Object.keys(CARD_SCHEMES) as CardScheme[])
const CardNumber = Type.String({ ...WRITTEN.cardNumber, description: '13 to 19 digits.' })
const ExpirationDate = Type.String({
  ...WRITTEN.expirationDate,
  minLength: 5,
  maxLength: 5,
  description: 'MM/YY.',
})
const SecurityCode = Nullable(
  Type.String({ ...WRITTEN.securityCode, description: '3 or 4 digits. We pass it on and do not store it.' }),
)
const ExternalIdentifier = Type.String({ minLength: 1, maxLength: 200, description: 'Your own reference.' })

const ReturnsTo = RedirectUrl('Where the buyer returns after approving.')

const REDIRECT = optional({ redirect_url: Nullable(ReturnsTo) })
const BUYER = optional({
  buyer_id: Nullable(Uuid({ description: 'The buyer to store the payment method for.' })),
  buyer_external_identifier: Nullable(
    Type.String({ minLength: 1, maxLength: 200, description: 'The same buyer, by your own reference.' }),
  ),
})
const STORED_AS = optional({ external_identifier: Nullable(ExternalIdentifier) })
const PAN = {
  number: CardNumber,
  expiration_date: ExpirationDate,
  ...optional({ card_type: Nullable(OneOf(CARD_TYPES)) }),
}
const NO_SECURITY_CODE = { security_code: Type.Optional(Type.Null()) }
const WALLET = optional({
  cardholder_name: Nullable(Type.String({ maxLength: 200 })),
  card_suffix: Nullable(Type.String({ minLength: 4, maxLength: 4, description: 'The last four digits.' })),
  card_scheme: Nullable(Type.String({ description: 'The scheme, as the wallet names it.' })),
  card_type: Nullable(Type.String({ description: 'The kind of card, as the wallet names it.' })),
})

/** A token that the wallet issues. Keys of the account open it, or it is passed on unchanged. */
const AnyObject = (description: string) =>
  Type.Unsafe<Record<string, unknown>>({ type: 'object', description })

const PayWithCard = Strict(
  {
    method: Type.Optional(Kind('card')),
    ...PAN,
    ...optional({ security_code: SecurityCode }),
    ...REDIRECT,
    ...STORED_AS,
    ...BUYER,
  },
  {
    title: 'PayWithCard',
    description: 'A card by its number.',
    examples: [
      { method: 'card', number: '4111111111111111', expiration_date: '12/30', security_code: '123' },
    ],
  },
)

const PayWithStoredMethod = Strict(
  {
    method: Type.Optional(Kind('id')),
    id: Uuid({ description: 'The stored payment method.' }),
    ...optional({ security_code: SecurityCode }),
    ...REDIRECT,
  },
  {
    title: 'PayWithStoredMethod',
    description: 'A stored payment method.',
    examples: [{ method: 'id', id: '0199f3a0-5d3b-7c00-8a11-3f1f7f1f0005' }],
  },
)

const PayWithCheckoutSession = Strict(
  {
    method: Type.Optional(Kind('checkout-session')),
    id: Uuid({ description: 'The checkout session that the buyer filled in.' }),
    ...REDIRECT,
    ...STORED_AS,
    ...BUYER,
  },
  {
    title: 'PayWithCheckoutSession',
    description: 'What the buyer entered into a checkout session.',
    examples: [{ method: 'checkout-session', id: '0199f3a0-5d3b-7c00-8a11-3f1f7f1f0006' }],
  },
)

const RedirectFields = Strict(
  {
    blik_code: Type.Optional(
      Type.String({
        pattern: BUYER_FIELDS.blik_code.pattern.source,
        expected: 'six digits, such as 123456',
        description: 'Six digits of the banking app.',
      }),
    ),
    payto_account: Type.Optional(
      Type.String({
        pattern: BUYER_FIELDS.payto_account.pattern.source,
        expected:
          'a PayID, such as mara@example.com, or a BSB and an account number, such as 062000-12345678',
        description: 'A PayID, or BSB and account number with a dash.',
      }),
    ),
  } satisfies Record<BuyerField, unknown>,
  {
    title: 'RedirectFields',
    description:
      'What the buyer has entered, of what `required_fields` of the payment option asks for. It is not stored.',
    examples: [{ blik_code: BUYER_FIELDS.blik_code.example }],
  },
)

const PayWithRedirect = Strict(
  {
    method: OneOf(REDIRECT_METHODS),
    country: Type.String({ ...WRITTEN.country, description: 'ISO 3166-1 alpha-2.' }),
    currency: Type.String({ ...WRITTEN.currency, description: 'ISO 4217.' }),
    redirect_url: ReturnsTo,
    fields: Type.Optional(Nullable(RedirectFields)),
    ...STORED_AS,
    ...BUYER,
  },
  {
    title: 'PayWithRedirect',
    description: 'A method that the buyer approves on a page of its provider.',
    examples: [
      { method: 'paypal', country: 'US', currency: 'USD', redirect_url: 'https://shop.example.com/paid' },
    ],
  },
)

const PayWithApplePay = Strict(
  {
    method: Kind('applepay'),
    token: AnyObject(
      'The token of Apple Pay: `payment.token` as the page gets it, or its `paymentData` alone.',
    ),
    ...WALLET,
    ...REDIRECT,
    ...BUYER,
  },
  {
    title: 'PayWithApplePay',
    description: 'Apple Pay.',
    examples: [
      {
        method: 'applepay',
        token: { version: 'EC_v1', data: '…', signature: '…', header: { publicKeyHash: '…' } },
      },
    ],
  },
)

const AssuranceDetails = Strict(
  optional({
    account_verified: Nullable(Type.Boolean()),
    card_holder_authenticated: Nullable(Type.Boolean()),
  }),
  { title: 'GooglePayAssuranceDetails' },
)

const PayWithGooglePay = Strict(
  {
    method: Kind('googlepay'),
    token: Type.Unsafe<string | Record<string, unknown>>({
      type: ['string', 'object'],
      description: 'The payment token of Google Pay, as text or as an object.',
    }),
    ...optional({ assurance_details: Nullable(AssuranceDetails) }),
    ...WALLET,
    ...REDIRECT,
    ...BUYER,
  },
  {
    title: 'PayWithGooglePay',
    description: 'Google Pay.',
    examples: [
      { method: 'googlepay', token: { protocolVersion: 'ECv2', signature: '…', signedMessage: '…' } },
    ],
  },
)

const PayWithGooglePayCard = Strict(
  {
    method: Kind('googlepay_pan_only'),
    ...PAN,
    ...NO_SECURITY_CODE,
    ...REDIRECT,
    ...STORED_AS,
    ...BUYER,
  },
  {
    title: 'PayWithGooglePayCard',
    description: 'A card number that your own server opened from a token of Google Pay.',
    examples: [{ method: 'googlepay_pan_only', number: '4111111111111111', expiration_date: '12/30' }],
  },
)

const PayWithClickToPay = Strict(
  {
    method: Kind('click-to-pay'),
    token: Type.String(),
    cryptogram: Type.String(),
    expiration_date: ExpirationDate,
    ...REDIRECT,
    ...STORED_AS,
    ...BUYER,
  },
  {
    title: 'PayWithClickToPay',
    description: 'A network token from Click to Pay.',
    examples: [
      {
        method: 'click-to-pay',
        token: '4895370012003478',
        cryptogram: 'AgAAAAAABk4DWZ4C28yUQAAAAAA=',
        expiration_date: '12/30',
      },
    ],
  },
)

const PayWithClickToPayCard = Strict(
  { method: Kind('click-to-pay'), ...PAN, ...NO_SECURITY_CODE, ...REDIRECT, ...STORED_AS, ...BUYER },
  {
    title: 'PayWithClickToPayCard',
    description: 'A card number from Click to Pay.',
    examples: [{ method: 'click-to-pay', number: '4111111111111111', expiration_date: '12/30' }],
  },
)

const PayWithPaze = Strict(
  {
    method: Kind('paze'),
    token: Type.String(),
    ...optional({ checkout_token: Nullable(Type.String()) }),
    ...WALLET,
    ...REDIRECT,
    ...BUYER,
  },
  { title: 'PayWithPaze', description: 'Paze.', examples: [{ method: 'paze', token: '…' }] },
)

export const PayWithNetworkToken = Strict(
  {
    method: Kind('network-token'),
    token: Type.String(),
    expiration_date: ExpirationDate,
    ...optional({
      cryptogram: Nullable(Type.String()),
      card_source: Nullable(OneOf(['apple-pay', 'google-pay'])),
      card_scheme: Nullable(Scheme),
      card_suffix: Nullable(Type.String({ maxLength: 4 })),
      cardholder_name: Nullable(Type.String()),
      eci: Nullable(Type.String({ ...WRITTEN.eci, minLength: 1, maxLength: 2 })),
    }),
    ...REDIRECT,
  },
  {
    title: 'PayWithNetworkToken',
    description: 'A network token of your own.',
    examples: [
      {
        method: 'network-token',
        token: '4895370012003478',
        expiration_date: '12/30',
        cryptogram: 'AgAAAAAABk4DWZ4C28yUQAAAAAA=',
        eci: '05',
      },
    ],
  },
)
export type PayWithNetworkToken = Static<typeof PayWithNetworkToken>

const PayWithPlaid = Strict(
  {
    method: Type.Optional(Kind('plaid')),
    token: Type.String({ description: 'The public token of Plaid.' }),
    ...optional({ account_id: Nullable(Type.String()), payment_service_id: Nullable(Uuid()) }),
    ...STORED_AS,
    ...BUYER,
  },
  {
    title: 'PayWithPlaid',
    description: 'A bank account that the buyer chose at Plaid.',
    examples: [{ method: 'plaid', token: 'public-sandbox-1', account_id: 'checking-1' }],
  },
)

export const BankAccountHolder = Strict(
  optional({
    first_name: Nullable(Type.String()),
    last_name: Nullable(Type.String()),
    company_name: Nullable(Type.String()),
  }),
  { title: 'BankAccountHolder' },
)

const PayWithBank = Strict(
  { method: Type.Optional(Kind('bank')), account_holder: BankAccountHolder, ...STORED_AS, ...BUYER },
  {
    title: 'PayWithBank',
    description: 'A bank account.',
    examples: [{ method: 'bank', account_holder: { first_name: 'Jane', last_name: 'Doe' } }],
  },
)

/** Every shape that `payment_method` can have, by the name our code knows it by. */
const PAYMENT_METHOD_VARIANTS = {
  card: PayWithCard,
  id: PayWithStoredMethod,
  'checkout-session': PayWithCheckoutSession,
  redirect: PayWithRedirect,
  applepay: PayWithApplePay,
  googlepay: PayWithGooglePay,
  googlepay_pan_only: PayWithGooglePayCard,
  'click-to-pay': PayWithClickToPay,
  'click-to-pay-card': PayWithClickToPayCard,
  paze: PayWithPaze,
  'network-token': PayWithNetworkToken,
  plaid: PayWithPlaid,
  bank: PayWithBank,
} as const satisfies Record<string, TSchema>
export type PaymentMethodKind = keyof typeof PAYMENT_METHOD_VARIANTS

/** A payment method of a request, by its shape. `body` is the checked input. */
export type PaymentMethodRequest = {
  [Name in PaymentMethodKind]: {
    readonly kind: Name
    readonly body: Static<(typeof PAYMENT_METHOD_VARIANTS)[Name]>
  }
}[PaymentMethodKind]

export const NewTransactionPaymentMethod = NullableVariants(
  Object.values(PAYMENT_METHOD_VARIANTS),
  'How the buyer pays. Required unless gift cards pay for everything.',
)
export type NewTransactionPaymentMethod = Static<typeof NewTransactionPaymentMethod>

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

const MODES = [
  'card',
  'redirect',
  'applepay',
  'googlepay',
  'checkout-session',
  'click-to-pay',
  'gift-card',
  'bank',
  'paze',
] as const

export const TransactionPaymentMethod = Strict(
  {
    type: Kind('payment-method'),
    id: Nullable(Uuid({ description: 'Null when the payment method is not stored.' })),
    method: OneOf(METHODS),
    mode: Nullable(OneOf(MODES)),
    label: Nullable(Type.String({ maxLength: 320, description: 'The last four digits of a card.' })),
    scheme: Nullable(Scheme),
    expiration_date: Nullable(ExpirationDate),
    details: PaymentMethodSummary.properties.details,
    fingerprint: Nullable(
      Type.String({ description: 'The same for the same card, also when different buyers stored it.' }),
    ),
    payment_account_reference: Nullable(
      Type.String({ description: 'The same for all cards and tokens of one account.' }),
    ),
    approval_url: Nullable(
      Type.String({
        format: 'uri',
        description: 'Where the buyer approves. Null when no approval is needed.',
      }),
    ),
    approval_target: Nullable(OneOf(['any', 'new_window'])),
    country: Nullable(Type.String({ ...WRITTEN.country })),
    currency: Nullable(Type.String({ ...WRITTEN.currency })),
    external_identifier: Nullable(ExternalIdentifier),
    last_replaced_at: Nullable(DateTime()),
  },
  { title: 'TransactionPaymentMethod' },
)
export type TransactionPaymentMethod = Static<typeof TransactionPaymentMethod>

export const TransactionPaymentService = Strict(
  {
    type: Kind('payment-service'),
    id: Uuid(),
    payment_service_definition_id: Type.String({ minLength: 1, maxLength: 50 }),
    method: Type.String(),
    display_name: Type.String(),
  },
  { title: 'TransactionPaymentService' },
)
export type TransactionPaymentService = Static<typeof TransactionPaymentService>
