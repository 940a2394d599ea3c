import { WRITTEN } from '#domain/written-forms.ts'
import { Kind, Nullable, OneOf, Strict } from '#platform/http/schemas.ts'
import { type Static, Type } from '#platform/http/type.ts'
import { CollectionOf, pageParameters } from '#platform/listing/pagination.ts'
import { DefinitionField, DefinitionId, DisplayName } from '#processing/service-accounts/schemas.ts'
import { METHODS } from '#resources/transactions/wire/payment-method.ts'

export const Method = OneOf(METHODS, { description: 'The payment method of the service.' })

export const PaymentServiceDefinitionId = DefinitionId('mock-card', 'The provider and the method')

const Configuration = Strict(
  {
    approval_ui_target: OneOf(['any', 'new_window'], { description: 'Where a buyer approves a payment.' }),
    approval_ui_height: Type.String({ pattern: '^\\d+(?:vh|px)$' }),
    approval_ui_width: Type.String({ pattern: '^\\d+(?:vw|px)$' }),
    cart_items_limit: Type.Integer(),
    cart_items_required: Type.Boolean(),
    cart_items_should_match_amount: Type.Boolean(),
  },
  { title: 'PaymentServiceConfiguration' },
)

const RequiredCheckoutFields = Strict(
  {
    required_fields: Type.Array(Type.String()),
    conditions: Nullable(Type.Object({})),
  },
  { title: 'RequiredCheckoutFields' },
)

/** By the mode of a connector, and by the shape of what is no card and no account. */
export const BUYER_ACTIONS = {
  card: 'card',
  bank: 'bank_account',
  page: 'page',
  qr: 'qr_code',
  voucher: 'voucher',
  wait: 'app',
  debit: 'direct_debit',
} as const

const Terms = Strict(
  {
    buyer_action: OneOf(Object.values(BUYER_ACTIONS), {
      description:
        'What the buyer does: enters a `card` or a `bank_account`, approves on a `page` or in an `app`, scans a `qr_code`, pays elsewhere with the number of a `voucher`, or permits a `direct_debit` on a page, which the bank pays days later.',
    }),
    wallets: Type.Array(OneOf(['opened', 'sealed']), {
      description:
        'How Apple Pay and Google Pay are taken: `opened` with the keys of the merchant account, `sealed` as the wallet gives them. Empty: not at all.',
    }),
    captures: OneOf(['with_approval', 'once', 'several'], {
      description: 'Whether money is taken with the approval alone, or later.',
    }),
    refunds: OneOf(['none', 'whole', 'partial']),
    recurring: OneOf(['none', 'vault', 'provider'], {
      description:
        'Whether it can be stored for later payments without the buyer: in our `vault`, or at the `provider` alone.',
    }),
    payouts: Type.Boolean({ description: 'Whether money can be paid out to it.' }),
    time_limit_seconds: Nullable(
      Type.Integer({
        description:
          'How long the buyer may take, by the documents of the provider. Null: the provider says it with each payment, or the payment waits ten minutes.',
      }),
    ),
    payout_days: Nullable(
      Type.Integer({
        description:
          'Business days from the payment to the payout, by the documents of the provider. Null: as your contract says.',
      }),
    ),
    required_details: Type.Array(Type.String(), {
      description: 'What a payment has to tell of its buyer, in the names of its request.',
    }),
  },
  { title: 'PaymentServiceTerms' },
)
export type Terms = Static<typeof Terms>

export const PaymentServiceDefinition = Strict(
  {
    id: PaymentServiceDefinitionId,
    type: Kind('payment-service-definition'),
    display_name: DisplayName,
    method: Method,
    mode: OneOf([
      'card',
      'redirect',
      'applepay',
      'googlepay',
      'checkout-session',
      'click-to-pay',
      'gift-card',
      'bank',
      'paze',
    ]),
    icon_url: Nullable(Type.String({ format: 'uri' })),
    fields: Type.Array(DefinitionField, {
      description: 'The fields to enter when you create a service.',
    }),
    reporting_fields: Type.Array(DefinitionField, {
      description: 'More fields, for settlement reports.',
    }),
    supported_currencies: Type.Array(Type.String({ ...WRITTEN.currency })),
    supported_countries: Type.Array(Type.String({ ...WRITTEN.country })),
    supported_features: Type.Record(Type.String(), Type.Boolean(), {
      description: 'What the service supports, by name.',
    }),
    terms: Terms,
    required_checkout_fields: Type.Array(RequiredCheckoutFields),
    configuration: Configuration,
    supported_integration_clients: Nullable(Type.Array(OneOf(['redirect', 'web', 'android', 'ios']))),
  },
  {
    title: 'PaymentServiceDefinition',
    examples: [
      {
        id: 'mock-card',
        type: 'payment-service-definition',
        display_name: 'Mock card',
        method: 'card',
        mode: 'card',
        icon_url: 'https://pay.example.com/assets/payment-methods/card.svg',
        fields: [
          {
            key: 'merchant_id',
            display_name: 'Merchant ID',
            required: true,
            format: 'text',
            secret: false,
            verifiable: true,
          },
        ],
        reporting_fields: [],
        supported_currencies: ['EUR', 'USD'],
        supported_countries: ['NL', 'US'],
        supported_features: { delayed_capture: true, refunds: true, partial_refunds: true, void: true },
        terms: {
          buyer_action: 'card',
          wallets: ['sealed'],
          captures: 'several',
          refunds: 'partial',
          recurring: 'vault',
          payouts: false,
          time_limit_seconds: null,
          payout_days: null,
          required_details: [],
        },
        required_checkout_fields: [],
        configuration: {
          approval_ui_target: 'any',
          approval_ui_height: '600px',
          approval_ui_width: '500px',
          cart_items_limit: 1000,
          cart_items_required: false,
          cart_items_should_match_amount: false,
        },
        supported_integration_clients: null,
      },
    ],
  },
)
export type PaymentServiceDefinition = Static<typeof PaymentServiceDefinition>

export const PaymentServiceDefinitions = CollectionOf(PaymentServiceDefinition, 'PaymentServiceDefinitions')

export const PaymentServiceDefinitionFilters = Strict(pageParameters())

/** The content is between the provider's script in the browser and the provider. */
export const CreatePaymentServiceSession = Type.Unsafe<Record<string, unknown>>({
  type: 'object',
  title: 'CreatePaymentServiceSession',
  description: 'What the provider asks for. We pass it on unchanged.',
  properties: {},
  additionalProperties: true,
  examples: [{ domain_name: 'shop.example.com' }],
})

export const PaymentServiceSession = Strict(
  {
    type: Kind('payment-service-session'),
    status: OneOf(['succeeded', 'failed']),
    code: Nullable(Type.String({ description: 'Why the session failed.' })),
    status_code: Nullable(Type.Integer({ description: 'The HTTP status of the provider’s answer.' })),
    response_body: Nullable(
      Type.Object({}, { additionalProperties: true, description: 'The body of the provider’s answer.' }),
    ),
  },
  {
    title: 'PaymentServiceSession',
    examples: [
      {
        type: 'payment-service-session',
        status: 'succeeded',
        code: null,
        status_code: 200,
        response_body: { session: 'a-session-of-the-provider' },
      },
    ],
  },
)
export type PaymentServiceSession = Static<typeof PaymentServiceSession>
