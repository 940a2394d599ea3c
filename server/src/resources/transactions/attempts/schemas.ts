import { DateTime, Kind, Nullable, OneOf, Strict, Uuid } from '#platform/http/schemas.ts'
import { type Static, Type } from '#platform/http/type.ts'
import { CollectionOf } from '#platform/listing/pagination.ts'

const OPERATIONS = [
  'authorize',
  'capture',
  'void',
  'cancel',
  'refund',
  'increment',
  'redeem',
  'reverse',
] as const
const STATES = ['queued', 'sent', 'unknown', 'pending', 'approved', 'declined', 'failed'] as const

const TransactionAttempt = Strict(
  {
    type: Kind('transaction-attempt'),
    id: Uuid({ description: 'The idempotency key at the provider.' }),
    transaction_id: Uuid(),
    operation: OneOf(OPERATIONS, { description: 'What was asked.' }),
    subject_id: Nullable(
      Uuid({
        description: 'The capture, refund or gift card redemption that it is about, if it is about one.',
      }),
    ),
    service_id: Uuid({ description: 'The payment service or gift card service that was asked.' }),
    amount: Type.Integer({ description: 'In the smallest unit of the transaction’s currency.' }),
    status: OneOf(STATES, {
      description:
        '`queued`: not sent yet. `sent`: no answer yet. `unknown`: the money may have moved; the provider is asked again. `pending`: the ' +
        'provider has not decided. The others are final.',
    }),
    payment_service_reference: Nullable(Type.String({ description: 'The provider’s own id.' })),
    error_code: Nullable(Type.String()),
    raw_response_code: Nullable(Type.String({ description: 'As the provider gave it.' })),
    raw_response_description: Nullable(Type.String()),
    inquiries: Type.Integer({ description: 'How often the provider was asked for the outcome.' }),
    next_inquiry_at: Nullable(
      DateTime({ description: 'When it is sent, or asked about, next. Null once its outcome is known.' }),
    ),
    created_at: DateTime(),
    updated_at: DateTime(),
  },
  {
    title: 'TransactionAttempt',
    examples: [
      {
        type: 'transaction-attempt',
        id: '0199f3a0-5d3b-7c00-8a11-3f1f7f1f0021',
        transaction_id: '0199f3a0-5d3b-7c00-8a11-3f1f7f1f0010',
        operation: 'authorize',
        subject_id: null,
        service_id: '0199f3a0-5d3b-7c00-8a11-3f1f7f1f0005',
        amount: 1299,
        status: 'approved',
        payment_service_reference: 'pay_51ac',
        error_code: null,
        raw_response_code: '00',
        raw_response_description: 'Approved',
        inquiries: 0,
        next_inquiry_at: null,
        created_at: '2026-11-15T09:30:00.000Z',
        updated_at: '2026-11-15T09:30:00.400Z',
      },
    ],
  },
)
export type TransactionAttempt = Static<typeof TransactionAttempt>

export const TransactionAttempts = CollectionOf(TransactionAttempt, 'TransactionAttempts')
