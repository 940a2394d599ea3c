import { DateTime, Kind, Nullable, OneOf, Strict, Uuid } from '#platform/http/schemas.ts'
import { type Static, Type } from '#platform/http/type.ts'
import { CollectionOf, pageParameters } from '#platform/listing/pagination.ts'

const STATUSES = ['held', 'matched', 'expired'] as const
export type NotificationStatus = (typeof STATUSES)[number]

const KINDS = [
  'authorization',
  'capture',
  'void',
  'cancel',
  'refund',
  'increment',
  'payout',
  'chargeback',
  'chargeback_reversal',
  'dispute',
  'late_failure',
  'approvable',
  'report',
] as const

const PaymentServiceNotification = Strict(
  {
    type: Kind('payment-service-notification'),
    id: Uuid(),
    merchant_account_id: Type.String(),
    payment_service_id: Uuid({ description: 'The payment service to whose `webhook_url` it came.' }),
    kind: OneOf(KINDS, {
      description:
        'What it is about. `late_failure`: something failed after it had succeeded. `approvable`: the buyer has approved at the provider.',
    }),
    reference: Nullable(Type.String({ description: 'The provider’s own id of what it is about.' })),
    attempt_id: Nullable(
      Type.String({ description: 'The id of the attempt, if the provider has repeated ours.' }),
    ),
    reconciliation_id: Nullable(
      Type.String({
        description: 'The `reconciliation_id` of the payment, if the provider has repeated it.',
      }),
    ),
    status: OneOf(STATUSES, {
      description:
        '`held`: it fits nothing yet, and is compared again. `matched`: what it is about was found, and has changed as the ' +
        'provider said. `expired`: it fitted nothing within 30 days.',
    }),
    received_at: DateTime(),
    ended_at: Nullable(DateTime({ description: 'When it was matched, or expired.' })),
  },
  {
    title: 'PaymentServiceNotification',
    examples: [
      {
        type: 'payment-service-notification',
        id: '0199f3a0-5d3b-7c00-8a11-3f1f7f1f0061',
        merchant_account_id: 'default',
        payment_service_id: '0199f3a0-5d3b-7c00-8a11-3f1f7f1f0006',
        kind: 'capture',
        reference: 'cap_7Q2M',
        attempt_id: null,
        reconciliation_id: null,
        status: 'held',
        received_at: '2026-11-16T09:30:00.000Z',
        ended_at: null,
      },
    ],
  },
)
export type PaymentServiceNotification = Static<typeof PaymentServiceNotification>

export const PaymentServiceNotifications = CollectionOf(
  PaymentServiceNotification,
  'PaymentServiceNotifications',
)

export const PaymentServiceNotificationFilters = Strict({
  ...pageParameters(),
  status: Type.Optional(OneOf(STATUSES, { description: 'Only notifications in this status.' })),
})
export type PaymentServiceNotificationFilters = Static<typeof PaymentServiceNotificationFilters>
