import type { Connector } from '../../../../connectors/contract/connector.ts'
import { ApiError, errors, inBody } from '../../platform/errors.ts'
import type { Registry } from '../../processing/service-accounts/registry.ts'
import type { StoredService } from './store.ts'

/** The connector that a request names. */
export function findDefinition(connectors: Registry<Connector>, id: string): Connector {
  const connector = connectors.find(id)
  if (connector) return connector
  const message = 'there is no such payment service definition'
  throw errors.invalid(inBody('/payment_service_definition_id', 'value_error.not_found', message))
}

/** The connector of a stored service. A later version of the program may no longer have it. */
export function definitionOf(connectors: Registry<Connector>, service: StoredService): Connector {
  const connector = connectors.find(service.payment_service_definition_id)
  if (connector) return connector
  const id = service.payment_service_definition_id
  throw new ApiError('bad_request', { message: `${id} is no longer there; the service can only be deleted` })
}
