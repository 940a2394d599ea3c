import { useEffect, useRef, useState } from 'react'
import type { Schemas } from '../../../api/schema.d.ts'
import { type Search, useAddress, valuesOf } from '../../address.ts'
import { send, useReadAll } from '../../api/client.ts'
import { field } from '../../parts/fields.tsx'
import { Ask } from '../ask.tsx'
import { Button, Icon, Link, Menu, type MenuItem, Popover } from '../controls.tsx'
import type { Field } from '../fields.tsx'
import { decimalText } from '../values.tsx'
import { cleared } from './filter-bar.tsx'
import { describeFilter, type Filter, queryFrom } from './filters.ts'

/** A set of filters with a name. The one with none is the whole list. */
export type QuickView = {
  readonly label: string
  readonly search: Search
  /** Set if a user has saved it. */
  readonly id?: string
  /** Whose it is, if it is not the user's own. */
  readonly note?: string | undefined
  readonly onOpen?: () => void
}

export function QuickViews({
  views,
  filters,
}: {
  readonly views: readonly QuickView[]
  readonly filters: readonly Filter[]
}) {
  const { search } = useAddress()
  const place = useRef<HTMLElement>(null)
  const shown = views.find((view) => isShown(view.search, filters, search))?.label
  useEffect(() => {
    // On a phone, the views scroll: the one that is shown comes into sight.
    const link = shown === undefined ? null : place.current?.querySelector<HTMLElement>('.shown')
    if (link) place.current?.scrollTo({ left: link.offsetLeft - link.offsetWidth })
  }, [shown])
  return (
    <nav ref={place} className="views" aria-label="Views">
      {views.map(({ label, search: wanted, id, note, onOpen }) => (
        <Link
          key={id ?? label}
          to="."
          search={{ ...cleared(filters), ...wanted }}
          className={isShown(wanted, filters, search) ? 'view shown' : 'view'}
          title={note}
          {...(onOpen && { onClick: onOpen })}
        >
          {id !== undefined && <Icon name="view" />}
          {label}
        </Link>
      ))}
    </nav>
  )
}

/** Whether the address has these filters, and no others. */
function isShown(wanted: Search, filters: readonly Filter[], search: Search): boolean {
  return filters.every(({ id }) => {
    const values = valuesOf(wanted, id)
    const set = valuesOf(search, id)
    return values.length === set.length && values.every((value) => set.includes(value))
  })
}

export type SavedView = Schemas['SavedView']

/** The address names the view that was opened, so that it can be changed. */
const OPENED = 'view'

/** The user's own views of a list, and those that others share, oldest first. */
export function useSavedViews(resource: string | undefined): readonly SavedView[] {
  const { data = [] } = useReadAll('GET /saved-views', {
    query: { resource },
    isWanted: resource !== undefined,
  })
  return data.toReversed()
}

/** Where a view leads. */
export function addressOf(view: SavedView, filters: readonly Filter[]): Search {
  return { ...searchFrom(filters, view), [OPENED]: view.id }
}

type Props = {
  readonly resource: string
  readonly views: readonly SavedView[]
  readonly filters: readonly Filter[]
  /** The columns that are shown. */
  readonly columns: readonly string[]
}

/** Keeps what is shown under a name. Of a view that was opened: what can be done with it. */
export function SavedViewTools({ resource, views, filters, columns }: Props) {
  const { search, change } = useAddress()
  const [act, setAct] = useState<Act>()
  const opened = views.find(({ id }) => id === valuesOf(search, OPENED)[0])
  const isChanged =
    opened !== undefined &&
    !(isShown(searchFrom(filters, opened), filters, search) && hasColumns(opened, columns))
  const Dialog = act && ACTS[act]
  return (
    <>
      {opened ? (
        <Popover className="button quiet" side="end" label={`View: ${opened.name}`} button={<Label />}>
          {(close) => <Menu items={itemsFor(opened, isChanged, setAct)} close={close} />}
        </Popover>
      ) : (
        <Button
          tone="quiet"
          icon="view"
          title="Save these filters and columns as a view"
          onClick={() => setAct('new')}
        >
          Save view
        </Button>
      )}
      {Dialog && (
        <Dialog
          view={opened}
          shown={{ resource, ...viewFrom(filters, search), columns: [...columns] }}
          says={wordsFor(filters, search)}
          onOpen={(view) => change(view ? addressOf(view, filters) : { [OPENED]: undefined })}
          onClose={() => setAct(undefined)}
        />
      )}
    </>
  )
}

function Label() {
  return (
    <>
      <Icon name="view" />
      View
    </>
  )
}

function itemsFor(
  { is_own }: SavedView,
  isChanged: boolean,
  onChoose: (act: Act) => void,
): readonly MenuItem[] {
  const item = (act: Act, label: string): MenuItem => ({ label, onChoose: () => onChoose(act) })
  return [
    ...(is_own && isChanged ? [item('replace', 'Save the changes')] : []),
    ...(is_own ? [item('edit', 'Rename or share')] : []),
    item('new', 'Save as a new view'),
    ...(is_own ? [item('delete', 'Delete')] : []),
  ]
}

/** A view without columns has those that the page shows by itself. */
function hasColumns(view: SavedView, columns: readonly string[]): boolean {
  return view.columns.length === 0 || columns.join() === view.columns.join()
}

/** The filters in words. */
function wordsFor(filters: readonly Filter[], search: Search): string {
  const set = filters.flatMap((filter) => {
    const values = valuesOf(search, filter.id)
    return values.length === 0 ? [] : [`${filter.label}: ${describeFilter(filter, values)}`]
  })
  return set.length === 0 ? 'All rows, with the columns shown.' : `${set.join('; ')}.`
}

type ActProps = {
  /** The view that was opened. */
  readonly view: SavedView | undefined
  /** What the list shows now. */
  readonly shown: Pick<SavedView, 'resource' | 'query' | 'periods' | 'columns'>
  /** The same in words. */
  readonly says: string
  readonly onOpen: (view: SavedView | undefined) => void
  readonly onClose: () => void
}

const FIELDS: readonly Field[] = [
  field('text', 'name', 'Name', { isRequired: true }),
  field('flag', 'is_shared', 'Share', {
    hint: 'Everyone with access to this merchant account can see it. Only you can change it.',
  }),
]

function SaveNew({ shown, says, onOpen, onClose }: ActProps) {
  return (
    <Ask
      title="Save this view"
      verb="Save"
      says={says}
      fields={FIELDS}
      send={(body, idempotencyKey) =>
        send('POST /saved-views', {
          body: { ...shown, ...body } as Schemas['SavedViewCreate'],
          idempotencyKey,
        })
      }
      outcome={({ name }) => `${name} was saved`}
      onDone={onOpen}
      onClose={onClose}
    />
  )
}

function Edit({ view, onClose }: ActProps) {
  if (!view) return null
  return (
    <Ask
      title={`Rename or share ${view.name}`}
      verb="Save"
      says="The filters and columns stay as they are."
      fields={FIELDS}
      initial={view}
      send={(body) => put(view, body)}
      outcome={({ name }) => `${name} was changed`}
      onClose={onClose}
    />
  )
}

function Replace({ view, shown: { resource: _same, ...shown }, says, onClose }: ActProps) {
  if (!view) return null
  return (
    <Ask
      title={`Save changes to ${view.name}`}
      verb="Save"
      says={says}
      send={() => put(view, shown)}
      outcome={({ name }) => `${name} was changed`}
      onClose={onClose}
    />
  )
}

function Delete({ view, onOpen, onClose }: ActProps) {
  if (!view) return null
  return (
    <Ask
      title={`Delete the view ${view.name}`}
      verb="Delete"
      isDangerous
      says={
        view.is_shared
          ? 'It is removed for everyone with access to this merchant account. No payment is changed.'
          : 'Only the view is deleted. No payment is changed.'
      }
      send={() => send('DELETE /saved-views/{saved_view_id}', { path: { saved_view_id: view.id } })}
      outcome={`${view.name} was deleted`}
      onDone={() => onOpen(undefined)}
      deletedId={view.id}
      onClose={onClose}
    />
  )
}

function put({ id }: SavedView, body: object) {
  return send('PUT /saved-views/{saved_view_id}', {
    path: { saved_view_id: id },
    body: body as Schemas['SavedViewUpdate'],
  })
}

const ACTS = { new: SaveNew, edit: Edit, replace: Replace, delete: Delete }
type Act = keyof typeof ACTS

type Kept = Pick<Schemas['SavedView'], 'query' | 'periods'>

/** What stands in the address, as the API keeps it: parameters of the list, and periods that stay as they were said. */
function viewFrom(filters: readonly Filter[], search: Search): Kept {
  const isPeriod = ({ kind }: Filter) => kind === 'period'
  const bounds = queryFrom(
    filters.filter((filter) => !isPeriod(filter)),
    search,
    new Date(),
  )
  const query = Object.entries(bounds).map(([name, value]) => [
    name,
    typeof value === 'object' ? [...value] : String(value),
  ])
  const periods = filters.filter(isPeriod).flatMap(({ id }) => {
    const [text] = valuesOf(search, id)
    return text === undefined ? [] : [[id, text]]
  })
  return { query: Object.fromEntries(query), periods: Object.fromEntries(periods) }
}

/** The way back. A filter that the page does not have is left out. */
function searchFrom(filters: readonly Filter[], { query, periods }: Kept): Search {
  const found = filters.flatMap((filter): [string, string | readonly string[]][] => {
    const value = filter.kind === 'period' ? periods[filter.id] : textOf(filter, query)
    return value === undefined || value.length === 0 ? [] : [[filter.id, value]]
  })
  return Object.fromEntries(found)
}

function textOf(filter: Filter, query: Kept['query']): string | readonly string[] | undefined {
  if (filter.kind !== 'amount') return query[filter.id]
  const [currency = ''] = [query['currency'] ?? []].flat()
  const major = (bound: string) => {
    const amount = query[`${filter.id}_${bound}`]
    return amount === undefined ? '' : decimalText(Number(amount), currency)
  }
  const exact = major('eq')
  if (exact !== '') return exact
  const [from, to] = [major('gte'), major('lte')]
  return from === '' && to === '' ? undefined : `${from}..${to}`
}
