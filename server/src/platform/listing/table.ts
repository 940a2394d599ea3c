import type { RawBuilder } from 'kysely'
import type { Db } from '../database/db.ts'
import type { Reach } from '../http/operation.ts'
import type { Bounds } from './bounds.ts'
import type { Slice } from './pagination.ts'

/** A table that is listed by filters. Its key is `(merchant_account_id, id)`, and its ids are UUIDv7. */
export type ListedTable = {
  readonly name: string
  /** The table of its marks, with the key `(merchant_account_id, mark, id)`. Only for lists with filters on marks. */
  readonly marks?: string
  /**
   * The table of the marks of its status, with the same key, so that a new status and other marks can be written by one statement,
   * and none changes a table twice. Missing: they are among the other marks.
   */
  readonly statuses?: string
}

/** A listed table, and how to read the rows of a page. */
export type ReadTable<Row> = ListedTable & {
  /** Selects whole rows by a query of keys: joined as `page`, with `merchant_account_id` and `id`. Without `order by`. */
  readonly read: (keys: RawBuilder<unknown>) => RawBuilder<Row>
}

export type ColumnType = 'text' | 'uuid' | 'inet' | 'integer' | 'boolean' | 'timestamptz'

/**
 * An index that has the rows of a filter together. A range has them in its own order, all others in the order
 * of the list.
 */
export type Lead =
  | { readonly kind: 'everything' }
  | { readonly kind: 'id'; readonly id: string }
  | {
      readonly kind: 'column'
      readonly column: string
      readonly type: ColumnType
      readonly values: readonly (string | number | boolean)[]
    }
  /** The marks of one filter. All are in one table. */
  | { readonly kind: 'marks'; readonly values: readonly string[] }
  | ({ readonly kind: 'range' } & Range)
  | { readonly kind: 'any'; readonly leads: readonly Lead[] }

export type Range = {
  readonly column: string
  readonly type: ColumnType
  readonly from: number | Date
  readonly to: number | Date
  /** The table with the index, if the listed table has none: `(merchant_account_id, column, id)`. */
  readonly indexedIn?: string
}

/** What a row must match, as SQL on the listed table. */
export type Condition = {
  readonly sql: RawBuilder<boolean>
  /** Set if it looks into another table, by the row's key alone or by more of the row. */
  readonly looksUp?: 'by-key' | 'by-row'
}

/** A condition and, if there is one, the index with the rows that match it. */
export type Filter = Condition & {
  readonly lead?: Lead
  /** Finds a lead by asking the database, once a short walk has not filled the page. Undefined if it would be too long. */
  readonly findLead?: (place: Pick<Place, 'db' | 'reach'>) => Promise<Lead | undefined>
}

/** Where to look, and in which direction. */
export type Place = Pick<Slice, 'direction' | 'limit'> & {
  readonly db: Db
  readonly table: ListedTable
  readonly reach: Reach
  readonly bounds: Bounds
}
