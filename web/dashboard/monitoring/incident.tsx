import { useState } from 'react'
import type { Schemas } from '../../api/schema.d.ts'
import { useAddress } from '../address.ts'
import { send, useRead } from '../api/client.ts'
import { useMay, useNow } from '../api/me.ts'
import { rateText } from '../insights/metrics.ts'
import { Ask } from '../parts/ask.tsx'
import { Button, LinkButton } from '../parts/controls.tsx'
import { Columns, Loaded, Page, Section } from '../parts/page.tsx'
import { Facts, Id, When } from '../parts/values.tsx'
import { useServices } from '../payment-service-reports/use-services.ts'
import { IncidentState } from './incidents.tsx'
import { Samples } from './samples.tsx'
import { boundsText, factsOf, INCIDENTS, lengthText, type Watched, watchedBy } from './words.ts'

type Incident = Schemas['MonitoringIncident']
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
    <Section title="The monitor at that time">
      <Facts
        facts={[
          ...factsOf(watchedBy(it), nameOf),
          ['Opened', <When key="opened" at={it.created_at} />],
          ['Closed', it.closed_at && <When at={it.closed_at} />],
          ['Id', <Id key="id" value={it.id} isShort />],
        ]}
      />
    </Section>
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
          fields={[{ name: 'notes', label: 'Notes', kind: 'long-text', whenEmpty: 'null' }]}
          initial={{ notes: it.notes }}
          send={(body) =>
            send('PUT /monitoring/incidents/{incident_id}', {
              path: { incident_id: it.id },
              body: body as Schemas['MonitoringIncidentUpdate'],
            })
          }
          outcome={() => ({ kind: 'done', title: 'The notes were saved' })}
          onClose={() => setWriting(false)}
        />
      )}
    </>
  )
}
