import { LOCALES } from '#domain/locale.ts'
import { DateTime, Kind, Nullable, OneOf, Strict, Uuid } from '#platform/http/schemas.ts'
import { type Static, Type } from '#platform/http/type.ts'
import { TransactionCreate } from '#resources/transactions/wire/transaction.ts'
import { RequiredFields } from '../../pay-page/contact.ts'

export const STORE = ['never', 'ask', 'always'] as const

const EXAMPLE_ID = '0199f3a0-5d3b-7c00-8a11-3f1f7f1f0006'

const FIELDS = {
  locale: Nullable(
    OneOf(LOCALES, { description: 'The language of the page. Null: as the buyer’s browser asks.' }),
  ),
  return_url: Nullable(
    Type.String({
      format: 'uri',
      maxLength: 2048,
      description:
        'Where the page leads the buyer after the payment. The payment’s id and status are added to it.',
    }),
  ),
  cancel_url: Nullable(
    Type.String({
      format: 'uri',
      maxLength: 2048,
      description:
        'Where the page leads a buyer who does not want to pay, such as to the cart. Null: to `return_url`, and without it nowhere.',
    }),
  ),
  external_identifier: Nullable(
    Type.String({ minLength: 1, maxLength: 200, description: 'Your own reference for the payment.' }),
  ),
  store: OneOf(STORE, {
    description:
      'Whether a typed card is stored for the buyer that the session names by `buyer.external_identifier`. A buyer that does not exist yet is created with the first card that is stored. `ask` lets the buyer decide, and needs such a session. `always` with a session that names nobody stores the card without a buyer.',
  }),
  ask_security_code: Type.Boolean({
    description: 'Whether the page asks for the security code of a stored card.',
  }),
  allowed_origins: Type.Array(Type.String({ minLength: 1, maxLength: 300 }), {
    maxItems: 20,
    uniqueItems: true,
    description: 'The origins whose pages may show this page in a frame. Empty: none.',
    examples: [['https://shop.example.com']],
  }),
  required_fields: RequiredFields,
}

export const UpdateCheckoutPage = Strict(
  {
    locale: Type.Optional(FIELDS.locale),
    return_url: Type.Optional(FIELDS.return_url),
    cancel_url: Type.Optional(FIELDS.cancel_url),
    external_identifier: Type.Optional(FIELDS.external_identifier),
    store: Type.Optional(FIELDS.store),
    ask_security_code: Type.Optional(FIELDS.ask_security_code),
    allowed_origins: Type.Optional(FIELDS.allowed_origins),
    required_fields: Type.Optional(FIELDS.required_fields),
  },
  {
    title: 'UpdateCheckoutPage',
    examples: [{ return_url: 'https://shop.example.com/thanks', store: 'always' }],
  },
)
export type UpdateCheckoutPage = Static<typeof UpdateCheckoutPage>

const { amount, currency, country, intent, payment_source, cart_items, metadata, buyer, ...REST } =
  TransactionCreate.properties

/** The order as a page of the shop describes it. What its token pins is filled in, and cannot be said otherwise. */
export const OpenCheckoutPage = Strict(
  {
    allowed_origins: Type.Array(Type.String({ minLength: 1, maxLength: 300 }), {
      minItems: 1,
      maxItems: 1,
      description: 'The origin of the shop’s page, which shows the new page in a frame.',
      examples: [['https://shop.example.com']],
    }),
    page_url: Type.Optional(
      Nullable(
        Type.String({
          maxLength: 2048,
          description:
            'The `url` of an earlier answer, to change its page instead of making a new one. Refused if a buyer has paid or is paying it, or if your server has set its order.',
        }),
      ),
    ),
    locale: Type.Optional(FIELDS.locale),
    return_url: Type.Optional(FIELDS.return_url),
    store: Type.Optional(FIELDS.store),
    ask_security_code: Type.Optional(FIELDS.ask_security_code),
    required_fields: Type.Optional(FIELDS.required_fields),
    external_identifier: Type.Optional(FIELDS.external_identifier),
    amount,
    currency,
    country,
    intent,
    payment_source,
    cart_items,
    metadata,
    buyer,
    buyer_id: REST.buyer_id,
    buyer_external_identifier: REST.buyer_external_identifier,
    shipping_details_id: REST.shipping_details_id,
    connection_options: REST.connection_options,
    statement_descriptor: REST.statement_descriptor,
    installment_count: REST.installment_count,
    approval_expires_at: REST.approval_expires_at,
  },
  {
    title: 'OpenCheckoutPage',
    examples: [
      { allowed_origins: ['https://shop.example.com'], amount: 1299, currency: 'USD', country: 'US' },
    ],
  },
)
export type OpenCheckoutPage = Static<typeof OpenCheckoutPage>

export const CheckoutPage = Strict(
  {
    type: Kind('checkout-page'),
    checkout_session_id: Uuid(),
    url: Type.String({
      format: 'uri',
      description:
        'Where the buyer pays. Send it to this buyer alone: the page shows the order without asking who opens it.',
    }),
    ...FIELDS,
    created_at: DateTime(),
    updated_at: DateTime(),
  },
  {
    title: 'CheckoutPage',
    examples: [
      {
        type: 'checkout-page',
        checkout_session_id: EXAMPLE_ID,
        url: `https://pay.example.com/pay/fashion-store/${EXAMPLE_ID}/${'k'.repeat(43)}`,
        locale: null,
        return_url: 'https://shop.example.com/thanks',
        cancel_url: 'https://shop.example.com/cart',
        external_identifier: null,
        store: 'ask',
        ask_security_code: true,
        allowed_origins: [],
        required_fields: ['email_address', 'billing_address'],
        created_at: '2026-11-16T09:30:00.000Z',
        updated_at: '2026-11-16T09:30:00.000Z',
      },
    ],
  },
)
export type CheckoutPage = Static<typeof CheckoutPage>
