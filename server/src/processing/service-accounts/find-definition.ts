import { errors, inBody } from '#platform/errors.ts'
import type { Names } from './kind.ts'
import type { Described, Registry } from './registry.ts'

/** The connector that a request names. */
export function findDefinition<Connector extends Described>(
  { definition, name }: Names,
  connectors: Registry<Connector>,
  id: string,
): Connector {
  const connector = connectors.find(id)
  if (connector) return connector
  const message = `there is no such ${name} definition`
  throw errors.invalid(inBody(`/${definition}`, 'value_error.not_found', message))
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
