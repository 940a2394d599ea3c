import { EVENT_NAMES } from '../../../server/src/domain/event-names.ts'
import { List, type RowOf } from '../parts/list/list.tsx'
import type { Column } from '../parts/list/table.tsx'
import { Page } from '../parts/page.tsx'
import { Status } from '../parts/values.tsx'
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
  { id: 'target_id', title: 'Object id', from: 'tablet', look: 'mono clip', text: ({ target }) => target.id },
  { id: 'sequence', title: 'Sequence', isExtra: true, isNumber: true, text: ({ sequence }) => sequence },
  { id: 'created_at', title: 'Created', isTime: true, text: ({ created_at }) => created_at },
]

export function EventName({ name }: { readonly name: string }) {
  return <Status tone={toneOf(name)}>{name}</Status>
}
