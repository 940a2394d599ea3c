import { useMemo } from 'react'
import { List, type RowOf } from '../parts/list/list.tsx'
import type { Column } from '../parts/list/table.tsx'
import { Status } from '../parts/values.tsx'
import { outcomeText, STATUSES, statusOf } from './words.ts'

type Row = RowOf<'GET /webhook-subscriptions/{subscription_id}/deliveries'>

/** What was sent to the address of a subscription, or waits to be. */
export function Deliveries({ subscriptionId }: { readonly subscriptionId: string }) {
  const request = useMemo(() => ({ path: { subscription_id: subscriptionId } }), [subscriptionId])
  return (
    <List
      name="webhook-deliveries"
      route="GET /webhook-subscriptions/{subscription_id}/deliveries"
      request={request}
      filters={[{ id: 'event_id', label: 'Event', kind: 'text', isMany: true, hint: 'Its id' }, STATUS]}
      views={VIEWS}
      columns={COLUMNS}
      to={({ id }) => `/developers/webhooks/${subscriptionId}/deliveries/${id}`}
      empty={{
        title: 'Nothing was sent yet',
        text: 'The next event of this merchant account appears here. Send a test event to see one at once.',
      }}
    />
  )
}

const STATUS = {
  id: 'status',
  label: 'Status',
  kind: 'choice',
  isSingle: true,
  options: Object.entries(STATUSES).map(([value, [, label]]) => ({ value, label })),
} as const

const VIEWS = [
  { label: 'All', search: {} },
  ...STATUS.options.map(({ value, label }) => ({ label, search: { status: value } })),
]

const COLUMNS: readonly Column<Row>[] = [
  { id: 'event_name', title: 'Event', text: ({ event_name }) => event_name },
  {
    id: 'status',
    title: 'Status',
    cell: (row) => <DeliveryStatus of={row} />,
    text: (row) => statusOf(row)[1],
  },
  { id: 'outcome', title: 'Last answer', from: 'tablet', text: outcomeText },
  { id: 'attempts', title: 'Attempts', from: 'tablet', isNumber: true, text: ({ attempts }) => attempts },
  {
    id: 'next_attempt_at',
    title: 'Next try',
    isExtra: true,
    isTime: true,
    text: ({ next_attempt_at }) => next_attempt_at,
  },
  { id: 'created_at', title: 'Created', isTime: true, text: ({ created_at }) => created_at },
]

export function DeliveryStatus({ of }: { readonly of: Pick<Row, 'status' | 'outcome'> }) {
  const [tone, label] = statusOf(of)
  return <Status tone={tone}>{label}</Status>
}
