import { DateTime, Kind, Nullable, Strict, Uuid } from '#platform/http/schemas.ts'
import { type Static, Type } from '#platform/http/type.ts'
import { GiftCard } from '#resources/gift-cards/schemas.ts'
import { PaymentMethod } from '#resources/payment-methods/schemas.ts'
import { Payout } from '#resources/payouts/schemas.ts'
import { BrowserInfo } from '#resources/transactions/wire/order.ts'
import { Transaction } from '#resources/transactions/wire/transaction.ts'
import { Buyer } from '../schemas.ts'
import { ShippingDetails } from '../shipping-details/schemas.ts'

/** Payments in one answer. `switchyard buyers export` has no limit. */
export const EXPORTED_MAX = 200

const ExportedPayment = Strict(
  {
    transaction: Transaction,
    ip_address: Nullable(Type.String({ description: 'Where the buyer paid from.' })),
    browser_info: Nullable(BrowserInfo),
  },
  { title: 'ExportedPayment', description: 'A payment, and what else is known of its buyer.' },
)
export type ExportedPayment = Static<typeof ExportedPayment>

const PERSON = {
  type: Kind('buyer-export'),
  merchant_account_id: Type.String(),
  buyer_id: Uuid(),
  exported_at: DateTime(),
  buyer: Nullable(Buyer),
  shipping_details: Type.Array(ShippingDetails),
  payment_methods: Type.Array(PaymentMethod),
  gift_cards: Type.Array(GiftCard),
  payouts: Type.Array(Payout),
  payment_links: Type.Array(
    Type.Object(
      { type: Kind('payment-link'), id: Uuid() },
      { additionalProperties: true, description: 'As in events: without its URL, which opens the page.' },
    ),
  ),
}
const Person = Strict(PERSON)
export type ExportedPerson = Static<typeof Person>

export const BuyerExport = Strict(
  {
    ...PERSON,
    payments: Type.Array(ExportedPayment, {
      maxItems: EXPORTED_MAX,
      description: `The oldest ${EXPORTED_MAX} payments of the buyer.`,
    }),
    has_more_payments: Type.Boolean({
      description: 'Whether the buyer has more. The command `switchyard buyers export` writes all of them.',
    }),
  },
  {
    title: 'BuyerExport',
    examples: [
      {
        type: 'buyer-export',
        merchant_account_id: 'default',
        buyer_id: '0199f3a0-5d3b-7c00-8a11-3f1f7f1f0001',
        exported_at: '2026-11-15T09:30:00.000Z',
        buyer: null,
        shipping_details: [],
        payment_methods: [],
        gift_cards: [],
        payouts: [],
        payment_links: [],
        payments: [],
        has_more_payments: false,
      },
    ],
  },
)
export type BuyerExport = Static<typeof BuyerExport>
