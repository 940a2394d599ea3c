import { useState } from 'react'
import { useMay } from '../api/me.ts'
import { Button } from '../parts/controls.tsx'
import { countryName } from '../parts/countries.ts'
import type { Filter } from '../parts/list/filters.ts'
import { List, type RowOf } from '../parts/list/list.tsx'
import type { Column } from '../parts/list/table.tsx'
import { Page } from '../parts/page.tsx'
import { NewBuyer } from './acts.tsx'
import { nameOf } from './words.ts'

type Row = RowOf<'GET /buyers'>

export function BuyerList() {
  const may = useMay()
  const [isAdding, setAdding] = useState(false)
  const add = may('buyers.write') && (
    <Button tone="main" icon="plus" onClick={() => setAdding(true)}>
      New buyer
    </Button>
  )
  return (
    <Page title="Buyers" actions={add}>
      <List
        name="buyers"
        route="GET /buyers"
        filters={FILTERS}
        columns={COLUMNS}
        to={({ id }) => `/buyers/${id}`}
        empty={{
          title: 'No buyers yet',
          text: 'Create one here, or store a card with buyer details: the buyer then has a page with cards, addresses and payments.',
          action: add,
        }}
      />
      {isAdding && <NewBuyer onClose={() => setAdding(false)} />}
    </Page>
  )
}

const FILTERS: readonly Filter[] = [
  { id: 'search', label: 'Search', kind: 'search', hint: 'Name, e-mail, reference' },
  { id: 'external_identifier', label: 'Your reference', kind: 'text', isUsual: true, hint: 'customer-1234' },
]

const COLUMNS: readonly Column<Row>[] = [
  { id: 'name', title: 'Name', look: 'clip', text: nameOf },
  {
    id: 'email_address',
    title: 'E-mail address',
    from: 'tablet',
    look: 'clip',
    text: ({ billing_details }) => billing_details?.email_address,
  },
  {
    id: 'reference',
    title: 'Your reference',
    from: 'tablet',
    look: 'clip mono',
    text: ({ external_identifier }) => external_identifier,
  },
  {
    id: 'country',
    title: 'Country',
    from: 'desktop',
    cell: ({ billing_details }) => countryOf(billing_details?.address?.country),
    text: ({ billing_details }) => billing_details?.address?.country,
  },
  { id: 'id', title: 'Id', isExtra: true, look: 'mono', text: ({ id }) => id },
  { id: 'created_at', title: 'Created', isTime: true, text: ({ created_at }) => created_at },
]

function countryOf(code: string | null | undefined): string | null {
  return code ? countryName(code) : null
}
