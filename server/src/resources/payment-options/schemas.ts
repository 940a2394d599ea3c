import { WRITTEN } from '#domain/written-forms.ts'
import { Kind, Nullable, OneOf, Strict } from '#platform/http/schemas.ts'
import { type Static, Type } from '#platform/http/type.ts'
import { Amount, NewCartItem, NewMetadata, optional } from '#resources/transactions/wire/order.ts'

const MODES = ['card', 'redirect', 'bank', 'applepay', 'googlepay', 'click-to-pay', 'paze'] as const

/** Describes the planned payment. */
export const PaymentOptionRequest = Strict(
  {
    ...optional({
      metadata: Nullable(NewMetadata),
      country: Nullable(Type.String({ ...WRITTEN.country, description: 'ISO 3166-1 alpha-2.' })),
      currency: Nullable(Type.String({ ...WRITTEN.currency, description: 'ISO 4217.' })),
      amount: Nullable(
        Amount({
          description:
            'In the smallest unit of the currency. With 0, methods that cannot be checked without a charge are left out.',
        }),
      ),
      cart_items: Nullable(Type.Array(NewCartItem)),
    }),
    locale: Type.String({
      minLength: 1,
      maxLength: 50,
      default: 'en',
      description: 'The buyer’s language. All labels are in English today.',
    }),
  },
  { title: 'PaymentOptionRequest', examples: [{ amount: 1299, currency: 'USD', country: 'US' }] },
)
export type PaymentOptionRequest = Static<typeof PaymentOptionRequest>

const Text = Nullable(Type.String())
const PaymentOptionContext = Strict(
  {
    approval_ui: Nullable(Strict({ height: Text, width: Text }, { title: 'PaymentOptionApprovalUI' })),
    required_fields: Nullable(Type.Unsafe<Record<string, unknown>>({ type: 'object' })),
    redirect_requires_popup: Type.Boolean(),
    requires_tokenized_redirect_popup: Type.Boolean(),
  },
  { title: 'PaymentOptionContext', description: 'How the buyer approves on another page.' },
)

const WALLET = {
  merchant_name: Type.String({ description: 'The name that buyers see.' }),
  supported_schemes: Type.Array(Type.String(), { description: 'The card schemes of the wallet.' }),
}
const WalletContext = Strict(WALLET, {
  title: 'WalletPaymentOptionContext',
  description: 'What the button of a wallet needs.',
})
const GooglePayContext = Strict(
  {
    ...WALLET,
    gateway: Type.String({ description: 'For `tokenizationSpecification` of Google’s button.' }),
    gateway_merchant_id: Type.String({ description: 'For `tokenizationSpecification`, too.' }),
  },
  { title: 'GooglePayPaymentOptionContext', description: 'What Google’s button needs.' },
)

const PaymentOption = Strict(
  {
    type: Kind('payment-option'),
    method: Type.String({ description: 'As in `payment_method.method` of a transaction.' }),
    mode: OneOf(MODES, {
      description: 'Whether the buyer types a card, goes to another page, or names an account.',
    }),
    label: Nullable(
      Type.String({ minLength: 1, maxLength: 200, description: 'The common name of the method.' }),
    ),
    icon_url: Nullable(Type.String({ format: 'uri' })),
    can_store_payment_method: Type.Boolean({
      description: 'Whether the method can be stored for later payments.',
    }),
    can_delay_capture: Type.Boolean({
      description: 'Whether payments can be authorized first and captured later.',
    }),
    context: Type.Union([WalletContext, GooglePayContext, PaymentOptionContext, Type.Null()]),
  },
  {
    title: 'PaymentOption',
    examples: [
      {
        type: 'payment-option',
        method: 'card',
        mode: 'card',
        label: 'Card',
        icon_url: 'https://pay.example.com/assets/payment-methods/card.svg',
        can_store_payment_method: true,
        can_delay_capture: true,
        context: null,
      },
    ],
  },
)
export type PaymentOption = Static<typeof PaymentOption>

export const PaymentOptions = Strict({ items: Type.Array(PaymentOption) }, { title: 'PaymentOptions' })
export type PaymentOptions = Static<typeof PaymentOptions>
