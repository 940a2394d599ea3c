import type { FastifyRequest } from 'fastify'
import type { Caller } from '../access/auth.ts'
import type { Refusal } from '../observability/observe.ts'
import type { ErrorDetail } from './errors.ts'
import type { Reach } from './operation.ts'

/** What the path names. Ids are in lower case, however they were sent. */
export type Place = {
  readonly params: Record<string, unknown>
  readonly path: string
  readonly complaints: readonly ErrorDetail[]
}

export type Admitted = { readonly caller: Caller; readonly reach: Reach }

declare module 'fastify' {
  interface FastifyRequest {
    place: Place | null
    /** Known as soon as the token is checked, also if the request is refused then. */
    caller: Caller | null
    admitted: Admitted | null
    /** Why it was refused. */
    refusal: Refusal | null
    operationId: string | null
    /** The id of what it made, such as a payment. */
    madeId: string | null
    /** What kept us from answering it, if that is not a defect: the database was away, full or too slow. */
    trouble: unknown
  }
}

export function placeOf({ place }: FastifyRequest): Place {
  if (!place) throw new Error('a request reached its handler before its path was read')
  return place
}
