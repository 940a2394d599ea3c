import { useState } from 'react'
import type { Schemas } from '../../api/schema.d.ts'
import { useAddress } from '../address.ts'
import { send, useRead } from '../api/client.ts'
import { useMay } from '../api/me.ts'
import { Ask } from '../parts/ask.tsx'
import { Button, CopyButton, Dialog, LinkButton } from '../parts/controls.tsx'
import { field } from '../parts/fields.tsx'
import { type Filter, filterBy } from '../parts/list/filters.ts'
import { List, type RowOf } from '../parts/list/list.tsx'
import { type Column, column, Table } from '../parts/list/table.tsx'
import type { QuickView } from '../parts/list/views.tsx'
import { Columns, FactCard, Loaded, Page, Problem, Section } from '../parts/page.tsx'
import { exactText, type Fact, Facts, Id, Marked, optionsOf, Status, When } from '../parts/values.tsx'
import { plain, STATUSES } from '../transactions/words.ts'
import {
  columnName,
  EXECUTION_STATUSES,
  isUnderWay,
  LIST,
  MODELS,
  PLACEHOLDERS,
  SCHEDULES,
} from './fields.ts'
import { NewReport } from './new.tsx'
import './reports.css'

export const pages = { '/': ReportList, '/new': NewReport, '/runs': Runs, '/$id': ReportDetail }

type Row = RowOf<'GET /reports'>

function ReportList() {
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
  filterBy('search', 'name', 'Name', { hint: 'Part of the name' }),
  filterBy('choice', 'schedule', 'Schedule', {
    isUsual: true,
    options: Object.entries(SCHEDULES).map(([value, label]) => ({ value, label })),
  }),
  filterBy('flag', 'schedule_enabled', 'Running', { isUsual: true }),
]

const VIEWS: readonly QuickView[] = [
  { label: 'All', search: {} },
  { label: 'Scheduled', search: { schedule_enabled: 'true' } },
  { label: 'Once', search: { schedule: 'once' } },
]

const COLUMNS: readonly Column<Row>[] = [
  column('name', 'Name', { look: 'clip', text: 'name' }),
  column('latest', 'Latest file', {
    cell: ({ latest_execution: latest }) =>
      latest ? (
        <Marked of={EXECUTION_STATUSES[latest.status]} />
      ) : (
        <span className="quiet-text">None yet</span>
      ),
    text: ({ latest_execution: latest }) => latest && EXECUTION_STATUSES[latest.status].label,
  }),
  column('model', 'Type', { from: 'tablet', text: ({ spec }) => MODELS[spec.model].label }),
  column('schedule', 'Schedule', { from: 'tablet', text: scheduleText }),
  column('creator', 'Created by', { from: 'desktop', look: 'clip', text: 'creator_display_name' }),
  column('next', 'Next file', {
    from: 'desktop',
    isNumber: true,
    cell: ({ next_execution_at, schedule_enabled }) =>
      schedule_enabled && next_execution_at && <When at={next_execution_at} />,
    text: ({ next_execution_at, schedule_enabled }) => (schedule_enabled ? next_execution_at : null),
  }),
]

function scheduleText({ schedule, schedule_enabled }: Row): string {
  const isPaused = schedule !== 'once' && !schedule_enabled
  return isPaused ? `${SCHEDULES[schedule]}, paused` : SCHEDULES[schedule]
}

type Report = Schemas['Report']
type Props = { readonly of: Report }

/** While a file is being written, it is looked for this often. */
const LOOK_MS = 2_000

function ReportDetail() {
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
                <FactCard
                  title="Schedule"
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
  const executions = useRead('GET /reports/{report_id}/executions', {
    path: { report_id: id },
    query: { limit: 20 },
    everyMs: (found) => found?.items.some(isUnderWay) && LOOK_MS,
  })
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
        field('text', 'name', 'Name', { isRequired: true }),
        field('long-text', 'description', 'Description', { whenEmpty: 'null' }),
      ]}
      initial={{ name, description }}
      send={(body) => send('PUT /reports/{report_id}', { path: { report_id: id }, body })}
      outcome="The report was saved"
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
      outcome={(answer) => (answer.schedule_enabled ? `${name} runs ${runs}` : `${name} is paused`)}
      onClose={onClose}
    />
  )
}

type Range = { readonly start?: string | null; readonly end?: string | null }

/** What a report is narrowed to, and what it has, in words. Whatever it was made with is shown. */
function factsOf(params: Readonly<Record<string, unknown>>): readonly Fact[] {
  const { fields, filters, sort } = params as {
    readonly fields?: readonly string[]
    readonly filters?: Readonly<Record<string, unknown>>
    readonly sort?: readonly { readonly field: string; readonly order?: string }[]
  }
  return [
    ...Object.entries(filters ?? {}).map(([name, value]): Fact => [columnName(name), wordsFor(value)]),
    ['Columns', fields?.map(columnName).join(', ')],
    [
      'Sorted by',
      sort
        ?.map(({ field, order }) => `${columnName(field)}${order === 'desc' ? ', last first' : ''}`)
        .join('; '),
    ],
  ]
}

function wordsFor(value: unknown): string {
  if (Array.isArray(value)) return value.map(wordsFor).join(', ')
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  if (typeof value !== 'object' || value === null) return wordFor(String(value))
  if ('start' in value || 'end' in value) return rangeOf(value as Range)
  return Object.entries(value)
    .map(([name, one]) => `${name}: ${String(one)}`)
    .join(', ')
}

/** As the lists of the dashboard call it. */
function wordFor(code: string): string {
  return Object.hasOwn(STATUSES, code) ? STATUSES[code as keyof typeof STATUSES].label : plain(code)
}

function rangeOf({ start, end }: Range): string {
  const known = PLACEHOLDERS.find((one) => one.start === start && one.end === end)
  if (known) return known.label
  const [from, to] = [start, end].map((bound) => bound && momentText(bound))
  if (!from) return `until ${to}`
  return to ? `${from} to ${to}` : `from ${from}`
}

function momentText(text: string): string {
  return Number.isNaN(Date.parse(text)) ? plain(text) : exactText(text)
}

type Execution = Schemas['ReportExecution']

/** The files of all reports of the account. */
function Runs() {
  return (
    <Page title="All files" back={LIST}>
      <List
        name="report-files"
        route="GET /report-executions"
        filters={RUNS_FILTERS}
        views={RUNS_VIEWS}
        columns={[NAME, ...RUN_COLUMNS]}
        to={({ report }) => `/reports/${report.id}`}
        empty={{ title: 'No files yet', text: 'Files appear here when a report runs.' }}
      />
    </Page>
  )
}

const RUNS_FILTERS: readonly Filter[] = [
  filterBy('search', 'report_name', 'Name', { hint: 'Part of the report’s name' }),
  filterBy('choice', 'status', 'Status', { isUsual: true, options: optionsOf(EXECUTION_STATUSES) }),
  filterBy('period', 'created_at', 'Started', { isUsual: true }),
]

const RUNS_VIEWS: readonly QuickView[] = [
  { label: 'All', search: {} },
  { label: 'Ready', search: { status: 'succeeded' } },
  { label: 'In progress', search: { status: ['pending', 'dispatched', 'processing'] } },
  { label: 'Failed', search: { status: 'failed' } },
]

const NAME: Column<Execution> = column('name', 'Report', {
  cell: ({ report }) => <span className="clip">{report.name}</span>,
  text: ({ report }) => report.name,
})

const RUN_COLUMNS: readonly Column<Execution>[] = [
  column('status', 'Status', { status: ({ status }) => EXECUTION_STATUSES[status] }),
  column('about', 'As of', {
    from: 'tablet',
    cell: ({ context }) => (
      <time dateTime={context.reference_timestamp} title={context.reference_timezone}>
        {exactText(context.reference_timestamp)}
      </time>
    ),
    text: ({ context }) => context.reference_timestamp,
  }),
  column('created_at', 'Started', { from: 'tablet', isTime: true, text: 'created_at' }),
  column('file', 'File', { isNumber: true, cell: (row) => <FileActions of={row} /> }),
]

type DownloadProps = { readonly of: Execution }

const FIVE_MINUTES = 5

/** The file of an execution: for oneself, or as a link for someone else. Links are secrets: they are kept nowhere. */
function FileActions({ of: execution }: DownloadProps) {
  const [isSharing, setSharing] = useState(false)
  if (execution.status !== 'succeeded') return null
  return (
    <span className="row-actions">
      <Download of={execution} />
      <Button
        tone="quiet"
        icon="link"
        aria-label="Share a link to the file"
        onClick={() => setSharing(true)}
      />
      {isSharing && <ShareDialog of={execution} onClose={() => setSharing(false)} />}
    </span>
  )
}

function Download({ of: execution }: DownloadProps) {
  const [isAsking, setAsking] = useState(false)
  const [problem, setProblem] = useState<unknown>()
  const download = async () => {
    setAsking(true)
    try {
      const { url } = await urlOf(execution, FIVE_MINUTES)
      // The answer is a file to keep, so the browser stays on this page.
      location.assign(url)
    } catch (error) {
      setProblem(error)
    } finally {
      setAsking(false)
    }
  }
  return (
    <>
      <Button tone="quiet" icon="download" disabled={isAsking} onClick={() => void download()}>
        Download
      </Button>
      {problem !== undefined && (
        <Dialog title="The file is not available" onClose={() => setProblem(undefined)}>
          <Problem error={problem} />
        </Dialog>
      )}
    </>
  )
}

function ShareDialog({ of: execution, onClose }: DownloadProps & { readonly onClose: () => void }) {
  return (
    <Ask
      title={`Link to a file of ${execution.report.name}`}
      verb="Create link"
      says="Anyone with the link can download the file without signing in. The audit log records that you created it."
      fields={[
        field('choice', 'expires_in', 'Valid for', {
          isRequired: true,
          options: [
            { value: '5', label: '5 minutes' },
            { value: '60', label: '1 hour' },
            { value: '1440', label: '1 day' },
            { value: '10080', label: '1 week' },
          ],
        }),
      ]}
      initial={{ expires_in: '60' }}
      send={(body, idempotencyKey) => urlOf(execution, Number(body['expires_in']), idempotencyKey)}
      outcome={({ url, expires_at }) => ({
        kind: 'shown',
        title: 'The link is ready',
        text: (
          <div className="secret">
            <p>It works until {exactText(expires_at)}. It is not shown again.</p>
            <code className="secret-text">{url}</code>
            <CopyButton text={url} tone="main" label="Copy link" />
          </div>
        ),
      })}
      onClose={onClose}
    />
  )
}

function urlOf({ id, report }: Execution, expires_in: number, idempotencyKey?: string) {
  return send('POST /reports/{report_id}/executions/{report_execution_id}/url', {
    path: { report_id: report.id, report_execution_id: id },
    body: { expires_in },
    ...(idempotencyKey !== undefined && { idempotencyKey }),
  })
}
