import { useRead } from '../api/client.ts'
import { useMay } from '../api/me.ts'
import type { Option } from '../parts/fields.tsx'
import type { Filter } from '../parts/list/filters.ts'
import { List } from '../parts/list/list.tsx'
import type { Column } from '../parts/list/table.tsx'
import { Page } from '../parts/page.tsx'
import { CREATED, type Entry, REQUEST, STATUS } from './requests.tsx'

/** Who asked the API what, and how it was answered. */
export function RequestList() {
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
    {
      id: 'status_class',
      label: 'Status',
      kind: 'choice',
      isUsual: true,
      options: [
        { value: '2xx', label: 'Succeeded (2xx)' },
        { value: '4xx', label: 'Refused (4xx)' },
        { value: '5xx', label: 'Server errors (5xx)' },
      ],
    },
    {
      id: 'method',
      label: 'Method',
      kind: 'choice',
      isSingle: true,
      isUsual: true,
      options: ['GET', 'POST', 'PUT', 'DELETE'].map((value) => ({ value, label: value })),
    },
    { id: 'path_prefix', label: 'Path', kind: 'text', isUsual: true, hint: '/transactions' },
    { id: 'caller_id', label: 'Caller', kind: 'choice', isSingle: true, isUsual: true, options: callers },
    { id: 'created_at', label: 'Arrived', kind: 'period', isUsual: true },
    { id: 'request_id', label: 'Request id', kind: 'text' },
  ]
}

const COLUMNS: readonly Column<Entry>[] = [
  REQUEST,
  STATUS,
  {
    id: 'error',
    title: 'Reason',
    cell: ({ error }) => error && <span className="clip">{error.message}</span>,
    text: ({ error }) => error?.message,
    from: 'desktop',
  },
  { id: 'caller', title: 'Caller', from: 'tablet', look: 'clip', text: ({ caller }) => caller?.name },
  {
    id: 'duration_ms',
    title: 'Duration',
    isNumber: true,
    cell: ({ duration_ms }) => `${duration_ms} ms`,
    text: ({ duration_ms }) => duration_ms,
    from: 'tablet',
  },
  {
    id: 'request_id',
    title: 'Request id',
    isExtra: true,
    look: 'mono',
    text: ({ request_id }) => request_id,
  },
  CREATED,
]
