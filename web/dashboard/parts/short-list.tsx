import type { ReactNode } from 'react'
import type { Route } from '../../api/client.ts'
import type { Search } from '../address.ts'
import type { Request } from '../api/client.ts'
import { useRead } from '../api/read.ts'
import { Link } from './link.tsx'
import type { RowOf } from './list/list.tsx'
import { type Column, Table } from './list/table.tsx'
import { Problem } from './problem.tsx'
import { Section } from './section.tsx'

type Props<Name extends Route> = {
  readonly title: string
  readonly route: Name
  readonly request: Omit<Request<Name>, 'signal' | 'idempotencyKey'>
  /** As in `useRead`. */
  readonly isCostly?: boolean
  readonly columns: readonly Column<RowOf<Name>>[]
  readonly to?: (row: RowOf<Name>) => string | null
  /** One sentence: when something would be here. */
  readonly empty: ReactNode
  readonly actions?: ReactNode
  /** The list that has all of them, linked when there are more. */
  readonly all?: { readonly to: string; readonly search: Search }
}

/** The first rows of a list, as a section of a detail. It has neither filters nor pages. */
export function ShortList<Name extends Route>(props: Props<Name>) {
  const { title, route, request, isCostly = false, columns, to, empty, actions, all } = props
  const { data, error, refetch } = useRead(route, { ...(request as Request<Name>), isCostly })
  const answer = data as { items: RowOf<Name>[]; next_cursor?: string | null } | undefined
  const isEmpty = answer?.items.length === 0
  return (
    <Section
      title={title}
      isFlush
      actions={
        <>
          {all && answer?.next_cursor && (
            <Link to={all.to} search={all.search} className="text-link">
              Show all
            </Link>
          )}
          {actions}
        </>
      }
    >
      {error ? (
        <Problem error={error} retry={() => void refetch()} />
      ) : isEmpty ? (
        <p className="nothing">{empty}</p>
      ) : (
        <Table
          label={`${title}: rows`}
          columns={columns}
          rows={answer?.items ?? []}
          to={to}
          isLoading={!answer}
          skeletonRows={2}
        />
      )}
    </Section>
  )
}
