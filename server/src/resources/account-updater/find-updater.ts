import type { AccountUpdaterConnector } from '#connectors/contract/account-updater.ts'
import type { Scope } from '#platform/database/db.ts'
import type { Providers } from '#processing/provider.ts'
import type { ServiceAt } from '#processing/service-accounts/ask.ts'
import { definitionOf } from '#processing/service-accounts/save.ts'
import * as services from '#resources/account-updater-services/store.ts'

export type Updater = ServiceAt<AccountUpdaterConnector, services.StoredService>

const SIMULATOR = 'mock-account-updater'
/** Attempts name the service that they ask. */
const SIMULATOR_SERVICE_ID = '00000000-0000-7000-8000-000000000001'

type Known = Pick<Providers, 'accountUpdaters'>

/** Whom to ask about a card of the account. An account of a sandbox without a service asks the simulator. */
export async function findActiveUpdater(
  scope: Scope,
  providers: Known,
): Promise<{ readonly serviceId: string; readonly connector: AccountUpdaterConnector } | undefined> {
  const service = await services.findActive(scope)
  if (!service) {
    const connector = providers.accountUpdaters.find(SIMULATOR)
    return connector && { serviceId: SIMULATOR_SERVICE_ID, connector }
  }
  const { id, account_updater_service_definition_id: definition } = service
  return { serviceId: id, connector: definitionOf(providers.accountUpdaters, definition) }
}

/** The one that an attempt names, also if it was replaced or deleted meanwhile. */
export async function findAskedUpdater(
  scope: Scope,
  { accountUpdaters }: Known,
  serviceId: string,
): Promise<Updater | undefined> {
  const isSimulator = serviceId === SIMULATOR_SERVICE_ID
  const service = isSimulator ? null : ((await services.findMany(scope, [serviceId])).get(serviceId) ?? null)
  const connector = accountUpdaters.find(service?.account_updater_service_definition_id ?? SIMULATOR)
  return connector && { service, connector }
}
