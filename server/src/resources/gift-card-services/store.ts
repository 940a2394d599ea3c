import type { Tables } from '#platform/database/db.ts'
import { countOpenAt } from '#processing/attempts/backlog.ts'
import { type Kind, type ServiceRow, serviceStore } from '#processing/service-accounts/store.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'

declare module '#platform/database/db.ts' {
  interface Tables {
    gift_card_services: ServiceRow & { gift_card_service_definition_id: string }
  }
}

/** A gift card service as it is stored. Its secrets are vault tokens, which never leave the server. */
export type StoredService = Tables['gift_card_services']

export const KIND: Kind<'gift_card_service_definition_id', StoredService> = {
  ...serviceStore('gift_card_services', ['gift_card_service_definition_id']),
  type: 'gift-card-service',
  name: 'gift card service',
  definition: 'gift_card_service_definition_id',
  oneActive: 'gift_card_services_one_active',
  record: auditLogs.record,
  countOpenAt,
}

export const { findActive, findMany, isAny } = KIND
