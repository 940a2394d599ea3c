import { useRead } from '../api/client.ts'
import { useMay } from '../api/me.ts'
import { Link } from '../parts/controls.tsx'
import type { Option } from '../parts/fields.tsx'
import { type Filter, filterBy } from '../parts/list/filters.ts'
import { List } from '../parts/list/list.tsx'
import { type Column, column, Table } from '../parts/list/table.tsx'
import { Columns, FactCard, Notice, type Of, Page, pageOf, Section } from '../parts/page.tsx'
import { exactText, Id, When } from '../parts/values.tsx'
import { CREATED, type Entry, pathOfCaller, pathOfThing, REQUEST, STATUS, StatusCode } from './requests.tsx'
import './api-logs.css'

export const pages = { '/': RequestList, '/$id': pageOf('GET /api-logs/{api_log_id}', Detail) }

/** Who asked the API what, and how it was answered. */
function RequestList() {
  return (
    <Page title="Request log">
      <List
        name="requests"
        route="GET /api-logs"
        filters={filtersOf(useCallers())}
        views={VIEWS}
        columns={COLUMNS}
        to={({ id }) => `/developers/requests/${id}`}
        empty={{
          title: 'No requests yet',
          text: 'API requests appear here within a second. They are kept for seven days, unless your operator set another time.',
        }}
      />
    </Page>
  )
}

function useCallers(): readonly Option[] {
  const may = useMay()
  const query = { limit: 100 }
  const keys = useRead('GET /api-key-pairs', { query, isWanted: may('api-key-pairs.read') })
  const users = useRead('GET /users', { query, isWanted: may('users.read') })
  return [
    ...(keys.data?.items ?? []).map(({ id, display_name }) => ({ value: id, label: display_name })),
    ...(users.data?.items ?? []).map(({ id, name }) => ({ value: id, label: name })),
  ]
}

const VIEWS = [
  { label: 'All', search: {} },
  { label: 'Refused', search: { status_class: '4xx' } },
  { label: 'Server errors', search: { status_class: '5xx' } },
]

function filtersOf(callers: readonly Option[]): readonly Filter[] {
  return [
    filterBy('choice', 'status_class', 'Status', {
      isUsual: true,
      options: [
        { value: '2xx', label: 'Succeeded (2xx)' },
        { value: '4xx', label: 'Refused (4xx)' },
        { value: '5xx', label: 'Server errors (5xx)' },
      ],
    }),
    filterBy('choice', 'method', 'Method', {
      isSingle: true,
      isUsual: true,
      options: ['GET', 'POST', 'PUT', 'DELETE'].map((value) => ({ value, label: value })),
    }),
    filterBy('text', 'path_prefix', 'Path', { isUsual: true, hint: '/transactions' }),
    filterBy('choice', 'caller_id', 'Caller', { isSingle: true, isUsual: true, options: callers }),
    filterBy('period', 'created_at', 'Arrived', { isUsual: true }),
    filterBy('text', 'request_id', 'Request id'),
  ]
}

const COLUMNS: readonly Column<Entry>[] = [
  REQUEST,
  STATUS,
  column('error', 'Reason', {
    cell: ({ error }) => error && <span className="clip">{error.message}</span>,
    text: ({ error }) => error?.message,
    from: 'desktop',
  }),
  column('caller', 'Caller', { from: 'tablet', look: 'clip', text: ({ caller }) => caller?.name }),
  column('duration_ms', 'Duration', {
    isNumber: true,
    cell: ({ duration_ms }) => `${duration_ms} ms`,
    text: 'duration_ms',
    from: 'tablet',
  }),
  column('request_id', 'Request id', { isExtra: true, look: 'mono', text: 'request_id' }),
  CREATED,
]

function Detail({ of: it }: Of<Entry>) {
  const thing = pathOfThing(it)
  return (
    <Page
      title={`${it.method} ${it.path}`}
      heading={
        <span className="mono long-path">
          {it.method} {it.path}
        </span>
      }
      back={{ to: '/developers/requests', label: 'Request log' }}
      under={
        <>
          <StatusCode of={it.status} />
          <span className="number">{it.duration_ms} ms</span>
          <When at={it.created_at} />
        </>
      }
    >
      <Columns
        main={<Refusal of={it} />}
        side={
          <FactCard
            title="Details"
            facts={[
              ['Caller', <Caller key="caller" of={it} />],
              ['About', thing && <ThingLink key="thing" to={thing} />],
              ['Operation', <code key="operation">{it.operation_id}</code>],
              ['Idempotency key', it.has_idempotency_key ? 'Yes' : 'No'],
              ['Merchant account', it.merchant_account_id ?? 'All'],
              ['Arrived', exactText(it.created_at)],
              ['Request', <Id key="request" value={it.request_id} isShort />],
              ['Entry', <Id key="id" value={it.id} isShort />],
            ]}
          />
        }
      />
    </Page>
  )
}

function ThingLink({ to }: { readonly to: string }) {
  return (
    <Link to={to} className="text-link">
      Open
    </Link>
  )
}

function Caller({ of: it }: { readonly of: Entry }) {
  const path = pathOfCaller(it)
  if (!it.caller || !path) return 'Not known'
  return (
    <Link to={path} className="text-link">
      {it.caller.name}
    </Link>
  )
}

function Refusal({ of: { error, status } }: { readonly of: Entry }) {
  if (!error)
    return (
      <Section title="Answer">
        <p className="quiet-text">
          It was answered with {status}. Bodies are not kept: they may have what must not be in a log.
        </p>
      </Section>
    )
  return (
    <Section title="Why it was refused" isFlush={error.details.length > 0}>
      <div className="refusal">
        <Notice tone={status >= 500 ? 'wait' : 'bad'} title={error.message}>
          {error.code && (
            <>
              Code <code>{error.code}</code>
            </>
          )}
        </Notice>
      </div>
      {error.details.length > 0 && (
        <Table label="What was wrong: rows" columns={WRONG} rows={error.details} />
      )}
    </Section>
  )
}

const WRONG: readonly Column<NonNullable<Entry['error']>['details'][number]>[] = [
  column('pointer', 'Field', {
    cell: ({ location, pointer }) => (
      <code>
        {location} {pointer}
      </code>
    ),
  }),
  column('message', 'Problem', { text: 'message' }),
  column('type', 'Kind', { cell: ({ type }) => <code>{type}</code>, from: 'tablet' }),
]
