import { CARD_TYPES } from '#domain/card.ts'
import { CARD_SCHEMES, type CardScheme } from '#domain/card-scheme.ts'
import { WRITTEN } from '#domain/written-forms.ts'
import { DateTime, Kind, Nullable, OneOf, Strict, Uuid } from '#platform/http/schemas.ts'
import { type Static, Type } from '#platform/http/type.ts'
import {
  Airline,
  Amount,
  CartItem,
  GuestBuyer,
  INTENTS,
  Metadata,
  NewAirline,
  NewCartItem,
  NewGuestBuyer,
  NewMetadata,
  optional,
  PAYMENT_SOURCES,
} from '#resources/transactions/wire/order.ts'
import { Variants } from '#resources/transactions/wire/variants.ts'

const EXAMPLE_ID = '0199f3a0-5d3b-7c00-8a11-3f1f7f1f0006'
const Scheme = OneOf(Object.keys(CARD_SCHEMES) as CardScheme[])
const Flag = (description: string) => Nullable(Type.Boolean({ description }))

/** The part of a session's order that is shown. */
const ORDER = {
  metadata: Nullable(Metadata),
  amount: Nullable(Amount({ description: 'The amount to pay, in the smallest unit of the currency.' })),
  currency: Nullable(Type.String({ ...WRITTEN.currency, description: 'ISO 4217.' })),
  country: Nullable(Type.String({ ...WRITTEN.country, description: 'ISO 3166-1 alpha-2.' })),
  payment_service_id: Nullable(Uuid({ description: 'Use only this payment service.' })),
  intent: Nullable(OneOf(INTENTS, { description: 'Whether to capture at once.' })),
  payment_source: Nullable(OneOf(PAYMENT_SOURCES, { description: 'The source of the payment.' })),
  merchant_initiated: Flag('Whether the merchant initiates the payment.'),
  is_subsequent_payment: Flag('Whether the payment follows an earlier one with the same card.'),
}

const NEW_ORDER = {
  ...optional({ ...ORDER, metadata: Nullable(NewMetadata) }),
  cart_items: Type.Optional(Nullable(Type.Array(NewCartItem))),
  buyer: Type.Optional(Nullable(NewGuestBuyer)),
  airline: Type.Optional(Nullable(NewAirline)),
}

const ExpiresIn = (description: string) =>
  Type.Optional(Type.Number({ minimum: 3_600, maximum: 86_400, description }))

export const CreateCheckoutSession = Strict(
  { ...NEW_ORDER, expires_in: ExpiresIn('Seconds until the session expires. Default: one hour.') },
  {
    title: 'CreateCheckoutSession',
    examples: [
      {
        amount: 1299,
        currency: 'USD',
        country: 'US',
        cart_items: [{ name: 'Canvas bag', quantity: 1, unit_amount: 1299 }],
        metadata: { order: '4711' },
      },
    ],
  },
)
export type CreateCheckoutSession = Static<typeof CreateCheckoutSession>

/**
 * Clients in PHP send an empty body as an empty array. Keywords for objects do not apply to arrays, and vice
 * versa.
 */
export const CreateCheckoutSessionBody = Type.Unsafe<CreateCheckoutSession | []>({
  ...CreateCheckoutSession,
  type: ['object', 'array'],
  maxItems: 0,
  description: 'An empty array is the same as no body.',
})

export const UpdateCheckoutSession = Strict(
  {
    ...NEW_ORDER,
    expires_in: ExpiresIn('Seconds from now until the session expires. Default: unchanged.'),
  },
  { title: 'UpdateCheckoutSession', examples: [{ amount: 1499, metadata: { order: '4711' } }] },
)
export type UpdateCheckoutSession = Static<typeof UpdateCheckoutSession>

const EnteredMethod = Strict(
  {
    type: Kind('payment-method'),
    id: Nullable(Uuid({ description: 'The stored payment method. Null for a typed card.' })),
    details: Nullable(
      Strict(
        {
          bin: Nullable(Type.String({ description: 'The first 8 digits; 6 of a number shorter than 16.' })),
          card_country: Nullable(Type.String({ ...WRITTEN.country, description: 'The country of issue.' })),
          card_type: Nullable(OneOf(CARD_TYPES)),
          card_issuer_name: Nullable(Type.String()),
        },
        { title: 'CheckoutSessionPaymentMethodDetails' },
      ),
    ),
    label: Nullable(Type.String({ description: 'The last four digits of the card.' })),
    method: Kind('card'),
    scheme: Nullable(Scheme),
    fingerprint: Nullable(
      Type.String({ description: 'The same for the same card, also of different buyers.' }),
    ),
  },
  {
    title: 'CheckoutSessionPaymentMethod',
    description: 'The card that the buyer’s browser entered. Null before that, and after it has paid.',
  },
)
export type EnteredMethod = Static<typeof EnteredMethod>

export const CheckoutSession = Strict(
  {
    type: Kind('checkout-session'),
    id: Uuid(),
    ...ORDER,
    cart_items: Nullable(Type.Array(CartItem)),
    buyer: Nullable(GuestBuyer),
    airline: Nullable(Airline),
    expires_at: DateTime({ description: 'After this time the session is not found.' }),
    payment_method: Nullable(EnteredMethod),
  },
  {
    title: 'CheckoutSession',
    examples: [
      {
        type: 'checkout-session',
        id: EXAMPLE_ID,
        metadata: { order: '4711' },
        amount: 1299,
        currency: 'USD',
        country: 'US',
        payment_service_id: null,
        intent: 'capture',
        payment_source: null,
        merchant_initiated: null,
        is_subsequent_payment: null,
        cart_items: null,
        buyer: null,
        airline: null,
        expires_at: '2026-11-15T10:30:00.000Z',
        payment_method: {
          type: 'payment-method',
          id: null,
          details: { bin: '41111111', card_country: 'US', card_type: 'credit', card_issuer_name: null },
          label: '1111',
          method: 'card',
          scheme: 'visa',
          fingerprint: 'a'.repeat(64),
        },
      },
    ],
  },
)
export type CheckoutSession = Static<typeof CheckoutSession>

const SecurityCode = Type.Optional(
  Nullable(
    Type.String({
      ...WRITTEN.securityCode,
      description:
        '3 or 4 digits, as the card’s scheme requires. Sealed for minutes, and removed with the first payment.',
    }),
  ),
)

export const EnterCard = Strict(
  {
    method: Type.Optional(Kind('card')),
    number: Type.String({ ...WRITTEN.cardNumber, description: '13 to 19 digits. Sealed in the vault.' }),
    expiration_date: Type.String({
      ...WRITTEN.expirationDate,
      minLength: 5,
      maxLength: 5,
      description: 'MM/YY.',
    }),
    security_code: SecurityCode,
    scheme: Type.Optional(
      Nullable(
        OneOf(Object.keys(CARD_SCHEMES) as CardScheme[], {
          description:
            'The scheme that the buyer chose, of a card that carries several. Default: the first scheme of the card.',
        }),
      ),
    ),
  },
  { title: 'EnterCard', description: 'A card by its number.' },
)
export type EnterCard = Static<typeof EnterCard>

export const EnterStoredMethod = Strict(
  {
    method: Type.Optional(Kind('id')),
    id: Uuid({
      description:
        'A stored card of the buyer that the session names by `external_identifier`. A card without a buyer needs a session without one.',
    }),
    security_code: SecurityCode,
  },
  { title: 'EnterStoredMethod', description: 'A stored payment method of the buyer.' },
)
export type EnterStoredMethod = Static<typeof EnterStoredMethod>

const ClickToPayText = (description: string) => Type.String({ minLength: 1, maxLength: 1_000, description })

export const EnterClickToPay = Strict(
  {
    method: Type.Optional(Kind('click-to-pay')),
    merchant_transaction_id: ClickToPayText('Your id of the checkout at Click to Pay.'),
    src_correlation_id: ClickToPayText('The checkout’s id at Click to Pay.'),
    src_dpa_id: ClickToPayText('Your shop’s id at Click to Pay.'),
    src_cx_flow_id: Type.Optional(Nullable(ClickToPayText('The id of the buyer’s flow.'))),
  },
  { title: 'EnterClickToPay', description: 'A checkout of Click to Pay.' },
)
export type EnterClickToPay = Static<typeof EnterClickToPay>

export const CheckoutSessionFields = Strict(
  {
    payment_method: Variants(
      [EnterCard, EnterStoredMethod, EnterClickToPay],
      'How the buyer pays: a card, a stored card, or Click to Pay. Replaces what was entered before.',
    ),
    postal_code: Type.Optional(
      Nullable(
        Type.String({ minLength: 1, maxLength: 50, description: 'The postal code of the billing address.' }),
      ),
    ),
  },
  {
    title: 'CheckoutSessionFields',
    examples: [
      {
        payment_method: {
          method: 'card',
          number: '4111111111111111',
          expiration_date: '12/30',
          security_code: '123',
        },
        postal_code: '95113',
      },
    ],
  },
)
export type CheckoutSessionFields = Static<typeof CheckoutSessionFields>

export const CheckoutSessionCardDetailsRequest = Strict(
  {
    bin: Type.String({ ...WRITTEN.cardStart, description: 'The first 6 to 8 digits of the card number.' }),
  },
  { title: 'CheckoutSessionCardDetailsRequest', examples: [{ bin: '411111' }] },
)

export const CheckoutSessionCardDetails = Strict(
  {
    bin: Type.String(),
    card_type: Nullable(OneOf(CARD_TYPES, { description: 'Null when unknown.' })),
    scheme: Nullable(Scheme),
    scheme_icon_url: Nullable(Type.String({ format: 'uri' })),
    additional_schemes: Type.Array(Scheme, {
      description: 'The other schemes of a co-badged card.',
    }),
  },
  {
    title: 'CheckoutSessionCardDetails',
    examples: [
      {
        bin: '411111',
        card_type: 'credit',
        scheme: 'visa',
        scheme_icon_url: 'https://pay.example.com/assets/card-schemes/visa.svg',
        additional_schemes: [],
      },
    ],
  },
)
export type CheckoutSessionCardDetails = Static<typeof CheckoutSessionCardDetails>

export const CheckoutSessionAcquirer = Strict({}, { title: 'CheckoutSessionAcquirer', examples: [{}] })
