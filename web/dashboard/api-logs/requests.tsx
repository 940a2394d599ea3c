import { type RowOf, ShortList } from '../parts/list/list.tsx'
import { type Column, column } from '../parts/list/table.tsx'
import { Status, type Tone, When } from '../parts/values.tsx'

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

export const REQUEST: Column<Entry> = column('path', 'Request', {
  cell: ({ method, path }) => (
    <span className="mono clip request-line" title={path}>
      {method} {shortPath(path)}
    </span>
  ),
  text: ({ method, path }) => `${method} ${path}`,
})

/** With ids cut, so that what was done with the thing stays in sight. */
function shortPath(path: string): string {
  return path.replaceAll(/([0-9a-f]{8})-[0-9a-f-]{27}/g, '$1…')
}

export const STATUS: Column<Entry> = column('status', 'Status', {
  cell: ({ status }) => <StatusCode of={status} />,
  text: 'status',
})

export const CREATED: Column<Entry> = column('created_at', 'Arrived', {
  isNumber: true,
  cell: ({ created_at }) => <When at={created_at} />,
  text: 'created_at',
})

export function StatusCode({ of: status }: { readonly of: number }) {
  return <Status tone={toneOf(status)}>{status}</Status>
}

/** A fault of the service is not an answer: what was asked for may have happened. */
function toneOf(status: number): Tone {
  if (status >= 500) return 'wait'
  return status >= 400 ? 'bad' : 'good'
}

const AREAS: Readonly<Record<string, string>> = {
  transactions: '/transactions',
  refunds: '/refunds',
  buyers: '/buyers',
  payouts: '/payouts',
  'payment-methods': '/payment-methods',
  'gift-cards': '/gift-cards',
  'payment-links': '/payment-links',
  'webhook-subscriptions': '/developers/webhooks',
  'api-key-pairs': '/developers/keys',
  events: '/developers/events',
}

/** The page of the thing that a request was about. */
export function pathOfThing({ path }: Entry): string | null {
  const [, area = '', id] = /^[/]([a-z-]+)[/]([0-9a-f-]{36})(?=[/]|$)/.exec(path) ?? []
  const page = AREAS[area]
  return page && id ? `${page}/${id}` : null
}

export function pathOfCaller({ caller }: Entry): string | null {
  if (!caller) return null
  return caller.type === 'user' ? `/settings/users/${caller.id}` : `/developers/keys/${caller.id}`
}
