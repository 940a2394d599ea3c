import { isTimeZone } from '#domain/time-zone.ts'
import { type Context, inTransaction, type Scope, type Tx } from '#platform/database/db.ts'
import { type ErrorDetail, errors, inBody, orNotFound } from '#platform/http/errors.ts'
import { type Operation, operationsOf, scopeOf } from '#platform/http/operation.ts'
import type { About, Sound } from '#platform/http/validation.ts'
import { type Finished, inFinalTransaction, type Once } from '#platform/idempotency/once.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import { unknownCodes } from '#resources/transactions/wire/check-codes.ts'
import { complaintsIn } from '#resources/transactions/wire/variants.ts'
import { begin } from './executions/begin.ts'
import { toSummary } from './executions/show.ts'
import * as executions from './executions/store.ts'
import { isPlaceholder, momentIn, nextExecution, YEARS } from './schedule.ts'
import { Report, ReportCreate, ReportFilters, Reports, ReportUpdate } from './schemas.ts'
import {
  type DateRange,
  MODELS,
  type Model,
  PLACEHOLDERS,
  RANGE_FILTERS,
  SPECS,
  type TransactionsParams,
} from './spec.ts'
import type { StoredReport } from './store.ts'
import * as reports from './store.ts'

const ONCE_HAS_NO_SCHEDULE = 'must be false with the schedule once: such a report runs now, and never again'

/** Enough for every question of a large shop. A schedule that no one needs any more can be disabled. */
export const SCHEDULED_MAX = 200
/** Files of one account that wait or are being written. */
export const OPEN_MAX = 100
const RETRY_SECONDS = 60

const operation = operationsOf({ tag: 'Reports', concerns: 'merchant-account', scopes: 'reports' })

export const reportRoutes: readonly Operation[] = [
  operation({
    id: 'list_reports',
    route: 'GET /reports',
    summary: 'List reports',
    description: 'Newest first. Lists the reports that match all filters.',
    isList: true,
    query: ReportFilters,
    responses: { 200: Reports },
    handler: async ({ context, reach, query }) => {
      const page = await reports.list(context, reach, query)
      return { ...page, items: await showReports(context, page.items) }
    },
  }),

  operation({
    id: 'add_report',
    route: 'POST /reports',
    summary: 'Create report',
    description:
      'With the schedule `once`, a file is written at once. Otherwise the first one is written when the next day, week or ' +
      'month begins in the time zone of the report.',
    body: ReportCreate,
    check: ({ body }, about) => reportComplaints(body, about),
    responses: { 201: Report },
    handler: (call) => createReport(scopeOf(call), call.once, call.body),
  }),

  operation({
    id: 'get_report',
    route: 'GET /reports/:report_id',
    summary: 'Get report',
    responses: { 200: Report },
    handler: async (call) => {
      const report = orNotFound(await reports.find(scopeOf(call), call.params.report_id))
      return showReport(call.context, report)
    },
  }),

  operation({
    id: 'update_report',
    route: 'PUT /reports/:report_id',
    summary: 'Update report',
    description:
      'Changes the name, the description, or whether the schedule is enabled. What is left out stays; a description that is ' +
      'null is removed. A schedule that is enabled again goes on with its next time.',
    body: ReportUpdate,
    responses: { 200: Report },
    handler: (call) => updateReport(scopeOf(call), call.params.report_id, call.body),
  }),
]

/** A report that runs once begins to run now. All others wait for their time. */
export function createReport(scope: Scope, once: Once, request: ReportCreate): Promise<Finished<Report>> {
  return inFinalTransaction(scope, once, async (tx) => {
    if (request.schedule === 'once') await refuseTooManyOpen(tx)
    if (request.schedule_enabled) await refuseTooManyScheduled(tx)
    const report = await insert(tx, request)
    if (report.schedule === 'once')
      await begin(tx, report, { reference: report.created_at, dueAt: report.created_at })
    await auditLogs.record(tx, 'created', { type: 'report', id: report.id, name: report.name })
    return showReport(tx, report)
  })
}

function insert(tx: Scope<Tx>, request: ReportCreate): Promise<reports.StoredReport> {
  const { name, description = null, schedule, schedule_enabled, schedule_timezone, spec } = request
  return reports.insert(tx, {
    name,
    description,
    schedule,
    schedule_enabled,
    schedule_timezone,
    model: spec.model,
    params: spec.params,
    next_execution_at: nextExecution({ schedule, schedule_timezone }, tx.clock()),
  })
}

/** What is left out stays. A schedule that is enabled again makes up for no run that it missed meanwhile. */
function updateReport(scope: Scope, id: string, request: ReportUpdate): Promise<Report> {
  return inTransaction(scope, async (tx) => {
    const before = orNotFound(await reports.lock(tx, id))
    const schedule_enabled = request.schedule_enabled ?? before.schedule_enabled
    if (schedule_enabled && before.schedule === 'once') {
      throw errors.invalid(inBody('/schedule_enabled', 'value_error.conflict', ONCE_HAS_NO_SCHEDULE))
    }
    if (schedule_enabled && !before.schedule_enabled) await refuseTooManyScheduled(tx)
    const now = tx.clock()
    const isMissed = before.next_execution_at !== null && before.next_execution_at <= now
    const after = await reports.update(tx, before, {
      name: request.name ?? before.name,
      description: request.description === undefined ? before.description : request.description,
      schedule_enabled,
      ...(schedule_enabled &&
        !before.schedule_enabled &&
        isMissed && { next_execution_at: nextExecution(before, now) }),
    })
    await auditLogs.record(tx, 'updated', { type: 'report', id, name: after.name })
    return showReport(tx, after)
  })
}

async function showReport(context: Context, report: StoredReport): Promise<Report> {
  const [shown] = await showReports(context, [report])
  if (!shown) throw new Error('a report is shown as none')
  return shown
}

async function showReports(context: Context, reports: readonly StoredReport[]): Promise<Report[]> {
  const latest = await executions.latestOf(
    context,
    reports.map(({ id }) => id),
  )
  return reports.map((report) => toReport(report, latest.get(report.id)))
}

function toReport(report: StoredReport, latest: executions.StoredExecution | undefined): Report {
  const { model, params, created_at, updated_at, next_execution_at, ...rest } = report
  return {
    type: 'report',
    ...rest,
    created_at: created_at.toISOString(),
    updated_at: updated_at.toISOString(),
    next_execution_at: next_execution_at?.toISOString() ?? null,
    spec: { model, params },
    latest_execution: latest ? toSummary(latest) : null,
  }
}

/** Refuses one more report that runs by its schedule, if the account has too many. */
async function refuseTooManyScheduled(tx: Scope<Tx>): Promise<void> {
  if ((await reports.countScheduled(tx)) < SCHEDULED_MAX) return
  const message = `must be false: this merchant account already has ${SCHEDULED_MAX} reports whose schedule is enabled, the most allowed; disable one first`
  throw errors.invalid(inBody('/schedule_enabled', 'value_error.conflict', message))
}

/** Refuses one more file, if too many of the account wait. */
async function refuseTooManyOpen(tx: Scope<Tx>): Promise<void> {
  if ((await executions.countOpen(tx)) < OPEN_MAX) return
  throw errors.tooManyRequests(RETRY_SECONDS, 'reports of this merchant account that wait for their file')
}

/** Everything that is wrong with a report, judged by the request alone. */
function reportComplaints(request: Sound<ReportCreate>, { isRight }: About): ErrorDetail[] {
  const { schedule, schedule_enabled, schedule_timezone, spec } = request
  const details: ErrorDetail[] = []
  if (schedule === 'once' && schedule_enabled) {
    details.push(inBody('/schedule_enabled', 'value_error.conflict', ONCE_HAS_NO_SCHEDULE))
  }
  if (schedule_timezone !== undefined && !isTimeZone(schedule_timezone)) {
    const message = 'must be a time zone of the IANA database, such as Europe/Berlin or Etc/UTC'
    details.push(inBody('/schedule_timezone', 'type_error.enum', message))
  }
  return isRight('/spec') && spec ? [...details, ...specComplaints(spec)] : details
}

function specComplaints(spec: object): ErrorDetail[] {
  const model = 'model' in spec ? spec.model : undefined
  if (model === undefined)
    return [inBody('/spec/model', 'value_error.missing', `name one of ${MODELS.join(', ')}`)]
  if (!isModel(model))
    return [inBody('/spec/model', 'type_error.enum', `must be one of ${MODELS.join(', ')}`)]
  const formal = complaintsIn('/spec', SPECS[model], spec)
  if (formal.length > 0) return formal
  const { params } = spec as { readonly params: TransactionsParams }
  return [
    ...rangeComplaints(params.filters ?? {}),
    ...(model === 'transactions' ? paymentComplaints(params) : []),
  ]
}

function isModel(value: unknown): value is Model {
  return MODELS.some((model) => model === value)
}

function rangeComplaints(filters: Readonly<Record<string, unknown>>): ErrorDetail[] {
  return RANGE_FILTERS.flatMap((name) => {
    const range = filters[name] as DateRange | undefined
    return range ? complaintsAboutRange(`/spec/params/filters/${name}`, range) : []
  })
}

function complaintsAboutRange(pointer: string, { start = null, end = null }: DateRange): ErrorDetail[] {
  if (start === null && end === null) {
    return [inBody(pointer, 'value_error.missing', 'name a start, an end, or both')]
  }
  const wrong = Object.entries({ start, end }).filter(([, text]) => text !== null && !isMoment(text))
  if (wrong.length > 0) {
    const message = `must be a date and time that exists, from ${YEARS.first} to ${YEARS.last}, such as 2026-11-15T09:30:00Z, or one of ${PLACEHOLDERS.join(', ')}`
    return wrong.map(([name]) => inBody(`${pointer}/${name}`, 'type_error.datetime', message))
  }
  if (start === null || end === null || !isAlwaysEmpty(start, end)) return []
  return [inBody(`${pointer}/end`, 'value_error.conflict', 'must not be before the start')]
}

function isMoment(text: string): boolean {
  return isPlaceholder(text) || !Number.isNaN(momentIn(text).getTime())
}

/** All placeholders of one execution are about the same moment, so none ends before another begins. */
function isAlwaysEmpty(start: string, end: string): boolean {
  if (isPlaceholder(start) !== isPlaceholder(end)) return false
  if (isPlaceholder(start)) return start.endsWith('_end') && end.endsWith('_start')
  return momentIn(start) > momentIn(end)
}

function paymentComplaints({ fields = [], filters = {}, sort = [] }: TransactionsParams): ErrorDetail[] {
  const twice = (names: readonly string[], pointerOf: (index: number) => string) =>
    names.flatMap((name, index) =>
      names.indexOf(name) === index
        ? []
        : [inBody(pointerOf(index), 'value_error.duplicate', 'is in the list already')],
    )
  return [
    ...twice(fields, (index) => `/spec/params/fields/${index}`),
    ...twice(
      sort.map(({ field }) => field),
      (index) => `/spec/params/sort/${index}/field`,
    ),
    ...(filters.currency ?? []).flatMap((currency, index) =>
      unknownCodes({ currency }, 'body', '').map((detail) => ({
        ...detail,
        pointer: `/spec/params/filters/currency/${index}`,
      })),
    ),
  ]
}
