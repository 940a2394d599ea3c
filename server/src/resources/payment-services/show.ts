import type { Secrets } from '#platform/access/secrets.ts'
import { notificationUrl } from '#processing/service-accounts/notifications.ts'
import { showFields, showSecretFields } from '#processing/service-accounts/schemas.ts'
import type { PaymentService } from './schemas.ts'
import { KIND, type StoredService } from './store.ts'

type Needs = { readonly secrets: Secrets; readonly publicUrl: string }

/** A payment service as the API shows it, without its secrets. */
export function showService(needs: Needs, row: StoredService): PaymentService {
  const isDeleted = row.deleted_at !== null
  return {
    type: 'payment-service',
    id: row.id,
    merchant_account_id: row.merchant_account_id,
    payment_service_definition_id: row.payment_service_definition_id,
    active: row.active,
    method: row.method,
    display_name: row.display_name,
    position: row.position,
    status: row.status,
    accepted_currencies: row.accepted_currencies,
    accepted_countries: row.accepted_countries,
    payment_method_tokenization_enabled: row.payment_method_tokenization_enabled,
    network_tokens_enabled: row.network_tokens_enabled,
    open_loop: row.open_loop,
    settlement_reporting_enabled: row.settlement_reporting_enabled,
    three_d_secure_enabled: row.three_d_secure_enabled,
    merchant_profile: row.merchant_profile,
    webhook_url: isDeleted ? null : notificationUrl(needs, KIND, row.id),
    fields: showFields(row.fields),
    secret_fields: showSecretFields(row.secrets),
    reporting_fields: showFields(row.reporting_fields),
    secret_reporting_fields: showSecretFields(row.reporting_secrets),
    is_deleted: isDeleted,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  }
}
