import { useState } from 'react'
import type { Schemas } from '../../api/schema.d.ts'
import { valuesOf as inAddress, useAddress } from '../address.ts'
import { send, useRead } from '../api/client.ts'
import { useMay } from '../api/me.ts'
import { rateText } from '../insights/metrics.tsx'
import { Ask, Deletion, Form } from '../parts/ask.tsx'
import { Button, Link, LinkButton, Ways } from '../parts/controls.tsx'
import { type Filter, filterBy } from '../parts/list/filters.ts'
import { List, type RowOf, ShortList } from '../parts/list/list.tsx'
import { type Column, column } from '../parts/list/table.tsx'
import { Columns, FactCard, Loaded, Notice, Page, Section } from '../parts/page.tsx'
import { valueText } from '../parts/series.ts'
import { Id, Marked, Status, When } from '../parts/values.tsx'
import { useServices } from '../payment-service-reports/use-services.ts'
import { notify } from '../shell/notices.tsx'
import { INCIDENT_COLUMNS, IncidentDetail, IncidentList, Samples, useOpenIncident } from './incidents.tsx'
import {
  bodyOf,
  boundsText,
  EDIT_FIELDS,
  FIRST_VALUES,
  factsOf,
  healthOf,
  INCIDENTS,
  MONITORS,
  newFields,
  periodText,
  valuesOf,
  watchedBy,
} from './words.ts'
import './monitoring.css'

export const pages = {
  '/': MonitorList,
  '/new': NewMonitor,
  '/incidents': IncidentList,
  '/incidents/$id': IncidentDetail,
  '/$id': MonitorDetail,
}

type Row = RowOf<'GET /monitoring/metrics'>

function MonitorList() {
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
      <Ways label="Monitoring" ways={[MONITORS, INCIDENTS]} />
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

const FILTERS: readonly Filter[] = [filterBy('search', 'search', 'Search', { hint: 'Part of the name' })]

function lastValue({ samples_view }: Row): number | null | undefined {
  return samples_view?.findLast(({ value }) => value !== null)?.value
}

function Health({ of: { id, samples_view } }: { readonly of: Row }) {
  const incident = useOpenIncident(id)
  return <Marked of={healthOf(samples_view, incident !== undefined)} />
}

const COLUMNS: readonly Column<Row>[] = [
  column('name', 'Name', { look: 'clip', text: 'display_name' }),
  column('state', 'Status', {
    cell: (row) => <Health of={row} />,
    text: ({ samples_view }) => healthOf(samples_view, false).label,
  }),
  column('rate', 'Rate', {
    isNumber: true,
    cell: (row) => valueText(lastValue(row), rateText),
    text: lastValue,
  }),
  column('period', 'Measured over', {
    from: 'tablet',
    text: (row) => periodText(watchedBy(row).filters.datetime_range),
  }),
  column('alert', 'Alert', { from: 'tablet', text: (row) => boundsText(watchedBy(row)) }),
]

function NewMonitor() {
  const { go } = useAddress()
  const { options } = useServices()
  return (
    <Page title="New monitor" back={MONITORS}>
      <Columns
        main={
          <Section title="The monitor">
            <div className="long-form">
              <Form
                fields={newFields(options)}
                initial={FIRST_VALUES}
                verb="Create monitor"
                send={(body, idempotencyKey) =>
                  send('POST /monitoring/metrics', { body: bodyOf(body), idempotencyKey })
                }
                onDone={({ id, display_name }) => {
                  notify({ title: `${display_name} is active` })
                  go(`/monitoring/${id}`)
                }}
                onCancel={() => go(MONITORS.to)}
              />
            </div>
          </Section>
        }
        side={
          <Section title="How it works">
            <ol className="steps">
              <li>The approval rate is measured every minute.</li>
              <li>
                Enough alerts in a row open an incident: it appears on your home page, and is sent to
                webhooks.
              </li>
              <li>Minutes without payments do not count.</li>
              <li>A merchant account has at most ten monitors.</li>
            </ol>
          </Section>
        }
      />
    </Page>
  )
}

type Metric = Schemas['MonitoringMetric']
type Props = { readonly of: Metric }

const SHOWN = [
  { id: '1h', label: '1 h', interval: 'PT1H/now' },
  { id: '6h', label: '6 h', interval: 'PT6H/now' },
  { id: '24h', label: '24 h', interval: 'PT24H/now' },
  { id: '3d', label: '3 days', interval: 'P3D/now' },
] as const

function MonitorDetail() {
  const { params, search } = useAddress()
  const shown = SHOWN.find(({ id }) => id === inAddress(search, 'shown')[0]) ?? SHOWN[1]
  const metric = useRead('GET /monitoring/metrics/{metric_id}', {
    path: { metric_id: params['id'] ?? '' },
    query: { samples_timestamp_interval: shown.interval },
  })
  const incident = useOpenIncident(params['id'] ?? '')
  const { nameOf } = useServices()
  return (
    <Loaded of={metric}>
      {(it) => {
        const { tone, label } = healthOf(it.samples_view, incident !== undefined)
        const last = it.samples_view?.findLast(({ value }) => value !== null)
        return (
          <Page
            title={it.display_name}
            back={MONITORS}
            under={
              <>
                <Status tone={tone}>{label}</Status>
                {last && (
                  <span>
                    {valueText(last.value, rateText)}, <When at={last.timestamp} />
                  </span>
                )}
              </>
            }
            actions={<Acts of={it} />}
          >
            <Columns
              main={
                <>
                  {incident && <OpenIncident id={incident} />}
                  <Section title="Approval rate" actions={<Lengths shown={shown.id} />}>
                    <Samples samples={it.samples_view ?? []} watched={watchedBy(it)} />
                  </Section>
                  <IncidentsOf of={it} />
                </>
              }
              side={
                <FactCard
                  title="Monitored"
                  facts={[
                    ...factsOf(watchedBy(it), nameOf),
                    ['Created by', it.creator_display_name],
                    ['Created', <When key="made" at={it.created_at} />],
                    ['Id', <Id key="id" value={it.id} isShort />],
                  ]}
                />
              }
            />
          </Page>
        )
      }}
    </Loaded>
  )
}

function OpenIncident({ id }: { readonly id: string }) {
  return (
    <Notice tone="bad" title="An incident is open">
      <Link to={`/monitoring/incidents/${id}`} className="text-link">
        See the cause
      </Link>
    </Notice>
  )
}

function Lengths({ shown }: { readonly shown: string }) {
  const { search } = useAddress()
  return (
    <nav className="views lengths" aria-label="Time range">
      {SHOWN.map(({ id, label }) => (
        <Link
          key={id}
          to="."
          search={{ ...search, shown: id }}
          className={id === shown ? 'view shown' : 'view'}
        >
          {label}
        </Link>
      ))}
    </nav>
  )
}

function IncidentsOf({ of: { id } }: Props) {
  return (
    <ShortList
      title="Incidents"
      route="GET /monitoring/metrics/{metric_id}/incidents"
      request={{ path: { metric_id: id }, query: { limit: 10 } }}
      columns={INCIDENT_COLUMNS.filter((column) => column.id !== 'name' && column.id !== 'notes')}
      to={(row) => `/monitoring/incidents/${row.id}`}
      empty="None yet."
      actions={
        <LinkButton tone="quiet" to="/monitoring/incidents">
          All incidents
        </LinkButton>
      }
    />
  )
}

function Acts({ of: it }: Props) {
  const may = useMay()
  const [dialog, setDialog] = useState<'edit' | 'delete'>()
  if (!may('monitoring.write')) return null
  const close = () => setDialog(undefined)
  const path = { metric_id: it.id }
  return (
    <>
      <Button onClick={() => setDialog('edit')}>Edit</Button>
      <Button onClick={() => setDialog('delete')}>Delete</Button>
      {dialog === 'edit' && (
        <Ask
          title={`Edit ${it.display_name}`}
          verb="Save"
          isWide
          says="New limits restart the alert count. The monitored payments stay the same: for others, create another monitor."
          fields={EDIT_FIELDS}
          initial={valuesOf(it.display_name, watchedBy(it))}
          send={(body) => send('PUT /monitoring/metrics/{metric_id}', { path, body: bodyOf(body) })}
          outcome="The monitor was saved"
          onClose={close}
        />
      )}
      {dialog === 'delete' && (
        <Deletion
          id={it.id}
          name={it.display_name}
          says="Its measurements are deleted too. Its incidents stay in the list, and an open one is closed."
          send={() => send('DELETE /monitoring/metrics/{metric_id}', { path })}
          list={MONITORS.to}
          onClose={close}
        />
      )}
    </>
  )
}
