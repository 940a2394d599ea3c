import type { Schemas } from '../../api/schema.d.ts'
import type { Filter } from '../parts/list/filters.ts'
import { List } from '../parts/list/list.tsx'
import type { Column } from '../parts/list/table.tsx'
import { Page } from '../parts/page.tsx'
import { Status } from '../parts/values.tsx'
import { Ways } from './ways.tsx'
import { boundsText, lengthText, watchedBy } from './words.ts'

type Incident = Schemas['MonitoringIncident']

export function IncidentList() {
  return (
    <Page title="Incidents">
      <Ways />
      <List
        name="incidents"
        route="GET /monitoring/incidents"
        filters={FILTERS}
        columns={INCIDENT_COLUMNS}
        to={({ id }) => `/monitoring/incidents/${id}`}
        limit={10}
        empty={{
          title: 'No incidents',
          text: 'An incident appears here when a rate stays outside its monitor’s limits for long enough.',
        }}
      />
    </Page>
  )
}

const FILTERS: readonly Filter[] = [
  {
    id: 'timestamp_interval',
    label: 'Opened',
    kind: 'choice',
    isSingle: true,
    isUsual: true,
    options: [
      { value: 'PT1H/now', label: 'Last hour' },
      { value: 'PT24H/now', label: 'Last 24 hours' },
      { value: 'P7D/now', label: 'Last 7 days' },
      { value: 'P30D/now', label: 'Last 30 days' },
      { value: 'P365D/now', label: 'Last 12 months' },
    ],
  },
]

export const INCIDENT_COLUMNS: readonly Column<Incident>[] = [
  { id: 'name', title: 'Monitor', look: 'clip', text: ({ display_name }) => display_name },
  {
    id: 'state',
    title: 'Status',
    cell: ({ closed_at }) => <IncidentState closedAt={closed_at} />,
    text: ({ closed_at }) => (closed_at === null ? 'Open' : 'Closed'),
  },
  { id: 'alert', title: 'Rate', from: 'tablet', text: (row) => boundsText(watchedBy(row)) },
  {
    id: 'length',
    title: 'Duration',
    from: 'tablet',
    text: ({ created_at, closed_at }) =>
      closed_at === null ? null : lengthText(Date.parse(closed_at) - Date.parse(created_at)),
  },
  { id: 'notes', title: 'Notes', from: 'desktop', look: 'clip', text: ({ notes }) => notes },
  { id: 'created_at', title: 'Opened', isTime: true, text: ({ created_at }) => created_at },
]

export function IncidentState({ closedAt }: { readonly closedAt: string | null }) {
  return closedAt === null ? <Status tone="bad">Open</Status> : <Status tone="mute">Closed</Status>
}
