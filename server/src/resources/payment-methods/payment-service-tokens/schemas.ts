import { WRITTEN } from '#domain/written-forms.ts'
import { DateTime, Kind, Nullable, OneOf, RedirectUrl, Strict, Uuid } from '#platform/http/schemas.ts'
import { type Static, Type } from '#platform/http/type.ts'

const STATUSES = ['processing', 'buyer_approval_required', 'succeeded', 'failed'] as const
export type Status = (typeof STATUSES)[number]

export const CreatePaymentServiceToken = Strict(
  {
    payment_service_id: Uuid({ description: 'The payment service that is to store the payment method.' }),
    redirect_url: RedirectUrl('Where the buyer returns after approving.'),
    security_code: Type.Optional(
      Nullable(
        Type.String({
          ...WRITTEN.securityCode,
          description: '3 or 4 digits of a card. We pass it on and do not store it.',
        }),
      ),
    ),
  },
  {
    title: 'CreatePaymentServiceToken',
    examples: [
      {
        payment_service_id: '0199f3a0-5d3b-7c00-8a11-3f1f7f1f0008',
        redirect_url: 'https://shop.example.com/stored',
      },
    ],
  },
)
export type CreatePaymentServiceToken = Static<typeof CreatePaymentServiceToken>

export const PaymentServiceToken = Strict(
  {
    type: Kind('payment-service-token'),
    id: Uuid(),
    payment_method_id: Uuid(),
    payment_service_id: Uuid(),
    status: OneOf(STATUSES, {
      description:
        'Send the buyer to `approval_url` while it is `buyer_approval_required`. Switchyard pauses no token, so none is `paused`.',
    }),
    approval_url: Nullable(Type.String({ format: 'uri' })),
    token: Nullable(
      Type.String({
        minLength: 1,
        maxLength: 10_000,
        description: 'The provider’s own token. Null until the status is `succeeded`.',
      }),
    ),
    created_at: DateTime(),
    updated_at: DateTime(),
  },
  {
    title: 'PaymentServiceToken',
    examples: [
      {
        type: 'payment-service-token',
        id: '0199f3a0-5d3b-7c00-8a11-3f1f7f1f0009',
        payment_method_id: '0199f3a0-5d3b-7c00-8a11-3f1f7f1f0005',
        payment_service_id: '0199f3a0-5d3b-7c00-8a11-3f1f7f1f0008',
        status: 'succeeded',
        approval_url: null,
        token: 'tok_7c00',
        created_at: '2026-11-15T09:30:00.000Z',
        updated_at: '2026-11-15T09:30:00.000Z',
      },
    ],
  },
)
export type PaymentServiceToken = Static<typeof PaymentServiceToken>

export const PaymentServiceTokens = Strict(
  { items: Type.Array(PaymentServiceToken) },
  { title: 'PaymentServiceTokens' },
)

export const PaymentServiceTokenFilters = Strict({
  payment_service_id: Type.Optional(Uuid({ description: 'Only those of this payment service.' })),
})
