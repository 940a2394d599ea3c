import type { Secrets } from '../../platform/secrets.ts'
import { notificationKey } from './notification-key.ts'
import type { PaymentService } from './schemas.ts'
import type { StoredService } from './store.ts'

type Needs = { readonly secrets: Secrets; readonly publicUrl: string }

/** A payment service as the API shows it: what is secret stays where it is. */
export function showService({ secrets, publicUrl }: Needs, row: StoredService): PaymentService {
  const isDeleted = row.deleted_at !== null
  const key = notificationKey(secrets, row.id)
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
    webhook_url: isDeleted ? null : `${publicUrl}/payment-services/${row.id}/notifications/${key}`,
    fields: toList(row.fields),
    reporting_fields: toList(row.reporting_fields),
    is_deleted: isDeleted,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  }
}

function toList(values: Readonly<Record<string, string>>) {
  return Object.entries(values)
    .map(([key, value]) => ({ key, value }))
    .sort((a, b) => (a.key < b.key ? -1 : 1))
}
