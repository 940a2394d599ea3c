import type { ErrorDetail } from '#platform/http/errors.ts'
import type { Sound } from '#platform/http/semantic-checks.ts'
import { complaintsAboutFields, type Entry } from './check-fields.ts'
import { complaintAboutDefinition } from './find-definition.ts'
import type { Names } from './kind.ts'
import type { Described, Registry } from './registry.ts'
import { NOTHING_KEPT } from './seal-fields.ts'

type NewService<Definition extends string> = Readonly<Partial<Record<Definition, string | undefined>>> & {
  readonly fields?: readonly (Sound<Entry> | undefined)[] | undefined
}

/** Everything that is wrong with a new service in the parts of the request whose form is right. */
export function complaintsAboutNew<Definition extends string>(
  kind: Names<Definition>,
  connectors: Registry<Described>,
  request: NewService<Definition>,
): ErrorDetail[] {
  const id = request[kind.definition]
  if (id === undefined) return []
  const connector = connectors.find(id)
  if (!connector) return [complaintAboutDefinition(kind)]
  if (request.fields === undefined) return []
  return complaintsAboutFields({
    pointer: '/fields',
    known: connector.manifest.fields,
    given: request.fields,
    stored: NOTHING_KEPT,
    isRequired: (field) => field.isRequired,
  })
}
