import { useMay } from '../api/me.ts'
import { rateText } from '../insights/metrics.ts'
import { LinkButton } from '../parts/controls.tsx'
import type { Filter } from '../parts/list/filters.ts'
import { List, type RowOf } from '../parts/list/list.tsx'
import type { Column } from '../parts/list/table.tsx'
import { Page } from '../parts/page.tsx'
import { valueText } from '../parts/series.ts'
import { Status } from '../parts/values.tsx'
import { useOpenIncident } from './use-open-incident.ts'
import { Ways } from './ways.tsx'
import { boundsText, healthOf, periodText, watchedBy } from './words.ts'

type Row = RowOf<'GET /monitoring/metrics'>

export function MonitorList() {
  const may = useMay()
  const add = may('monitoring.write') && (
    <LinkButton tone="main" icon="plus" to="/monitoring/new">
      New monitor
    </LinkButton>
  )
  return (
    <Page
      title="Monitors"
      under="Monitors watch the approval rate every minute, and open an incident when it leaves its limits."
      actions={add}
    >
      <Ways />
      <List
        name="monitors"
        route="GET /monitoring/metrics"
        request={{ query: { samples_timestamp_interval: 'PT1H/now' } }}
        filters={FILTERS}
        columns={COLUMNS}
        to={({ id }) => `/monitoring/${id}`}
        limit={10}
        empty={{
          title: 'No monitors yet',
          text: 'A monitor tells you when the approval rate drops: for all payments, or for one service, method or card scheme.',
          action: add,
        }}
      />
    </Page>
  )
}

const FILTERS: readonly Filter[] = [
  { id: 'search', label: 'Search', kind: 'search', hint: 'Part of the name' },
]

function lastValue({ samples_view }: Row): number | null | undefined {
  return samples_view?.findLast(({ value }) => value !== null)?.value
}

function Health({ of: { id, samples_view } }: { readonly of: Row }) {
  const incident = useOpenIncident(id)
  const { tone, label } = healthOf(samples_view, incident !== undefined)
  return <Status tone={tone}>{label}</Status>
}

const COLUMNS: readonly Column<Row>[] = [
  { id: 'name', title: 'Name', look: 'clip', text: ({ display_name }) => display_name },
  {
    id: 'state',
    title: 'Status',
    cell: (row) => <Health of={row} />,
    text: ({ samples_view }) => healthOf(samples_view, false).label,
  },
  {
    id: 'rate',
    title: 'Rate',
    isNumber: true,
    cell: (row) => valueText(lastValue(row), rateText),
    text: lastValue,
  },
  {
    id: 'period',
    title: 'Measured over',
    from: 'tablet',
    text: (row) => periodText(watchedBy(row).filters.datetime_range),
  },
  { id: 'alert', title: 'Alert', from: 'tablet', text: (row) => boundsText(watchedBy(row)) },
]
