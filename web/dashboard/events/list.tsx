import { EVENT_NAMES } from '../../../server/src/domain/event-names.ts'
import { List, type RowOf } from '../parts/list/list.tsx'
import type { Column } from '../parts/list/table.tsx'
import { Page } from '../parts/page.tsx'
import { Status } from '../parts/status.tsx'
import { When } from '../parts/when.tsx'
import { targetText, toneOf } from './words.ts'

type Row = RowOf<'GET /events'>

/** What happened, as webhooks tell it. */
export function EventList() {
  return (
    <Page title="Events">
      <List
        name="events"
        route="GET /events"
        filters={[
          {
            id: 'name',
            label: 'Event',
            kind: 'choice',
            isSingle: true,
            isUsual: true,
            options: EVENT_NAMES.map((value) => ({ value, label: value })),
          },
          {
            id: 'target_id',
            label: 'About',
            kind: 'text',
            hint: 'The id of a payment, a buyer…',
            isUsual: true,
          },
          { id: 'created_at', label: 'Created', kind: 'period', isUsual: true },
        ]}
        columns={COLUMNS}
        to={({ id }) => `/developers/events/${id}`}
        empty={{
          title: 'No events yet',
          text: (
            <>
              A payment, a buyer or a refund makes the first one. The guide{' '}
              <a href="/docs/guide/events">Events</a> lists all of them.
            </>
          ),
        }}
      />
    </Page>
  )
}

const COLUMNS: readonly Column<Row>[] = [
  {
    id: 'name',
    title: 'Event',
    cell: ({ name }) => <EventName name={name} />,
    text: ({ name }) => name,
  },
  { id: 'type', title: 'About', cell: targetText, text: ({ target }) => target.type, from: 'tablet' },
  {
    id: 'target_id',
    title: 'Object id',
    cell: ({ target }) => <span className="mono clip">{target.id}</span>,
    text: ({ target }) => target.id,
    from: 'tablet',
  },
  {
    id: 'sequence',
    title: 'Sequence',
    isNumber: true,
    isExtra: true,
    cell: ({ sequence }) => sequence,
    text: ({ sequence }) => sequence,
  },
  {
    id: 'created_at',
    title: 'Created',
    isNumber: true,
    cell: ({ created_at }) => <When at={created_at} />,
    text: ({ created_at }) => created_at,
  },
]

export function EventName({ name }: { readonly name: string }) {
  return <Status tone={toneOf(name)}>{name}</Status>
}
