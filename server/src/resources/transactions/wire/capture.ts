import { DateTime, Kind, Nullable, OneOf, Strict, Uuid } from '#platform/http/schemas.ts'
import { type Static, Type } from '#platform/http/type.ts'
import { CollectionOf } from '#platform/listing/pagination.ts'
import { CartItem } from './order.ts'
import { CAPTURE_STATUSES } from './transaction.ts'

export const Capture = Strict(
  {
    type: Kind('capture'),
    id: Uuid(),
    merchant_account_id: Type.String(),
    transaction_id: Uuid(),
    transaction_external_identifier: Nullable(Type.String()),
    xid: Nullable(Type.String({ description: 'The payment service’s own id of the capture.' })),
    external_identifier: Nullable(Type.String({ description: 'Your own reference.' })),
    currency: Type.String(),
    amount: Type.Integer(),
    status: OneOf(CAPTURE_STATUSES),
    final: Type.Boolean({
      description:
        'Whether no other capture follows. The final capture releases the rest of the authorization.',
    }),
    error_code: Nullable(Type.String()),
    iso_response_code: Nullable(Type.String()),
    raw_response_code: Nullable(Type.String({ description: 'As the payment service gave it.' })),
    raw_response_description: Nullable(Type.String()),
    cart_items: Nullable(Type.Array(CartItem)),
    created_at: DateTime(),
    updated_at: DateTime(),
    captured_at: Nullable(DateTime()),
  },
  {
    title: 'Capture',
    examples: [
      {
        type: 'capture',
        id: '0199f3a0-5d3b-7c00-8a11-3f1f7f1f0012',
        merchant_account_id: 'default',
        transaction_id: '0199f3a0-5d3b-7c00-8a11-3f1f7f1f0010',
        transaction_external_identifier: 'order-4711',
        xid: 'cap_8e2f',
        external_identifier: null,
        currency: 'USD',
        amount: 1299,
        status: 'succeeded',
        final: true,
        error_code: null,
        iso_response_code: null,
        raw_response_code: '00',
        raw_response_description: 'Approved',
        cart_items: null,
        created_at: '2026-11-15T09:30:00.000Z',
        updated_at: '2026-11-15T09:30:00.000Z',
        captured_at: '2026-11-15T09:30:00.000Z',
      },
    ],
  },
)
export type Capture = Static<typeof Capture>

export const Captures = CollectionOf(Capture, 'Captures')
export type Captures = Static<typeof Captures>
