import { useMay } from '../api/me.ts'
import { LinkButton } from '../parts/controls.tsx'
import { List, type RowOf } from '../parts/list/list.tsx'
import type { Column } from '../parts/list/table.tsx'
import { Page } from '../parts/page.tsx'
import { holdersText, isOwn } from './words.ts'

type Row = RowOf<'GET /roles'>

export function RoleList() {
  const may = useMay()
  return (
    <Page
      title="Roles"
      actions={
        may('roles.write') && (
          <LinkButton tone="main" icon="plus" to="/settings/roles/new">
            New role
          </LinkButton>
        )
      }
    >
      <List
        name="roles"
        route="GET /roles"
        columns={COLUMNS}
        to={({ id }) => `/settings/roles/${id}`}
        empty={{ title: 'No roles' }}
        limit={100}
      />
    </Page>
  )
}

const COLUMNS: readonly Column<Row>[] = [
  { id: 'name', title: 'Name', text: ({ name }) => name },
  {
    id: 'kind',
    title: 'Type',
    cell: (row) => (isOwn(row) ? 'Custom' : 'Built in'),
    text: (row) => (isOwn(row) ? 'own' : 'built-in'),
  },
  { id: 'description', title: 'For', from: 'tablet', look: 'wrap', text: ({ description }) => description },
  { id: 'assignable_to', title: 'Can be given to', from: 'desktop', text: holdersText },
]
