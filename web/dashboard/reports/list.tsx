import { useMay } from '../api/me.ts'
import { LinkButton } from '../parts/controls.tsx'
import type { Filter } from '../parts/list/filters.ts'
import { List, type RowOf } from '../parts/list/list.tsx'
import type { Column } from '../parts/list/table.tsx'
import type { QuickView } from '../parts/list/views.tsx'
import { Page } from '../parts/page.tsx'
import { Status, When } from '../parts/values.tsx'
import { EXECUTION_STATUSES, MODELS, SCHEDULES } from './words.ts'

type Row = RowOf<'GET /reports'>

export function ReportList() {
  const may = useMay()
  const add = may('reports.write') && (
    <LinkButton tone="main" icon="plus" to="/reports/new">
      New report
    </LinkButton>
  )
  return (
    <Page
      title="Reports"
      under="CSV files for accounting and analysis, once or on a schedule."
      actions={
        <>
          <LinkButton to="/reports/runs">All files</LinkButton>
          {add}
        </>
      }
    >
      <List
        name="reports"
        route="GET /reports"
        filters={FILTERS}
        views={VIEWS}
        columns={COLUMNS}
        to={({ id }) => `/reports/${id}`}
        empty={{
          title: 'No reports yet',
          text: 'A report is a CSV file of payments, settlements or receivables. Create one now, or schedule it.',
          action: add,
        }}
      />
    </Page>
  )
}

const FILTERS: readonly Filter[] = [
  { id: 'name', label: 'Name', kind: 'search', hint: 'Part of the name' },
  {
    id: 'schedule',
    label: 'Schedule',
    kind: 'choice',
    isUsual: true,
    options: Object.entries(SCHEDULES).map(([value, label]) => ({ value, label })),
  },
  { id: 'schedule_enabled', label: 'Running', kind: 'flag', isUsual: true },
]

const VIEWS: readonly QuickView[] = [
  { label: 'All', search: {} },
  { label: 'Scheduled', search: { schedule_enabled: 'true' } },
  { label: 'Once', search: { schedule: 'once' } },
]

const COLUMNS: readonly Column<Row>[] = [
  { id: 'name', title: 'Name', look: 'clip', text: ({ name }) => name },
  {
    id: 'latest',
    title: 'Latest file',
    cell: ({ latest_execution: latest }) =>
      latest ? (
        <Status tone={EXECUTION_STATUSES[latest.status].tone}>
          {EXECUTION_STATUSES[latest.status].label}
        </Status>
      ) : (
        <span className="quiet-text">None yet</span>
      ),
    text: ({ latest_execution: latest }) => latest && EXECUTION_STATUSES[latest.status].label,
  },
  { id: 'model', title: 'Type', from: 'tablet', text: ({ spec }) => MODELS[spec.model].label },
  { id: 'schedule', title: 'Schedule', from: 'tablet', text: scheduleText },
  {
    id: 'creator',
    title: 'Created by',
    from: 'desktop',
    look: 'clip',
    text: ({ creator_display_name }) => creator_display_name,
  },
  {
    id: 'next',
    title: 'Next file',
    from: 'desktop',
    isNumber: true,
    cell: ({ next_execution_at, schedule_enabled }) =>
      schedule_enabled && next_execution_at && <When at={next_execution_at} />,
    text: ({ next_execution_at, schedule_enabled }) => (schedule_enabled ? next_execution_at : null),
  },
]

function scheduleText({ schedule, schedule_enabled }: Row): string {
  const isPaused = schedule !== 'once' && !schedule_enabled
  return isPaused ? `${SCHEDULES[schedule]}, paused` : SCHEDULES[schedule]
}
