import type { Schemas } from '../../api/schema.d.ts'
import type { Filter } from '../parts/list/filters.ts'
import { List } from '../parts/list/list.tsx'
import type { Column } from '../parts/list/table.tsx'
import type { QuickView } from '../parts/list/views.tsx'
import { Page } from '../parts/page.tsx'
import { exactText } from '../parts/values.tsx'
import { FileActions } from './download.tsx'
import { EXECUTION_STATUSES, LIST } from './words.ts'

type Execution = Schemas['ReportExecution']

/** The files of all reports of the account. */
export function Runs() {
  return (
    <Page title="All files" back={LIST}>
      <List
        name="report-files"
        route="GET /report-executions"
        filters={FILTERS}
        views={VIEWS}
        columns={[NAME, ...RUN_COLUMNS]}
        to={({ report }) => `/reports/${report.id}`}
        empty={{ title: 'No files yet', text: 'Files appear here when a report runs.' }}
      />
    </Page>
  )
}

const FILTERS: readonly Filter[] = [
  { id: 'report_name', label: 'Name', kind: 'search', hint: 'Part of the report’s name' },
  {
    id: 'status',
    label: 'Status',
    kind: 'choice',
    isUsual: true,
    options: Object.entries(EXECUTION_STATUSES).map(([value, { label }]) => ({ value, label })),
  },
  { id: 'created_at', label: 'Started', kind: 'period', isUsual: true },
]

const VIEWS: readonly QuickView[] = [
  { label: 'All', search: {} },
  { label: 'Ready', search: { status: 'succeeded' } },
  { label: 'In progress', search: { status: ['pending', 'dispatched', 'processing'] } },
  { label: 'Failed', search: { status: 'failed' } },
]

const NAME: Column<Execution> = {
  id: 'name',
  title: 'Report',
  cell: ({ report }) => <span className="clip">{report.name}</span>,
  text: ({ report }) => report.name,
}

export const RUN_COLUMNS: readonly Column<Execution>[] = [
  { id: 'status', title: 'Status', status: ({ status }) => EXECUTION_STATUSES[status] },
  {
    id: 'about',
    title: 'As of',
    from: 'tablet',
    cell: ({ context }) => (
      <time dateTime={context.reference_timestamp} title={context.reference_timezone}>
        {exactText(context.reference_timestamp)}
      </time>
    ),
    text: ({ context }) => context.reference_timestamp,
  },
  { id: 'created_at', title: 'Started', from: 'tablet', isTime: true, text: ({ created_at }) => created_at },
  { id: 'file', title: 'File', isNumber: true, cell: (row) => <FileActions of={row} /> },
]
