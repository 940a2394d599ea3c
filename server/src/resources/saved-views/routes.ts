import type { Caller } from '#platform/access/auth.ts'
import { violatedUnique } from '#platform/database/database-errors.ts'
import { inTransaction, type Scope } from '#platform/database/db.ts'
import { type ApiError, type ErrorDetail, errors, inBody, orNotFound } from '#platform/http/errors.ts'
import { child } from '#platform/http/explain.ts'
import { type Operation, operationsOf, scopeOf } from '#platform/http/operation.ts'
import type { TSchema } from '#platform/http/type.ts'
import { complaintsAbout, decodeText } from '#platform/http/validation.ts'
import { type Finished, inFinalTransaction, type Once } from '#platform/idempotency/once.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import { SavedView, SavedViewCreate, SavedViewFilters, SavedViews, SavedViewUpdate } from './schemas.ts'
import * as savedViews from './store.ts'

/** What a page is, is not a part of a view. */
const OF_PAGES = ['cursor', 'limit']

const BOUNDS = ['gt', 'gte', 'lt', 'lte']

const VIEWS_MAX = 100

/** Every user may have views, so they need no scope beyond what every user has. */
const READING = { scope: 'users.me.read', isForUsers: true, concerns: 'merchant-account' } as const
const CHANGING = { scope: 'users.me.write', isForUsers: true, concerns: 'merchant-account' } as const
const operation = operationsOf({ tag: 'Saved views' })

type Needs = { readonly findList: FindList }

export function savedViewRoutes(needs: Needs): Operation[] {
  return [...readingRoutes, ...changingRoutes(needs)]
}

const readingRoutes: readonly Operation[] = [
  operation({
    ...READING,
    id: 'list_saved_views',
    route: 'GET /saved-views',
    summary: 'List saved views',
    description:
      'Your own views in the merchant account, and those that other users share there, newest first. For users who are signed in.',
    query: SavedViewFilters,
    responses: { 200: SavedViews },
    handler: (call) => savedViews.list(scopeOf(call), call.caller.id, call.query),
  }),

  operation({
    ...READING,
    id: 'get_saved_view',
    route: 'GET /saved-views/:saved_view_id',
    summary: 'Get saved view',
    responses: { 200: SavedView },
    handler: async (call) =>
      orNotFound(await savedViews.find(scopeOf(call), call.caller.id, call.params.saved_view_id)),
  }),
]

function changingRoutes({ findList }: Needs): Operation[] {
  return [
    operation({
      ...CHANGING,
      id: 'create_saved_view',
      route: 'POST /saved-views',
      summary: 'Create saved view',
      description:
        'Keeps the filters and columns of a list under a name. The filters must be those of the list, which you must be allowed to read. ' +
        'You can have 100 views in a merchant account.',
      body: SavedViewCreate,
      errors: ['duplicate_record'],
      responses: { 201: SavedView },
      handler: (call) =>
        createSavedView(scopeOf(call), call.once, call.caller, { findList, request: call.body }),
    }),

    operation({
      ...CHANGING,
      id: 'update_saved_view',
      route: 'PUT /saved-views/:saved_view_id',
      summary: 'Update saved view',
      description:
        'Fields that are left out or null stay as they are. Only the owner of a view can change it.',
      body: SavedViewUpdate,
      errors: ['duplicate_record'],
      responses: { 200: SavedView },
      handler: (call) =>
        updateSavedView(scopeOf(call), call.caller, {
          id: call.params.saved_view_id,
          findList,
          request: call.body,
        }),
    }),

    operation({
      ...CHANGING,
      id: 'delete_saved_view',
      route: 'DELETE /saved-views/:saved_view_id',
      summary: 'Delete saved view',
      description: 'Only the owner of a view can delete it.',
      responses: { 204: null },
      handler: (call) => deleteSavedView(scopeOf(call), call.caller, call.params.saved_view_id),
    }),
  ]
}

async function createSavedView(
  scope: Scope,
  once: Once,
  caller: Caller,
  { findList, request }: { readonly findList: FindList; readonly request: SavedViewCreate },
): Promise<Finished<SavedView>> {
  const { resource, name, query, periods = {}, columns = [], is_shared = false } = request
  refuseUnfit(findList, caller, { resource, query, periods })
  if ((await savedViews.countOf(scope, caller.id)) >= VIEWS_MAX) {
    throw errors.refused(`delete a view first: you have ${VIEWS_MAX} in this merchant account`)
  }
  try {
    return await inFinalTransaction(scope, once, async (tx) => {
      const id = await savedViews.insert(tx, caller.id, {
        resource,
        name,
        query,
        periods,
        columns,
        is_shared,
      })
      await auditLogs.record(tx, 'created', { type: 'saved-view', id, name })
      const saved = await savedViews.find(tx, caller.id, id)
      if (!saved) throw new Error('a new saved view is missing in its own transaction')
      return saved
    })
  } catch (error) {
    if (violatedUnique(error) !== 'saved_views_name') throw error
    throw takenName(await savedViews.findNamed(scope, caller.id, request))
  }
}

type Change = { readonly id: string; readonly findList: FindList; readonly request: SavedViewUpdate }

/** Absent and null fields stay as they are. */
async function updateSavedView(
  scope: Scope,
  caller: Caller,
  { id, findList, request }: Change,
): Promise<SavedView> {
  const { name, query, periods, columns, is_shared } = request
  const changes = {
    ...(name && { name }),
    ...(query && { query }),
    ...(periods && { periods }),
    ...(columns && { columns }),
    ...(typeof is_shared === 'boolean' && { is_shared }),
  }
  try {
    return await inTransaction(scope, async (tx) => {
      const before = orNotFound(await savedViews.lock(tx, caller.id, id))
      if (!before.is_own) throw notYours()
      refuseUnfit(findList, caller, { ...before, ...changes })
      await savedViews.update(tx, id, changes)
      const after = orNotFound(await savedViews.find(tx, caller.id, id))
      await auditLogs.record(tx, 'updated', { type: 'saved-view', id, name: after.name })
      return after
    })
  } catch (error) {
    if (violatedUnique(error) !== 'saved_views_name') throw error
    throw takenName(undefined)
  }
}

function deleteSavedView(scope: Scope, caller: Caller, id: string): Promise<void> {
  return inTransaction(scope, async (tx) => {
    const view = orNotFound(await savedViews.lock(tx, caller.id, id))
    if (!view.is_own) throw notYours()
    await savedViews.remove(tx, id)
    await auditLogs.record(tx, 'deleted', { type: 'saved-view', id, name: view.name })
  })
}

/** The list operation of a resource, by the first part of its path. */
type FindList = (resource: string) => Operation | undefined

type View = Pick<SavedView, 'resource' | 'query' | 'periods'>

/** Refuses a view of a list that is not there, or that its filters do not fit. */
function refuseUnfit(findList: FindList, caller: Caller, view: View): void {
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

function notYours(): ApiError {
  return errors.forbidden({
    location: 'path',
    pointer: '/saved_view_id',
    type: 'value_error.conflict',
    message: 'make a view of your own: only its owner can change this one',
  })
}

function takenName(id: string | undefined): ApiError {
  return errors.duplicate(id, inBody('/name', 'value_error.duplicate', 'another view of yours has this name'))
}
