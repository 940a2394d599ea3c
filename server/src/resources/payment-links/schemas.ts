import { LOCALES } from '#domain/locale.ts'
import { WRITTEN } from '#domain/written-forms.ts'
import { DateTime, Kind, Nullable, OneOf, Strict, Uuid } from '#platform/http/schemas.ts'
import { type Static, Type } from '#platform/http/type.ts'
import { CollectionOf, pageParameters } from '#platform/listing/pagination.ts'
import { EXAMPLE_CONTACT } from '#resources/buyers/schemas.ts'
import { RequiredFields } from '#resources/checkout/pay-page/contact.ts'
import { TransactionConnectionOptions } from '#resources/transactions/wire/connection-options/schemas.ts'
import {
  Amount,
  CartItem,
  INTENTS,
  METADATA_LIMITS,
  METADATA_LIMITS_TEXT,
  METADATA_VALUE,
  MINOR_UNITS,
  NewCartItem,
  NewGuestBuyer,
  NewStatementDescriptor,
  optional,
  PAYMENT_SOURCES,
  StatementDescriptor,
  TransactionBuyer,
  TransactionShippingDetails,
} from '#resources/transactions/wire/order.ts'

const PAYMENT_LINK_STATUSES = ['active', 'completed', 'expired', 'processing'] as const
export type PaymentLinkStatus = (typeof PAYMENT_LINK_STATUSES)[number]

const Text = (maxLength: number, description: string) =>
  Nullable(Type.String({ minLength: 1, maxLength, description }))
const Page = (description: string) =>
  Nullable(
    Type.String({
      minLength: 1,
      maxLength: 2_000,
      description: `${description} Begins with https:// or http://.`,
    }),
  )

const Country = Type.String({
  ...WRITTEN.country,
  description: 'The country of the payment. ISO 3166-1 alpha-2.',
})
const Currency = Type.String({ ...WRITTEN.currency, description: 'ISO 4217.' })
const NOTES =
  'Your own notes, of any shape. The payment gets them as text to text: values that are no text are written as JSON.'
const NewMetadata = Type.Unsafe<Record<string, unknown>>({
  type: 'object',
  ...METADATA_LIMITS,
  additionalProperties: {
    ...METADATA_VALUE,
    type: ['string', 'number', 'boolean', 'object', 'array', 'null'],
  },
  description: `${NOTES} ${METADATA_LIMITS_TEXT}`,
})
const Metadata = Type.Unsafe<Record<string, unknown>>({
  type: 'object',
  additionalProperties: true,
  description: NOTES,
})

/** What the buyer's page shows and where it leads. */
const PAGE = {
  locale: Text(
    50,
    `The language of the page: ${LOCALES.join(', ')}. Default: as the browser asks, or else en.`,
  ),
  merchant_name: Text(100, 'The name of the shop. Default: the merchant account’s display name.'),
  merchant_url: Page('The shop’s own page.'),
  merchant_banner_url: Page('A picture above the order.'),
  merchant_color: Nullable(
    Type.String({
      minLength: 1,
      maxLength: 100,
      description:
        'The colour of buttons and lines, as in CSS: #FF5733, navy, rgb(255, 87, 51) or hsl(11, 100%, 60%).',
    }),
  ),
  merchant_message: Text(255, 'A message to the buyer.'),
  merchant_terms_and_conditions_url: Page('The shop’s terms and conditions.'),
  merchant_favicon_url: Page('The icon of the page in the browser’s tab.'),
  return_url: Page(
    'Where the buyer goes after paying. Gets the id and status of the transaction as parameters.',
  ),
}

const SHARED = {
  external_identifier: Text(200, 'Your own reference. The payment gets it, too.'),
  ...PAGE,
  metadata: Nullable(Metadata),
  buyer_id: Nullable(Uuid({ description: 'The buyer who is to pay.' })),
  installment_count: Nullable(
    Type.Integer({ minimum: 1, maximum: 100, description: 'Number of installments.' }),
  ),
}

export const PaymentLinkCreate = Strict(
  {
    amount: Amount({ description: 'In the smallest unit of the currency.' }),
    country: Country,
    currency: Currency,
    ...optional({ ...SHARED, metadata: Nullable(NewMetadata), required_fields: RequiredFields }),
    ...optional({
      buyer: Nullable(NewGuestBuyer),
      expires_at: Nullable(
        DateTime({ description: 'From this time on the link cannot be paid. Default: 24 hours from now.' }),
      ),
      connection_options: Nullable(TransactionConnectionOptions),
      statement_descriptor: Nullable(NewStatementDescriptor),
      cart_items: Nullable(
        Type.Array(NewCartItem, { description: 'What is bought. The lines must add up to the amount.' }),
      ),
    }),
    intent: OneOf(INTENTS, { default: 'authorize', description: 'Whether to capture at once.' }),
    payment_source: OneOf(PAYMENT_SOURCES, { default: 'ecommerce' }),
    store: Type.Boolean({ default: false, description: 'Whether to store the card that pays.' }),
  },
  {
    title: 'PaymentLinkCreate',
    examples: [
      {
        amount: 2598,
        currency: 'USD',
        country: 'US',
        external_identifier: 'order-4711',
        merchant_name: 'Fashion Store',
        cart_items: [{ name: 'Canvas bag', quantity: 2, unit_amount: 1299 }],
      },
    ],
  },
)
export type PaymentLinkCreate = Static<typeof PaymentLinkCreate>

const EXAMPLE = {
  type: 'payment-link',
  id: '0199f3a0-5d3b-7c00-8a11-3f1f7f1f0039',
  url: 'https://pay.example.com/pay/default/0199f3a0-5d3b-7c00-8a11-3f1f7f1f0039/mYwz4T0c9l3r',
  status: 'active',
  expires_at: '2026-11-16T09:30:00.000Z',
  amount: 2598,
  currency: 'USD',
  country: 'US',
  intent: 'authorize',
  payment_source: 'ecommerce',
  store: false,
  external_identifier: 'order-4711',
  statement_descriptor: null,
  cart_items: null,
  metadata: { order: '4711' },
  buyer: {
    type: 'buyer',
    id: null,
    reconciliation_id: null,
    display_name: 'John Doe',
    external_identifier: null,
    account_number: null,
    billing_details: { type: 'billing-details', ...EXAMPLE_CONTACT, tax_id: null },
  },
  buyer_id: null,
  shipping_details: null,
  connection_options: null,
  installment_count: null,
  locale: 'en',
  merchant_name: 'Fashion Store',
  merchant_url: 'https://shop.example.com',
  merchant_banner_url: null,
  merchant_color: '#0B7A6F',
  merchant_message: 'Thank you for your order.',
  merchant_terms_and_conditions_url: null,
  merchant_favicon_url: null,
  return_url: 'https://shop.example.com/thanks',
  required_fields: [],
  created_at: '2026-11-15T09:30:00.000Z',
  updated_at: '2026-11-15T09:30:00.000Z',
}

export const PaymentLink = Strict(
  {
    type: Kind('payment-link'),
    id: Uuid(),
    url: Type.String({
      format: 'uri',
      description:
        'The page on which the buyer pays. Anyone who has it can open the page, so treat it as a secret.',
    }),
    status: OneOf(PAYMENT_LINK_STATUSES, {
      description:
        '`processing` while a payment is under way. A payment that fails makes the link `active` again.',
    }),
    expires_at: Nullable(DateTime({ description: 'From this time on the link cannot be paid.' })),
    amount: Amount({ description: 'In the smallest unit of the currency.' }),
    currency: Currency,
    country: Country,
    intent: OneOf(INTENTS),
    payment_source: OneOf(PAYMENT_SOURCES),
    store: Type.Boolean(),
    ...SHARED,
    required_fields: RequiredFields,
    statement_descriptor: Nullable(StatementDescriptor),
    cart_items: Nullable(Type.Array(CartItem)),
    buyer: Nullable(TransactionBuyer),
    shipping_details: Nullable(TransactionShippingDetails),
    connection_options: Nullable(
      Type.Unsafe<Record<string, Record<string, unknown>>>({
        type: 'object',
        additionalProperties: { type: 'object', additionalProperties: true },
        description: 'Without anything that could be a card number.',
      }),
    ),
    created_at: DateTime(),
    updated_at: DateTime(),
  },
  { title: 'PaymentLink', examples: [EXAMPLE] },
)
export type PaymentLink = Static<typeof PaymentLink>

export const PaymentLinks = CollectionOf(PaymentLink, 'PaymentLinks')

const Moment = (which: string) =>
  DateTime({ description: `Only those ${which}. With a time zone, URL encoded.` })
const Sum = (which: string) =>
  Type.Integer({
    minimum: 0,
    maximum: 2_147_483_647,
    expected: MINOR_UNITS,
    description: `Only those of ${which}.`,
  })

/** A link must match all filters, and one of the values of each. */
export const PaymentLinkFilters = Strict({
  ...pageParameters(),
  ...optional({
    created_at_lte: Moment('created at this time or before'),
    created_at_gte: Moment('created at this time or after'),
    updated_at_lte: Moment('last updated at this time or before'),
    updated_at_gte: Moment('last updated at this time or after'),
    currency: Type.Array(Type.String({ ...WRITTEN.currency }), {
      description: 'Only those in one of these currencies. ISO 4217.',
    }),
    amount_eq: Sum('this amount'),
    amount_gte: Sum('this amount or more'),
    amount_lte: Sum('this amount or less'),
    status: Type.Array(OneOf(PAYMENT_LINK_STATUSES), { description: 'Only those in one of these states.' }),
    buyer_search: Type.Array(Type.String(), {
      description:
        'Only those of a stored buyer whose display name, e-mail address or external identifier contains one of these texts, in upper or lower case, or whose id is one of them.',
    }),
  }),
})
export type PaymentLinkFilters = Static<typeof PaymentLinkFilters>
