import type { Secrets } from '#platform/access/secrets.ts'
import { errors } from '#platform/http/errors.ts'
import { type Operation, operation, scopeOf } from '#platform/http/operation.ts'
import { Strict, Uuid } from '#platform/http/schemas.ts'
import { reportComplaints } from './check-spec.ts'
import { createReport } from './create.ts'
import { Report, ReportCreate, ReportFilters, Reports, ReportUpdate } from './schemas.ts'
import { showReport, showReports } from './show.ts'
import * as reports from './store.ts'
import { updateReport } from './update.ts'

const Path = Strict({ report_id: Uuid() })
const TAG = 'Reports'

export function reportRoutes({ secrets }: { readonly secrets: Secrets }): Operation[] {
  return [
    operation({
      id: 'list_reports',
      route: 'GET /reports',
      tag: TAG,
      summary: 'List reports',
      description: 'Newest first. Lists the reports that match all filters.',
      scope: 'reports.read',
      concerns: 'merchant-account',
      isList: true,
      query: ReportFilters,
      responses: { 200: Reports },
      handler: async ({ context, reach, query }) => {
        const page = await reports.list(context, secrets, reach, query)
        return { ...page, items: await showReports(context, page.items) }
      },
    }),

    operation({
      id: 'add_report',
      route: 'POST /reports',
      tag: TAG,
      summary: 'Create report',
      description:
        'With the schedule `once`, a file is written at once. Otherwise the first one is written when the next day, week or ' +
        'month begins in the time zone of the report.',
      scope: 'reports.write',
      concerns: 'merchant-account',
      body: ReportCreate,
      check: ({ body }, about) => reportComplaints(body, about),
      responses: { 201: Report },
      handler: (call) => createReport(scopeOf(call), call.once, call.body),
    }),

    operation({
      id: 'get_report',
      route: 'GET /reports/:report_id',
      tag: TAG,
      summary: 'Get report',
      scope: 'reports.read',
      concerns: 'merchant-account',
      params: Path,
      responses: { 200: Report },
      handler: async (call) => {
        const report = await reports.find(scopeOf(call), call.params.report_id)
        if (!report) throw errors.notFound()
        return showReport(call.context, report)
      },
    }),

    operation({
      id: 'update_report',
      route: 'PUT /reports/:report_id',
      tag: TAG,
      summary: 'Update report',
      description:
        'Changes the name, the description, or whether the schedule is enabled. What is left out stays; a description that is ' +
        'null is removed. A schedule that is enabled again goes on with its next time.',
      scope: 'reports.write',
      concerns: 'merchant-account',
      params: Path,
      body: ReportUpdate,
      responses: { 200: Report },
      handler: (call) => updateReport(scopeOf(call), call.params.report_id, call.body),
    }),
  ]
}
