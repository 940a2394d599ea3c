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
