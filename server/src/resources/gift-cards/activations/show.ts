import type { Scope } from '#platform/database/db.ts'
import { summarize } from '#resources/gift-card-services/show.ts'
import * as giftCardServices from '#resources/gift-card-services/store.ts'
import type { Operation } from '../operations/store.ts'
import type { GiftCard } from '../schemas.ts'
import { showCard, UNUSED } from '../show.ts'
import * as giftCards from '../store.ts'

/** The activated card. If it is not stored, its id is that of the activation. */
export async function showActivation(scope: Scope, operation: Operation): Promise<GiftCard> {
  const stored =
    operation.gift_card_id === null ? undefined : await giftCards.find(scope, operation.gift_card_id)
  if (stored) return showCard(scope, stored)
  const { gift_card_service_id, bin, sub_bin, last4, expires_at } = operation
  const service = (await giftCardServices.findMany(scope, [gift_card_service_id])).get(gift_card_service_id)
  if (!service) throw new Error('an activation has no service')
  return {
    type: 'gift-card',
    id: operation.id,
    merchant_account_id: operation.merchant_account_id,
    gift_card_service: summarize(service),
    bin: bin ?? '',
    sub_bin: sub_bin ?? '',
    last4: last4 ?? '',
    expiration_date: expires_at?.toISOString() ?? null,
    buyer: null,
    ...UNUSED,
    created_at: operation.created_at.toISOString(),
    updated_at: operation.updated_at.toISOString(),
  }
}
