import { DateTime, Kind, Nullable, OneOf, Strict, Uuid } from '#platform/http/schemas.ts'
import { type Static, Type } from '#platform/http/type.ts'

const Count = (description: string) => Type.Integer({ minimum: 0, description })

export const BuyerErasure = Strict(
  {
    type: Kind('buyer-erasure'),
    id: Uuid(),
    merchant_account_id: Type.String(),
    buyer_id: Uuid({ description: 'The buyer that was erased. No buyer has this id any more.' }),
    status: OneOf(['pending', 'succeeded'], {
      description:
        '`pending` until nothing personal is left: seconds as a rule, longer while a payment that began meanwhile is open.',
    }),
    payments: Count('How many payments do not name the buyer any more.'),
    payment_methods: Count('How many stored payment methods were deleted or emptied.'),
    gift_cards: Count('How many stored gift cards were deleted or emptied.'),
    created_at: DateTime(),
    updated_at: DateTime(),
    completed_at: Nullable(DateTime({ description: 'Since when nothing personal is left.' })),
  },
  {
    title: 'BuyerErasure',
    examples: [
      {
        type: 'buyer-erasure',
        id: '0199f3a0-5d3b-7c00-8a11-3f1f7f1f0002',
        merchant_account_id: 'default',
        buyer_id: '0199f3a0-5d3b-7c00-8a11-3f1f7f1f0001',
        status: 'succeeded',
        payments: 12,
        payment_methods: 1,
        gift_cards: 0,
        created_at: '2026-11-15T09:30:00.000Z',
        updated_at: '2026-11-15T09:30:02.000Z',
        completed_at: '2026-11-15T09:30:02.000Z',
      },
    ],
  },
)
export type BuyerErasure = Static<typeof BuyerErasure>
