import { showFields, showSecretFields } from '#processing/service-accounts/schemas.ts'
import type { GiftCardService, GiftCardServiceSummary } from './schemas.ts'
import type { StoredService } from './store.ts'

/** A gift card service as the API shows it, without its secrets. */
export function showService(row: StoredService): GiftCardService {
  return {
    ...summarize(row),
    merchant_account_id: row.merchant_account_id,
    active: row.active,
    fields: showFields(row.fields),
    secret_fields: showSecretFields(row.secrets),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  }
}

export function summarize(row: StoredService): GiftCardServiceSummary {
  return {
    type: 'gift-card-service',
    id: row.id,
    gift_card_service_definition_id: row.gift_card_service_definition_id,
    display_name: row.display_name,
  }
}
