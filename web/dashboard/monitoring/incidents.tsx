import { useState } from 'react'
import type { Schemas } from '../../api/schema.d.ts'
import { useAddress } from '../address.ts'
import { send, useRead } from '../api/client.ts'
import { useMay, useNow } from '../api/me.ts'
import { formatOf, rateText } from '../insights/metrics.tsx'
import { Ask } from '../parts/ask.tsx'
import { Chart } from '../parts/chart.tsx'
import { Button, LinkButton, Ways } from '../parts/controls.tsx'
import { field } from '../parts/fields.tsx'
import { type Filter, filterBy } from '../parts/list/filters.ts'
import { List } from '../parts/list/list.tsx'
import { type Column, column } from '../parts/list/table.tsx'
import { Columns, FactCard, Loaded, Page, Section } from '../parts/page.tsx'
import type { Series } from '../parts/series.ts'
import { Id, Status, When } from '../parts/values.tsx'
import { useServices } from '../payment-service-reports/use-services.ts'
import { boundsText, factsOf, INCIDENTS, lengthText, MONITORS, type Watched, watchedBy } from './words.ts'

type Incident = Schemas['MonitoringIncident']

export function IncidentList() {
  return (
    <Page title="Incidents">
      <Ways label="Monitoring" ways={[MONITORS, INCIDENTS]} />
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
  filterBy('choice', 'timestamp_interval', 'Opened', {
    isSingle: true,
    isUsual: true,
    options: [
      { value: 'PT1H/now', label: 'Last hour' },
      { value: 'PT24H/now', label: 'Last 24 hours' },
      { value: 'P7D/now', label: 'Last 7 days' },
      { value: 'P30D/now', label: 'Last 30 days' },
      { value: 'P365D/now', label: 'Last 12 months' },
    ],
  }),
]

export const INCIDENT_COLUMNS: readonly Column<Incident>[] = [
  column('name', 'Monitor', { look: 'clip', text: 'display_name' }),
  column('state', 'Status', {
    cell: ({ closed_at }) => <IncidentState closedAt={closed_at} />,
    text: ({ closed_at }) => (closed_at === null ? 'Open' : 'Closed'),
  }),
  column('alert', 'Rate', { from: 'tablet', text: (row) => boundsText(watchedBy(row)) }),
  column('length', 'Duration', {
    from: 'tablet',
    text: ({ created_at, closed_at }) =>
      closed_at === null ? null : lengthText(Date.parse(closed_at) - Date.parse(created_at)),
  }),
  column('notes', 'Notes', { from: 'desktop', look: 'clip', text: 'notes' }),
  column('created_at', 'Opened', { isTime: true, text: 'created_at' }),
]

function IncidentState({ closedAt }: { readonly closedAt: string | null }) {
  return closedAt === null ? <Status tone="bad">Open</Status> : <Status tone="mute">Closed</Status>
}

type Props = { readonly of: Incident }

const MINUTE_MS = 60_000
/** What is shown before an incident and after it. */
const AROUND_MS = 30 * MINUTE_MS
/** The server shows a month of samples at most. */
const SHOWN_MAX_MS = 24 * 60 * MINUTE_MS

export function IncidentDetail() {
  const { params } = useAddress()
  const incident = useRead('GET /monitoring/incidents/{incident_id}', {
    path: { incident_id: params['id'] ?? '' },
  })
  return (
    <Loaded of={incident}>
      {(it) => (
        <Page
          title={it.display_name}
          back={INCIDENTS}
          under={
            <>
              <IncidentState closedAt={it.closed_at} />
              <span>
                Opened <When at={it.created_at} />
              </span>
              {it.closed_at && (
                <span>lasted {lengthText(Date.parse(it.closed_at) - Date.parse(it.created_at))}</span>
              )}
            </>
          }
          actions={<Acts of={it} />}
        >
          <Columns
            main={
              <>
                <Trigger of={it} />
                <Notes of={it} />
              </>
            }
            side={<About of={it} />}
          />
        </Page>
      )}
    </Loaded>
  )
}

/** The rates that opened it. Samples are kept for 30 days, and go with their monitor. */
function Trigger({ of: it }: Props) {
  const now = useNow()
  const watched = watchedBy(it)
  const opened = Date.parse(it.created_at)
  const end = Math.min(it.closed_at ? Date.parse(it.closed_at) + AROUND_MS : Infinity, opened + SHOWN_MAX_MS)
  const from = new Date(opened - AROUND_MS)
  const to = new Date(Math.min(end, (now?.getTime() ?? opened) + MINUTE_MS))
  const metric = useRead('GET /monitoring/metrics/{metric_id}', {
    path: { metric_id: it.metric_id ?? '' },
    query: { samples_timestamp_interval: `${from.toISOString()}/${to.toISOString()}` },
    isWanted: it.metric_id !== null && now !== undefined,
  })
  return (
    <Section title="Cause">
      <p className="says">{triggerText(watched, it, metric.data?.samples_view ?? [])}</p>
      {it.metric_id === null ? (
        <p className="quiet-text">The monitor and its measurements were deleted.</p>
      ) : (
        <Loaded of={metric}>
          {({ samples_view }) => <Samples samples={samples_view ?? []} watched={watched} />}
        </Loaded>
      )}
    </Section>
  )
}

function triggerText(
  watched: Watched,
  { created_at }: Incident,
  samples: readonly Schemas['MonitoringSample'][],
): string {
  const count = watched.incidents?.create_after_n ?? 1
  const minutes = count === 1 ? 'a minute' : `${count} minutes in a row`
  const opening = samples.findLast(({ timestamp, value }) => timestamp <= created_at && value !== null)
  const rate = typeof opening?.value === 'number' ? ` It was ${rateText(opening.value)}.` : ''
  return `The approval rate was ${boundsText(watched)} for ${minutes}.${rate}`
}

function Notes({ of: it }: Props) {
  return (
    <Section title="Notes">
      {it.notes ? (
        <p className="says">{it.notes}</p>
      ) : (
        <p className="quiet-text">No notes yet. Write down the cause, and who was informed.</p>
      )}
    </Section>
  )
}

function About({ of: it }: Props) {
  const { nameOf } = useServices()
  return (
    <FactCard
      title="The monitor at that time"
      facts={[
        ...factsOf(watchedBy(it), nameOf),
        ['Opened', <When key="opened" at={it.created_at} />],
        ['Closed', it.closed_at && <When at={it.closed_at} />],
        ['Id', <Id key="id" value={it.id} isShort />],
      ]}
    />
  )
}

function Acts({ of: it }: Props) {
  const may = useMay()
  const [isWriting, setWriting] = useState(false)
  return (
    <>
      {it.metric_id && <LinkButton to={`/monitoring/${it.metric_id}`}>Open monitor</LinkButton>}
      {may('monitoring.write') && <Button onClick={() => setWriting(true)}>Write notes</Button>}
      {isWriting && (
        <Ask
          title={`Notes on ${it.display_name}`}
          verb="Save"
          says="Visible to everyone with access to monitors."
          fields={[field('long-text', 'notes', 'Notes', { whenEmpty: 'null' })]}
          initial={{ notes: it.notes }}
          send={(body) =>
            send('PUT /monitoring/incidents/{incident_id}', {
              path: { incident_id: it.id },
              body: body as Schemas['MonitoringIncidentUpdate'],
            })
          }
          outcome="The notes were saved"
          onClose={() => setWriting(false)}
        />
      )}
    </>
  )
}

type SamplesProps = {
  readonly samples: readonly Schemas['MonitoringSample'][]
  readonly watched: Pick<Watched, 'below' | 'above'>
}

/** The rate at each minute, and the bounds beyond which it is an alert. */
export function Samples({ samples, watched: { below, above } }: SamplesProps) {
  if (samples.length === 0)
    return <p className="nothing">No measurements in this period. One is taken every full minute.</p>
  const bound = (label: string, value: number | null): Series[] =>
    value === null ? [] : [{ label, tone: 'bad', values: samples.map(() => value) }]
  return (
    <Chart
      caption="Approval rate by minute"
      {...formatOf('auth_rate', undefined)}
      step="minute"
      times={samples.map(({ timestamp }) => timestamp)}
      series={[
        { label: 'Approval rate', tone: 'accent', values: samples.map(({ value }) => value) },
        ...bound('Alert below', below),
        ...bound('Alert above', above),
      ]}
    />
  )
}

/** The id of a metric's open incident. It has at most one, the newest. */
export function useOpenIncident(metricId: string): string | undefined {
  const { data } = useRead('GET /monitoring/metrics/{metric_id}/incidents', {
    path: { metric_id: metricId },
    query: { limit: 1 },
  })
  return data?.items.find(({ closed_at }) => closed_at === null)?.id
}
