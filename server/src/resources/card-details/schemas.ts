import { CARD_TYPES } from '#domain/card.ts'
import { CARD_SCHEMES, type CardScheme } from '#domain/card-scheme.ts'
import { WRITTEN } from '#domain/written-forms.ts'
import { Kind, Nullable, OneOf, Strict, Uuid } from '#platform/http/schemas.ts'
import { type Static, Type } from '#platform/http/type.ts'
import { MINOR_UNITS, PAYMENT_SOURCES } from '#resources/transactions/wire/order.ts'

const AMOUNT_MAX = 99_999_999
const METADATA_LENGTH_MAX = 10_000

const Scheme = OneOf(Object.keys(CARD_SCHEMES) as [CardScheme, ...CardScheme[]])
const Needed = Type.Boolean()

/** Everything except the card itself describes the planned payment. */
export const CardDetailQuery = Strict({
  currency: Type.String({
    ...WRITTEN.currency,
    description: 'The currency of the payment (ISO 4217).',
    examples: ['EUR'],
  }),
  bin: Type.Optional(
    Type.String({
      minLength: 6,
      maxLength: 8,
      ...WRITTEN.cardStart,
      description: 'The first 6 to 8 digits of the card number. This or `payment_method_id` is required.',
      examples: ['411111'],
    }),
  ),
  payment_method_id: Type.Optional(Uuid({ description: 'A stored card, instead of `bin`.' })),
  country: Type.Optional(
    Type.String({ ...WRITTEN.country, description: 'The country of the payment (ISO 3166).' }),
  ),
  amount: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: AMOUNT_MAX,
      expected: MINOR_UNITS,
      description: 'The amount of the payment, in the smallest unit of its currency.',
    }),
  ),
  intent: OneOf(['authorize', 'capture'], {
    default: 'authorize',
    description: 'Whether to capture at once.',
  }),
  is_subsequent_payment: Type.Optional(
    Type.Boolean({ description: 'Whether the payment follows an earlier one with the same card.' }),
  ),
  merchant_initiated: Type.Optional(
    Type.Boolean({ description: 'Whether the merchant initiates the payment.' }),
  ),
  metadata: Type.Optional(
    Type.String({
      maxLength: METADATA_LENGTH_MAX,
      description: 'The metadata of the payment, a JSON object as text.',
    }),
  ),
  payment_source: Type.Optional(OneOf(PAYMENT_SOURCES, { description: 'The source of the payment.' })),
})
export type CardDetailQuery = Static<typeof CardDetailQuery>

const RequiredFields = Strict(
  {
    first_name: Needed,
    last_name: Needed,
    email_address: Needed,
    phone_number: Needed,
    tax_id: Needed,
    address: Strict(
      {
        organization: Needed,
        house_number_or_name: Needed,
        line1: Needed,
        line2: Needed,
        city: Needed,
        postal_code: Needed,
        state: Needed,
        state_code: Needed,
        country: Needed,
      },
      { title: 'RequiredAddressFields' },
    ),
  },
  { title: 'RequiredFields' },
)

export const CardDetail = Strict(
  {
    type: Kind('card-detail'),
    id: Nullable(
      Type.String({
        minLength: 6,
        maxLength: 8,
        ...WRITTEN.cardStart,
        description: 'The `bin` of the request. Null for a stored card.',
      }),
    ),
    card_type: Nullable(OneOf(CARD_TYPES, { description: 'Null when unknown.' })),
    scheme: Scheme,
    additional_schemes: Type.Array(Scheme, {
      description: 'The other schemes of a co-badged card.',
    }),
    additional_schemes_details: Type.Array(
      Strict(
        { scheme: Scheme, icon_url: Type.String({ format: 'uri' }) },
        { title: 'AdditionalSchemeDetail' },
      ),
    ),
    scheme_icon_url: Type.String({ format: 'uri' }),
    country: Nullable(Type.String({ ...WRITTEN.country, description: 'The country of issue.' })),
    required_fields: Nullable(RequiredFields),
  },
  {
    title: 'CardDetail',
    examples: [
      {
        type: 'card-detail',
        id: '403550',
        card_type: 'debit',
        scheme: 'visa',
        additional_schemes: ['carte-bancaire'],
        additional_schemes_details: [
          {
            scheme: 'carte-bancaire',
            icon_url: 'https://pay.example.com/assets/card-schemes/carte-bancaire.svg',
          },
        ],
        scheme_icon_url: 'https://pay.example.com/assets/card-schemes/visa.svg',
        country: 'FR',
        required_fields: null,
      },
    ],
  },
)
export type CardDetail = Static<typeof CardDetail>
