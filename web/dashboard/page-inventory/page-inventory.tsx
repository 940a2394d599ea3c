import { useQuery } from '@tanstack/react-query'
import { useRead } from '../api/client.ts'
import { useMay, useMe } from '../api/me.ts'
import { type Column, column, Table } from '../parts/list/table.tsx'
import { Columns, Loaded, Notice, Page, Section } from '../parts/page.tsx'
import { Id, When } from '../parts/values.tsx'
import './page-inventory.css'

export const pages = { '/': PageInventory }

type Script = {
  readonly file: string
  readonly integrity: string
  readonly reason: string
  readonly pages: readonly string[]
}
type Inventory = { readonly build: string; readonly scripts: readonly Script[] }

/** Every script on the pages where cards are typed, and what the weekly check of those pages found. */
function PageInventory() {
  const inventory = useQuery({ queryKey: ['inventory'], queryFn: readInventory })
  return (
    <Page
      title="Payment pages"
      under="Scripts and integrity checks of pages with card data, for PCI DSS 6.4.3 and 11.6.1."
    >
      <Columns
        main={
          <Section title="Scripts" isFlush>
            <Loaded of={inventory}>
              {({ scripts }) => (
                <Table
                  label="Scripts: rows"
                  columns={COLUMNS}
                  rows={scripts.map((one) => ({ ...one, id: one.file }))}
                />
              )}
            </Loaded>
          </Section>
        }
        side={
          <>
            <Checks />
            <Section title="Build">
              <Loaded of={inventory}>{({ build }) => <Id value={build} isShort />}</Loaded>
              <p className="hint">
                The list is public, at{' '}
                <a className="text-link" href="/pay/scripts.json">
                  /pay/scripts.json
                </a>
                , for assessors and shops.
              </p>
            </Section>
          </>
        }
      />
    </Page>
  )
}

async function readInventory(): Promise<Inventory> {
  const response = await fetch('/pay/scripts.json')
  if (!response.ok) throw new Error('the inventory could not be read')
  return response.json()
}

const COLUMNS: readonly Column<Script>[] = [
  column('file', 'File', { cell: ({ file }) => <code className="breaks">{file.split('/').at(-1)}</code> }),
  column('reason', 'Purpose', { look: 'wrap', text: 'reason' }),
  column('pages', 'Pages', {
    cell: ({ pages: on }) => (on.length > 0 ? on.join(', ') : 'Merchant pages'),
    from: 'desktop',
  }),
]

/** The service looks at its pages from outside once a week. What differs is an entry of the audit log. */
function Checks() {
  const may = useMay()
  const { is_unrestricted } = useMe()
  const canSee = is_unrestricted && may('audit-logs.read')
  const query = { resource_type: 'page-check', limit: 5 }
  const failed = useRead('GET /audit-logs', { query, isWanted: canSee })
  if (!canSee)
    return (
      <Section title="Weekly check">
        <p className="quiet-text">
          Results are shown to users with access to the audit log of all merchant accounts.
        </p>
      </Section>
    )
  return (
    <Section title="Weekly check">
      <div className="checks-said">
        <Loaded of={failed}>
          {({ items }) =>
            items.length === 0 ? (
              <Notice tone="good" title="No differences found">
                Once a week, the pages served to browsers are compared with the build.
              </Notice>
            ) : (
              <Notice tone="bad" title="Pages differed from the build">
                <ul>
                  {items.map(({ id, timestamp, resource }) => (
                    <li key={id}>
                      {resource.name}, <When at={timestamp} />
                    </li>
                  ))}
                </ul>
              </Notice>
            )
          }
        </Loaded>
        <p className="hint">
          To check now: <code>bin/switchyard pages verify</code>
        </p>
      </div>
    </Section>
  )
}
