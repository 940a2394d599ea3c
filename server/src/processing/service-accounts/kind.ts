import type { Place, Scope, Tx } from '#platform/db.ts'
import type { ServiceRow, ServiceStore } from './store.ts'

/** Writes an audit entry. Handed in: the audit log is a resource, and this folder knows no resources. */
export type RecordChange = (
  tx: Place<Tx>,
  action: 'created' | 'updated' | 'deleted' | 'revealed',
  resource: { readonly type: string; readonly id: string; readonly name: string },
) => Promise<void>

/** What a kind of provider account is called. */
export type Names<Definition extends string = string> = {
  /** As in `gift-card-service`: its `type` in the API and in the audit log. Its paths begin with the plural. */
  readonly type: string
  /** As in `gift card service`, for messages. */
  readonly name: string
  /** The column, and the field of a request, that names the connector. */
  readonly definition: Definition
}

/** How much is asked of a service and not decided yet. */
export type CountOpen = (scope: Scope, id: string) => Promise<number>

export type Named<Definition extends string> = ServiceRow & Readonly<Record<Definition, string>>

/**
 * A kind of provider account: its table, its names, and where it differs from the others. A slice declares its own in
 * `store.ts`. `Own` is what requests say beyond what they say of every kind.
 */
export type Kind<
  Definition extends string,
  Row extends Named<Definition>,
  Own = unknown,
> = Names<Definition> &
  ServiceStore<Row> & {
    readonly record: RecordChange
    /** The index that refuses a second active service, where an account can have only one. */
    readonly oneActive?: string
    /** Left out where every question is answered at once, so that nothing stays open. */
    readonly countOpenAt?: CountOpen
    /** The columns of its own. What a request leaves out, or sends null for, stays as it was. */
    readonly settings?: (request: Own, before: Row | undefined) => Partial<Row>
  }
