import { type RowOf, ShortList } from '../parts/list/list.tsx'
import type { Column } from '../parts/list/table.tsx'
import { When } from '../parts/values.tsx'
import { StatusCode } from './words.tsx'

export type Entry = RowOf<'GET /api-logs'>

/** What a key or a user asked last. */
export function Requests({ callerId }: { readonly callerId: string }) {
  return (
    <ShortList
      title="Recent requests"
      route="GET /api-logs"
      request={{ query: { caller_id: callerId, limit: 10 } }}
      columns={[REQUEST, STATUS, CREATED]}
      to={({ id }) => `/developers/requests/${id}`}
      empty="No recent requests in this merchant account."
      all={{ to: '/developers/requests', search: { caller_id: callerId } }}
    />
  )
}

export const REQUEST: Column<Entry> = {
  id: 'path',
  title: 'Request',
  cell: ({ method, path }) => (
    <span className="mono clip request-line" title={path}>
      {method} {shortPath(path)}
    </span>
  ),
  text: ({ method, path }) => `${method} ${path}`,
}

/** With ids cut, so that what was done with the thing stays in sight. */
function shortPath(path: string): string {
  return path.replaceAll(/([0-9a-f]{8})-[0-9a-f-]{27}/g, '$1…')
}

export const STATUS: Column<Entry> = {
  id: 'status',
  title: 'Status',
  cell: ({ status }) => <StatusCode of={status} />,
  text: ({ status }) => status,
}

export const CREATED: Column<Entry> = {
  id: 'created_at',
  title: 'Arrived',
  isNumber: true,
  cell: ({ created_at }) => <When at={created_at} />,
  text: ({ created_at }) => created_at,
}
