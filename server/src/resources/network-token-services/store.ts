import type { Tables } from '#platform/database/db.ts'
import { type Kind, type ServiceRow, serviceStore } from '#processing/service-accounts/store.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'

declare module '#platform/database/db.ts' {
  interface Tables {
    network_token_services: ServiceRow & { network_token_service_definition_id: string }
  }
}

/** A network token service as it is stored. Its secrets are vault tokens, which never leave the server. */
export type StoredService = Tables['network_token_services']

/** Open attempts do not keep the fields from being changed: a deletion may be asked for a month, also with corrected keys. */
export const KIND: Kind<'network_token_service_definition_id', StoredService> = {
  ...serviceStore('network_token_services', ['network_token_service_definition_id']),
  type: 'network-token-service',
  name: 'network token service',
  definition: 'network_token_service_definition_id',
  oneActive: 'network_token_services_one_active',
  record: auditLogs.record,
}

export const { findActive, findMany } = KIND
