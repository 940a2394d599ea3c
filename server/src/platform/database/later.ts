import { type RawBuilder, sql } from 'kysely'

/** As `laterThan`, in a statement that changes a row which the caller has not read. */
export function later(now: Date): RawBuilder<Date> {
  return sql<Date>`greatest(updated_at + interval '1 millisecond', ${now}::timestamptz)`
}
