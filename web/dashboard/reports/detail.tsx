import { useState } from 'react'
import type { Schemas } from '../../api/schema.d.ts'
import { useAddress } from '../address.ts'
import { send, useRead } from '../api/client.ts'
import { useMay } from '../api/me.ts'
import { Ask } from '../parts/ask.tsx'
import { Button, LinkButton } from '../parts/controls.tsx'
import { Table } from '../parts/list/table.tsx'
import { Columns, Loaded, Page, Section } from '../parts/page.tsx'
import { Facts, Id, Status, When } from '../parts/values.tsx'
import { RUN_COLUMNS } from './runs.tsx'
import { factsOf } from './spec-facts.tsx'
import { isUnderWay, LIST, MODELS, SCHEDULES } from './words.ts'

type Report = Schemas['Report']
type Props = { readonly of: Report }

/** While a file is being written, it is looked for this often. */
const LOOK_MS = 2_000

export function ReportDetail() {
  const { params } = useAddress()
  const report = useRead('GET /reports/{report_id}', { path: { report_id: params['id'] ?? '' } })
  return (
    <Loaded of={report}>
      {(it) => (
        <Page
          title={it.name}
          back={LIST}
          under={
            <>
              <State of={it} />
              <span>{MODELS[it.spec.model].label}</span>
            </>
          }
          actions={<Acts of={it} />}
        >
          <Columns
            main={<Files of={it} />}
            side={
              <>
                <Section title="Schedule">
                  <Facts
                    facts={[
                      ['Runs', SCHEDULES[it.schedule]],
                      [
                        'Next',
                        it.schedule_enabled && it.next_execution_at && <When at={it.next_execution_at} />,
                      ],
                      ['Time zone', it.schedule_timezone],
                      ['Created by', it.creator_display_name],
                      ['Created', <When key="made" at={it.created_at} />],
                      ['Id', <Id key="id" value={it.id} isShort />],
                    ]}
                  />
                </Section>
                <Section title="Contents">
                  {it.description && <p className="says">{it.description}</p>}
                  <p className="says quiet-text">{MODELS[it.spec.model].says}</p>
                  <Facts facts={factsOf(it.spec.params)} />
                </Section>
              </>
            }
          />
        </Page>
      )}
    </Loaded>
  )
}

function State({ of: { schedule, schedule_enabled } }: Props) {
  if (schedule === 'once') return <Status tone="mute">Once</Status>
  return schedule_enabled ? <Status tone="good">Running</Status> : <Status tone="mute">Paused</Status>
}

function Files({ of: { id, name } }: Props) {
  const [everyMs, setEveryMs] = useState<number | false>(false)
  const executions = useRead('GET /reports/{report_id}/executions', {
    path: { report_id: id },
    query: { limit: 20 },
    everyMs,
  })
  const wanted = executions.data?.items.some(isUnderWay) ? LOOK_MS : false
  if (wanted !== everyMs) setEveryMs(wanted)
  return (
    <Section
      title="Files"
      isFlush
      actions={
        <LinkButton tone="quiet" to="/reports/runs" search={{ report_name: name }}>
          All files of this report
        </LinkButton>
      }
    >
      <Loaded of={executions}>
        {({ items }) =>
          items.length === 0 ? (
            <p className="nothing">No files yet. The first one follows the schedule.</p>
          ) : (
            <Table label="Files: rows" columns={RUN_COLUMNS} rows={items} />
          )
        }
      </Loaded>
    </Section>
  )
}

function Acts({ of: report }: Props) {
  const may = useMay()
  const [dialog, setDialog] = useState<'edit' | 'switch'>()
  if (!may('reports.write')) return null
  const close = () => setDialog(undefined)
  return (
    <>
      {report.schedule !== 'once' && (
        <Button onClick={() => setDialog('switch')}>{report.schedule_enabled ? 'Pause' : 'Resume'}</Button>
      )}
      <Button onClick={() => setDialog('edit')}>Edit</Button>
      {dialog === 'edit' && <EditDialog of={report} onClose={close} />}
      {dialog === 'switch' && <SwitchDialog of={report} onClose={close} />}
    </>
  )
}

type DialogProps = Props & { readonly onClose: () => void }

function EditDialog({ of: { id, name, description }, onClose }: DialogProps) {
  return (
    <Ask
      title={`Edit ${name}`}
      verb="Save"
      says="The contents stay the same: for other contents, create another report."
      fields={[
        { name: 'name', label: 'Name', kind: 'text', isRequired: true },
        { name: 'description', label: 'Description', kind: 'long-text', whenEmpty: 'null' },
      ]}
      initial={{ name, description }}
      send={(body) => send('PUT /reports/{report_id}', { path: { report_id: id }, body })}
      outcome={() => ({ kind: 'done', title: 'The report was saved' })}
      onClose={onClose}
    />
  )
}

function SwitchDialog({ of: { id, name, schedule, schedule_enabled }, onClose }: DialogProps) {
  const runs = SCHEDULES[schedule].toLowerCase()
  return (
    <Ask
      title={schedule_enabled ? `Pause ${name}` : `Resume ${name}`}
      verb={schedule_enabled ? 'Pause' : 'Resume'}
      says={
        schedule_enabled
          ? 'No new files until you resume it. Existing files stay.'
          : `A file is created ${runs} again, from the next run on. Missed files are not created.`
      }
      send={() =>
        send('PUT /reports/{report_id}', {
          path: { report_id: id },
          body: { schedule_enabled: !schedule_enabled },
        })
      }
      outcome={(answer) => ({
        kind: 'done',
        title: answer.schedule_enabled ? `${name} runs ${runs}` : `${name} is paused`,
      })}
      onClose={onClose}
    />
  )
}
