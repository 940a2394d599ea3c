import { type RawBuilder, sql } from 'kysely'

const known = new Map<string, RawBuilder<unknown>>()

/** A table or a column of ours, as in `buyers.id`. Written once, because the statement of a list names twenty. */
export function named(name: string): RawBuilder<unknown> {
  const written = known.get(name) ?? sql.raw(`"${name.replaceAll('.', '"."')}"`)
  known.set(name, written)
  return written
}
