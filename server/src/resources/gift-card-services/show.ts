import type { GiftCardServiceSummary } from './schemas.ts'
import type { StoredService } from './store.ts'

export function summarize(row: StoredService): GiftCardServiceSummary {
  return {
    type: 'gift-card-service',
    id: row.id,
    gift_card_service_definition_id: row.gift_card_service_definition_id,
    display_name: row.display_name,
  }
}
