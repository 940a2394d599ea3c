import { useState } from 'react'
import type { Schemas } from '../../api/schema.d.ts'
import { valuesOf as inAddress, useAddress } from '../address.ts'
import { send, useRead } from '../api/client.ts'
import { useMay } from '../api/me.ts'
import { rateText } from '../insights/metrics.ts'
import { Ask } from '../parts/ask.tsx'
import { Button, Link, LinkButton } from '../parts/controls.tsx'
import { ShortList } from '../parts/list/list.tsx'
import { Columns, Loaded, Notice, Page, Section } from '../parts/page.tsx'
import { valueText } from '../parts/series.ts'
import { Facts, Id, Status, When } from '../parts/values.tsx'
import { useServices } from '../payment-service-reports/use-services.ts'
import { bodyOf, EDIT_FIELDS, valuesOf } from './fields.ts'
import { INCIDENT_COLUMNS } from './incidents.tsx'
import { Samples } from './samples.tsx'
import { useOpenIncident } from './use-open-incident.ts'
import { factsOf, healthOf, MONITORS, watchedBy } from './words.ts'

type Metric = Schemas['MonitoringMetric']
type Props = { readonly of: Metric }

const SHOWN = [
  { id: '1h', label: '1 h', interval: 'PT1H/now' },
  { id: '6h', label: '6 h', interval: 'PT6H/now' },
  { id: '24h', label: '24 h', interval: 'PT24H/now' },
  { id: '3d', label: '3 days', interval: 'P3D/now' },
] as const

export function MonitorDetail() {
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
                <Section title="Monitored">
                  <Facts
                    facts={[
                      ...factsOf(watchedBy(it), nameOf),
                      ['Created by', it.creator_display_name],
                      ['Created', <When key="made" at={it.created_at} />],
                      ['Id', <Id key="id" value={it.id} isShort />],
                    ]}
                  />
                </Section>
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
  const { go } = useAddress()
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
          outcome={() => ({ kind: 'done', title: 'The monitor was saved' })}
          onClose={close}
        />
      )}
      {dialog === 'delete' && (
        <Ask
          title={`Delete ${it.display_name}`}
          verb="Delete"
          isDangerous
          says="Its measurements are deleted too. Its incidents stay in the list, and an open one is closed."
          send={() => send('DELETE /monitoring/metrics/{metric_id}', { path })}
          outcome={() => ({ kind: 'done', title: `${it.display_name} was deleted` })}
          onDone={() => go(MONITORS.to)}
          deletedId={it.id}
          onClose={close}
        />
      )}
    </>
  )
}
