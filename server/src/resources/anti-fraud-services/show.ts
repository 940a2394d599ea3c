import type { Secrets } from '../../platform/secrets.ts'
import { notificationKey } from './notification-key.ts'
import type { AntiFraudService } from './schemas.ts'
import type { StoredService } from './store.ts'

type Needs = { readonly secrets: Secrets; readonly publicUrl: string }

/** An anti-fraud service as the API shows it: what is secret stays where it is. */
export function showService({ secrets, publicUrl }: Needs, row: StoredService): AntiFraudService {
  return {
    type: 'anti-fraud-service',
    id: row.id,
    merchant_account_id: row.merchant_account_id,
    anti_fraud_service_definition_id: row.anti_fraud_service_definition_id,
    display_name: row.display_name,
    active: row.active,
    reviews_enabled: row.reviews_enabled,
    webhook_url: `${publicUrl}/anti-fraud-services/${row.id}/notifications/${notificationKey(secrets, row.id)}`,
    fields: Object.entries(row.fields)
      .map(([key, value]) => ({ key, value }))
      .sort((a, b) => (a.key < b.key ? -1 : 1)),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  }
}
