import type { Secrets } from '#platform/access/secrets.ts'
import { type Collection, type Page, type Slice, turnPage } from '#platform/listing/pagination.ts'
import type { Described, Registry } from './registry.ts'

type Row<Connector> = { readonly id: string; readonly created_at: Date; readonly connector: Connector }

/**
 * By id from a to z. A cursor names an id, so that it still works when another version of the program has
 * other connectors.
 */
export function listDefinitions<Connector extends Described>(
  { list }: Registry<Connector>,
  secrets: Secrets,
  page: Page,
  name: string,
): Promise<Collection<Connector>> {
  const rows = list
    .map((connector): Row<Connector> => ({ id: connector.manifest.id, created_at: new Date(0), connector }))
    .sort((a, b) => (a.id < b.id ? -1 : 1))
  return turnPage(
    { name, page, secrets },
    async (slice) => rowsOf(rows, slice),
    ({ connector }) => connector,
  )
}

/** Lists from the database are newest first. Here `older` means what follows: the later letters. */
function rowsOf<Connector>(
  rows: readonly Row<Connector>[],
  { position, direction, limit }: Slice,
): Row<Connector>[] {
  const found = rows.filter(({ id }) => {
    if (!position) return true
    if (position.go === 'older') return id > position.id
    return position.go === 'newer' ? id < position.id : id <= position.id
  })
  return (direction === 'desc' ? found : found.toReversed()).slice(0, limit)
}
