import { useRouterState } from '@tanstack/react-router'
import { type ReactNode, useEffect, useMemo, useState } from 'react'
import type { Route } from '../../../api/client.ts'
import { rememberSearch, type Search, useAddress, valuesOf } from '../../address.ts'
import { type AnswerOf, type Request, useRead, useReadSmoothly } from '../../api/client.ts'
import { serviceNow } from '../../api/service-time.ts'
import { Button, Icon, Link, Popover } from '../controls.tsx'
import { Empty, Problem, Section } from '../page.tsx'
import { cleared, FilterBar } from './filter-bar.tsx'
import { type Filter, queryFrom } from './filters.ts'
import { type Column, downloadCsv, Table } from './table.tsx'
import {
  addressOf,
  type QuickView,
  QuickViews,
  type SavedView,
  SavedViewTools,
  useSavedViews,
} from './views.tsx'

/** What one item of a list operation is. */
export type RowOf<Name extends Route> = AnswerOf<Name> extends { items: (infer Row)[] } ? Row : never

type Props<Name extends Route> = {
  /** Names the list where the browser remembers its columns, and in the name of the CSV file. */
  readonly name: string
  readonly route: Name
  /** Ids in the path of the operation, and parameters that are always sent. */
  readonly request?: { readonly path?: object; readonly query?: object }
  readonly filters?: readonly Filter[]
  /** Sets of filters that people want most, as tabs above the list. */
  readonly views?: readonly QuickView[]
  /** The name of the list for the API: users can then keep views of it. */
  readonly savedAs?: string
  readonly columns: readonly Column<RowOf<Name>>[]
  /** Where a row leads. Null: nowhere. */
  readonly to?: (row: RowOf<Name>) => string | null
  readonly empty: { readonly title: string; readonly text?: ReactNode; readonly action?: ReactNode }
  /** Rows on a page. */
  readonly limit?: number
}

const NO_FILTERS: readonly Filter[] = []

/**
 * A list as the address says: filters, and the place in it. Each of its states is shown: loading, empty, empty because of
 * the filters, too broad, and failed.
 */
export function List<Name extends Route>(props: Props<Name>) {
  const { name, route, request = {}, filters = NO_FILTERS, columns, to, limit = 50 } = props
  const { search, change } = useAddress()
  const path = useRouterState({ select: ({ location }) => location.pathname })
  useEffect(() => rememberSearch(path, search), [path, search])
  const shown = useColumns(name, columns)
  const saved = useSavedViews(props.savedAs)
  const views = [...(props.views ?? []), ...saved.map((view) => asQuickView(view, filters, shown.choose))]
  const [cursor] = valuesOf(search, 'cursor')
  const asked = filters.map(({ id }) => [id, search[id]])
  // A period that is relative is read again with the list, not with every render.
  const query = {
    ...request.query,
    ...queryFrom(filters, search, serviceNow()),
    limit,
    ...(cursor && { cursor }),
  }
  const result = useReadSmoothly(route, { ...request, query } as unknown as Request<Name>, [
    request,
    asked,
    cursor,
    limit,
  ])
  const answer = result.data as
    | { items: RowOf<Name>[]; next_cursor?: string | null; previous_cursor?: string | null }
    | undefined
  const isFiltered = filters.some(({ id }) => valuesOf(search, id).length > 0)
  const rows = useMemo(() => answer?.items ?? [], [answer])
  return (
    <>
      {views.length > 0 && <QuickViews views={views} filters={filters} />}
      <div className="list-bar">
        <FilterBar filters={filters} />
        <div className="list-tools">
          {props.savedAs && (
            <SavedViewTools
              resource={props.savedAs}
              views={saved}
              filters={filters}
              columns={shown.columns.map(({ id }) => id)}
            />
          )}
          <Button
            tone="quiet"
            icon="download"
            disabled={rows.length === 0}
            title="Download the rows on this page as CSV"
            onClick={() => downloadCsv(name, shown.columns, rows)}
          >
            CSV
          </Button>
          <ColumnChoice all={columns} {...shown} />
        </div>
      </div>
      <div className="card flush table-card" aria-busy={result.isFetching}>
        {result.isError ? (
          <Problem error={result.error} retry={() => void result.refetch()} />
        ) : answer && rows.length === 0 ? (
          <NoRows
            empty={props.empty}
            isFiltered={isFiltered || cursor !== undefined}
            onClear={() => change(cleared(filters))}
          />
        ) : (
          <Table
            columns={shown.columns}
            rows={rows}
            to={to}
            isLoading={!answer}
            isOld={result.isPlaceholderData}
            label={name}
          />
        )}
      </div>
      <Pages
        next={answer?.next_cursor}
        previous={answer?.previous_cursor}
        onGo={(to) => {
          change({ cursor: to })
          scrollTo({ top: 0 })
        }}
      />
    </>
  )
}

function asQuickView(
  view: SavedView,
  filters: readonly Filter[],
  choose: (columns: readonly string[]) => void,
): QuickView {
  return {
    id: view.id,
    label: view.name,
    search: addressOf(view, filters),
    note: view.is_own ? undefined : `Shared by ${view.owner.name}`,
    onOpen: () => choose(view.columns),
  }
}

type NoRowsProps = {
  readonly empty: Props<Route>['empty']
  readonly isFiltered: boolean
  readonly onClear: () => void
}

function NoRows({ empty, isFiltered, onClear }: NoRowsProps) {
  if (!isFiltered)
    return (
      <Empty title={empty.title} action={empty.action}>
        {empty.text}
      </Empty>
    )
  return (
    <Empty title="No results for these filters" action={<Button onClick={onClear}>Clear filters</Button>}>
      Remove a filter, or choose a longer period.
    </Empty>
  )
}

type PagesProps = {
  readonly next: string | null | undefined
  readonly previous: string | null | undefined
  readonly onGo: (cursor: string) => void
}

/** Lists have no page numbers: they are read from where one is. */
function Pages({ next, previous, onGo }: PagesProps) {
  if (!next && !previous) return null
  return (
    <nav className="pages" aria-label="Pages of the list">
      <Button icon="back" disabled={!previous} onClick={() => previous && onGo(previous)}>
        Newer
      </Button>
      <Button disabled={!next} onClick={() => next && onGo(next)}>
        Older
      </Button>
    </nav>
  )
}

type ShortListProps<Name extends Route> = {
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
export function ShortList<Name extends Route>(props: ShortListProps<Name>) {
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

type Shown<Row> = {
  readonly columns: readonly Column<Row>[]
  /** None: those that the page shows by itself. */
  readonly choose: (ids: readonly string[]) => void
}

/** The columns that a person has chosen. The browser remembers them. */
function useColumns<Row>(name: string, all: readonly Column<Row>[]): Shown<Row> {
  const key = `switchyard.columns.${name}`
  const [chosen, setChosen] = useState(() => remembered(key))
  const columns = all.filter(({ id, isExtra }) => (chosen ? chosen.includes(id) : !isExtra))
  return {
    // A column that was chosen may be gone since.
    columns: columns.length > 0 ? columns : all.filter(({ isExtra }) => !isExtra),
    choose: (ids) => {
      localStorage.setItem(key, JSON.stringify(ids))
      setChosen(ids.length > 0 ? ids : undefined)
    },
  }
}

function remembered(key: string): readonly string[] | undefined {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(key) ?? 'null')
    return Array.isArray(value) ? value.map(String) : undefined
  } catch {
    return undefined
  }
}

function ColumnChoice<Row>({ all, columns, choose }: Shown<Row> & { readonly all: readonly Column<Row>[] }) {
  const ids = columns.map(({ id }) => id)
  const button = (
    <>
      <Icon name="columns" />
      Columns
    </>
  )
  return (
    <Popover className="button quiet" button={button} side="end">
      {() => (
        <fieldset className="editor">
          <legend>Columns</legend>
          <div className="checks">
            {all.map(({ id, title }, index) => (
              <label key={id}>
                <input
                  type="checkbox"
                  // The first leads to the detail.
                  disabled={index === 0}
                  checked={ids.includes(id)}
                  onChange={({ target }) =>
                    choose(target.checked ? [...ids, id] : ids.filter((one) => one !== id))
                  }
                />
                {title}
              </label>
            ))}
          </div>
        </fieldset>
      )}
    </Popover>
  )
}
