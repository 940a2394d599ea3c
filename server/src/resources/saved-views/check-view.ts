import type { TSchema } from 'typebox'
import type { Caller } from '#platform/access/auth.ts'
import { type ApiError, type ErrorDetail, errors, inBody } from '#platform/http/errors.ts'
import { child } from '#platform/http/explain.ts'
import type { Operation } from '#platform/http/operation.ts'
import { complaintsAbout, decodeText } from '#platform/http/validation.ts'
import type { SavedView } from './schemas.ts'

/** The list operation of a resource, by the first part of its path. */
export type FindList = (resource: string) => Operation | undefined

/** What a page is, is not a part of a view. */
const OF_PAGES = ['cursor', 'limit']

type View = Pick<SavedView, 'resource' | 'query' | 'periods'>

/** Refuses a view of a list that is not there, or that its filters do not fit. */
export function refuseUnfit(findList: FindList, caller: Caller, view: View): void {
  const list = findList(view.resource)
  if (!list?.query) throw errors.invalid(unknownList())
  if (list.scope !== null && !caller.may(list.scope)) throw errors.invalid(unknownList())
  const complaints = [...filterComplaints(list.query, view.query), ...periodComplaints(list.query, view)]
  if (complaints.length > 0) throw errors.invalid(...complaints)
}

/** Which list you may not read is not told. */
function unknownList(): ErrorDetail {
  return inBody(
    '/resource',
    'value_error.not_found',
    'use the name of a list that you may read, such as transactions',
  )
}

function filterComplaints(schema: TSchema, query: View['query']): ErrorDetail[] {
  const ofPages = OF_PAGES.filter((name) => name in query)
  if (ofPages.length > 0) {
    return ofPages.map((name) =>
      inBody(`/query/${name}`, 'value_error.extra', 'leave it out: a view has no page'),
    )
  }
  const decoded = decodeText(schema, { ...query })
  return complaintsAbout('query', schema, decoded).map((complaint) => ({
    ...complaint,
    location: 'body',
    pointer: `/query${complaint.pointer}`,
  }))
}

const BOUNDS = ['gt', 'gte', 'lt', 'lte']

/** A period is of a date that the list can be narrowed by, and the only word about it. */
function periodComplaints(schema: TSchema, { query, periods }: View): ErrorDetail[] {
  const { properties = {} } = schema as { readonly properties?: Readonly<Record<string, object>> }
  const isDate = (name: string) => JSON.stringify(properties[name] ?? {}).includes('"date-time"')
  return Object.keys(periods).flatMap((name) => {
    const pointer = child('/periods', name)
    if (!isDate(`${name}_gte`) || !isDate(`${name}_lte`)) {
      const message = 'use the name of a date of the list, such as created_at'
      return [inBody(pointer, 'value_error.not_found', message)]
    }
    const twice = BOUNDS.map((bound) => `${name}_${bound}`).find((bound) => bound in query)
    if (twice === undefined) return []
    return [inBody(pointer, 'value_error.conflict', `leave out ${twice} in query, or this period`)]
  })
}

export function notYours(): ApiError {
  return errors.forbidden({
    location: 'path',
    pointer: '/saved_view_id',
    type: 'value_error.conflict',
    message: 'make a view of your own: only its owner can change this one',
  })
}

export function takenName(id: string | undefined): ApiError {
  return errors.duplicate(id, inBody('/name', 'value_error.duplicate', 'another view of yours has this name'))
}
