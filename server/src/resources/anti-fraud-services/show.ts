import type { Secrets } from '#platform/access/secrets.ts'
import { notificationUrl } from '#processing/service-accounts/notifications.ts'
import { showFields, showSecretFields } from '#processing/service-accounts/schemas.ts'
import type { AntiFraudService } from './schemas.ts'
import { KIND, type StoredService } from './store.ts'

type Needs = { readonly secrets: Secrets; readonly publicUrl: string }

/** An anti-fraud service as the API shows it, without its secrets. */
export function showService(needs: Needs, row: StoredService): AntiFraudService {
  return {
    type: 'anti-fraud-service',
    id: row.id,
    merchant_account_id: row.merchant_account_id,
    anti_fraud_service_definition_id: row.anti_fraud_service_definition_id,
    display_name: row.display_name,
    active: row.active,
    reviews_enabled: row.reviews_enabled,
    webhook_url: notificationUrl(needs, KIND, row.id),
    fields: showFields(row.fields),
    secret_fields: showSecretFields(row.secrets),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  }
}
