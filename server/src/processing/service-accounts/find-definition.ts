import { type ErrorDetail, errors, inBody } from '#platform/http/errors.ts'
import type { Names } from './kind.ts'
import type { Described, Registry } from './registry.ts'

/** The connector that a request names. */
export function findDefinition<Connector extends Described>(
  kind: Names,
  connectors: Registry<Connector>,
  id: string,
): Connector {
  const connector = connectors.find(id)
  if (connector) return connector
  throw errors.invalid(complaintAboutDefinition(kind))
}

export function complaintAboutDefinition({ definition, name }: Names): ErrorDetail {
  return inBody(`/${definition}`, 'value_error.not_found', `there is no such ${name} definition`)
}

/** The connector of a stored service. A later version of the program may no longer have it. */
export function definitionOf<Connector extends Described>(
  connectors: Registry<Connector>,
  id: string,
): Connector {
  const connector = connectors.find(id)
  if (connector) return connector
  throw errors.refused(`${id} is no longer there; the service can only be deleted`)
}
