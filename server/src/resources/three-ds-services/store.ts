import type { Tables } from '#platform/database/db.ts'
import { type Kind, type ServiceRow, serviceStore } from '#processing/service-accounts/store.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'

declare module '#platform/database/db.ts' {
  interface Tables {
    three_ds_services: ServiceRow & { three_ds_service_definition_id: string }
  }
}

/** A 3-D Secure service as it is stored. Its secrets are vault tokens, which never leave the server. */
export type StoredService = Tables['three_ds_services']

export const KIND: Kind<'three_ds_service_definition_id', StoredService> = {
  ...serviceStore('three_ds_services', ['three_ds_service_definition_id']),
  type: 'three-ds-service',
  name: '3-D Secure service',
  definition: 'three_ds_service_definition_id',
  oneActive: 'three_ds_services_one_active',
  record: auditLogs.record,
}

export const { findMany } = KIND
