import type { Tables } from '#platform/database/db.ts'
import { type Kind, type ServiceRow, serviceStore } from '#processing/service-accounts/store.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'

declare module '#platform/database/db.ts' {
  interface Tables {
    account_updater_services: ServiceRow & { account_updater_service_definition_id: string }
  }
}

/** An account updater service as it is stored. Its secrets are vault tokens, which never leave the server. */
export type StoredService = Tables['account_updater_services']

export const KIND: Kind<'account_updater_service_definition_id', StoredService> = {
  ...serviceStore('account_updater_services', ['account_updater_service_definition_id']),
  type: 'account-updater-service',
  name: 'account updater service',
  definition: 'account_updater_service_definition_id',
  oneActive: 'account_updater_services_one_active',
  record: auditLogs.record,
}

export const { findActive, findMany } = KIND
