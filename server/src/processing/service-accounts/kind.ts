import type { Place, Scope, Tx } from '#platform/database/db.ts'
import type { ServiceRow, ServiceStore } from './store.ts'

/** Writes an audit entry. Passed in: the audit log is a resource, and this folder knows no resources. */
export type RecordChange = (
  tx: Place<Tx>,
  action: 'created' | 'updated' | 'deleted' | 'revealed',
  resource: { readonly type: string; readonly id: string; readonly name: string },
) => Promise<void>

/** The names of a kind of provider account. */
export type Names<Definition extends string = string> = {
  /** As in `gift-card-service`: its `type` in the API and in the audit log. Its paths begin with the plural. */
  readonly type: string
  /** As in `gift card service`, for messages. */
  readonly name: string
  /** The column, and the field of a request, that names the connector. */
  readonly definition: Definition
}

/** How many attempts at a service are undecided. */
export type CountOpen = (scope: Scope, id: string) => Promise<number>

export type Named<Definition extends string> = ServiceRow & Readonly<Record<Definition, string>>

/**
 * A kind of provider account: its table, its names, and its differences from the others. A slice declares its
 * own in `store.ts`. `Own` is what its requests have beyond those of every kind.
 */
export type Kind<
  Definition extends string,
  Row extends Named<Definition>,
  Own = unknown,
> = Names<Definition> &
  ServiceStore<Row> & {
    readonly record: RecordChange
    /** The index that refuses a second active service, if an account can have only one. */
    readonly oneActive?: string
    /** Left out if providers of this kind answer everything at once, so that nothing stays open. */
    readonly countOpenAt?: CountOpen
    /** The kind's own columns. Fields that a request leaves out, or sends as null, stay as they were. */
    readonly settings?: (request: Own, before: Row | undefined) => Partial<Row>
  }
