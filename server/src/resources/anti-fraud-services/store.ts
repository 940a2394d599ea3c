import type { Scope, Tables } from '#platform/database/db.ts'
import { errors, inBody } from '#platform/http/errors.ts'
import { type Kind, type ServiceRow, serviceStore } from '#processing/service-accounts/store.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'

declare module '#platform/database/db.ts' {
  interface Tables {
    anti_fraud_services: ServiceRow & {
      anti_fraud_service_definition_id: string
      reviews_enabled: boolean
      silent: boolean
    }
  }
}

/** An anti-fraud service as it is stored. Its secrets are vault tokens, which never leave the server. */
export type StoredService = Tables['anti_fraud_services']

const EITHER = 'a silent service decides nothing; leave `active` out, or set `silent` to false'

type Own = {
  readonly reviews_enabled?: boolean | null
  readonly silent?: boolean | null
  readonly active?: boolean | null
}

export const KIND: Kind<'anti_fraud_service_definition_id', StoredService, Own> = {
  ...serviceStore('anti_fraud_services', ['anti_fraud_service_definition_id', 'reviews_enabled', 'silent']),
  type: 'anti-fraud-service',
  name: 'anti-fraud service',
  definition: 'anti_fraud_service_definition_id',
  oneActive: 'anti_fraud_services_one_active',
  record: auditLogs.record,
  settings: ({ reviews_enabled, silent, active }, before) => {
    if (silent && active) throw errors.invalid(inBody('/active', 'value_error.conflict', EITHER))
    const isSilent = silent ?? (active === true ? false : (before?.silent ?? false))
    return {
      reviews_enabled: reviews_enabled ?? before?.reviews_enabled ?? false,
      silent: isSilent,
      ...(isSilent && { active: false }),
    }
  },
}

export const { find, findMany } = KIND

/** Those that are asked about payments, the deciding one first. */
export async function listWatching({ db, merchantAccountId }: Scope): Promise<readonly StoredService[]> {
  return db
    .selectFrom('anti_fraud_services')
    .select(KIND.columns)
    .where('merchant_account_id', '=', merchantAccountId)
    .where('deleted_at', 'is', null)
    .where((service) => service.or([service('active', '=', true), service('silent', '=', true)]))
    .orderBy('active', 'desc')
    .orderBy('id')
    .execute()
}
