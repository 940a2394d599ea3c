import type { Tables } from '#platform/database/db.ts'
import { type Kind, type ServiceRow, serviceStore } from '#processing/service-accounts/store.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'

declare module '#platform/database/db.ts' {
  interface Tables {
    anti_fraud_services: ServiceRow & { anti_fraud_service_definition_id: string; reviews_enabled: boolean }
  }
}

/** An anti-fraud service as it is stored. Its secrets are vault tokens, which never leave the server. */
export type StoredService = Tables['anti_fraud_services']

type Own = { readonly reviews_enabled?: boolean | null }

export const KIND: Kind<'anti_fraud_service_definition_id', StoredService, Own> = {
  ...serviceStore('anti_fraud_services', ['anti_fraud_service_definition_id', 'reviews_enabled']),
  type: 'anti-fraud-service',
  name: 'anti-fraud service',
  definition: 'anti_fraud_service_definition_id',
  oneActive: 'anti_fraud_services_one_active',
  record: auditLogs.record,
  settings: ({ reviews_enabled }, before) => ({
    reviews_enabled: reviews_enabled ?? before?.reviews_enabled ?? false,
  }),
}

export const { find, findMany } = KIND
