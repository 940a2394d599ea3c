import type { BuyerErasure } from './schemas.ts'
import type { StoredErasure } from './store.ts'

export function toErasure(row: StoredErasure): BuyerErasure {
  return {
    type: 'buyer-erasure',
    id: row.id,
    merchant_account_id: row.merchant_account_id,
    buyer_id: row.buyer_id,
    status: row.status,
    payments: row.payments,
    payment_methods: row.payment_methods,
    gift_cards: row.gift_cards,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    completed_at: row.completed_at?.toISOString() ?? null,
  }
}
