import type { Context } from '#platform/database/db.ts'
import * as giftCardServices from '#resources/gift-card-services/store.ts'
import type {
  GiftCardRedemption,
  TransactionGiftCardService,
} from '#resources/transactions/wire/gift-card-redemption.ts'
import type { StoredTransaction } from './store/payments.ts'
import * as redemptions from './store/redemptions.ts'

/** The gift cards of a payment, as the API shows them. */
export type ShownGiftCards = {
  readonly redemptions: GiftCardRedemption[]
  readonly service: TransactionGiftCardService | null
}

export async function giftCardsOf(
  context: Context,
  transactions: readonly Pick<StoredTransaction, 'id' | 'has_gift_card_redemptions'>[],
): Promise<ReadonlyMap<string, ShownGiftCards>> {
  const ids = transactions.flatMap(({ id, has_gift_card_redemptions }) =>
    has_gift_card_redemptions ? id : [],
  )
  const found = await redemptions.listOfMany(context, ids)
  const serviceIds = [...found.values()].flat().map(({ gift_card_service_id }) => gift_card_service_id)
  const services = await giftCardServices.findMany(context, serviceIds)
  return new Map(
    [...found].map(([id, rows]) => {
      const service = services.get(rows[0]?.gift_card_service_id ?? '')
      return [id, { redemptions: rows.map(toRedemption), service: service ? toService(service) : null }]
    }),
  )
}

function toRedemption(row: redemptions.Redemption): GiftCardRedemption {
  return {
    type: 'gift-card-redemption',
    id: row.id,
    status: row.status,
    amount: row.amount,
    refunded_amount: row.is_reversed ? row.amount : row.refunded_amount,
    gift_card_service_redemption_id: row.gift_card_service_redemption_id,
    error_code: row.error_code,
    raw_error_code: row.raw_error_code,
    raw_error_message: row.raw_error_message,
    gift_card: {
      type: 'gift-card',
      id: row.gift_card_id,
      bin: row.bin,
      sub_bin: row.sub_bin,
      last4: row.last4,
    },
  }
}

function toService(service: giftCardServices.StoredService): TransactionGiftCardService {
  const { id, gift_card_service_definition_id, display_name } = service
  return { type: 'gift-card-service', id, gift_card_service_definition_id, display_name }
}
